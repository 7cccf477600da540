/* The direction in which the conditions leave the solution free: of the equations linearized at the
 * last iterate, the right singular vector u(t) of the smallest singular value, and the left one,
 * which tells who takes part in the equation that is missing. */
#ifndef RG_BVP_COLLOCATION_DIRECTION_H
#define RG_BVP_COLLOCATION_DIRECTION_H

#include "bvp/collocation/run.h"

enum { RG_DIRECTION_TEXT = 320 };

typedef struct {
    const rg_bvp_run *r;
    rg_curve *it;
    rg_implicit *l;
    double sigma, *u; /* (N + 1) nx, relative to the sizes of the states: at most 1 */
    double *left;     /* nx: conditions that are left, then invariants ... */
    double rest;      /* ... and the equations */
    int64_t top;      /* mesh point and ... */
    int largest;      /* ... state where u is largest */
} rg_run_direction;

/* RG_RETRY: not to be found out.  To be cleared in any case. */
rg_status rg_run_direction_find(const rg_bvp_run *r, rg_run_direction *out);
void rg_run_direction_clear(rg_run_direction *d);
/* "'x''" of state k, into RG_DIRECTION_TEXT characters. */
void rg_run_name_state(const rg_bvp_form *f, int k, char *text);

#endif
