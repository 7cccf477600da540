/* What the files of the view share. */
#ifndef RG_VIEWS_SYSTEM_IMPL_H
#define RG_VIEWS_SYSTEM_IMPL_H

#include "newton/project.h"
#include "views/drift.h"
#include "views/ggl.h"
#include "views/merge.h"
#include "views/switches.h"

struct rg_system {
    const rg_problem *p;
    rg_view_kind kind;
    rg_states layout;
    rg_assembly *equations; /* over z = (y, y') */
    rg_merge merge;
    int *variable_index; /* per state */
    int64_t n_equations; /* rows that are equations of the model; the first ones */
    int32_t *row_level;  /* per equation of the model: how often differentiated */
    int32_t *row_of;     /* ... and which row it is, -1: none */
    int64_t n_redundant; /* equations that follow from the others */
    rg_drift drift;
    rg_switches switches;
    const rg_analysis *analysis;
    /* reduced and stabilized view: the invariants F_i^(k), k < c_i, over the states */
    int64_t n_invariants;
    rg_assembly *invariants;
    rg_ggl ggl; /* stabilized view */
};

struct rg_system_work {
    const rg_system *s;
    rg_assembly_work *equations, *drift, *switches;
    double *z;               /* (y, y') */
    double *residuals;       /* drift */
    rg_projector *projector; /* reduced and stabilized view */
    rg_ggl_work ggl;         /* stabilized view */
};

#endif
