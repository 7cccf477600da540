/* Pulses of functions of time: where a function of the independent variable alone, anywhere in the
 * equations, moves in a small part of the interval and hardly elsewhere.  Steps that have grown
 * before such a part would pass over it, and no error test would notice. */
#ifndef RG_VIEWS_PULSES_H
#define RG_VIEWS_PULSES_H

#include "problem/problem.h"

typedef struct {
    double from, to; /* from < to; equal: a turn, where a step ends */
    double width;    /* of the narrowest flank between them */
} rg_pulse;

/* Those between a and b, in ascending order; they do not overlap.  The array is the caller's; NULL
 * where there is none. */
rg_status rg_pulses_find(const rg_problem *p, double a, double b, rg_pulse **out, int64_t *n);
/* Pulses that meet become one; much narrower ones stay what they are within wider ones. */
rg_status rg_pulses_merge(rg_context *ctx, rg_pulse **list, int64_t *n);

#endif
