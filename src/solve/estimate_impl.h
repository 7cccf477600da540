/* The second run of an estimate, as its files see it: its way (estimate.c), the rows it is compared
 * with (estimate_rows.c), expressions in them (estimate_outputs.c), what follows
 * (estimate_judge.c). */
#ifndef RG_SOLVE_ESTIMATE_IMPL_H
#define RG_SOLVE_ESTIMATE_IMPL_H

#include "ivp/forces.h"
#include "solve/estimate.h"
#include "solve/integration.h"

#include <pthread.h>

struct rg_second_run {
    const rg_solver *first;
    rg_context *parent, *ctx;
    const rg_problem *problem; /* of the first run */
    rg_problem *second; /* the same for the second: what it would find out is known already */
    rg_integration way;
    double *unit;      /* columns: atol/rtol */
    double ratio;      /* atol/rtol of the options */
    bool *is_output;   /* columns: expressions */
    bool *is_derived;  /* columns: expressions of unknowns with an atol of their own */
    bool *is_missed;   /* columns: off by more than ever before, now */
    bool *is_doubtful; /* columns: so, and because of an unknown with too large an atol */
    bool has_outputs, has_derived;
    double *needs; /* see rg_second_run_start() */
    rg_pairs *pairs;
    bool rows_are_steps;
    bool meets; /* its steps end at rows, where nothing else is as good */
    rg_layout *layout;
    rg_columns *columns; /* of the second run */
    rg_force_columns *force_columns;
    rg_forces forces; /* where the first run writes them; n = 0: none */
    struct {
        double worst, t; /* the largest difference of one, and where */
        double end;      /* at the end */
        int64_t column;
    } force;
    int64_t n_columns;
    double *z;               /* y, y' of a row; of the end of the last step */
    double *before;          /* z at the end of the last step */
    double *moved, *derived; /* z near by, and its columns */
    double *theirs, *ours;   /* columns: of the first run, and its forces; of the second */
    double *our_forces;
    double *most, *t_most; /* the largest difference of every column, and where */
    double *largest;       /* the largest value of every column at the steps */
    double *off;           /* the largest difference itself */
    double *terms, *solid; /* of outputs: the largest terms, and those of unknowns with digits */
    double rounding;       /* what that of t makes of a value, at most */
    double worst, t_lost;  /* the largest difference; from where on no digit is certain */
    bool is_end_lost;      /* a column has none at the end, be it beside its largest value */
    bool is_stopped;       /* a `stop` has ended both runs, each at its own time */
    pthread_t thread;
    bool has_thread;
    rg_status status;
    bool rough; /* fixed step: rows between the steps are not as good as steps */
};

/* The rows of the first run that lie in the last step are compared; user: the rg_second_run. */
rg_status rg_second_run_look(const rg_integrator *now, void *user);
/* Those behind an event. */
rg_status rg_second_run_jump(const rg_integrator *g, void *user);
/* A failure where it has taken far more steps than the first one in all, once that is over. */
rg_status rg_second_run_crawls(rg_second_run *w);
/* Units of the columns; those of expressions at w->z; states whose units are too large for columns
 * that are missed. */
void rg_second_run_units(rg_second_run *w, const rg_solution *s);
void rg_second_run_derive(rg_second_run *w, double t);
void rg_second_run_blame(rg_second_run *w, double t);
/* Terms of outputs at w->z; behind rg_second_run_at_end(), the largest difference of those that are
 * small during the whole run, as a part of their size, and that at the end; 0: none is small. */
void rg_second_run_see_terms(rg_second_run *w, double t);
double rg_second_run_small(rg_second_run *w, double *end);
/* The state whose unit is too large for an output by the largest factor; -1: none is. */
int64_t rg_second_run_coarse(const rg_second_run *w);
/* Where an output has missed the tolerance, and unknowns that are written have not. */
void rg_second_run_warn_of_outputs(const rg_second_run *w, const rg_solution *s);
/* max_i |y_i - w_i| / (unit_i + |y_i|) over the columns at the end; NaN where none can be
 * compared. */
double rg_second_run_at_end(rg_second_run *w, const rg_solution *s);
/* A switch at the end, which one run alone has passed. */
void rg_second_run_warn_of_end(const rg_second_run *w, double t);
/* The first run is complete, and the second one over: see rg_second_run_finish(). */
rg_status rg_second_run_judge(rg_second_run *w, const rg_event_log *first, rg_solution *s);
/* "no estimate of the error ... (reason)" */
void rg_second_run_warn(const rg_problem *p, const char *reason);

#endif
