/* Pulses of functions of time (views/pulses.h) on meshes: intervals longer than they are would not
 * meet them, and no error estimate would notice. */
#ifndef RG_BVP_PULSES_H
#define RG_BVP_PULSES_H

#include "views/pulses.h"

typedef struct {
    int64_t n;
    rg_pulse *list; /* in ascending order */
} rg_bvp_pulses;

/* Between a and b, in either order. */
rg_status rg_bvp_pulses_find(const rg_problem *p, double a, double b, rg_bvp_pulses *out);
void rg_bvp_pulses_clear(rg_context *ctx, rg_bvp_pulses *pulses);
/* Intervals of `widths` widths of its flanks that all of them take; a mesh has more. */
double rg_bvp_pulses_intervals(const rg_bvp_pulses *pulses, double widths);
/* Cuts intervals of a mesh that are longer than this in a pulse; *t, N + 1 points in either order,
 * is given back for the new one. */
rg_status rg_bvp_pulses_cut(rg_context *ctx, const rg_bvp_pulses *pulses, double widths, int64_t *N,
                            double **t);
/* The longest step from t in this direction that passes over none of them. */
double rg_bvp_pulses_step(const rg_bvp_pulses *pulses, double widths, double t, double direction);
/* Errors of steps add up to the tolerance over the interval: so long is what a step from t is part
 * of.  Pulses share one half of the tolerance, what lies between them the other. */
double rg_bvp_pulses_share(const rg_bvp_pulses *pulses, double t, double direction, double length);
/* The left half of `all`, with the other half mirrored onto it. */
rg_status rg_bvp_pulses_fold(rg_context *ctx, const rg_bvp_pulses *all, double low, double high,
                             rg_bvp_pulses *out);

#endif
