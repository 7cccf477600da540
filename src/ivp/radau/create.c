#include "ivp/radau/radau.h"

#include <float.h>
#include <math.h>

enum { MAX_NEWTON = 7, MAX_NEWTON_FIXED = 50 }; /* RADAU5: 7 */

const rg_ivp_method rg_radau_method = {"radau",       RADAU_STAGES,     rg_radau_create,
                                       rg_radau_step, rg_radau_restart, rg_radau_destroy};

/* Takes `count` numbers from the arena. */
static double *take(double **arena, int64_t count)
{
    double *block = *arena;
    *arena += count;
    return block;
}

static rg_status take_memory(rg_integrator *g, rg_radau *r, const rg_pattern *p)
{
    const int64_t n = g->n, entries = p->start[p->n_columns];
    const int64_t count = (3 * RADAU_STAGES + 5) * n + 2 * entries;
    double *arena = r->arena = rg_alloc(g->ctx, (size_t)count + 1, sizeof *arena);

    if (arena == NULL) return RG_ERR_MEMORY;
    r->Jy = take(&arena, entries);
    r->Jyp = take(&arena, entries);
    for (int i = 0; i < RADAU_STAGES; i++) {
        r->Z[i] = take(&arena, n);
        r->W[i] = take(&arena, n);
        r->F[i] = take(&arena, n);
    }
    r->Y = take(&arena, n);
    r->Yp = take(&arena, n);
    r->error = take(&arena, n);
    r->inverse = take(&arena, n);
    r->weight = take(&arena, n);
    return RG_OK;
}

/* Tolerances.  The estimated error is of third order, the solution better: as in RADAU5 the given tolerances become
 * rtol' = 0.1 rtol^(2/3), atol' = rtol' atol/rtol, and Newton stops below kappa = max(10 eps/rtol', min(0.03, sqrt rtol')). */
static void set_tolerances(rg_radau *r, const rg_options *o)
{
    r->rtol = 0.1 * pow(o->rtol, 2.0 / 3.0);
    r->atol = r->rtol * (o->atol / o->rtol);
    r->newton_tol = fmax(10.0 * DBL_EPSILON / r->rtol, fmin(0.03, sqrt(r->rtol)));
    r->max_newton = o->max_newton > 0 ? o->max_newton
                    : o->step > 0.0   ? MAX_NEWTON_FIXED
                                      : MAX_NEWTON;
}

rg_status rg_radau_create(rg_integrator *g)
{
    const rg_pattern *pattern = rg_system_pattern(g->system);
    rg_radau *r = g->radau = rg_alloc(g->ctx, 1, sizeof *r);

    if (r == NULL) return RG_ERR_MEMORY;
    RG_TRY(take_memory(g, r, pattern));
    RG_TRY(rg_matrix_create(g->ctx, pattern, false, &r->real));
    RG_TRY(rg_matrix_create(g->ctx, pattern, true, &r->complex));
    r->n_pins = (int)rg_system_redundant(g->system);
    r->pins = rg_alloc(g->ctx, 2 * (size_t)r->n_pins + 1, sizeof *r->pins);
    if (r->pins == NULL) return RG_ERR_MEMORY;
    set_tolerances(r, &g->options);
    const int *index = rg_system_variable_index(g->system);
    for (int64_t i = 0; i < g->n; i++)
        if (index[i] > 1) r->index = index;
    r->is_fixed = g->options.step > 0.0;
    r->fixed_start = g->t;
    r->convergence = 1.0;
    return RG_OK;
}

void rg_radau_restart(rg_integrator *g, double h)
{
    rg_radau *r = g->radau;

    r->h_wanted = g->direction * h; /* 0: chosen at the next step */
    r->h_factored = r->h_accepted = 0.0;
    r->convergence = 1.0;
    r->has_jacobian = r->is_fresh = false;
    r->fixed_steps = 0;
    r->fixed_start = g->t;
}

void rg_radau_destroy(rg_integrator *g)
{
    rg_radau *r = g->radau;

    if (r == NULL) return;
    rg_matrix_destroy(&r->real);
    rg_matrix_destroy(&r->complex);
    rg_free(g->ctx, r->arena);
    rg_free(g->ctx, r->pins);
    rg_free(g->ctx, r);
    g->radau = NULL;
}
