/* The direction in which the conditions leave the solution free (direction.h). */
#include "bvp/collocation/direction.h"

#include "bvp/collocation/tuning.h"

#include <math.h>
#include <stdio.h>

void rg_run_direction_clear(rg_run_direction *d)
{
    rg_implicit_destroy(&d->l);
    rg_curve_destroy(&d->it);
    rg_free(d->r->f->ctx, d->u);
}

/* u relative to the sizes of the states, its largest entry of an unknown 1. */
static void normalize(rg_run_direction *d)
{
    const rg_bvp_form *f = d->r->f;
    const double *scale = d->l->linear->chain->scale;
    double most = 0.0;

    for (int64_t q = 0; q < (d->it->N + 1) * f->nx; q++) {
        const int k = (int)(q % f->nx);
        d->u[q] /= scale[k];
        if (f->order[k] > 0 || !(fabs(d->u[q]) > most)) continue;
        most = fabs(d->u[q]);
        d->top = q / f->nx;
        d->largest = k;
    }
    for (int64_t q = 0; q < (d->it->N + 1) * f->nx && most > 0.0; q++)
        d->u[q] /= most;
}

static double size_of(const rg_curve *it, int k)
{
    double size = 0.0;

    for (int64_t i = 0; i <= it->N; i++)
        size = fmax(size, fabs(it->x[i * it->nx + k]));
    return size;
}

/* Where to linearize: at what was found, or, where rounding has carried that far off along the free
 * direction, at the guess.  sizes: nx, workspace. */
static rg_status fill(const rg_bvp_run *r, double *sizes, rg_curve *it)
{
    const rg_profile now = {rg_profile_of_curve, r->now};
    bool is_lost = false;

    RG_TRY(rg_profile_fill(it, r->f, r->guess));
    if (r->now == NULL) return RG_OK;
    for (int k = 0; k < it->nx; k++)
        sizes[k] = size_of(it, k);
    RG_TRY(rg_profile_fill(it, r->f, &now));
    for (int k = 0; k < it->nx && rg_run_is_undetermined(r); k++)
        is_lost =
            is_lost
            || (r->f->order[k] == 0 && sizes[k] > 0.0 && size_of(it, k) > RG_FREE_LOST * sizes[k]);
    return is_lost ? rg_profile_fill(it, r->f, r->guess) : RG_OK;
}

rg_status rg_run_direction_find(const rg_bvp_run *r, rg_run_direction *d)
{
    const rg_bvp_form *f = r->f;
    rg_stats stats = {0};
    rg_curve *delta = NULL;

    *d = (rg_run_direction){.r = r};
    if (f->is_large || f->nx > RG_FREE_STATES) return RG_RETRY;
    RG_TRY(rg_curve_create(f->ctx, &r->low, f->n, f->nx, r->N, r->t, r->c->n_points, r->c->point,
                           &d->it));
    d->u = rg_alloc(f->ctx, (size_t)((r->N + 2) * f->nx) + 1, sizeof *d->u);
    if (d->u == NULL) return RG_ERR_MEMORY;
    d->left = d->u + (r->N + 1) * f->nx;
    RG_TRY(fill(r, d->left, d->it));
    RG_TRY(rg_curve_like(d->it, &delta));
    rg_status status = rg_implicit_create(r->f, r->c, d->it, &stats, &d->l);
    if (status == RG_OK) status = rg_implicit_correct(d->l, d->it, true, delta);
    rg_curve_destroy(&delta);
    if (status < 0) return status;
    if (!d->l->linear->has_factors && !d->l->linear->is_singular) return RG_RETRY;
    rg_condensed_balance(d->l->linear);
    RG_TRY(rg_chain_weakest(d->l->linear->chain, &d->sigma, d->u, d->left, &d->rest));
    normalize(d);
    return RG_OK;
}

void rg_run_name_state(const rg_bvp_form *f, int k, char *text)
{
    char name[160];

    rg_variable_name(f->p, f->unknown[k], f->order[k], name, sizeof name);
    snprintf(text, RG_DIRECTION_TEXT, "'%s'", name);
}
