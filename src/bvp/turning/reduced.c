/* The reduced solution of a turning point problem, by the integrator.
 *
 *     repulsive:   b v' = c,  c(x*, v(x*)) = 0,                          from x* to both ends (6.9)
 *                  v'(x*) = c_x/(b_x - c_u)
 *                  v''(x*) (2 b_x - c_u) = c_xx + 2 c_xu v' + c_uu v'^2 - (b_xx + 2 b_xu v') v'
 *                  b v1' = (c_u - b_u v') v1 - v'',  v1(x*) = v''(x*)/c_u     the next term
 *     attractive:  b v' = c - c(x*, v),  v = u at an end,                from both ends to x*
 *
 * At x* the equation is singular; the solutions that leave x* die away like s^(-c_u/|b_x|), so the
 * integration begins at a small distance with a Taylor polynomial.  c - c(x*, .) is x c_1 of
 * assumption i) up to terms of size eps, which (6.34) does not mind. */
#include "bvp/turning/tuning.h"
#include "bvp/turning/turning.h"

#include "ivp/integrator.h"
#include "linalg/powers.h"
#include "structure/analysis.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_DEGREE = 16 };

typedef struct { /* the polynomial of a step, from t0 to t1 */
    double t0, t1;
    int degree;
    double a[(MOST_DEGREE + 1) * 2];
} piece;

struct rg_reduced {
    rg_context *ctx;
    rg_turning *view;
    int n; /* 1: v; 2: v, v1 */
    bool is_repulsive;
    double tol;
    double x0, near; /* x*, and the distance below which v is a Taylor polynomial */
    rg_reduced_values center;
    double second; /* v''(x*) */
    double low, high;
    piece *pieces[2]; /* left, right half, in the order of the integration */
    int64_t n_pieces[2], capacity[2];
};

/* ---- the slope ------------------------------------------------------------------------------- */

/* v'' = (c_x + c_u v' - (b_x + b_u v') v')/b */
static double second_of(const rg_turning_values *w, double vp)
{
    return (w->c_x + w->c_u * vp - (w->b_x + w->b_u * vp) * vp) / w->b;
}

static bool outward(const rg_reduced *r, double x, const double *y, double *yp)
{
    rg_turning_values w;

    if (!rg_turning_eval(r->view, x, y[0], r->n == 2 ? 1 : 0, &w)) return false;
    yp[0] = w.c / w.b;
    if (r->n == 2) yp[1] = ((w.c_u - w.b_u * yp[0]) * y[1] - second_of(&w, yp[0])) / w.b;
    return isfinite(yp[0]) && isfinite(yp[r->n - 1]);
}

static bool inward(const rg_reduced *r, double x, const double *y, double *yp)
{
    rg_turning_values w, at;

    if (fabs(x - r->x0) <= r->near) {
        if (!rg_turning_eval(r->view, r->x0, y[0], 1, &w)) return false;
        yp[0] = w.c_x / w.b_x;
    } else {
        if (!rg_turning_eval(r->view, x, y[0], 0, &w)
            || !rg_turning_eval(r->view, r->x0, y[0], 0, &at))
            return false;
        yp[0] = (w.c - at.c) / w.b;
    }
    return isfinite(yp[0]);
}

static bool slope(const rg_reduced *r, double x, const double *y, double *yp)
{
    return r->is_repulsive ? outward(r, x, y, yp) : inward(r, x, y, yp);
}

/* ---- the integration ------------------------------------------------------------------------- */

typedef struct { /* a half of the interval, in s = |x - x*|: one integrator serves both */
    rg_reduced *r;
    int half;
} target;

static double place_of(const target *to, double s)
{
    return to->half == 0 ? fmax(to->r->x0 - s, to->r->view->low)
                         : fmin(to->r->x0 + s, to->r->view->high);
}

static int right_side(double s, const double *y, double *yp, void *user)
{
    const target *to = user;

    if (!slope(to->r, place_of(to, s), y, yp)) return 1;
    for (int k = 0; k < to->r->n && to->half == 0; k++)
        yp[k] = -yp[k];
    return 0;
}

static rg_status take_step(const rg_integrator *g, void *user)
{
    const target *to = user;
    rg_reduced *r = to->r;
    const int degree = rg_integrator_degree(g);

    RG_TRY(rg_grow(r->ctx, &r->pieces[to->half], r->n_pieces[to->half], &r->capacity[to->half],
                   sizeof(piece)));
    piece *p = &r->pieces[to->half][r->n_pieces[to->half]++];
    p->t0 = place_of(to, rg_integrator_step_start(g));
    p->t1 = place_of(to, rg_integrator_state(g).t);
    p->degree = degree < MOST_DEGREE ? degree : MOST_DEGREE;
    memcpy(p->a, rg_integrator_polynomial(g), (size_t)((p->degree + 1) * r->n) * sizeof *p->a);
    const double v = rg_integrator_state(g).y[0];
    r->low = fmin(r->low, v);
    r->high = fmax(r->high, v);
    return RG_OK;
}

static double taylor(const rg_reduced *r, double s)
{
    return r->center.v + s * r->center.vp + 0.5 * s * s * r->second;
}

static rg_status integrate(target *to, const rg_system *system, rg_integrator **g)
{
    const rg_reduced *r = to->r;
    const double L = to->half == 0 ? r->x0 - r->view->low : r->view->high - r->x0;
    const double from = r->is_repulsive ? r->near : L, end = r->is_repulsive ? L : 0.0;
    double y[2] = {r->view->value[to->half], 0.0}, yp[2] = {0.0, 0.0};
    rg_options o = rg_options_default();

    if (r->is_repulsive) {
        y[0] = taylor(r, to->half == 0 ? -from : from);
        y[1] = r->center.v1;
    }
    o.rtol = o.atol = r->tol;
    o.h_first = r->is_repulsive ? r->near : 0.0;
    if (right_side(from, y, yp, to) != 0) return RG_ERR_CONVERGENCE;
    const rg_state start = {from, y, yp};
    if (*g == NULL) {
        RG_TRY(rg_integrator_create(system, &o, &start, end, g));
    } else {
        RG_TRY(rg_integrator_restart(*g, &start, o.h_first));
        RG_TRY(rg_integrator_set_end(*g, end));
    }
    return rg_integrate(*g, take_step, to);
}

static rg_status integrate_halves(rg_reduced *r)
{
    rg_study study = {.ctx = r->ctx};
    target to = {.r = r};
    rg_integrator *g = NULL;
    rg_problem p = {.ctx = r->ctx,
                    .study = &study,
                    .n = r->n,
                    .n_rows = r->n,
                    .max_order = 1,
                    .b = r->view->high - r->view->low,
                    .rhs = right_side,
                    .user = &to};
    const rg_analysis *a;
    rg_system *system = NULL;

    rg_status status = rg_analysis_get(&p, &a);
    if (status == RG_OK) status = rg_system_create(&p, a, RG_VIEW_DIRECT, &system);
    for (; to.half < 2 && status == RG_OK; to.half++)
        status = integrate(&to, system, &g);
    rg_integrator_destroy(&g);
    rg_system_destroy(&system);
    rg_study_clear(&study);
    return status;
}

/* ---- the value at a repulsive point ---------------------------------------------------------- */

static double c_at(const rg_reduced *r, double u)
{
    rg_turning_values w;

    return rg_turning_eval(r->view, r->x0, u, 0, &w) ? w.c : NAN;
}

static double bisect(const rg_reduced *r, double low, double high)
{
    while (true) {
        const double m = 0.5 * (low + high), c = c_at(r, m);
        if (!(m > low && m < high) || c == 0.0) return m;
        if (c < 0.0)
            low = m;
        else
            high = m;
    }
}

/* Roots of c(x*, .) where c rises, around the boundary values; *n: how many were seen. */
static double find_root(const rg_reduced *r, int *n, bool *falls)
{
    const double *U = r->view->value;
    const double middle = 0.5 * (U[0] + U[1]);
    const double size = fmax(fabs(U[0] - U[1]), 0.1 * fmax(fabs(middle), 1.0));
    double root = NAN;

    *n = 0;
    *falls = false;
    for (double reach = size; *n == 0 && reach <= size * RG_TURN_ROOT_REACH; reach *= 4.0) {
        double old = NAN, u_old = NAN;
        for (int k = 0; k <= RG_TURN_ROOT_GRID; k++) {
            const double u = middle + reach * (2.0 * k / RG_TURN_ROOT_GRID - 1.0), c = c_at(r, u);
            if (old < 0.0 && c >= 0.0) {
                root = bisect(r, u_old, u);
                ++*n;
            }
            if (old > 0.0 && c <= 0.0) *falls = true;
            old = c;
            u_old = u;
        }
    }
    return root;
}

static rg_status refuse(const rg_reduced *r, const char *why)
{
    char name[64], number[40];

    rg_clear_error(r->ctx);
    rg_variable_name(r->view->p, r->view->unknown, 0, name, sizeof name);
    rg_fail(r->ctx, RG_ERR_METHOD, "'turning-point': at the turning point %s = %s %s %s",
            rg_problem_time_name(r->view->p), rg_real_text(r->x0, number), why, name);
    return rg_remedy(r->ctx, "take --method collocation");
}

static rg_status find_center(rg_reduced *r)
{
    rg_turning_values w;
    int n;
    bool falls;
    const double v = find_root(r, &n, &falls);

    if (n == 0 && falls) return refuse(r, "the term c without derivatives falls with");
    if (n == 0) return refuse(r, "the term c without derivatives has no zero for any");
    if (n > 1)
        return refuse(r, "the term c without derivatives has several zeros as a function of");
    if (!rg_turning_eval(r->view, r->x0, v, 2, &w) || !(w.c_u > 0.0))
        return refuse(r, "the term c without derivatives does not rise with");
    const double vp = w.c_x / (w.b_x - w.c_u);
    r->second = (w.c_xx + 2.0 * w.c_xu * vp + w.c_uu * vp * vp - (w.b_xx + 2.0 * w.b_xu * vp) * vp)
                / (2.0 * w.b_x - w.c_u);
    r->center = (rg_reduced_values){v, vp, r->second / w.c_u, 0.0};
    r->low = fmin(r->low, v);
    r->high = fmax(r->high, v);
    return RG_OK;
}

/* ---- life and values ------------------------------------------------------------------------- */

static bool is_near(const rg_reduced *r, double x)
{
    return r->is_repulsive && fabs(x - r->x0) <= r->near;
}

/* The polynomials of v and v1 at x. */
static void interpolate(const rg_reduced *r, double x, int side, double *y, double *yp)
{
    const int half = side < 0 ? 0 : 1;
    int64_t low = 0, high = r->n_pieces[half] - 1;
    const double sign = r->pieces[half][high].t1 > r->pieces[half][0].t0 ? 1.0 : -1.0;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (sign * x <= sign * r->pieces[half][middle].t1)
            high = middle;
        else
            low = middle + 1;
    }
    const piece *p = &r->pieces[half][low];
    const double h = p->t1 - p->t0;
    rg_powers_eval(p->degree, r->n, p->a, (x - p->t0) / h, h, y, yp);
}

double rg_reduced_value(const rg_reduced *r, double x, int side)
{
    double y[2], yp[2];

    if (is_near(r, x)) return taylor(r, x - r->x0);
    interpolate(r, x, side, y, yp);
    return y[0];
}

rg_reduced_values rg_reduced_at(const rg_reduced *r, double x, int side)
{
    const double s = x - r->x0;
    double y[2] = {0.0, 0.0}, yp[2] = {0.0, 0.0};

    if (is_near(r, x))
        return (rg_reduced_values){taylor(r, s), r->center.vp + s * r->second, r->center.v1,
                                   r->center.v1p};
    interpolate(r, x, side, y, yp);
    double exact[2] = {0.0, 0.0}; /* the equation says the slope better than the polynomial */
    if (slope(r, x, y, exact)) memcpy(yp, exact, sizeof yp);
    return (rg_reduced_values){y[0], yp[0], y[1], yp[1]};
}

/* v1'(x*): from a difference quotient across x*, where v1 is smooth. */
static void complete_center(rg_reduced *r)
{
    const double s = RG_TURN_NEXT_SLOPE * fmin(r->view->high - r->x0, r->x0 - r->view->low);

    if (r->n < 2) return;
    r->center.v1p =
        (rg_reduced_at(r, r->x0 + s, 1).v1 - rg_reduced_at(r, r->x0 - s, -1).v1) / (2.0 * s);
}

/* The distance s below which v is a Taylor polynomial.  With d the rounding of x, v'' has the
 * relative error d L/s^2 and the polynomial of v1 the relative error s/L: they are equal at
 * (d/L)^(1/3). */
static double near_of(const rg_turning *view, double x0)
{
    const double L = fmin(view->high - x0, x0 - view->low);
    const double d = 0.5 * DBL_EPSILON * fmax(fabs(view->low), fabs(view->high));

    return L * fmax(RG_TURN_NEAR, cbrt(d / L));
}

rg_status rg_reduced_create(rg_turning *view, bool has_next, double tol, rg_reduced **out)
{
    rg_reduced *r = *out = rg_alloc(view->ctx, 1, sizeof *r);

    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = view->ctx;
    r->view = view;
    r->tol = tol;
    r->is_repulsive = view->facts.point[0].kind == RG_TURN_REPULSIVE;
    r->n = has_next && r->is_repulsive ? 2 : 1;
    r->x0 = view->facts.point[0].t;
    r->near = near_of(view, r->x0);
    r->low = fmin(view->value[0], view->value[1]);
    r->high = fmax(view->value[0], view->value[1]);
    rg_status status = r->is_repulsive ? find_center(r) : RG_OK;
    if (status == RG_OK) {
        status = integrate_halves(r);
        if (status == RG_ERR_CONVERGENCE || status == RG_ERR_CALLBACK)
            status = refuse(r, "begins no reduced solution that reaches both ends, for");
    }
    if (status == RG_OK)
        complete_center(r);
    else
        rg_reduced_destroy(out);
    return status;
}

void rg_reduced_destroy(rg_reduced **reduced)
{
    rg_reduced *r = *reduced;

    if (r == NULL) return;
    rg_free(r->ctx, r->pieces[0]);
    rg_free(r->ctx, r->pieces[1]);
    rg_free(r->ctx, r);
    *reduced = NULL;
}

rg_reduced_values rg_reduced_center(const rg_reduced *r)
{
    return r->center;
}

double rg_reduced_low(const rg_reduced *r)
{
    return r->low;
}

double rg_reduced_high(const rg_reduced *r)
{
    return r->high;
}

int64_t rg_reduced_steps(const rg_reduced *r)
{
    return r->n_pieces[0] + r->n_pieces[1];
}
