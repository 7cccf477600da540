/* Makes, restarts and destroys an integrator with an implicit Runge-Kutta method: one row per
 * family. */
#include "ivp/irk/irk.h"

#include "base/pieces.h"
#include "ivp/irk/tuning.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_STAGES = 3, DEFAULT_ORDER = 4 };

static rg_status take_memory(rg_integrator *g, rg_irk *r)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const int64_t n = g->n, entries = p->start[p->n_columns];

    RG_TRY(RG_TAKE(g->ctx, &r->arena, RG_PIECE(r->Z, r->m * n), RG_PIECE(r->F, r->m * n),
                   RG_PIECE(r->values, r->n_points * n), RG_PIECE(r->Y, n), RG_PIECE(r->Yp, n),
                   RG_PIECE(r->error, n), RG_PIECE(r->weight, n), RG_PIECE(r->pace.seen, n),
                   RG_PIECE(r->before, n), RG_PIECE(r->slope, n), RG_PIECE(r->Jy, entries),
                   RG_PIECE(r->Jyp, entries), RG_PIECE(r->rates.rate, 4 * n),
                   RG_PIECE(r->is_algebraic, n), RG_PIECE(r->is_rate, n)));
    RG_TRY(rg_matrix_create(g->ctx, p, false, &r->real));
    for (int k = 0; k < r->m / 2 && !r->is_diagonal; k++)
        RG_TRY(rg_matrix_create_like(r->real, true, &r->pair[k]));
    return RG_OK;
}

/* The polynomial of a step goes through y_n and the stages; Radau IA and Lobatto IIIC have a first
 * stage at t_n that is not y_n: it is left out, and Radau IA takes y_{n+1} besides. */
static void find_points(rg_irk *r)
{
    const rg_rule *rule = &r->rule;

    r->point[r->n_points++] = 0.0;
    for (int i = 0; i < rule->s && !r->is_diagonal; i++)
        if (rule->c[i] > 0.0) r->point[r->n_points++] = rule->c[i];
    if (r->is_diagonal || rule->kind == RG_RULE_RADAU_IA) r->point[r->n_points++] = 1.0;
    r->pace.order = r->n_points;
}

/* SDIRK: e = h sum_i (bhat_i - b_i) Y'_i with an embedded method of one order less: Y'_1 alone;
 * the weights of Y'_1, Y'_2 that have order 2; HW96 (IV.6.16). */
static void find_embedded(rg_irk *r)
{
    static const double fifth[] = {59.0 / 48.0, -17.0 / 96.0, 225.0 / 32.0, -85.0 / 12.0, 0.0};
    const int s = r->rule.s;
    const double g = r->rule.A[0][0];

    r->pace.order = s == 5 ? 4 : s;
    r->part = s == 3 ? RG_IRK_THIRD : RG_PACE_PART;
    r->embedded[0] = 1.0;
    if (s == 3) {
        r->embedded[1] = (1.0 - 2.0 * g) / (1.0 - g);
        r->embedded[0] = 1.0 - r->embedded[1];
    }
    if (s == 5) memcpy(r->embedded, fifth, sizeof fifth);
    for (int i = 0; i < s; i++)
        r->embedded[i] -= r->rule.b[i];
}

static void find_method(rg_irk *r, rg_rule_kind kind, int stages)
{
    rg_rule_init(kind, stages, &r->rule);
    r->first = kind == RG_RULE_LOBATTO;
    r->m = stages - r->first;
    r->is_diagonal = kind == RG_RULE_SDIRK;
    r->is_accurate = kind != RG_RULE_GAUSS && kind != RG_RULE_RADAU_IA;
    rg_rule_blocks_init(&r->rule, r->first, &r->blocks);
    r->gamma = r->m % 2 == 1 || r->is_diagonal
                   ? r->blocks.gamma
                   : hypot(r->blocks.alpha[0], r->blocks.beta[0]); /* for the error estimate */
    for (int j = 0; j < r->m; j++)
        for (int i = 0; i < r->m; i++) {
            r->end[j] += r->rule.b[i + r->first] * r->blocks.inverse[i * r->m + j];
            if (r->first > 0) r->known[i] += r->blocks.inverse[i * r->m + j] * r->rule.A[j + 1][0];
        }
    rg_rule_lagrange(&r->rule, 1.0, r->ahead);
    r->part = 1.0;
    find_points(r);
    if (r->is_diagonal) find_embedded(r);
}

static void find_index(const rg_integrator *g, rg_irk *r)
{
    r->rates =
        (rg_rates){rg_system_variable_index(g->system), 1, r->Jy, r->Jyp, r->weight, r->rates.rate};
    for (int64_t k = 0; k < g->n; k++)
        if (r->rates.index[k] > r->rates.highest) r->rates.highest = r->rates.index[k];
}

static rg_status find_rates(const rg_integrator *g, rg_irk *r)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    uint8_t *kinds = rg_alloc(g->ctx, (size_t)p->start[p->n_columns] + 1, sizeof *kinds);

    if (kinds == NULL) return RG_ERR_MEMORY;
    rg_system_entry_kinds(g->system, kinds);
    for (int64_t k = 0; k < p->start[p->n_columns]; k++)
        if (kinds[k] & 2) r->is_rate[p->row[k]] = 1;
    rg_free(g->ctx, kinds);
    return RG_OK;
}

static rg_status check_redundant(const rg_integrator *g)
{
    if (rg_system_redundant(g->system) == 0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' cannot solve a model with redundant equations",
            g->method->name);
    return rg_remedy(g->ctx, "take --method radau, or leave the redundant equations out");
}

static rg_status check_step(const rg_integrator *g, rg_rule_kind kind)
{
    if (kind != RG_RULE_RADAU_IA || g->options.step > 0.0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' has no error estimate: it takes fixed steps only",
            g->method->name);
    return rg_remedy(g->ctx, "give --step H, or take --method radau");
}

/* --projected on: x' = f(x, y, t), 0 = g(x, t) only. */
static rg_status open_projection(rg_integrator *g, rg_irk *r)
{
    if (strcmp(g->options.projected, "on") != 0) return RG_OK;
    r->is_projected = true;
    RG_TRY(rg_half_explicit_open(g, &r->half, 0));
    if (r->half.order == 1 && r->half.m > 0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "--projected on is for x' = f(x, y, t), 0 = g(x, t), index 2");
    return rg_remedy(g->ctx, "give --formulation projected, which reduces the index");
}

static rg_status create(rg_integrator *g, rg_rule_kind kind)
{
    rg_irk *r = rg_irk_of(g);
    const int order = g->options.order > 0 ? g->options.order : DEFAULT_ORDER;
    int stages = g->options.stages > 0 ? g->options.stages : DEFAULT_STAGES;

    if (kind == RG_RULE_SDIRK) stages = order < 4 ? order : 5;
    RG_TRY(check_redundant(g));
    RG_TRY(check_step(g, kind));
    find_method(r, kind, stages);
    RG_TRY(take_memory(g, r));
    RG_TRY(rg_pace_algebraic(g, r->is_algebraic));
    r->has_algebraic = g->n > 0 && memchr(r->is_algebraic, 1, (size_t)g->n) != NULL;
    RG_TRY(find_rates(g, r));
    find_index(g, r);
    RG_TRY(rg_integrator_set_degree(g, r->is_diagonal ? 3 : r->n_points));
    RG_TRY(open_projection(g, r));
    rg_pace_init(g, &r->pace);
    r->t_jacobian = NAN;
    r->pace.is_algebraic = r->is_algebraic;
    r->is_linear = rg_system_is_linear(g->system);
    return RG_OK;
}

void rg_irk_restart(rg_integrator *g, double h)
{
    rg_irk *r = rg_irk_of(g);

    rg_pace_restart(g, &r->pace, h);
    r->h_factored = 0.0;
    r->t_jacobian = NAN;
    if (r->is_projected) rg_half_explicit_forget(&r->half);
}

void rg_irk_destroy(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);

    rg_half_explicit_close(g->ctx, &r->half);
    rg_matrix_destroy(&r->real);
    for (int k = 0; k < IRK_PAIRS; k++)
        rg_matrix_destroy(&r->pair[k]);
    for (int user = 0; user < RG_ROWS_USERS; user++) {
        rg_matrix_destroy(&r->side_real[user]);
        for (int k = 0; k < IRK_PAIRS; k++)
            rg_matrix_destroy(&r->side_pair[user][k]);
    }
    rg_free(g->ctx, r->arena);
}

static void last_jacobian(const rg_integrator *g, rg_ivp_jacobian *last)
{
    const rg_irk *r = rg_irk_of(g);

    *last = (rg_ivp_jacobian){r->t_jacobian, r->Jy, r->Jyp};
}

#define IRK_FAMILY(word, text, kind)                                                               \
    static rg_status create_##word(rg_integrator *g)                                               \
    {                                                                                              \
        return create(g, kind);                                                                    \
    }                                                                                              \
    const rg_ivp_method rg_##word##_method = {.name = text,                                        \
                                              .degree = DEFAULT_STAGES,                            \
                                              .state_size = sizeof(rg_irk),                        \
                                              .create = create_##word,                             \
                                              .step = rg_irk_step,                                 \
                                              .restart = rg_irk_restart,                           \
                                              .destroy = rg_irk_destroy,                           \
                                              .jacobian = last_jacobian,                           \
                                              .rows = rg_irk_rows,                                 \
                                              .row = rg_irk_row,                                   \
                                              .has_rows = rg_irk_has_rows,                         \
                                              .holds_branches = true};

IRK_FAMILY(gauss, "gauss", RG_RULE_GAUSS)
IRK_FAMILY(radau1a, "radau1a", RG_RULE_RADAU_IA)
IRK_FAMILY(radau2a, "radau", RG_RULE_RADAU)
IRK_FAMILY(lobatto3a, "lobatto3a", RG_RULE_LOBATTO)
IRK_FAMILY(lobatto3c, "lobatto3c", RG_RULE_LOBATTO_IIIC)
IRK_FAMILY(sdirk, "sdirk", RG_RULE_SDIRK)
