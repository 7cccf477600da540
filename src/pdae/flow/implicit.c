/* The scheme with implicit viscosity.  Per step k and iteration s
 *
 *     (1 - k nu/2 L)(w - u^n) = k (N + nu L u^n - grad p_(s-1)),     by alternating directions
 *     (eps/(k beta) + D D^T) d = -(D w - q - alpha1/(k beta) (D u^n - q^n))/k,
 *                                                            beta = alpha1/k + alpha2
 *     u_s = w - k grad d,     p_s = p_(s-1) + d - nu/2 (D w - q),     p_0 = p of the last step
 *
 * with N = -w div(u u) + f extrapolated from the last two steps.  The second equation is (4.2) with
 * the divergence differenced from t^n to t^n + k.  The last term of p_s is not in the thesis; it
 * lowers the error of p where viscosity dominates.  Rivals: projection has eps = alpha2 = 0 and no
 * last term (Chorin's without p_(s-1)), penalty alpha1 = 0 and p_0 = 0, Baumgarte eps = 0. */
#include "base/vector.h"
#include "pdae/flow/flow_impl.h"
#include "pdae/flow/rows.h"
#include "pdae/mesh/block.h"

#include <string.h>

typedef struct {  /* what the method puts into the formulas above */
    double shift; /* eps/(k beta)             */
    double keep;  /* alpha1/(k beta)          */
    double turn;  /* nu/2, or 0               */
    bool forget;  /* p_0 = 0                  */
    int iterations;
} rule;

static rule rule_of(const rg_fluid *f, double k)
{
    const rg_fluid_options *o = &f->options;
    rule r = {.turn = 0.5 * f->nu * f->mean_m, .iterations = o->iterations};
    double alpha1 = o->alpha1, alpha2 = o->alpha2, eps = rg_fluid_eps(f);

    switch (o->method) {
    case RG_FLUID_SRM:
        break;
    case RG_FLUID_PROJECTION:
        alpha1 = 0.0, alpha2 = 1.0, eps = 0.0;
        r.turn = 0.0;
        r.forget = o->chorin;
        r.iterations = 1;
        break;
    case RG_FLUID_COMPRESSIBILITY: /* eps p' = q - D u: eps/k (p - p_old) = q - D u */
        alpha1 = 0.0, alpha2 = 1.0, eps /= k;
        r.turn = 0.0;
        r.iterations = 1;
        break;
    case RG_FLUID_PENALTY:
        alpha1 = 0.0, alpha2 = 1.0;
        r.turn = 0.0;
        r.forget = true;
        r.iterations = 1;
        break;
    case RG_FLUID_BAUMGARTE:
        alpha1 = 1.0, alpha2 = o->gamma, eps = 0.0;
        r.iterations = 1;
        break;
    }
    const double beta = alpha1 / k + alpha2;
    r.shift = eps / (k * beta);
    r.keep = alpha1 / (k * beta);
    return r;
}

/* What moving walls add to the implicit operator: a L of a field that is the change of the walls
 * outside and 0 inside. */
static void add_walls(rg_fluid *f, double a)
{
    const rg_grid *g = f->grid;
    double *swap[RG_AXES], *of_solid[RG_AXES];

    for (int c = 0; c < g->dims; c++) {
        swap[c] = f->space->wall[c];
        of_solid[c] = f->space->solid[c].value;
        f->space->wall[c] = f->moved.c[c];
        f->space->solid[c].value = f->moved_solid[c];
        memset(f->work.c[c], 0, (size_t)g->size * sizeof(double));
    }
    rg_vector_fill(f->space, f->work.c);
    for (int c = 0; c < g->dims; c++) {
        rg_vector_laplacian(f->space, c, f->work.c[c], a, f->stage.c[c]);
        rg_vector_mask(f->space, c, f->stage.c[c]);
        f->space->wall[c] = swap[c];
        f->space->solid[c].value = of_solid[c];
    }
}

/* Walls of the new time; their change goes to `moved`. */
static rg_status move_walls(rg_fluid *f, double t)
{
    rg_fluid_keep_walls(f);
    RG_TRY(f->data.walls(f->data.user, t, f->space));
    rg_fluid_wall_change(f, 1.0);
    return RG_OK;
}

/* stage = k (extrapolated N + nu L u^n), on the unknown faces. */
static void right_side(rg_fluid *f, double k)
{
    const rg_grid *g = f->grid;
    const double old = f->k_old > 0.0 ? -0.5 * k / f->k_old : 0.0, now = 1.0 - old;

    for (int c = 0; c < g->dims; c++) {
        double *out = f->stage.c[c];
        rg_vector_combine(f->space, c, k * now, f->N[0].c[c], k * old, f->N[1].c[c], f->u[0].c[c],
                          k * f->nu, out);
        rg_vector_mask(f->space, c, out);
    }
}

/* w = u^n + (1 - k nu/2 L)^-1 (stage - k grad p), into u[0]; faces on the sides filled.  The last
 * time `stage` is overwritten, which leaves one vector less in the cache. */
static void predict(rg_fluid *f, double k, const double *p, bool is_last)
{
    const rg_grid *g = f->grid;

    for (int c = 0; c < g->dims; c++) {
        double *v = is_last ? f->stage.c[c] : f->work.c[c];
        rg_fluid_add_gradient(f, c, p, f->outside, k, f->stage.c[c], v);
        if (f->nu > 0.0) rg_viscous_solve(f->implicit, c, 0.5 * k * f->nu, v);
        rg_rows_sum_of(f->space, c, f->old[0].c[c], v, f->u[0].c[c]);
    }
    rg_vector_fill_normal(f->space, f->u[0].c);
}

typedef struct {
    const rg_fluid *f;
    double turn;
    const double *q, *before;
} loop;

/* p = p_(s-1) + d - turn (div - q) */
RG_FOR_ALL_VECTORS
static void pressure_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_grid *g = w->f->grid;
    const int n = g->axis[0].n;
    const double turn = w->turn;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int j, k;
        rg_cell_row(g, r, &j, &k);
        const int64_t row = rg_grid_at(g, 0, j, k);
        const double *div = w->f->div + row, *q = w->q ? w->q + row : NULL, *d = w->f->d + row,
                     *before = w->before + row;
        double *p = w->f->p + row;
        if (q) {
            RG_NO_OVERLAP
            for (int i = 0; i < n; i++)
                p[i] = before[i] + (d[i] - turn * (div[i] - q[i]));
        } else {
            RG_NO_OVERLAP
            for (int i = 0; i < n; i++)
                p[i] = before[i] + (d[i] - turn * div[i]);
        }
    }
}

/* The mean of p over the volume is 0 where nothing else fixes it. */
static void find_pressure(rg_fluid *f, loop *w)
{
    if (rg_fluid_is_closed(f))
        rg_grid_make_without_constant(f->grid, f->p, false, pressure_rows, w);
    else
        rg_grid_cell_rows(f->grid, pressure_rows, w);
}

static rg_status correct(rg_fluid *f, const rule *r, double k, const double *before)
{
    const rg_grid *g = f->grid;
    const double *q = f->data.source ? f->q : NULL;
    const rg_vector_balance of = {.scale = -1.0 / k,
                                  .keep = r->keep,
                                  .q = q,
                                  .q_old = q ? f->q_old : NULL,
                                  .is_closed = rg_fluid_is_closed(f)};
    double *b = f->work.c[0]; /* free after predict() */
    loop w = {.f = f, .turn = r->turn, .q = q, .before = before};

    rg_vector_right_side(g, f->u[0].c, f->old[0].c, &of, f->div, b);
    RG_TRY(rg_fluid_poisson(f, r->shift, b, f->d));
    for (int c = 0; c < g->dims; c++) {
        double *u = f->u[0].c[c];
        rg_fluid_add_gradient(f, c, f->d, NULL, k, u, u);
    }
    find_pressure(f, &w);
    rg_vector_fill(f->space, f->u[0].c);
    return RG_OK;
}

/* The pressure of the last step becomes p_old; returned: p_0. */
static const double *keep_pressure(rg_fluid *f, bool forget)
{
    double *const p = f->p;

    f->p = f->p_old;
    f->p_old = p;
    if (!forget) return f->p_old;
    memset(f->p, 0, (size_t)f->grid->size * sizeof *f->p);
    return f->p;
}

rg_status rg_fluid_step_cn(rg_fluid *f, double t, double k)
{
    const rule r = rule_of(f, k);

    RG_TRY(rg_fluid_explicit_terms(f, t, f->u[0].c, false, f->N[0].c));
    right_side(f, k);
    if (f->data.source) RG_TRY(rg_fluid_source(f, t, f->q_old));
    if (f->data.walls && f->data.walls_move) {
        RG_TRY(move_walls(f, t + k));
        add_walls(f, 0.5 * k * f->nu);
    }
    RG_TRY(rg_fluid_source(f, t + k, f->q));
    if (f->data.outside) RG_TRY(f->data.outside(f->data.user, t + 0.5 * k, f->outside));
    rg_fluid_turn(f, true);
    const double *before = keep_pressure(f, r.forget);
    for (int s = 0; s < r.iterations; s++) {
        predict(f, k, before, s == r.iterations - 1);
        RG_TRY(correct(f, &r, k, before));
        before = f->p;
    }
    return RG_OK;
}

void rg_fluid_turn(rg_fluid *f, bool forth)
{
    const rg_fluid_vector u = f->u[0], old = f->old[0], before = f->before[0], first = f->before[1];

    if (forth)
        f->old[0] = u, f->before[0] = old, f->before[1] = before, f->u[0] = first;
    else
        f->u[0] = old, f->old[0] = before, f->before[0] = first, f->before[1] = u;
}

void rg_fluid_accept_cn(rg_fluid *f, double k)
{
    const rg_fluid_vector N = f->N[1];

    f->N[1] = f->N[0], f->N[0] = N;
    f->k_older = f->k_old;
    f->k_old = k;
}
