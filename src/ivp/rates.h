/* How fast do errors of variables of index 2 and 3 enter the others?  In units of the tolerance,
 * with s_j = atol + rtol |y_j|, an error of z of index k + 1 changes what is differentiated in
 * row i at the rate
 *
 *     r_iz = |dF_i/dz| s_z / max_j |dF_i/dy'_j| s_j,
 *
 * over rows with derivatives of variables of index k.  rate_z is the largest of them; for
 * index 3 the mean, sqrt(r_iz r_v), with the largest rate of a variable v of index 2 that is
 * differentiated in that row.  A z that occurs in no such row, but in an equation with others of
 * its index (power = force*speed), has their rate; where there are none it counts in full.
 * Multipliers of redundant constraints are determined in sums only, and rates of single ones say
 * nothing: there the interval gives the unit of time.
 *
 * Error norms have (h rate)^(index - 1) in place of h^(index - 1), HLR89 sections 7 and 8, which
 * would depend on the unit of time. */
#ifndef RG_IVP_RATES_H
#define RG_IVP_RATES_H

#include "ivp/method.h"

typedef struct {
    const int *index; /* per variable */
    int highest;
    const double *Jy, *Jyp, *inverse; /* inverse: 1/s_j */
    double *rate;                     /* 4 n: those of the variables, then room */
} rg_rates;

void rg_rates_find(const rg_integrator *g, const rg_rates *q);

/* Of an error of variable i in the others, at most 1: no variable is held more strictly than
 * asked. */
static inline double rg_rates_part(const rg_rates *q, int64_t i, double h)
{
    const double small = q->index[i] > 1 ? fmin(fabs(h) * q->rate[i], 1.0) : 1.0;

    return q->index[i] > 2 ? small * small : small;
}

#endif
