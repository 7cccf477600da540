/* Conditions and assignments of events: what the files that make and evaluate them share. */
#ifndef RG_VIEWS_CONDITIONS_IMPL_H
#define RG_VIEWS_CONDITIONS_IMPL_H

#include "problem/assembly.h"
#include "views/conditions.h"
#include "views/system_impl.h"

typedef struct { /* outputs of the events as the equations of a problem that borrows all else */
    rg_problem problem;
    rg_body *bodies;
    rg_span *spans;
    int64_t *first; /* per event: its first row, -1: it has none */
    rg_assembly *assembly;
    rg_assembly_work *work;
} rg_conditions_part;

struct rg_conditions {
    rg_context *ctx;
    const rg_system *s;
    const rg_problem *p;
    rg_conditions_part asked, given; /* conditions; values that are assigned */
    rg_switches switches;
    rg_assembly_work *functions;
    int64_t n_instances;
    rg_instance *instances;
    double *z;        /* y, y', room, branches */
    double *gradient; /* of the functions */
    double *rows;     /* of either part, or of the functions */
    double *moved;    /* callbacks: y near by, and the conditions there */
    bool is_linear;   /* all functions are, in y alone; then `gradient` is theirs for good */
};

/* ---- of problems by callbacks (conditions_callbacks.c) */

/* The condition g > 0 has the function -g < 0. */
rg_status rg_conditions_fill_callbacks(rg_conditions *c);

/* What cannot be evaluated is NaN. */
rg_status rg_conditions_call_event(const rg_conditions *c, double t, const double *y,
                                   double *values);

/* rg_conditions_sizes() by difference quotients. */
rg_status rg_conditions_callback_sizes(rg_conditions *c, double t, const double *y,
                                       const double *unit, double *sizes, double *terms);

/* What the callback has changed was assigned. */
rg_status rg_conditions_call_reset(rg_conditions *c, int event, double t, const double *y,
                                   rg_assigned *out, int *n, bool *stops);

#endif
