/* The value that a velocity carries through the point between two values of a line. */
#ifndef RG_PDAE_OPS_CARRY_H
#define RG_PDAE_OPS_CARRY_H

#include "base/vector.h"
#include "pdae/ops/vector.h"

/* With velocity V from between `b` and `c`; a and d lie beyond them.  TVD: linear reconstruction
 * with van Leer's limiter. */
RG_INLINE double rg_carried(rg_carry kind, double V, double a, double b, double c, double d)
{
    if (kind == RG_CARRY_CENTRAL) return 0.5 * (b + c);
    if (kind == RG_CARRY_UPWIND) return V > 0.0 ? b : c;
    const double here = V > 0.0 ? b : c, step = V > 0.0 ? c - b : b - c,
                 back = V > 0.0 ? b - a : c - d;
    return here + (step * back > 0.0 ? step * back / (step + back) : 0.0);
}

/* Flux of the component u along e through the point between the places -along and 0; v is the
 * component that carries, `across` the stride of the carried one (the same: that of e). */
RG_INLINE double rg_momentum_flux(rg_carry kind, const double *u, const double *v, int64_t along,
                                  int64_t across)
{
    const double speed = 0.5 * (v[0] + v[-across]);

    return speed * rg_carried(kind, speed, u[-2 * along], u[-along], u[0], u[along]);
}

#endif
