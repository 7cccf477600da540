/* Small functions of numbers that folding and both interpreters must compute in the same way. */
#ifndef RG_EXPR_OPS_H
#define RG_EXPR_OPS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RG_POW_INT_MAX = 64 }; /* |n| up to which x^n is computed by multiplication */

/* Infinities and not-a-number have all bits of the exponent set: adding one to it carries into the
 * sign.  Or these together; rg_is_all_finite() tells the result. */
static inline uint64_t rg_exponent_carry(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & UINT64_C(0x7ff0000000000000)) + UINT64_C(0x0010000000000000);
}

static inline bool rg_is_all_finite(uint64_t carry)
{
    return carry >> 63 == 0;
}

static inline double rg_sign(double x)
{
    return x > 0 ? 1.0 : x < 0 ? -1.0 : x == 0 ? 0.0 : x; /* not-a-number stays */
}

/* mod(x, y) = x - y floor(x/y): in [0, y) for y > 0; fmod keeps it exact. */
static inline double rg_mod(double x, double y)
{
    const double r = fmod(x, y);
    return r != 0.0 && (r < 0.0) != (y < 0.0) ? r + y : r;
}

static inline double rg_min(double x, double y)
{
    return x <= y || isnan(x) ? x : y;
}

static inline double rg_max(double x, double y)
{
    return x >= y || isnan(x) ? x : y;
}

static inline double rg_pow_positive(double x, int n)
{
    double result = n & 1 ? x : 1.0;

    while ((n >>= 1) != 0) {
        x *= x;
        if (n & 1) result *= x;
    }
    return result;
}

/* x^n by repeated squaring; 1/x^|n| for negative n. */
static inline double rg_pow_int(double x, int n)
{
    return n < 0 ? 1.0 / rg_pow_positive(x, -n) : rg_pow_positive(x, n);
}

static inline int rg_is_small_integer(double x)
{
    return x == floor(x) && fabs(x) <= RG_POW_INT_MAX;
}

static inline double rg_pow(double x, double y)
{
    return rg_is_small_integer(y) ? rg_pow_int(x, (int)y) : pow(x, y);
}

#endif
