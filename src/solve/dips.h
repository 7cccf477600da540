/* Unknowns that fall below atol and grow again by themselves.
 *
 * In  y' = a(t) y  errors grow as y does: one of atol where |y| < atol is as large as y ever after,
 * and no comparison of two runs is bound to show it, since both pass below atol.  A state is
 * suspected that was above 100 atol, then below atol, and then above 100 atol again; and told where
 * y = y' = 0 solves the equations of its derivative whatever the others are.  That is not so where
 * a state passes 0 because others move it, as x does in  x' = v. */
#ifndef RG_SOLVE_DIPS_H
#define RG_SOLVE_DIPS_H

#include "solve/solver.h"

typedef struct {
    int64_t n;     /* states */
    double *low;   /* smallest |y| below atol, or INFINITY, n */
    double *t_low; /* where, n */
    double *phase; /* what the state has been so far: 0, high, low, high again; n */
} rg_dips;

rg_status rg_dips_init(rg_context *ctx, int64_t n, rg_dips *out);
void rg_dips_clear(rg_context *ctx, rg_dips *d);
void rg_dips_forget(rg_dips *d);
void rg_dips_take(rg_dips *d, const rg_integrator *g, double t, const double *y);
/* Behind an event: what it has lifted has not grown. */
void rg_dips_jump(rg_dips *d, const rg_integrator *g, const double *y);
void rg_dips_store(rg_dips *d, rg_store *s); /* for checkpoints */
/* A warning for the first one. */
rg_status rg_dips_tell(const rg_dips *d, const rg_solver *s);

#endif
