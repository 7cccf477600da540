/* Making and ending a core; its memory is one arena. */
#include "ivp/srm/core.h"

#include "ivp/srm/tuning.h"

enum { MAX_SIZE = 2000, MAX_REDUNDANT = 500 }; /* full matrices are for small models */

static void lay_out(rg_srm_core *c, srm_arena *a)
{
    const size_t n = (size_t)c->n_x, m = (size_t)c->n_y;
    const size_t full = c->is_lean ? 0 : m; /* columns of B, rows of G and G B */
    srm_space *w = &c->space;

    c->point = rg_srm_cut(a, (size_t)c->order * n);
    c->y0 = rg_srm_cut(a, m), c->near = rg_srm_cut(a, m);
    c->y0_series = rg_srm_cut(a, (RG_SEMI_MOST_DERIVATIVES + 1) * m);
    w->v = (rg_semi_values){.f = rg_srm_cut(a, n),
                            .B = rg_srm_cut(a, n * full),
                            .g = rg_srm_cut(a, m),
                            .G = rg_srm_cut(a, n * full),
                            .g1 = rg_srm_cut(a, m),
                            .g2 = rg_srm_cut(a, m)};
    if (c->is_lean) w->v.B = w->v.G = NULL;
    w->GB = rg_srm_cut(a, m * full), w->lu = rg_srm_cut(a, m * full),
    w->S = rg_srm_cut(a, m * full);
    c->largest_GB = rg_srm_cut(a, m * full);
    c->row = rg_srm_cut(a, full), c->column = rg_srm_cut(a, full);
    c->spare = rg_srm_cut(a, c->n_redundant > 0 ? (size_t)(c->n_redundant + 1) * full : 0);
    const size_t d = c->variant.D != SRM_D_FORCE ? (size_t)c->order : 0;
    c->HD = rg_srm_cut(a, d * m * d * m), c->K = rg_srm_cut(a, d * m * n);
    c->zeta = rg_srm_cut(a, d * m), c->Dz = rg_srm_cut(a, d * n);
    w->r = rg_srm_cut(a, m), w->u = rg_srm_cut(a, m), w->EG = rg_srm_cut(a, m),
    w->w = rg_srm_cut(a, n), w->top = rg_srm_cut(a, n);
}

static rg_status take_memory(rg_srm_core *c)
{
    srm_arena a = {NULL, 0};

    lay_out(c, &a);
    c->arena = rg_alloc(c->ctx, a.used + 1, sizeof *c->arena);
    c->pivots = rg_alloc(c->ctx, (size_t)(2 + c->order) * (size_t)c->n_y + 1, sizeof *c->pivots);
    if (c->arena == NULL || c->pivots == NULL) return RG_ERR_MEMORY;
    a = (srm_arena){c->arena, 0};
    lay_out(c, &a);
    c->space.pivot = c->pivots;
    c->space.pivot_S = c->pivots + c->n_y;
    c->pivot_HD = c->pivots + 2 * c->n_y;
    return RG_OK;
}

static rg_status check_size(const rg_srm_core *c, const char *method)
{
    if (c->n_x <= MAX_SIZE || c->is_lean) return RG_OK;
    rg_fail(c->ctx, RG_ERR_METHOD,
            "with full matrices G B '%s' takes at most %d differential unknowns; here are %d",
            method, MAX_SIZE, c->n_x);
    return rg_remedy(c->ctx,
                     "take --method srm with --variant %s, which makes no such matrix, or "
                     "--method %s",
                     c->order == 1 ? "simple" : "multibody", rg_semi_other_method(c->view));
}

static rg_status fill(rg_srm_core *c, const rg_system *system, const srm_method *method,
                      const rg_options *o)
{
    RG_TRY(method->is_sequential ? rg_semi_create_general(system, method->name, &c->view)
                                 : rg_semi_create(system, method->name, &c->view));
    RG_TRY(rg_srm_variant_choose(c->ctx, method, c->view, o, &c->variant));
    const srm_variant *v = &c->variant;
    const srm_kind kind = v->kind;
    c->order = rg_semi_order(c->view);
    c->n_x = rg_semi_size(c->view);
    c->n_y = rg_semi_constraints(c->view);
    c->n_z = c->order * c->n_x + (rg_srm_has_y(v) ? c->n_y : 0);
    c->n_c = v->carry == SRM_CARRY_Y ? c->n_y : v->carry == SRM_CARRY_BY ? c->n_x : 2 * c->n_y;
    c->n_redundant = (int)rg_system_redundant(system);
    c->is_lean = v->E == SRM_E_IDENTITY && v->alpha[0] == 0.0 && method->is_sequential
                 && (kind == SRM_FIRST || kind == SRM_SECOND || kind == SRM_STABILIZED)
                 && (c->n_redundant > 0 ? c->n_x > MAX_REDUNDANT
                                        : c->n_y > RG_SRM_FULL || c->n_x > MAX_SIZE);
    if (c->is_lean) c->n_redundant = 0; /* whatever multipliers the iteration gives */
    if (v->D != SRM_D_FORCE && c->n_redundant > 0) {
        rg_fail(c->ctx, RG_ERR_METHOD,
                "the variant '%s', %s, inverts H D: %d of the constraints follow from the others",
                v->name, v->equations, c->n_redundant);
        return rg_remedy(c->ctx, "take --variant %s, or leave these constraints out",
                         method->is_sequential ? "invariant-full" : "full");
    }
    c->delta = o->delta;
    c->has_gamma = method->has_gamma && !(method->is_from_zero && c->order == 1);
    c->repeats = method->repeats ? o->iterations : 0;
    c->sense = c->sign = 1.0;
    RG_TRY(check_size(c, method->name));
    RG_TRY(take_memory(c));
    RG_TRY(rg_srm_inverse_init(c));
    return rg_srm_weak_init(c);
}

rg_status rg_srm_core_create(const rg_system *system, const srm_method *method, const rg_options *o,
                             rg_srm_core **out)
{
    rg_context *ctx = rg_system_context(system);
    rg_srm_core *c = rg_alloc(ctx, 1, sizeof *c);

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = ctx;
    c->system = system;
    const rg_status status = fill(c, system, method, o);
    if (status == RG_OK)
        *out = c;
    else
        rg_srm_core_destroy(&c);
    return status;
}

void rg_srm_core_destroy(rg_srm_core **core)
{
    rg_srm_core *c = *core;

    if (c == NULL) return;
    rg_srm_y0_destroy(c->ctx, &c->y0_of_time);
    rg_srm_inverse_clear(c);
    rg_semi_destroy(&c->view);
    rg_free(c->ctx, c->weak);
    rg_free(c->ctx, c->arena);
    rg_free(c->ctx, c->pivots);
    rg_free(c->ctx, c);
    *core = NULL;
}
