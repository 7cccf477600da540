/* What the files of quasilinearization share. */
#ifndef RG_BVP_TRANSFER_QUASI_IMPL_H
#define RG_BVP_TRANSFER_QUASI_IMPL_H

#include "bvp/transfer/transfer_impl.h"

enum { RG_BASE, RG_NEXT, RG_TRIAL, RG_AFTER, RG_QUASI_CURVES };

struct rg_quasi {
    rg_transfer_curve *curve[RG_QUASI_CURVES]; /* y_0; z_0; y; z of (*) in quasi.c at y */
    rg_transfer_newton newton;
    double *scale;           /* per component: the tolerance */
    rg_transfer_curve *best; /* the values that the sweeps have */
};

/* The values that the sweeps have at all points, into a curve. */
rg_status rg_quasi_sample(rg_transfer *t, int to);
/* max |x_i - y_i| / (atol + rtol max |x_i|), and never below rounding; sets the scale. */
double rg_quasi_distance(const rg_transfer *t, int x, int y);
/* RG_TRIAL = RG_BASE + lambda (RG_NEXT - RG_BASE) */
void rg_quasi_step(const rg_transfer *t, double lambda);
/* Halves the pieces of the curve `best` that need it, which then is RG_BASE; *count: how many
 * they were.  Sweeps are gone then. */
rg_status rg_quasi_refine(rg_transfer *t, int *count);

#endif
