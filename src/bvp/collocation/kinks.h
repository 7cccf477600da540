/* Points where the equations change branch (if, abs, min, max, ...): they become mesh points, so
 * that no interval has a kink.
 *
 * Between the last collocation point and the end of an interval a kink would not be seen by any
 * order. */
#ifndef RG_BVP_COLLOCATION_KINKS_H
#define RG_BVP_COLLOCATION_KINKS_H

#include "bvp/collocation/profile.h"
#include "views/breaks.h"
#include "views/crossings.h"

typedef struct {
    rg_bvp_form *f;
    rg_switches switches;
    rg_crossings crossings;
    const rg_profile *from; /* that is looked at */
    double *x, *xp, *w;     /* workspace */
    double *after;
    int64_t n_known;
    double *known; /* of time alone, from the start on; the ends are none */
    int64_t n, capacity;
    double *t; /* all of them in this order */
} rg_kinks;

/* The interval is from a to b. */
rg_status rg_kinks_init(rg_bvp_form *f, double a, double b, rg_kinks *out);
void rg_kinks_clear(rg_kinks *k);
/* Looks for changes of branch along a profile. */
rg_status rg_kinks_find(rg_kinks *k, const rg_profile *from, int64_t N, const double *t);
/* The error of a solution whose kinks are not quite at its mesh points, relative to max(|x|, size).
 * Infinity: one is not within `tol` of the interval's length, or two share a mesh point. */
double rg_kinks_miss(rg_kinks *k, const rg_curve *it, double tol, const double *size);
/* Makes them mesh points; points close to one are left out, nodes stay. */
rg_status rg_kinks_move_mesh(rg_kinks *k, int n_nodes, const double *node, int64_t *N, double **t);

#endif
