/* How far off are the rows of a run?  A second run at a smaller tolerance, beside the first one,
 * tells. */
#ifndef RG_SOLVE_ESTIMATE_H
#define RG_SOLVE_ESTIMATE_H

#include "ivp/event/event.h"
#include "solution/solution.h"
#include "solve/keeper.h"
#include "solve/pairs.h"
#include "solve/solver.h"

typedef struct rg_second_run rg_second_run;

/* Prepares the second run of `first` towards t_end and starts it in a thread of its own where
 * that is safe; otherwise, and for a run with checkpoints (keeper), it is made by
 * rg_second_run_finish().  *out is NULL when it cannot be had: there is no estimate then, and a
 * warning.  needs: valid until the run is over, and then for every state the unit that an
 * output with too large an error asks for, and for every state the largest unit that will do
 * (INFINITY: any). */
void rg_second_run_start(const rg_solver *first, double t_end, const rg_solution *s,
                         int64_t n_times, rg_keeper *keeper, double *needs, rg_second_run **out);
/* The first run has written a row; has written all rows up to t.  Both accept NULL. */
void rg_second_run_row(rg_second_run *w, const rg_pair *row, const double *columns,
                       const double *forces);
void rg_second_run_reach(rg_second_run *w, double t);
/* The first run begins again, and the second one is of no use: rows that it has compared are not
 * put out.  NULL afterwards. */
void rg_second_run_drop(rg_second_run **second);
/* For checkpoints: the rows that the first run has offered; the second run as it was stored. */
void rg_second_run_store_rows(rg_second_run *w, rg_store *s);
rg_status rg_second_run_take_up(rg_second_run *w);
/* Ends the second run (when `s` is complete: waits for it) and puts the estimates into s->estimate
 * and s->estimate_end; NaN, with a warning, when the second run failed, and without one when the
 * first did.  A failure: both runs, or the second one, leave a singular position in doubt, or have
 * other events than the first one.  NULL afterwards; accepts NULL. */
rg_status rg_second_run_finish(rg_second_run **second, bool is_complete, const rg_event_log *events,
                               rg_solution *s);

#endif
