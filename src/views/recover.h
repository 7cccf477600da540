/* Unknowns that only hidden constraints determine, at one point of a run.
 *
 * Where the model is integrated as written (or stabilized), multipliers have the order s of the
 * stages and states 2s - 1.  But at given states x_j^(r), r < d_j, the reduced equations
 *
 *     F_i^(c_i) (t, x, .., u) = 0,      u_j = x_j^(d_j),  x_j itself where d_j = 0       (1)
 *
 * determine the highest derivatives u, multipliers among them: they are then as good as the
 * states. */
#ifndef RG_VIEWS_RECOVER_H
#define RG_VIEWS_RECOVER_H

#include "views/system.h"

typedef struct rg_recovery rg_recovery;

/* For points of this view, which must live longer.  *out is NULL where nothing is to be gained:
 * no hidden constraints, or none that are known one by one.  Takes its memory when first used. */
rg_status rg_recovery_create(const rg_system *view, rg_recovery **out);
void rg_recovery_destroy(rg_recovery **r);
/* What comes next does not depend on the points before. */
void rg_recovery_forget(rg_recovery *r);
/* Is this state of the view replaced by rg_recovery_run()?  Before, it may be far from its
 * value. */
bool rg_recovery_gives(const rg_recovery *r, int64_t state);
/* What errors of one tolerance in the states make of them, in tolerances, at the last point;
 * infinite where it did not replace all of them. */
double rg_recovery_gain(const rg_recovery *r);
/* is_rough: a point between steps that only a polynomial gives; all states are then moved onto the
 * hidden constraints.
 * Replaces multipliers in y and highest derivatives in y' by the solution of (1).  Where there is
 * none (a singular position, the edge of a switch), y and y' are left as they are.  Counts its
 * work in `stats`. */
rg_status rg_recovery_run(rg_recovery *r, const rg_options *o, bool is_rough, double t, double *y,
                          double *yp, rg_stats *stats);
/* The same once, at start values, which are consistent. */
rg_status rg_recovery_start(const rg_system *view, const rg_options *o, double t, double *y,
                            double *yp);

#endif
