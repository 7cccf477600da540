/* Rows of a run on their way to the second run, which compares its own values with them.
 *
 * The first run offers rows and tells how far it is; the second one takes what lies in its last
 * step, and waits where the first is not as far as that.  Which rows are kept depends on their
 * numbers and times only, never on who is faster: all of the chosen times up to a few thousand, of
 * the steps all at first and then one of 2, 3, .., and all that are long.  Memory is limited. */
#ifndef RG_SOLVE_PAIRS_H
#define RG_SOLVE_PAIRS_H

#include "base/store.h"

typedef struct rg_pairs rg_pairs;

typedef struct {
    double t;
    int64_t n_switches; /* that the row lies behind */
    double t_switch;    /* the last of these; NaN: none.  From t on: the row is behind an event */
} rg_pair;

/* n_times: chosen times, 0: rows are steps; every: at least so many steps from one to the next;
 * length of the run, below 0: backwards. */
rg_status rg_pairs_create(rg_context *ctx, int64_t n_columns, int64_t n_times, int every,
                          double length, rg_pairs **out);
void rg_pairs_destroy(rg_pairs **pairs);

/* The first run.  Will the next row, at t, be kept?  Asked and offered once per row. */
bool rg_pairs_wants(rg_pairs *p, double t);
void rg_pairs_offer(rg_pairs *p, const rg_pair *row, const double *values, int64_t n_values,
                    const double *more);          /* the rest of the columns */
void rg_pairs_reach(rg_pairs *p, double t);       /* all rows up to here were offered */
void rg_pairs_finish(rg_pairs *p, int64_t steps); /* it is over, with so many; 0: of no use */

/* The second run: the next row up to t1, into *row and values; false: there is none.  Beyond t0
 * those behind events wait. */
bool rg_pairs_take(rg_pairs *p, double t1, double t0, rg_pair *row, double *values);
/* The time of the first row beyond t1, for which it waits; NaN: there is none. */
double rg_pairs_next(rg_pairs *p, double t1);
/* Of the first run; 0: it is not over. */
int64_t rg_pairs_steps(rg_pairs *p);
/* For checkpoints; the runs follow one another then. */
void rg_pairs_store(rg_pairs *p, rg_store *s);

#endif
