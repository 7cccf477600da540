/* A turning point problem on a mesh: bounds of b, life, slopes, values between mesh points. */
#include "bvp/turning/tuning.h"
#include "bvp/turning/turning.h"

#include "curve/mesh.h"
#include "views/tuning.h"

#include <math.h>

/* Bounds of |b|/s over a half and the range of the reduced solution and the data, and of |b| at the
 * end. */
static rg_status find_bounds(rg_turn_solution *s, rg_turn_half *h)
{
    const double low = rg_reduced_low(s->reduced), high = rg_reduced_high(s->reduced);
    const double sign = s->view->facts.point[0].kind == RG_TURN_REPULSIVE ? -h->side : h->side;
    rg_turning_values at;
    char number[40];

    h->m1 = 0.0;
    h->b0 = h->m = INFINITY;
    for (int i = 0; i <= RG_TURN_BOUND_GRID; i++) {
        const double part = i / (double)RG_TURN_BOUND_GRID, d = part * h->length;
        const double x = i == RG_TURN_BOUND_GRID ? (h->side < 0 ? s->view->low : s->view->high)
                                                 : s->x0 + h->side * d;
        for (int k = 0; k <= RG_TURN_BOUND_VALUES; k++) {
            const double u = low + (high - low) * k / RG_TURN_BOUND_VALUES;
            const double b = i > 0 ? rg_turning_b(s->view, x, u) : 0.0;
            if (i == 0 && !rg_turning_eval(s->view, x, u, 1, &at)) at.b_x = NAN;
            const double ratio = i == 0 ? sign * h->side * at.b_x : sign * b / d;
            if (!(ratio > 0.0)) {
                rg_fail(s->ctx, RG_ERR_METHOD,
                        "'turning-point': the coefficient of the first derivative changes its sign "
                        "at %s = %s for values near %.3g too, so its kinds are mixed",
                        rg_problem_time_name(s->view->p), rg_real_text(x, number), u);
                return rg_remedy(s->ctx, "take --method collocation");
            }
            h->m1 = fmax(h->m1, ratio);
            h->b0 = fmin(h->b0, ratio);
            if (i == RG_TURN_BOUND_GRID) h->m = fmin(h->m, fabs(b));
        }
    }
    h->e = s->view->eps / (h->m * h->length);
    return RG_OK;
}

static rg_status take_memory(rg_turn_solution *s)
{
    const size_t n = (size_t)s->n + 1;

    s->x = rg_alloc(s->ctx, 5 * n, sizeof *s->x);
    s->is_layer = rg_alloc(s->ctx, n, sizeof *s->is_layer);
    if (s->x == NULL || s->is_layer == NULL) return RG_ERR_MEMORY;
    s->u = s->x + n;
    s->up = s->x + 2 * n;
    s->e_low = s->x + 3 * n;
    s->e_high = s->x + 4 * n;
    return RG_OK;
}

rg_status rg_turn_create(rg_turning *view, const rg_reduced *reduced, rg_turn_variant variant,
                         int n, rg_turn_solution **out)
{
    rg_turn_solution *s = *out = rg_alloc(view->ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = view->ctx;
    s->view = view;
    s->reduced = reduced;
    s->variant = variant;
    s->n = n;
    s->x0 = view->facts.point[0].t;
    s->half[0] = (rg_turn_half){.side = -1, .length = s->x0 - view->low};
    s->half[1] = (rg_turn_half){.side = 1, .length = view->high - s->x0};
    rg_rule_init(RG_RULE_GAUSS, RG_TURNING_POINTS, &s->rule);
    rg_status status = take_memory(s);
    for (int k = 0; k < 2 && status == RG_OK; k++)
        status = find_bounds(s, &s->half[k]);
    if (status == RG_OK)
        rg_turn_mesh(s);
    else
        rg_turn_destroy(out);
    return status;
}

void rg_turn_destroy(rg_turn_solution **solution)
{
    rg_turn_solution *s = *solution;

    if (s == NULL) return;
    rg_free(s->ctx, s->x);
    rg_free(s->ctx, s->is_layer);
    rg_free(s->ctx, s);
    *solution = NULL;
}

/* ---- slopes and values between mesh points --------------------------------------------------- */

/* Slope at x[at] of the parabola through the mesh points i, i + 1, i + 2. */
static double parabola(const rg_turn_solution *s, int i, int at)
{
    const double *x = s->x + i, *u = s->u + i;
    const double d0 = (u[1] - u[0]) / (x[1] - x[0]), d1 = (u[2] - u[1]) / (x[2] - x[1]);
    const double curvature = (d1 - d0) / (x[2] - x[0]);

    return d0 + curvature * (2.0 * s->x[at] - x[0] - x[1]);
}

/* The layer function of an interval: y(s) with e linear in s^2; its slope in x. */
static double layer_value(const rg_turn_solution *s, int i, double x, double *up)
{
    const int half = s->x[i] < s->x0 ? 0 : 1, far = half == 0 ? i : i + 1,
              near = half == 0 ? i + 1 : i;
    const rg_turn_half *h = &s->half[half];
    const double m1 = h->m1, q = m1 / (2.0 * s->view->eps);
    const double d = fabs(x - s->x0), d1 = fabs(s->x[far] - s->x0), d0 = fabs(s->x[near] - s->x0);
    const double a = q * (d1 - d) * (d1 + d), k = exp(-a);
    const double part = (d - d0) * (d + d0) / ((d1 - d0) * (d1 + d0));
    const double e = s->e_low[i] + part * (s->e_high[i] - s->e_low[i]);
    const double w1 = a > 0.0 ? -expm1(-a) / a - k : 0.0;
    double y = k * s->u[far] + (w1 * s->e_high[i] + (1.0 - k - w1) * e) / m1;

    if (s->K[half] != 0.0 && a > 0.0)
        y -= s->K[half] / s->view->eps * rg_turn_layer_integral(&s->rule, q, d, d1);
    if (up != NULL) /* eps y' = m1 s y - s e + K, K with its sign, seen from x* */
        *up = h->side * (d * (m1 * y - e) + s->K[half]) / s->view->eps;
    return y;
}

static void find_slopes(rg_turn_solution *s)
{
    for (int i = 0; i <= s->n; i++) {
        const bool left = i > 0 && s->is_layer[i - 1], right = i < s->n && s->is_layer[i];
        /* where a layer ends, from outside of it */
        const int from = i == 0 || (left && !right)      ? i
                         : i == s->n || (right && !left) ? i - 2
                                                         : i - 1;
        if ((i == 0 || left) && (i == s->n || right))
            layer_value(s, i == s->n ? i - 1 : i, s->x[i], &s->up[i]);
        else
            s->up[i] = parabola(s, from, i);
    }
}

void rg_turn_eval(const rg_turn_solution *s, double x, double *u, double *up)
{
    rg_turn_eval_in(s, (int)rg_mesh_find(s->n, s->x, x), x, u, up);
}

void rg_turn_eval_in(const rg_turn_solution *s, int i, double x, double *u, double *up)
{
    const double part = (x - s->x[i]) / (s->x[i + 1] - s->x[i]);
    const int at = part == 0.0 ? i : part == 1.0 ? i + 1 : -1;

    if (at >= 0) { /* a mesh point */
        *u = s->u[at];
        if (up != NULL) *up = s->up[at];
    } else if (s->is_layer[i]) {
        *u = layer_value(s, i, x, up);
    } else {
        *u = s->u[i] + part * (s->u[i + 1] - s->u[i]);
        if (up != NULL) *up = s->up[i] + part * (s->up[i + 1] - s->up[i]);
    }
}

rg_status rg_turn_solve(rg_turn_solution *s)
{
    RG_TRY(s->variant <= RG_TURN_TWO_PASS ? rg_turn_sweep(s) : rg_turn_difference(s));
    find_slopes(s);
    for (int i = 0; i <= s->n; i++)
        if (!isfinite(s->u[i]) || !isfinite(s->up[i])) {
            rg_fail(s->ctx, RG_ERR_CONVERGENCE,
                    "'turning-point': the values grow beyond all numbers on %d intervals", s->n);
            return rg_remedy(s->ctx, "take --method collocation");
        }
    return RG_OK;
}
