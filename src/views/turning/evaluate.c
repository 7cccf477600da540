/* Coefficients b, c and their derivatives are evaluated at a point; integrals of b over u. */
#include "views/tuning.h"
#include "views/turning/tuning.h"
#include "views/turning/turning_impl.h"

#include <math.h>

static bool run(rg_turning *v, int which, double x, double u, double *out)
{
    const rg_turning_tape *t = &v->tape[which];

    for (int k = 0; k < t->n_inputs; k++)
        v->work[k] = t->is_u[k] ? u : t->inputs[k];
    v->evaluations++;
    return rg_turning_results(t->tape, x, v->work, t->n_outputs, out);
}

double rg_turning_b(rg_turning *v, double x, double u)
{
    double b;

    return run(v, 0, x, u, &b) ? v->sign * b : NAN;
}

bool rg_turning_eval(rg_turning *v, double x, double u, int level, rg_turning_values *o)
{
    double value[RG_TURNING_OUTPUTS] = {0};
    const double s = v->sign;

    const bool is_finite = run(v, level + 1, x, u, value);
    *o = (rg_turning_values){.b = s * value[0],
                             .c = -s * value[1],
                             .b_x = s * value[2],
                             .b_u = s * value[3],
                             .c_x = -s * value[4],
                             .c_u = -s * value[5],
                             .b_xx = s * value[6],
                             .b_xu = s * value[7],
                             .c_xx = -s * value[8],
                             .c_xu = -s * value[9],
                             .c_uu = -s * value[10]};
    return is_finite;
}

/* Gauss's rule on `pieces` equal parts: sum[0] of b, sum[1] of b_x, sum[2] of their sizes. */
static void integrate(rg_turning *v, const rg_rule *rule, double x, const double *limits,
                      int pieces, bool has_x, double *sum)
{
    const double h = (limits[1] - limits[0]) / pieces;
    rg_turning_values now = {0};

    sum[0] = sum[1] = sum[2] = 0.0;
    for (int k = 0; k < pieces; k++)
        for (int j = 0; j < rule->s; j++) {
            const double s = limits[0] + (k + rule->c[j]) * h;
            if (!has_x)
                now.b = rg_turning_b(v, x, s);
            else if (!rg_turning_eval(v, x, s, 1, &now))
                now.b = NAN;
            sum[0] += h * rule->b[j] * now.b;
            sum[1] += h * rule->b[j] * now.b_x;
            sum[2] += fabs(h * rule->b[j]) * (fabs(now.b) + fabs(now.b_x));
        }
}

double rg_turning_flux(rg_turning *v, double x, double from, double to, double *flux_x)
{
    const double limits[] = {from, to};
    double old[3] = {0}, now[3] = {0};

    for (int pieces = 1; pieces <= RG_TURNING_PIECES; pieces *= 2) {
        integrate(v, &v->rule, x, limits, pieces, flux_x != NULL, now);
        const double noise = RG_TURNING_QUADRATURE * now[2];
        if (v->is_polynomial || isnan(now[0])) break;
        if (pieces > 1 && fabs(now[0] - old[0]) <= noise && fabs(now[1] - old[1]) <= noise) break;
        old[0] = now[0];
        old[1] = now[1];
    }
    if (flux_x != NULL) *flux_x = now[1];
    return now[0];
}

/* A polynomial in u of degree d is integrated exactly by (d + 2)/2 points; b_x has no higher
 * degree than b. */
rg_status rg_turning_prepare(rg_turning *v)
{
    const rg_turning_row r = {v->body, v->graph, 0, v->iteration};
    enum { MOST_DEGREE = 2 * RG_TURNING_POINTS - 1, MOST_NODES = 2000 };
    rg_node derivative = v->B;
    int degree = -1;

    for (int k = 0; k <= MOST_DEGREE && degree < 0; k++) {
        if (rg_graph_size(v->graph) > MOST_NODES) break;
        derivative = rg_turning_partial(&r, derivative, v->unknown, 0);
        RG_TRY(rg_graph_status(v->graph));
        const rg_graph_node *node = rg_graph_at(v->graph, derivative);
        if (node->op == RG_OP_CONST && node->value == 0.0) degree = k;
    }
    v->is_polynomial = degree >= 0;
    rg_rule_init(RG_RULE_GAUSS, degree >= 0 ? (degree + 2) / 2 : RG_TURNING_POINTS, &v->rule);
    return RG_OK;
}
