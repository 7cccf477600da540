/* When is Newton's method over that is to go on to rounding?  When its updates are rounding, or
 * small and no longer halved: then they are noise, of whatever size the problem has. */
#ifndef RG_NEWTON_ITERATED_H
#define RG_NEWTON_ITERATED_H

#include "newton/tuning.h"

#include <stdbool.h>

/* The largest update relative to 1 + |value|, and that of the iteration before (INFINITY: none). */
static inline bool rg_is_iterated(double size, double before)
{
    return size <= RG_ITERATED_DONE || (size <= RG_ITERATED_NEAR && size >= RG_NOT_HALVED * before);
}

/* Good enough where the iterations are used up. */
static inline bool rg_is_nearly_iterated(double size)
{
    return size <= RG_ITERATED_NEAR;
}

#endif
