/* Makes, restarts and destroys an integrator with an extrapolation method. */
#include "ivp/extrapolation/extrapolation.h"
#include "ivp/extrapolation/tuning.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

typedef enum { MIDPOINT, EULER3, SEULEX, N_SCHEMES } scheme_name;
static const char *const names[] = {
    [MIDPOINT] = "midpoint", [EULER3] = "euler3", [SEULEX] = "seulex"};

/* N_SCHEMES: there is no such scheme. */
static scheme_name scheme_of(const char *word, int index)
{
    int k = 0;

    if (word == NULL || strcmp(word, "auto") == 0) return index >= 2 ? MIDPOINT : SEULEX;
    while (k < N_SCHEMES && strcmp(word, names[k]) != 0)
        k++;
    return (scheme_name)k;
}

int rg_extrapolation_direct_index(const rg_options *o, int index)
{
    return scheme_of(o->scheme, index) == SEULEX ? 1 : 3;
}

/* The column for an order: midpoint has order 2k in column k. */
static int column_for(scheme_name s, int order)
{
    return s == MIDPOINT ? (order + 1) / 2 : order;
}

static int default_column(scheme_name s)
{
    return s == SEULEX ? 4 : 3;
}

/* midpoint: 2k.  seulex: k up to 4, perturbations of the expansion keep it there (HW96 VI.5).
 * euler3: 1, from the third column on 2 (measured: further columns lower the error only). */
int rg_order_extrapolation(const rg_order_question *q)
{
    const scheme_name s = scheme_of(q->scheme, q->index);
    const int column = q->order > 0 ? column_for(s, q->order) : default_column(s);

    if (s == MIDPOINT) return 2 * column;
    if (s == SEULEX) return column < 4 ? column : 4;
    return column < 3 ? 1 : 2;
}

static rg_status check_column(const rg_integrator *g, scheme_name s, int column)
{
    if (column <= EXTRAPOLATION_MOST) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' with the scheme %s has no --order %d", g->method->name,
            names[s], g->options.order);
    return rg_remedy(g->ctx, "give --order from 1 to %d, or leave it out",
                     s == MIDPOINT ? 2 * EXTRAPOLATION_MOST : EXTRAPOLATION_MOST);
}

static void set_scheme(rg_extrapolation *x, scheme_name s)
{
    static rg_extrapolation_fn *const functions[] = {[MIDPOINT] = rg_extrapolation_midpoint,
                                                     [EULER3] = rg_extrapolation_euler3,
                                                     [SEULEX] = rg_extrapolation_seulex};
    double work = s == SEULEX ? RG_EXTRAPOLATION_JACOBIAN : 1.0;

    x->scheme = functions[s];
    x->is_half = s != SEULEX;
    x->power = s == MIDPOINT ? 2 : 1;
    x->half.part = s == SEULEX ? RG_PACE_PART : RG_EXTRAPOLATION_PART;
    for (int k = 0; k < EXTRAPOLATION_MOST; k++) {
        x->substeps[k] = s == MIDPOINT ? 2 * (k + 1) : k + 2;
        work += x->substeps[k] + (s == SEULEX ? RG_EXTRAPOLATION_FACTORS : 0.0);
        x->work[k] = work;
    }
}

/* magnified[j]: sum of the |weights| of T_11 .. T_j1 in T_jj, which change sign. */
static void find_magnified(rg_extrapolation *x)
{
    double row[EXTRAPOLATION_MOST];

    for (int j = 0; j < EXTRAPOLATION_MOST; j++) {
        double carry = 1.0;
        for (int k = 0; k <= j; k++) {
            const double saved = row[k], factor = k < j ? rg_extrapolation_factor(x, j, k) : 0.0;
            row[k] = carry;
            if (k < j) carry += factor * (carry + saved);
        }
        x->magnified[j] = row[j];
    }
    x->most = EXTRAPOLATION_MOST;
}

static rg_status refuse(const rg_integrator *g, const char *scheme, const char *why)
{
    rg_fail(g->ctx, RG_ERR_METHOD, "the scheme %s does not fit this model: %s", scheme, why);
    return rg_remedy(g->ctx, "take --method radau, which solves any form");
}

static rg_status check_estimate(const rg_integrator *g, scheme_name s)
{
    if (rg_extrapolation_of(g)->column > 1 || g->options.step > 0.0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' with the scheme %s and --order %d has no error estimate",
            g->method->name, names[s], g->options.order);
    return rg_remedy(g->ctx, "give --step H, or leave --order out");
}

/* Refused: where extrapolation does not raise the order. */
static rg_status check_half(const rg_integrator *g, scheme_name s)
{
    const rg_half *view = rg_extrapolation_of(g)->half.view;

    if (rg_half_constraints(view) == 0)
        return refuse(g, names[s], "it has no constraints; --scheme seulex takes it");
    if (s == MIDPOINT && !rg_half_is_linear_in_y(view))
        return refuse(
            g, names[s],
            "its right-hand sides are not linear in the multipliers, and the third column "
            "would not help");
    if (s == EULER3 && (rg_half_order(view) != 2 || !rg_half_has_positions(view)))
        return refuse(g, names[s], "it needs mechanics, q' = v, with constraints on positions");
    return RG_OK;
}

static rg_status take_table(rg_integrator *g, rg_extrapolation *x)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const size_t n = (size_t)g->n, entries = x->is_half ? 0 : (size_t)p->start[p->n_columns];
    const size_t size = (size_t)x->size + (size_t)x->half.m;
    const size_t count = EXTRAPOLATION_MOST * (size_t)x->size + 4 * size + 7 * n + 2 * entries;
    double *at = x->arena = rg_alloc(g->ctx, count + 1, sizeof *at);

    if (at == NULL) return RG_ERR_MEMORY;
    x->T = at, at += EXTRAPOLATION_MOST * (size_t)x->size;
    x->last = at, at += size;
    x->before = at, at += size;
    x->next = at, at += size;
    x->difference = at, at += size;
    x->half.pace.seen = at, at += n;
    x->y_new = at, at += n;
    x->w_new = at, at += n;
    x->right = at, at += n;
    x->past = at, at += n;
    x->weight = at, at += n;
    x->rounding = at, at += n;
    x->Jy = at, at += entries;
    x->Jyp = at;
    return RG_OK;
}

static rg_status create_seulex(rg_integrator *g, rg_extrapolation *x)
{
    if (rg_system_redundant(g->system) > 0)
        return refuse(g, names[SEULEX], "some of its equations follow from the others");
    x->size = 2 * (int)g->n;
    RG_TRY(take_table(g, x));
    x->is_algebraic = rg_alloc(g->ctx, (size_t)g->n + 1, sizeof *x->is_algebraic);
    if (x->is_algebraic == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_pace_algebraic(g, x->is_algebraic));
    RG_TRY(rg_matrix_create(g->ctx, rg_system_pattern(g->system), false, &x->matrix));
    RG_TRY(rg_pace_check_mass(g));
    rg_pace_init(g, &x->half.pace);
    x->half.pace.is_algebraic = x->is_algebraic;
    if (g->n == 0 || memchr(x->is_algebraic, 1, (size_t)g->n) == NULL) x->rounding = NULL;
    return rg_integrator_set_degree(g, 3);
}

static rg_status create(rg_integrator *g)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    const scheme_name s = scheme_of(g->options.scheme, rg_system_index(g->system));

    if (s == N_SCHEMES) {
        rg_fail(g->ctx, RG_ERR_METHOD, "'%s' has no scheme '%s'", g->method->name,
                g->options.scheme);
        return rg_remedy(g->ctx, "give --scheme midpoint, euler3 or seulex");
    }
    set_scheme(x, s);
    find_magnified(x);
    x->fixed = column_for(s, g->options.order);
    RG_TRY(check_column(g, s, x->fixed));
    x->column = x->fixed > 0 ? x->fixed : default_column(s);
    RG_TRY(check_estimate(g, s));
    if (s == SEULEX) {
        RG_TRY(create_seulex(g, x));
    } else {
        RG_TRY(rg_half_explicit_init(g, 1));
        RG_TRY(check_half(g, s));
        x->size = x->half.N;
        RG_TRY(take_table(g, x));
    }
    x->row_column = x->column;
    x->half.pace.order = x->power * (x->column - 1) + 1;
    return RG_OK;
}

static void restart(rg_integrator *g, double h)
{
    rg_extrapolation *x = rg_extrapolation_of(g);

    if (x->is_half)
        rg_half_explicit_restart(g, h);
    else
        rg_pace_restart(g, &x->half.pace, h);
    x->h_past = 0.0;
    x->has_jacobian = false;
}

static rg_status settle(rg_integrator *g, const rg_state *before)
{
    return rg_extrapolation_of(g)->is_half ? rg_half_explicit_settle(g, before) : RG_OK;
}

static void destroy(rg_integrator *g)
{
    rg_extrapolation *x = rg_extrapolation_of(g);

    rg_half_explicit_clear(g);
    rg_matrix_destroy(&x->matrix);
    for (int k = 0; k < RG_ROWS_USERS; k++)
        rg_matrix_destroy(&x->side[k]);
    rg_free(g->ctx, x->arena);
    rg_free(g->ctx, x->is_algebraic);
}

const rg_ivp_method rg_extrapolation_method = {.name = "extrapolation",
                                               .degree = 5,
                                               .state_size = sizeof(rg_extrapolation),
                                               .create = create,
                                               .step = rg_extrapolation_step,
                                               .restart = restart,
                                               .destroy = destroy,
                                               .rows = rg_extrapolation_rows,
                                               .row = rg_extrapolation_row,
                                               .settle = settle,
                                               .has_multipliers = true,
                                               .holds_branches = true};
