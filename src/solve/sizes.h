/* The sizes that unknowns have in a run, and the absolute tolerances that follow from them.
 *
 * An unknown of 1e-9 beside atol = 1e-6 is noise, and nobody sees it.  After a run every unknown
 * that is written, has no atol of its own and
 *
 *     0 < max |y| < 100 atol                                                              (1)
 *
 * is to be computed once more with  atol = rtol max |y|,  except where its values are the rounding
 * of larger ones; and with it every one below atol/rtol.  Noise may also end a run (negative
 * concentrations grow): then the sizes at its start and in its first step count.  What grows by
 * itself from small values (solve/dips.h) needs its digits where it is least: atol = rtol min |y|
 * and less; what an output needs more digits of (solve/estimate_outputs.c) is treated likewise. */
#ifndef RG_SOLVE_SIZES_H
#define RG_SOLVE_SIZES_H

#include "solve/dips.h"
#include "solve/solver.h"
#include "views/recover.h"

typedef struct {
    int64_t n;       /* states */
    double *largest; /* |y|, |y'| over the steps, 2 n */
    double *seen;    /* |y| over the steps, also of states before they were recovered, n */
    double *early;   /* |y| up to the first step, n */
    double *when;    /* the time at which |y| was largest, n */
    int64_t n_points;
    bool has_failed;
    bool counts_all; /* also what is not written: noise in it may have ended the run */
} rg_sizes;

rg_status rg_sizes_init(rg_context *ctx, int64_t n, rg_sizes *out);
void rg_sizes_clear(rg_context *ctx, rg_sizes *z);
void rg_sizes_forget(rg_sizes *z);
/* to_come: what would give states and slopes that this point does not have yet; NULL: all are
 * known.  Before, a multiplier that is 0 is as large as the errors of the steps, and slopes of
 * hidden constraints do not tell rounding from values. */
void rg_sizes_take(rg_sizes *z, double t, const double *y, const double *yp,
                   const rg_recovery *to_come);
void rg_sizes_store(rg_sizes *z, rg_store *s); /* for checkpoints */
/* Has the run perhaps failed because large values pass 0, where atol is far below rtol max |y|?  Of
 * a run that is complete, whose second one has failed, any of them may. */
bool rg_sizes_pass_zero(const rg_sizes *z, const rg_integrator *g, bool is_complete);
/* Has an unknown with a unit of its own left it far behind?  Noise that grows does. */
bool rg_sizes_have_exploded(const rg_sizes *z, const rg_solver *s);
/* The run has failed: what it had in the beginning counts. */
void rg_sizes_go_back(rg_sizes *z);

/* The units of the run with those that its sizes ask for; *out is NULL where these are none.
 * needs: what outputs ask for (solve/estimate.h).  given: by model and options; failed: of a run
 * that ended early; NULL: none.  Names and values of the new ones into the text. */
typedef struct {
    const rg_units *given, *failed;
} rg_sizes_known;
rg_status rg_sizes_units(const rg_sizes *z, const rg_dips *dips, const double *needs,
                         const rg_solver *s, rg_sizes_known known, rg_units **out, char *text,
                         size_t size);

#endif
