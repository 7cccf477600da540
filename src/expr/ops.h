/* Functions of numbers that constant folding and both interpreters compute in the same way: the
 * helpers of ops.def (rg_sign, rg_mod, rg_min, rg_max, rg_pow), and a test for finite results. */
#ifndef RG_EXPR_OPS_H
#define RG_EXPR_OPS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

#define RG_HELPER(...) __VA_ARGS__
#include "expr/ops.def"

#endif
