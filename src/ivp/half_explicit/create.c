/* Makes, restarts and destroys an integrator with a half-explicit method, or with the explicit pair
 * that it is without constraints. */
#include "ivp/half_explicit/half_explicit.h"

#include "base/pieces.h"
#include "ivp/half_explicit/tuning.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_ORDER = 5, DEGREE = 5 };

int rg_order_half_explicit(const rg_order_question *q)
{
    return q->order; /* of all components: multipliers come from the hidden constraint */
}

int rg_order_dopri(const rg_order_question *q)
{
    (void)q; /* index 0 */
    return rg_tableau_explicit(RG_TABLEAU_MOST_ORDER)->order;
}

static rg_status take_memory(rg_integrator *g, rg_half_explicit *e, int s)
{
    const int64_t N = e->N, n = e->n, m = e->m;

    return RG_TAKE(
        g->ctx, &e->arena, RG_PIECE(e->x, N), RG_PIECE(e->f, N), RG_PIECE(e->y, m),
        RG_PIECE(e->x_new, N), RG_PIECE(e->f_new, N), RG_PIECE(e->y_new, m), RG_PIECE(e->F, s * N),
        RG_PIECE(e->Y, m), RG_PIECE(e->X, N), RG_PIECE(e->Xbar, N), RG_PIECE(e->top, n),
        RG_PIECE(e->zero, n), RG_PIECE(e->bottom, m), RG_PIECE(e->f_before, N),
        RG_PIECE(e->past, HALF_PAST * m), RG_PIECE(e->inner, HALF_INNER * m), RG_PIECE(e->error, N),
        RG_PIECE(e->weight, g->n), RG_PIECE(e->size, N), RG_PIECE(e->seen.x, N),
        RG_PIECE(e->seen.a, n), RG_PIECE(e->seen.y, m), RG_PIECE(e->round_x, n),
        RG_PIECE(e->round_a, n), RG_PIECE(e->round_y, m), RG_PIECE(e->round_u, n));
}

/* Exponent of h in the estimate (error.c). */
static int estimate_order(int order)
{
    return order < 4 ? 3 : order;
}

rg_status rg_half_explicit_open(rg_integrator *g, rg_half_explicit *e, int s)
{
    RG_TRY(rg_half_create(g->system, g->method->name, &e->view));
    rg_half_hold(e->view, g->y);
    rg_half_hold_as(e->view, g->work);
    e->stats = &g->stats;
    e->order = rg_half_order(e->view);
    e->n = rg_half_size(e->view);
    e->m = rg_half_constraints(e->view);
    e->N = e->order * e->n;
    return take_memory(g, e, s);
}

void rg_half_explicit_close(rg_context *ctx, rg_half_explicit *e)
{
    rg_half_destroy(&e->view);
    rg_free(ctx, e->arena);
}

rg_status rg_half_explicit_init(rg_integrator *g, int s)
{
    rg_half_explicit *e = rg_half_explicit_of(g);

    RG_TRY(rg_half_explicit_open(g, e, s));
    rg_pace_init(g, &e->pace);
    rg_half_explicit_read(e, g->y, g->yp, e->x, e->f, e->y);
    rg_half_explicit_note_size(e);
    return rg_integrator_set_degree(g, DEGREE);
}

/* The estimates of orders 3 and 4 are those of a method of one order less; that of order 4 is far
 * above its error. */
static double part_of(const rg_integrator *g, int order)
{
    if (order == RG_TABLEAU_MOST_ORDER) return RG_HALF_PART;
    if (order == 4) return 1.0;
    return order == 3 ? RG_HALF_LOW : RG_HALF_LOW * sqrt(g->options.rtol);
}

static rg_status create(rg_integrator *g, int order)
{
    rg_half_explicit *e = rg_half_explicit_of(g);

    e->tableau = rg_tableau_explicit(order);
    e->is_partitioned = order == RG_TABLEAU_MOST_ORDER;
    rg_tableau_dense(e->weights);
    RG_TRY(rg_half_explicit_init(g, e->tableau->s));
    e->pace.order = estimate_order(order);
    e->part = part_of(g, order);
    if (!e->is_partitioned) return RG_OK;
    e->pace.safety = RG_HALF_SAFETY;
    e->pace.growth = RG_HALF_GROWTH;
    e->fade = RG_HALF_FADE;
    return RG_OK;
}

static rg_status create_half_explicit(rg_integrator *g)
{
    RG_TRY(create(g, g->options.order > 0 ? g->options.order : DEFAULT_ORDER));
    if (rg_half_explicit_of(g)->m > 0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' is for models with constraints; this one has none",
            g->method->name);
    return rg_remedy(g->ctx, "take --method %s", rg_dopri_method.name);
}

static rg_status create_dopri(rg_integrator *g)
{
    RG_TRY(create(g, RG_TABLEAU_MOST_ORDER));
    if (rg_half_explicit_of(g)->m == 0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' is for models of index 0; this one has constraints",
            g->method->name);
    return rg_remedy(g->ctx, "take --method %s", rg_half_explicit_method.name);
}

void rg_half_explicit_restart(rg_integrator *g, double h)
{
    rg_half_explicit *e = rg_half_explicit_of(g);

    rg_pace_restart(g, &e->pace, h);
    e->n_past = e->n_stiff = e->n_relaxed = 0;
    rg_half_explicit_read(e, g->y, g->yp, e->x, e->f, e->y);
    memset(e->size, 0, (size_t)e->N * sizeof *e->size);
    rg_half_explicit_note_size(e);
    rg_half_explicit_forget(e);
}

void rg_half_explicit_clear(rg_integrator *g)
{
    rg_half_explicit_close(g->ctx, rg_half_explicit_of(g));
}

/* clang-format off */
#define ROW(word, how)                                                                             \
    {.name = (word), .degree = DEGREE, .state_size = sizeof(rg_half_explicit), .create = (how),    \
     .step = rg_half_explicit_step, .restart = rg_half_explicit_restart,                           \
     .destroy = rg_half_explicit_clear, .rows = rg_half_explicit_rows,                             \
     .row = rg_half_explicit_row, .settle = rg_half_explicit_settle, .has_multipliers = true,      \
     .holds_branches = true}
/* clang-format on */
const rg_ivp_method rg_half_explicit_method = ROW("half-explicit", create_half_explicit);
const rg_ivp_method rg_dopri_method = ROW("dopri", create_dopri);
