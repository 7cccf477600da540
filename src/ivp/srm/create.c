/* The rows by which the methods of this folder are called; making and ending a run. */
#include "ivp/srm/srm_impl.h"

#include "ivp/aside.h"

#include <math.h>
#include <string.h>

static rg_status create(rg_integrator *g);
static void restart(rg_integrator *g, double h);
static void destroy(rg_integrator *g);
static void store(rg_integrator *g, rg_store *s, double h);
static rg_status rows(rg_integrator *g, int64_t count);
static rg_status row(rg_integrator *g, double t, double *y, double *yp);
static bool has_rows(const rg_integrator *g);

enum { DEGREE = 3 }; /* Hermite interpolation between mesh points */

/* clang-format off */
#define ROW(title) {.name = title, .degree = DEGREE, .state_size = sizeof(rg_srm), \
                    .create = create, .step = rg_srm_step, .restart = restart, \
                    .destroy = destroy, .begin = rg_srm_begin, .attach = rg_srm_attach, \
                    .forces = rg_srm_forces, .passed = rg_srm_passages, .store = store, \
                    .rows = rows, .row = row, .has_rows = has_rows}
/* clang-format on */
const rg_ivp_method rg_srm_method = ROW("srm");
const rg_ivp_method rg_baumgarte_method = ROW("baumgarte");
const rg_ivp_method rg_penalty_method = ROW("penalty");
const rg_ivp_method rg_invariant_method = ROW("invariant");
const rg_ivp_method rg_post_method = ROW("post-stabilization");
const rg_ivp_method rg_augmented_method = ROW("augmented-lagrangian");
const rg_ivp_method rg_park_chiou_method = ROW("park-chiou");

static void lay_out(rg_srm *b, size_t states, srm_arena *c)
{
    const size_t m = (size_t)b->core->n_y, z = (size_t)b->core->n_z, s = (size_t)b->m,
                 carried = (size_t)b->core->n_c;
    const size_t k = b->scheme.is_implicit ? (size_t)b->scheme.stages : 0;
    const size_t N = b->scheme.stepping == SRM_MESH ? 0 : s * z;

    b->z = rg_srm_cut(c, s * z), b->z_new = rg_srm_cut(c, s * z);
    b->slope = rg_srm_cut(c, s * z), b->slope_new = rg_srm_cut(c, s * z);
    b->carried = rg_srm_cut(c, s * carried), b->carried_new = rg_srm_cut(c, s * carried);
    b->node = rg_srm_cut(c, SRM_STAGES * carried),
    b->node_new = rg_srm_cut(c, SRM_STAGES * carried);
    b->stage = rg_srm_cut(c, SRM_STAGES * z), b->K = rg_srm_cut(c, SRM_STAGES * z);
    b->jacobian = rg_srm_cut(c, k * z * z), b->matrix = rg_srm_cut(c, k * z * k * z),
    b->update = rg_srm_cut(c, k * z);
    b->K7 = rg_srm_cut(c, b->scheme.stepping == SRM_PAIR ? SRM_PAIR_STAGES * N : 0);
    b->old = rg_srm_cut(c, b->core->is_lean ? 0 : (SRM_MOST_DEGREE + 1) * states);
    b->trial = rg_srm_cut(c, N), b->samples = rg_srm_cut(c, (SRM_MOST_DEGREE + 1) * m);
    b->y_new = rg_srm_cut(c, m);
    b->reach = rg_srm_cut(c, (size_t)b->core->n_x);
    b->miss = rg_srm_cut(c, m), b->room = rg_srm_cut(c, m);
    b->start = rg_srm_cut(c, (size_t)b->core->n_x), b->moved = rg_srm_cut(c, (size_t)b->core->n_x);
}

static rg_status take_memory(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    srm_arena c = {NULL, 0};

    lay_out(b, (size_t)g->n, &c);
    b->arena = rg_alloc(g->ctx, c.used + 1, sizeof *b->arena);
    b->pivots = rg_alloc(g->ctx, SRM_STAGES * (size_t)b->core->n_z + 1, sizeof *b->pivots);
    if (b->arena == NULL || b->pivots == NULL) return RG_ERR_MEMORY;
    c = (srm_arena){b->arena, 0};
    lay_out(b, (size_t)g->n, &c);
    return RG_OK;
}

/* All iterates start at the consistent start values.  y_0: the multipliers at the start, so that
 * there is no initial layer (L (3.6)); of mechanisms 0, as in N section 6: a constant force
 * would push them on through their whole motion.  Where f is not linear in y, f_y may vanish at
 * 0. */
static rg_status take_start(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    rg_srm_core *c = b->core;
    const char *y0 = b->method->is_from_zero ? "zero" : g->options.y0;
    const bool is_zero = c->order >= 2 && !c->variant.is_nonlinear;

    RG_TRY(rg_srm_core_start(c, y0, is_zero, g->t, g->y, g->yp, b->z));
    for (int s = 1; s < b->m; s++)
        memcpy(b->z + s * c->n_z, b->z, (size_t)c->n_z * sizeof *b->z);
    b->origin = g->t;
    b->count = 0;
    b->is_shifted = strcmp(g->options.mesh, "shift") == 0;
    b->n_past = b->old_degree = 0;
    b->depth = -1;
    return RG_OK;
}

static rg_status create(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);

    b->method = rg_srm_method_find(g->method->name);
    RG_TRY(rg_srm_core_create(g->system, b->method, &g->options, &b->core));
    rg_semi_hold(b->core->view, g->y);
    RG_TRY(rg_srm_choose_scheme(g));
    b->core->recovers = b->method->is_sequential && b->scheme.stepping != SRM_MESH
                        && !b->core->is_lean && !b->core->variant.is_nonlinear;
    RG_TRY(take_memory(g));
    RG_TRY(take_start(g));
    RG_TRY(rg_srm_choose_parameters(g));
    return rg_srm_start(g);
}

/* Windows are steps of ivp/passage: a row is one of them, from the start of the last one. */
static rg_status side_step(rg_integrator *g, double t, double *y, double *yp)
{
    rg_srm_core *c = rg_srm_of(g)->core;

    c->is_aside = true;
    const rg_status status = rg_passage_side_step(g, t, y, yp);
    c->is_aside = false;
    return status;
}

static bool has_rows(const rg_integrator *g)
{
    return rg_srm_of(g)->window != NULL;
}

static rg_status rows(rg_integrator *g, int64_t count)
{
    return has_rows(g) ? rg_aside_rows(g, side_step, count) : RG_OK;
}

/* Multipliers as at the ends of windows: from the hidden constraint, where it gives them. */
static rg_status recover(rg_integrator *g, double t, double *y)
{
    rg_srm *b = rg_srm_of(g);
    rg_srm_core *c = b->core;
    const int64_t *state = rg_semi_y(c->view);
    srm_sample pivots = {.p = 0.0};

    if (c->variant.E != SRM_E_INVERSE || c->variant.carry != SRM_CARRY_BY) return RG_OK;
    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            b->stage[r * c->n_x + k] = y[rg_srm_state(c, r, k)];
    c->is_aside = true;
    const rg_status status = rg_srm_core_multipliers(c, t, b->stage, b->samples);
    if (status == RG_OK) rg_srm_pivot_now(c, 0.0, &pivots);
    c->is_aside = false;
    for (int k = 0; k < c->n_y && pivots.p > g->options.rtol; k++)
        y[state[k]] = b->samples[k];
    return status < 0 ? status : RG_OK;
}

static rg_status row(rg_integrator *g, double t, double *y, double *yp)
{
    RG_TRY(rg_aside_row(g, side_step, t, y, yp));
    return t == g->t || t == g->t_previous ? RG_OK : recover(g, t, y);
}

/* RG_OK without windows: the one long window is taken. */
rg_status rg_srm_open_windows(rg_integrator *g, const rg_problem *p)
{
    rg_srm *b = rg_srm_of(g);
    const rg_analysis *a;
    rg_stable *form = NULL;

    if (!rg_srm_wants_windows(g)) return RG_OK;
    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_stable_create(p, a, g->system, &form));
    rg_status status =
        form != NULL ? rg_srm_window_create(b->core, form, &g->options, &b->window) : RG_OK;
    if (status == RG_OK && b->window != NULL)
        status = rg_passage_attach_iteration(g, &form, rg_srm_window_iteration(b->window));
    rg_stable_destroy(&form);
    if (status == RG_OK && g->supervisor == NULL) rg_srm_window_destroy(&b->window);
    /* f not linear in y: multipliers of rows by Newton's method */
    if (status == RG_OK && b->window != NULL && b->core->variant.is_nonlinear)
        status = rg_integrator_recovers(g);
    rg_srm_describe(g);
    return status;
}

static void restart(rg_integrator *g, double h)
{
    rg_srm *b = rg_srm_of(g);

    rg_status status = take_start(g);
    b->h_next = fabs(h);
    if (status == RG_OK) status = rg_srm_start(g);
    if (status == RG_OK && b->inner != NULL) status = rg_srm_radau_restart(g, h);
    if (status == RG_OK && b->window != NULL) {
        rg_srm_window_forget(b->window);
        status = rg_passage_restart(g, h);
    }
    if (status != RG_OK) rg_clear_error(g->ctx); /* the next step fails in the same way */
}

/* All iterates and what they carry, so that no window ends at a pause. */
static void store_iterates(rg_integrator *g, rg_store *s)
{
    rg_srm *b = rg_srm_of(g);
    const int64_t z = (int64_t)b->m * b->core->n_z, carried = (int64_t)b->m * b->core->n_c;

    rg_store_reals(s, b->z, z);
    rg_store_reals(s, b->slope, z);
    rg_store_reals(s, b->carried, carried);
    rg_store_reals(s, b->node, SRM_STAGES * (int64_t)b->core->n_c);
    rg_store_reals(s, b->node_new, SRM_STAGES * (int64_t)b->core->n_c);
    rg_store_reals(s, b->y_new, b->core->n_y);
    if (!b->core->is_lean) rg_store_reals(s, b->old, (SRM_MOST_DEGREE + 1) * g->n);
    RG_STORE(s, b->origin);
    RG_STORE(s, b->count);
    RG_STORE(s, b->error_old);
    RG_STORE(s, b->old_start);
    RG_STORE(s, b->old_degree);
}

/* Iterate 0 is that of the start of the run. */
static void store_core(rg_srm_core *c, rg_store *s)
{
    rg_store_reals(s, c->near, c->n_y);
    rg_store_reals(s, c->y0, c->n_y);
    RG_STORE(s, c->y0_degree);
    if (c->y0_degree > 0) rg_store_reals(s, c->y0_series, 3 * (int64_t)c->n_y);
    RG_STORE(s, c->y0_start);
    RG_STORE(s, c->evaluations);
    RG_STORE(s, c->largest);
    RG_STORE(s, c->largest_weak);
    RG_STORE(s, c->size_x);
    RG_STORE(s, c->size_y);
    if (c->is_lean) return;
    rg_store_reals(s, c->largest_GB, (int64_t)c->n_y * c->n_y);
    rg_store_reals(s, c->row, c->n_y);
    rg_store_reals(s, c->column, c->n_y);
}

static void store(rg_integrator *g, rg_store *s, double h)
{
    rg_srm *b = rg_srm_of(g);

    store_core(b->core, s);
    store_iterates(g, s);
    RG_STORE(s, b->size_at_start);
    rg_store_reals(s, b->start, b->core->n_x);
    rg_store_reals(s, b->reach, b->core->n_x);
    rg_store_reals(s, b->miss, b->core->n_y);
    rg_store_reals(s, b->room, b->core->n_y);
    RG_STORE(s, b->h_next);
    RG_STORE(s, b->past);
    RG_STORE(s, b->n_past);
    RG_STORE(s, b->trace);
    RG_STORE(s, b->depth);
    rg_store_grown(s, &b->passage, &b->n_passages, &b->passage_capacity, sizeof *b->passage);
    if (b->scheme.stepping == SRM_RADAU && b->window == NULL) rg_srm_radau_store(g, s, h);
}

static void destroy(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);

    rg_srm_radau_destroy(g);
    rg_srm_window_destroy(&b->window);
    rg_srm_core_destroy(&b->core);
    rg_free(g->ctx, b->arena);
    rg_free(g->ctx, b->pivots);
    rg_free(g->ctx, b->passage);
}

rg_status rg_srm_set_y0(rg_integrator *g, rg_problem **y0)
{
    RG_TRY(rg_srm_core_set_y0(rg_srm_of(g)->core, g->options.y0, g->t, y0));
    RG_TRY(rg_srm_start(g));
    return rg_srm_of(g)->inner != NULL ? rg_srm_radau_restart(g, 0.0) : RG_OK;
}
