/* The second run of an estimate, as its three files see it: its way (estimate.c), the rows it is
 * compared with (estimate_rows.c), what follows (estimate_judge.c). */
#ifndef RG_SOLVE_ESTIMATE_IMPL_H
#define RG_SOLVE_ESTIMATE_IMPL_H

#include "solve/estimate.h"
#include "solve/integration.h"

#include <pthread.h>

struct rg_second_run {
    const rg_solver *first;
    rg_context *parent, *ctx;
    const rg_problem *problem; /* of the first run */
    rg_problem *second; /* the same for the second: what it would find out is known already */
    rg_integration way;
    double *unit;     /* columns: atol/rtol */
    bool *is_derived; /* columns: expressions of unknowns with an atol of their own */
    bool has_derived;
    rg_pairs *pairs;
    bool rows_are_steps;
    rg_layout *layout;
    rg_columns *columns; /* of the second run */
    int64_t n_columns;
    double *z;               /* y, y' of a row; of the end of the last step */
    double *before;          /* z at the end of the last step */
    double *moved, *derived; /* z near by, and its columns */
    double *theirs, *ours;   /* columns: of the first run, of the second */
    double *most;            /* the largest difference of every column */
    double rounding;         /* what that of t makes of a value, at most */
    double worst, t_lost;    /* the largest difference; from where on no digit is certain */
    pthread_t thread;
    bool has_thread;
    rg_status status;
    bool rough; /* fixed step: rows between the steps are not as good as steps */
};

/* The rows of the first run that lie in the last step are compared; user: the rg_second_run. */
rg_status rg_second_run_look(const rg_integrator *now, void *user);
/* The end of the last step, or the values behind an event there, are kept. */
rg_status rg_second_run_remember(const rg_integrator *g, void *user);
/* max_i |y_i - w_i| / (unit_i + |y_i|) over the columns at the end; NaN where none can be
 * compared. */
double rg_second_run_at_end(rg_second_run *w, const rg_solution *s);
/* The first run is complete, and the second one over: see rg_second_run_finish(). */
rg_status rg_second_run_judge(rg_second_run *w, const rg_event_log *first, rg_solution *s);
/* "no estimate of the error ... (reason)" */
void rg_second_run_warn(const rg_problem *p, const char *reason);

#endif
