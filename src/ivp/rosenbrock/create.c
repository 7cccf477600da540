/* Makes, restarts and destroys an integrator with a Rosenbrock method. */
#include "ivp/rosenbrock/rosenbrock.h"

#include "base/pieces.h"
#include "base/vector.h"

#include <string.h>

int rg_order_rosenbrock(const rg_order_question *q)
{
    return q->index <= 1 ? rg_tableau_rodas()->order : 0;
}

static rg_status take_memory(rg_integrator *g, rg_rosenbrock *r)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const int64_t n = r->stride, entries = p->start[p->n_columns];

    RG_TRY(RG_TAKE(g->ctx, &r->arena, RG_PIECE(r->U, RG_ROSENBROCK_MOST * n), RG_PIECE(r->Y, n),
                   RG_PIECE(r->W, n), RG_PIECE(r->p, n), RG_PIECE(r->slope, n),
                   RG_PIECE(r->before, n), RG_PIECE(r->right, n), RG_PIECE(r->sum, n),
                   RG_PIECE(r->error, n), RG_PIECE(r->weight, n), RG_PIECE(r->pace.seen, n),
                   RG_PIECE(r->Ft, n), RG_PIECE(r->Jy, entries), RG_PIECE(r->Jyp, entries),
                   RG_PIECE(r->is_algebraic, n)));
    RG_TRY(rg_matrix_create(g->ctx, p, false, &r->matrix));
    return rg_rate_create(g->system, &r->rate);
}

/* omega and b of rosenbrock.h. */
static void find_slopes(rg_rosenbrock *r)
{
    const rg_rosenbrock_tableau *t = r->tableau;

    for (int i = 0; i <= t->s; i++) {
        const double *a = i < t->s ? t->A[i] : t->m;
        r->omega[i] = 1.0;
        for (int j = 0; j < i; j++) {
            r->omega[i] -= a[j] * r->omega[j];
            r->B[i][j] += a[j] / t->gamma;
            for (int k = 0; k < j; k++)
                r->B[i][k] -= a[j] * (r->B[j][k] + t->C[j][k]);
        }
    }
}

/* The coefficients in the order in which sums take them. */
static void arrange(rg_rosenbrock *r)
{
    const rg_rosenbrock_tableau *t = r->tableau;

    for (int i = 0; i < t->s; i++) {
        const double end[] = {t->m[i], r->B[t->s][i], t->e[i], t->d[0][i], t->d[1][i]};
        memcpy(r->end[i], end, sizeof end);
        r->part[i] = r->has_mass ? 0.0 : r->omega[i];
        for (int j = 0; j < i; j++) {
            r->stage[i][j][0] = t->A[i][j];
            r->stage[i][j][1] = r->has_mass ? t->C[i][j] : -r->B[i][j];
        }
    }
}

static rg_status refuse(const rg_integrator *g, const char *what)
{
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' cannot solve %s", g->method->name, what);
    return rg_remedy(g->ctx, "take --method radau, which solves any form");
}

static rg_status check_scheme(const rg_integrator *g)
{
    const char *scheme = g->options.scheme;

    if (strcmp(scheme, "auto") == 0 || strcmp(scheme, "rodas") == 0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' has no scheme '%s'", g->method->name, scheme);
    return rg_remedy(g->ctx, "give --scheme rodas, or leave it out");
}

static rg_status create(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);

    if (rg_system_redundant(g->system) > 0) return refuse(g, "a model with redundant equations");
    RG_TRY(check_scheme(g));
    r->tableau = rg_tableau_rodas();
    r->stride = rg_padded(g->n);
    r->has_mass = rg_system_has_mass(g->system);
    find_slopes(r);
    arrange(r);
    RG_TRY(take_memory(g, r));
    RG_TRY(rg_pace_algebraic(g, r->is_algebraic));
    RG_TRY(rg_pace_check_mass(g));
    rg_pace_init(g, &r->pace);
    r->pace.is_algebraic = r->is_algebraic;
    r->pace.order = r->tableau->order;
    return rg_integrator_set_degree(g, 3);
}

static void restart(rg_integrator *g, double h)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);

    rg_pace_restart(g, &r->pace, h);
    r->has_jacobian = false;
}

static void destroy(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);

    rg_matrix_destroy(&r->matrix);
    for (int k = 0; k < RG_ROWS_USERS; k++)
        rg_matrix_destroy(&r->side[k]);
    rg_rate_destroy(&r->rate);
    rg_free(g->ctx, r->arena);
}

static void last_jacobian(const rg_integrator *g, rg_ivp_jacobian *last)
{
    const rg_rosenbrock *r = rg_rosenbrock_of(g);

    *last = (rg_ivp_jacobian){r->t_jacobian, r->Jy, r->Jyp};
}

const rg_ivp_method rg_rosenbrock_method = {.name = "rosenbrock",
                                            .degree = 3,
                                            .state_size = sizeof(rg_rosenbrock),
                                            .create = create,
                                            .step = rg_rosenbrock_step,
                                            .restart = restart,
                                            .destroy = destroy,
                                            .jacobian = last_jacobian,
                                            .rows = rg_rosenbrock_rows,
                                            .row = rg_rosenbrock_row,
                                            .holds_branches = true};
