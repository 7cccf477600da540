/* How far off are the rows of a run?  A second run at a smaller tolerance, beside the first one,
 * tells. */
#ifndef RG_SOLVE_ESTIMATE_H
#define RG_SOLVE_ESTIMATE_H

#include "solution/solution.h"
#include "solve/solver.h"

typedef struct rg_twin rg_twin;

/* Prepares the second run of `first` towards t_end and starts it in a thread of its own where
 * that is safe; otherwise it is made by rg_twin_finish().  *out is NULL when it cannot be had:
 * there is no estimate then, and a warning. */
void rg_twin_start(const rg_solver *first, double t_end, const rg_solution *s, int64_t n_times,
                   rg_twin **out);
/* The first run has written a row; has written all rows up to t; begins again at t.  All accept
 * NULL. */
void rg_twin_row(rg_twin *w, const rg_solution *s, double t, const double *y, const double *yp);
void rg_twin_reach(rg_twin *w, double t);
void rg_twin_rewind(rg_twin *w, double t);
/* Ends the second run (when `s` is complete: waits for it) and puts the estimates into s->estimate
 * and s->estimate_end; NaN, with a warning, when the second run failed, and without one when the
 * first did.  A failure: both runs, or the second one, leave a singular position in doubt.  NULL
 * afterwards; accepts NULL. */
rg_status rg_twin_finish(rg_twin **twin, bool is_complete, rg_solution *s);

#endif
