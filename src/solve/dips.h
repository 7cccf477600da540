/* Unknowns that are small at one time and grow from there by themselves.
 *
 * In  y' = a(t) y  errors grow as y does: one of atol where |y| < atol is as large as y ever after,
 * and no comparison of two runs is bound to show it, since both pass below atol.  A state is
 * suspected that is below 1e-3 atol/rtol, or below 100 atol, at some time, and grows to 100 times
 * that and to atol or more; it has done so by itself where  y = y' = 0  solves the equations that
 * determine it, whatever the others are, alone or together with all that begin as small and grow
 * from there (exposed and infected).  That is not so where a state passes 0 because others move it,
 * as x does in x' = v. */
#ifndef RG_SOLVE_DIPS_H
#define RG_SOLVE_DIPS_H

#include "solve/solver.h"
#include "solve/trail.h"

typedef struct {
    double low, t_low, least; /* the least value, its time, and the least one that is not 0 */
    double start, t_start;    /* ... at the start of the run, or behind an event */
    double most;              /* the largest one */
    double t_rise;            /* the time of the first point to which it has risen from there */
    double t_large;           /* the last time with a value that is not small */
    bool is_missed;           /* the run did not follow (solve/missed.h) */
} rg_dip;

typedef struct {
    int64_t n;     /* states */
    double early;  /* steps up to this time behind the start, or an event, are the first ones */
    rg_dip *now;   /* up to now, n; low is INFINITY: none yet */
    rg_dip *risen; /* from which a state has grown, n; low is INFINITY: none */
    rg_trail trail;
} rg_dips;

/* interval: the length of the run */
rg_status rg_dips_init(rg_context *ctx, int64_t n, double interval, rg_dips *out);
void rg_dips_clear(rg_context *ctx, rg_dips *d);
void rg_dips_forget(rg_dips *d);
void rg_dips_take(rg_dips *d, const rg_integrator *g, double t, const double *y, const double *yp);
/* Behind an event: what it has lifted has not grown. */
void rg_dips_jump(rg_dips *d, const rg_integrator *g, double t, const double *y, const double *yp);
void rg_dips_store(rg_dips *d, rg_store *s); /* for checkpoints */
/* Keeps only what has grown by itself; called once, behind the run. */
rg_status rg_dips_judge(rg_dips *d, const rg_solver *s);
/* The size from which a state has grown; NaN: it has not. */
double rg_dips_size(const rg_dips *d, int64_t state);
bool rg_dips_is_any(const rg_dips *d);
/* One that was below atol has no certain digit: a failure, or a warning where that is accepted. */
rg_status rg_dips_tell(const rg_dips *d, const rg_solver *s);

#endif
