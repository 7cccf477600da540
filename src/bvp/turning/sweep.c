/* The initial value method for a repulsive turning point, in s = |x - x*|, X = x - x* = side s.
 *
 *     eps y' + f(x, y) = f(x, W) + r(x) + K,       f(x, u) = int b(x, .) du
 *     d(x, y) = (f(x, y) - f(x, W) - r)/X,  e = d + m1 y,  m1 >= -b/X
 *     y_i = k y_{i+1} + (w1 e_{i+1} + w0 e_i)/m1 - side (K/eps) J_i
 *         k = exp(-a),  a = m1 (s_{i+1}^2 - s_i^2)/(2 eps)
 *         J_i = int_{s_i}^{s_{i+1}} exp(-m1 (t^2 - s_i^2)/(2 eps)) dt
 *
 * First pass: W = v, r = 0, K = eps v'(x*): with f(x*, .) = 0 the integral of g along v is
 * f(x, v), so no quadrature over x is needed.  First order (6.19): w1 = 1 - k, w0 = 0.  Second
 * order, e linear in s^2: w1 = (1 - k)/a - k, w0 = 1 - k - w1, and an equation for y_i.
 * Second pass: W = U = v + eps v1, K = eps U'(x*), r = eps (U' - U'(x*)) + I(x),
 *     I(x) = int_{x*}^x g(t, y) - g(t, v + eps (v'(x*) - v')/b) dt       (trapezoidal rule)
 * the integrand 0 near x*, where nothing is left of the layers.
 *
 * Thesis (6.11) to (6.23) with the signs of g and d corrected.  The text neglects K; where v'(x*)
 * is not 0 this costs |v'(x*)| sqrt(pi eps/(2 m)), m = -b_x: doc/methods/turning.md. */
#include "bvp/turning/tuning.h"
#include "bvp/turning/turning.h"

#include "base/erfcx.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* int_from^to exp(-q (t^2 - from^2)) dt: where exp falls little by Gauss's rule, for the two terms
 * of the closed form cancel there. */
double rg_turn_layer_integral(const rg_rule *rule, double q, double from, double to)
{
    const double a = q * (to - from) * (to + from);
    double sum = 0.0;

    if (a >= 1.0)
        return 0.5 * sqrt(acos(-1.0) / q)
               * (rg_erfcx(sqrt(q) * from) - exp(-a) * rg_erfcx(sqrt(q) * to));
    for (int j = 0; j < rule->s; j++) {
        const double t = from + rule->c[j] * (to - from);
        sum += rule->b[j] * exp(-q * (t - from) * (t + from));
    }
    return sum * (to - from);
}

typedef struct { /* a pass over one half */
    rg_turn_solution *s;
    const rg_turn_half *half;
    bool is_second; /* order of the sweep */
    double K;
    double *W, *r; /* N + 1, by distance from x* */
} pass;

static int node(const pass *p, int i)
{
    return p->s->n / 2 + p->half->side * i;
}

static double distance(const pass *p, int i)
{
    return fabs(p->s->x[node(p, i)] - p->s->x0);
}

static double e_of(const pass *p, int i, double y)
{
    const double x = p->s->x[node(p, i)], X = x - p->s->x0;
    const double d = (rg_turning_flux(p->s->view, x, p->W[i], y, NULL) - p->r[i]) / X;

    return d + p->half->m1 * y;
}

/* y = R + w0 e(y)/m1 by Newton's method for one number. */
static double implicit_value(const pass *p, int i, double R, double w0, double y)
{
    const double x = p->s->x[node(p, i)], m1 = p->half->m1;

    for (int k = 0; k < RG_TURN_SCALAR_NEWTON; k++) {
        const double slope = rg_turning_b(p->s->view, x, y) / (x - p->s->x0) + m1;
        const double change =
            (R + w0 * e_of(p, i, y) / m1 - y) / (1.0 - fmin(w0 * slope / m1, 1.0 - DBL_EPSILON));
        y += change;
        if (!(fabs(change) > 4.0 * DBL_EPSILON * fabs(y))) break;
    }
    return y;
}

static void sweep_half(const pass *p)
{
    rg_turn_solution *s = p->s;
    const int N = s->n / 2, half = p->half->side < 0 ? 0 : 1;
    const double m1 = p->half->m1, q = m1 / (2.0 * s->view->eps);

    s->K[half] = p->half->side * p->K;
    for (int i = N - 1; i >= 1; i--) {
        const double from = distance(p, i), to = distance(p, i + 1);
        const double a = q * (to - from) * (to + from), k = exp(-a);
        const double w1 = p->is_second ? -expm1(-a) / a - k : 1.0 - k;
        const double w0 = p->is_second ? 1.0 - k - w1 : 0.0;
        const int interval = half == 0 ? N - 1 - i : N + i;
        const double y1 = s->u[node(p, i + 1)], e1 = e_of(p, i + 1, y1);
        double y = k * y1 + w1 * e1 / m1;
        if (p->K != 0.0)
            y -= s->K[half] / s->view->eps * rg_turn_layer_integral(&s->rule, q, from, to);
        if (p->is_second) y = implicit_value(p, i, y, w0, y + w0 * e1 / m1);
        s->u[node(p, i)] = y;
        s->e_high[interval] = e1;
        s->e_low[interval] = p->is_second ? e_of(p, i, y) : e1;
    }
}

/* g(x, y) - g(x, w),  g = c + f_x. */
static double difference_of_g(rg_turning *v, double x, double y, double w)
{
    rg_turning_values at_y, at_w;
    double f_x;

    rg_turning_eval(v, x, y, 0, &at_y);
    rg_turning_eval(v, x, w, 0, &at_w);
    rg_turning_flux(v, x, w, y, &f_x);
    return at_y.c - at_w.c + f_x;
}

static double layer_part(const pass *p, int i, double slope)
{
    const rg_turn_solution *s = p->s;
    const double x = s->x[node(p, i)];

    if (distance(p, i) < RG_TURN_NO_LAYER * p->half->length) return 0.0;
    const rg_reduced_values v = rg_reduced_at(s->reduced, x, p->half->side);
    const double outer = v.v + s->view->eps * (slope - v.vp) / rg_turning_b(s->view, x, v.v);
    return difference_of_g(s->view, x, s->u[node(p, i)], outer);
}

/* Right-hand side of the second pass from the y of the first one. */
static void improve(pass *p)
{
    const rg_turn_solution *s = p->s;
    const rg_reduced_values at = rg_reduced_center(s->reduced);
    const double eps = s->view->eps, slope = at.vp + eps * at.v1p;
    double integral = 0.0, old = 0.0;

    for (int i = 1; i <= s->n / 2; i++) {
        const double x = s->x[node(p, i)], now = layer_part(p, i, at.vp);
        const rg_reduced_values v = rg_reduced_at(s->reduced, x, p->half->side);
        integral += 0.5 * (x - s->x[node(p, i - 1)]) * (old + now);
        old = now;
        p->W[i] = v.v + eps * v.v1;
        p->r[i] = eps * (v.vp + eps * v.v1p - slope) + integral;
    }
    p->K = eps * slope;
}

double rg_turn_layer_error(const rg_turn_solution *s)
{
    const rg_reduced_values at = rg_reduced_center(s->reduced);
    double most = 0.0;

    for (int half = 0; half < 2; half++) {
        const pass p = {.s = (rg_turn_solution *)s, .half = &s->half[half]};
        double integral = 0.0, old = 0.0;
        for (int i = 1; i <= s->n / 2; i++) {
            const double now = layer_part(&p, i, at.vp);
            integral += 0.5 * (s->x[node(&p, i)] - s->x[node(&p, i - 1)]) * (old + now);
            most = fmax(most, fabs(integral) / p.half->m);
            old = now;
        }
    }
    return most;
}

rg_status rg_turn_sweep(rg_turn_solution *s)
{
    const int N = s->n / 2;
    const rg_reduced_values at = rg_reduced_center(s->reduced);
    const bool is_second = s->variant == RG_TURN_TWO_PASS;
    double *room = rg_alloc(s->ctx, 2 * (size_t)(N + 1), sizeof *room);

    if (room == NULL) return RG_ERR_MEMORY;
    s->u[0] = s->view->value[0];
    s->u[s->n] = s->view->value[1];
    for (int half = 0; half < 2; half++) {
        pass p = {
            .s = s, .half = &s->half[half], .is_second = is_second, .W = room, .r = room + N + 1};
        for (int i = 0; i <= N; i++) {
            p.W[i] = rg_reduced_value(s->reduced, s->x[node(&p, i)], p.half->side);
            p.r[i] = 0.0;
        }
        p.K = s->drops_K ? 0.0 : s->view->eps * at.vp;
        sweep_half(&p);
        if (!is_second) continue;
        improve(&p);
        sweep_half(&p);
    }
    s->u[N] = at.v + (is_second ? s->view->eps * at.v1 : 0.0);
    rg_free(s->ctx, room);
    return RG_OK;
}
