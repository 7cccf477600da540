/* Makes and destroys an integrator with the Lobatto IIIA-IIIB pair. */
#include "ivp/lobatto_pair/lobatto_pair.h"

#include "base/pieces.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_STAGES = 3 };

int rg_order_lobatto_pair(const rg_order_question *q)
{
    return 2 * q->stages - 2;
}

/* out = A^-1, m x m by rows; Gauss-Jordan with pivots. */
static void invert(int m, double *A, double *out)
{
    for (int i = 0; i < m * m; i++)
        out[i] = i % (m + 1) == 0 ? 1.0 : 0.0;
    for (int k = 0; k < m; k++) {
        int p = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(A[i * m + k]) > fabs(A[p * m + k])) p = i;
        for (int j = 0; j < m; j++) {
            const double a = A[k * m + j], b = out[k * m + j];
            A[k * m + j] = A[p * m + j], out[k * m + j] = out[p * m + j];
            A[p * m + j] = a, out[p * m + j] = b;
        }
        const double pivot = 1.0 / A[k * m + k];
        for (int j = 0; j < m; j++)
            A[k * m + j] *= pivot, out[k * m + j] *= pivot;
        for (int i = 0; i < m; i++) {
            const double factor = A[i * m + k];
            for (int j = 0; j < m && i != k; j++)
                A[i * m + j] -= factor * A[k * m + j], out[i * m + j] -= factor * out[k * m + j];
        }
    }
}

static void set_method(rg_lobatto_pair *l, int s)
{
    double product[PAIR_MOST * PAIR_MOST];
    const int m = s - 1;

    l->s = s;
    rg_rule_init(RG_RULE_LOBATTO, s, &l->first);
    rg_rule_init(RG_RULE_LOBATTO_IIIB, s, &l->second);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            product[i * m + k] = 0.0;
            for (int j = 0; j < s; j++)
                product[i * m + k] += l->first.A[i + 1][j] * l->second.A[j][k];
        }
    invert(m, product, l->E);
}

static rg_status take_memory(rg_integrator *g, rg_lobatto_pair *l)
{
    const size_t s = (size_t)l->s, n = (size_t)l->half.n, m = (size_t)l->half.m;

    return RG_TAKE(g->ctx, &l->arena, RG_PIECE(l->Q, 2 * s * n), RG_PIECE(l->Y, s * m),
                   RG_PIECE(l->G, s * m), RG_PIECE(l->rows, s * m));
}

static rg_status check_form(const rg_integrator *g)
{
    const rg_half *view = rg_lobatto_pair_of(g)->half.view;

    if (rg_half_order(view) == 2 && rg_half_constraints(view) > 0 && rg_half_kinematic(view) == 0)
        return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD,
            "'%s' does not fit this model: it needs mechanics, q' = v, with constraints on "
            "positions alone",
            g->method->name);
    return rg_remedy(g->ctx, "take --method half-explicit or --method radau");
}

static rg_status create(rg_integrator *g)
{
    rg_lobatto_pair *l = rg_lobatto_pair_of(g);

    if (!(g->options.step > 0.0)) {
        rg_fail(g->ctx, RG_ERR_METHOD, "'%s' has no error estimate: it takes fixed steps only",
                g->method->name);
        return rg_remedy(g->ctx, "give --step H, or take --method radau");
    }
    set_method(l, g->options.stages > 0 ? g->options.stages : DEFAULT_STAGES);
    RG_TRY(rg_half_explicit_init(g, l->s));
    RG_TRY(check_form(g));
    return take_memory(g, l);
}

static void destroy(rg_integrator *g)
{
    rg_half_explicit_clear(g);
    rg_free(g->ctx, rg_lobatto_pair_of(g)->arena);
}

const rg_ivp_method rg_lobatto_pair_method = {.name = "lobatto-pair",
                                              .degree = 5,
                                              .state_size = sizeof(rg_lobatto_pair),
                                              .create = create,
                                              .step = rg_lobatto_pair_step,
                                              .restart = rg_half_explicit_restart,
                                              .destroy = destroy,
                                              .row = rg_half_explicit_row,
                                              .has_multipliers = true,
                                              .holds_branches = true};
