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
    bool is_shared; /* all but the assemblies belongs to another one (rg_system_create_like) */
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
    struct rg_slide *slide; /* states and rows for branches; NULL: none */
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
    bool is_plain;           /* F is that of the equations: no branches, chains, other forms */
    double *residuals;       /* drift */
    double *weight;          /* of the projection, 0 for what is constant between events; or NULL */
    rg_projector *projector; /* reduced and stabilized view */
    rg_ggl_work ggl;         /* stabilized view */
    /* switches */
    bool is_held;     /* branches stay as they are; else they follow the values */
    bool joins;       /* ... where they have no value, branches that join them */
    double *values;   /* of the functions */
    double *kept;     /* branches, while others are in z */
    double *other;    /* values or residuals with these */
    double *size;     /* ... their sizes and spans, when these were looked at last */
    double *gradient; /* of the functions, in pattern order */
    /* a view with branches as states: the work of the view below it; which branches slide */
    rg_system_work *base;
    const uint8_t *slides;
    const double *held; /* per place */
};

void rg_system_fill(rg_system_work *w, const double *y, const double *yp);

/* branches.c: memory; branches by the values at the point in the workspace, unless they are held */
rg_status rg_branches_work(const rg_system *s, rg_system_work *w);
rg_status rg_branches_follow(const rg_system *s, rg_system_work *w, double t);
/* Residuals without a value, by branches that join those that are held; RG_RETRY: none. */
rg_status rg_branches_join(const rg_system *s, rg_system_work *w, double t, double *F);

/* slide.c */
void rg_slide_destroy(rg_context *ctx, struct rg_slide **slide);
rg_status rg_slide_work(const rg_system *s, rg_system_work *w);
rg_status rg_slide_residual(const rg_system *s, rg_system_work *w, double t, double *F);
rg_status rg_slide_jacobian(const rg_system *s, rg_system_work *w, double t, const double *y,
                            const double *yp, double *Jy, double *Jyp);
int64_t rg_slide_base_size(const rg_system *s);
const rg_system *rg_slide_base(const rg_system *s);
void rg_slide_of_base(const rg_system *s, const double **Jy, const double **Jyp);

#endif
