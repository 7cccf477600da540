/* Values that jump at a point which a run moves along: what is written as sign(v) has there no side
 * that would be its own, and by rounding it is now the one and now the other. */
#ifndef RG_SOLUTION_TORN_H
#define RG_SOLUTION_TORN_H

#include "solution/tuning.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Times this a point is moved to both sides, and closer. */
static const double rg_torn_parts[] = {1.0, -1.0, RG_TORN_CLOSER, -RG_TORN_CLOSER};

/* How far its entry k is moved, as a part of its size. */
static inline double rg_torn_move(int64_t k)
{
    return RG_TORN_MOVE * cos(1.0 + (double)k);
}

/* The differences of a value between both sides, far from it and closer: that of a smooth one
 * falls. */
static inline bool rg_is_torn(double wide, double narrow, double value)
{
    return narrow > RG_TORN_KEPT * wide && wide > RG_TORN_LEAST * (1.0 + fabs(value));
}

#endif
