#include "ivp/srm/srm_impl.h"

#include <math.h>
#include <string.h>

static rg_status create(rg_integrator *g);
static void restart(rg_integrator *g, double h);
static void destroy(rg_integrator *g);

enum { DEGREE = 3 }; /* Hermite interpolation between mesh points */

const rg_ivp_method rg_srm_method = {"srm", DEGREE, create, rg_srm_step, restart, destroy};
const rg_ivp_method rg_baumgarte_method = {"baumgarte", DEGREE,  create,
                                           rg_srm_step, restart, destroy};
const rg_ivp_method rg_penalty_method = {"penalty", DEGREE, create, rg_srm_step, restart, destroy};
const rg_ivp_method rg_invariant_method = {"invariant", DEGREE,  create,
                                           rg_srm_step, restart, destroy};
const rg_ivp_method rg_post_method = {"post-stabilization", DEGREE,  create,
                                      rg_srm_step,          restart, destroy};

const rg_ivp_method rg_augmented_method = {
    "augmented-lagrangian", DEGREE, create, rg_srm_step, restart, destroy};
const rg_ivp_method rg_park_chiou_method = {"park-chiou", DEGREE,  create,
                                            rg_srm_step,  restart, destroy};

/* Cuts pieces off one arena; with base NULL it only counts. */
typedef struct {
    double *base;
    size_t used;
} cutter;

static double *cut(cutter *c, size_t n)
{
    double *piece = c->base != NULL ? c->base + c->used : NULL;

    c->used += n;
    return piece;
}

static void lay_out(rg_srm *b, size_t states, cutter *c)
{
    const size_t n = (size_t)b->n_x, m = (size_t)b->n_y, z = (size_t)b->n_z, s = (size_t)b->m,
                 carried = (size_t)b->n_c;
    const size_t k = b->scheme->is_implicit ? (size_t)b->scheme->stages : 0;
    const size_t full = b->is_lean ? 0 : m; /* columns of B, rows of G and G B */
    const size_t N = b->scheme->stepping == SRM_MESH ? 0 : s * z;
    srm_space *w = &b->space;

    b->y0 = cut(c, m), b->y = cut(c, m), b->y_new = cut(c, m);
    b->y0_series = cut(c, (RG_SEMI_MOST_DERIVATIVES + 1) * m);
    b->z = cut(c, s * z), b->z_new = cut(c, s * z);
    b->slope = cut(c, s * z), b->slope_new = cut(c, s * z);
    b->carried = cut(c, s * carried), b->carried_new = cut(c, s * carried);
    b->node = cut(c, SRM_STAGES * carried), b->node_new = cut(c, SRM_STAGES * carried);
    b->stage = cut(c, SRM_STAGES * z), b->K = cut(c, SRM_STAGES * z);
    b->jacobian = cut(c, k * z * z), b->matrix = cut(c, k * z * k * z), b->update = cut(c, k * z);
    b->K7 = cut(c, b->scheme->stepping == SRM_PAIR ? SRM_PAIR_STAGES * N : 0);
    b->old = cut(c, b->is_lean ? 0 : (SRM_MOST_DEGREE + 1) * states);
    b->trial = cut(c, N), b->samples = cut(c, (SRM_MOST_DEGREE + 1) * m);
    w->v = (rg_semi_values){.f = cut(c, n),
                            .B = cut(c, n * full),
                            .g = cut(c, m),
                            .G = cut(c, n * full),
                            .g1 = cut(c, m),
                            .g2 = cut(c, m)};
    if (b->is_lean) w->v.B = w->v.G = NULL;
    w->GB = cut(c, m * full), w->lu = cut(c, m * full), w->S = cut(c, m * full);
    w->r = cut(c, m), w->u = cut(c, m), w->EG = cut(c, m), w->w = cut(c, n), w->top = cut(c, n);
}

static rg_status take_memory(rg_integrator *g)
{
    rg_srm *b = g->srm;
    cutter c = {NULL, 0};

    lay_out(b, (size_t)g->n, &c);
    b->arena = rg_alloc(g->ctx, c.used + 1, sizeof *b->arena);
    b->pivots =
        rg_alloc(g->ctx, 2 * (size_t)b->n_y + SRM_STAGES * (size_t)b->n_z + 1, sizeof *b->pivots);
    if (b->arena == NULL || b->pivots == NULL) return RG_ERR_MEMORY;
    c = (cutter){b->arena, 0};
    lay_out(b, (size_t)g->n, &c);
    b->space.pivot = b->pivots + SRM_STAGES * b->n_z;
    b->space.pivot_S = b->space.pivot + b->n_y;
    return RG_OK;
}

/* All iterates start at the consistent start values.  y_0: the multipliers at the start, so that there is no initial layer
 * (L (3.6)); of mechanisms 0, as in N section 6: a constant force would push them on through their whole motion.  Where f is not
 * linear in y, f_y may vanish at 0. */
static void take_start(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const int64_t *y = rg_semi_y(b->view);

    for (int s = 0; s < b->m; s++)
        for (int r = 0; r < b->order; r++)
            for (int k = 0; k < b->n_x; k++)
                b->z[s * b->n_z + r * b->n_x + k] = g->y[rg_srm_state(b, r, k)];
    const bool is_auto = strcmp(g->options.y0, "auto") == 0;
    const bool is_zero = strcmp(g->options.y0, "zero") == 0
                         || (is_auto && b->order >= 2 && !b->variant.is_nonlinear)
                         || g->method == &rg_penalty_method;
    for (int k = 0; k < b->n_y; k++) {
        b->y[k] = g->y[y[k]];
        if (rg_srm_has_y(&b->variant)) b->z[b->n_x + k] = g->y[y[k]];
        b->y0[k] = is_zero ? 0.0 : g->y[y[k]];
    }
    b->origin = g->t;
    b->count = 0;
    b->n_past = b->old_degree = 0;
}

/* Full matrices are for small models; large ones need E = I and an explicit scheme. */
static rg_status check_size(rg_integrator *g)
{
    enum { MAX_SIZE = 2000 };
    const rg_srm *b = g->srm;
    const bool is_stacked = b->scheme->stepping == SRM_RADAU;
    const int64_t n = is_stacked ? (int64_t)b->m * b->n_z : b->n_x;

    if (n <= MAX_SIZE || (b->is_lean && !b->scheme->is_implicit)) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "with %s '%s' takes at most %d %s; here are %lld",
            is_stacked   ? "the scheme radau"
            : b->is_lean ? "an implicit scheme"
                         : "full matrices G B",
            g->method->name, MAX_SIZE,
            is_stacked ? "differential equations, those of all iterates" : "differential unknowns",
            (long long)n);
    if (is_stacked && b->n_x <= MAX_SIZE)
        return rg_remedy(g->ctx, "give --scheme dopri5, or take --method radau");
    if (b->is_lean) return rg_remedy(g->ctx, "give --scheme rk4 or heun, or take --method radau");
    return rg_remedy(g->ctx,
                     "take --method srm with --variant %s, which makes no such matrix, or "
                     "--method radau",
                     b->order == 1 ? "simple" : "multibody");
}

static rg_status create(rg_integrator *g)
{
    rg_srm *b = g->srm = rg_alloc(g->ctx, 1, sizeof *b);

    if (b == NULL) return RG_ERR_MEMORY;
    RG_TRY(g->method == &rg_srm_method
               ? rg_semi_create_general(g->system, g->method->name, &b->view)
               : rg_semi_create(g->system, g->method->name, &b->view));
    b->order = rg_semi_order(b->view);
    b->n_x = rg_semi_size(b->view);
    b->n_y = rg_semi_constraints(b->view);
    RG_TRY(rg_srm_choose(g));
    b->n_z = b->order * b->n_x + (rg_srm_has_y(&b->variant) ? b->n_y : 0);
    b->n_c = b->variant.carry == SRM_CARRY_Y    ? b->n_y
             : b->variant.carry == SRM_CARRY_BY ? b->n_x
                                                : 2 * b->n_y;
    RG_TRY(check_size(g));
    RG_TRY(take_memory(g));
    take_start(g);
    const rg_status match = rg_srm_y0_match(g);
    if (match != RG_OK) return match == RG_RETRY ? rg_srm_fail_match(g) : match;
    RG_TRY(rg_srm_settle(g));
    RG_TRY(rg_srm_start(g));
    return b->scheme->stepping == SRM_RADAU ? rg_srm_radau_create(g) : RG_OK;
}

static void restart(rg_integrator *g, double h)
{
    rg_srm *b = g->srm;

    take_start(g);
    b->h_next = fabs(h);
    rg_status status = rg_srm_y0_match(g);
    if (status == RG_OK) status = rg_srm_start(g);
    if (status == RG_OK && b->inner != NULL) status = rg_srm_radau_restart(g, h);
    if (status != RG_OK) rg_clear_error(g->ctx); /* the next step fails in the same way */
}

static void destroy(rg_integrator *g)
{
    rg_srm *b = g->srm;

    if (b == NULL) return;
    rg_srm_radau_destroy(g);
    rg_srm_y0_destroy(g->ctx, &b->y0_of_time);
    rg_semi_destroy(&b->view);
    rg_free(g->ctx, b->arena);
    rg_free(g->ctx, b->pivots);
    rg_free(g->ctx, b->passage);
    rg_free(g->ctx, b);
    g->srm = NULL;
}

const char *rg_srm_choice(const rg_integrator *g)
{
    return g->srm != NULL ? g->srm->choice : "";
}

const char *rg_srm_warning(const rg_integrator *g)
{
    return g->srm != NULL ? g->srm->warning : "";
}
