/* Difference schemes on a mesh, h_i = x_i - x_{i-1}, H_i = (h_i + h_{i+1})/2, by Newton's method
 * with tridiagonal matrices.
 *
 *     D'' w_i = ((w_{i-1} - w_i)/h_i + (w_{i+1} - w_i)/h_{i+1})/H_i
 *
 * upwind, shishkin:
 *     -eps D'' w_i - b(x_i, w_i) D w_i + c(x_i, w_i) = 0,
 *     D w_i = (w_{i+1} - w_i)/h_{i+1} where b > 0, (w_i - w_{i-1})/h_i where b < 0
 * conservative (6.35), - for x_i <= x*, + behind it:
 *     -eps D'' w_i - D_+- f_+-(x_i, w_i) + g_+-(x_i, w_i) = 0,
 *     D_+ f_i = (f_{i+1} - f_i)/H_i,  D_- f_i = (f_i - f_{i-1})/H_i
 *     f_+-(x, u) = int b(x, s) ds from v_+-(x) to u
 *     g_+-(x, u) = c(x, u) - (c(x, v_+-) - c(x*, v_+-)) + int b_x(x, s) ds from v_+- to u
 *
 * v_+-: the reduced solutions (reduced.c), b v' = c - c(x*, v). */
#include "bvp/turning/tuning.h"
#include "bvp/turning/turning.h"

#include "linalg/tridiagonal.h"
#include "newton/newton.h"

#include <math.h>
#include <string.h>

typedef struct { /* an object of rg_newton: values at all mesh points; those of the ends stay */
    int n;
    double *w;
} values;

typedef struct {
    rg_turn_solution *s;
    double *v, *g0;  /* conservative: v_+- and c(x, v) - c(x*, v) at the mesh points */
    double *f, *f_u; /* conservative: f_+- and b at the iterate */
    double *g, *g_u;
    rg_tridiagonal matrix;
    double scale;
} scheme;

static bool conservative_terms(scheme *m, const double *w)
{
    rg_turn_solution *s = m->s;
    rg_turning_values now;
    bool is_finite = true;

    for (int i = 0; i <= s->n; i++) {
        double f_x;
        is_finite = rg_turning_eval(s->view, s->x[i], w[i], 1, &now) && is_finite;
        m->f[i] = rg_turning_flux(s->view, s->x[i], m->v[i], w[i], &f_x);
        m->f_u[i] = now.b;
        m->g[i] = now.c - m->g0[i] + f_x;
        m->g_u[i] = now.c_u + now.b_x;
    }
    return is_finite;
}

/* Row i without the second difference: value, and derivatives with respect to w_{i-1}, w_i,
 * w_{i+1}. */
static double conservative_row(const scheme *m, int i, double H, double *d)
{
    const int side = i <= m->s->n / 2 ? -1 : 1, j = i + side;

    d[1] = side * m->f_u[i] / H + m->g_u[i];
    d[1 + side] = -side * m->f_u[j] / H;
    d[1 - side] = 0.0;
    return -side * (m->f[j] - m->f[i]) / H + m->g[i];
}

static double upwind_row(const scheme *m, const double *w, int i, double *d)
{
    const rg_turn_solution *s = m->s;
    rg_turning_values now;

    if (!rg_turning_eval(s->view, s->x[i], w[i], 1, &now)) return NAN;
    const int side = now.b > 0.0 ? 1 : -1;
    const double h = s->x[i + side] - s->x[i], slope = (w[i + side] - w[i]) / h;
    d[1 + side] = -now.b / h;
    d[1 - side] = 0.0;
    d[1] = now.b / h - now.b_u * slope + now.c_u;
    return -now.b * slope + now.c;
}

static double residual_row(const scheme *m, const double *w, int i, double *d)
{
    const double *x = m->s->x, eps = m->s->view->eps;
    const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i], H = 0.5 * (h0 + h1);
    const double first = m->s->variant == RG_TURN_CONSERVATIVE ? conservative_row(m, i, H, d)
                                                               : upwind_row(m, w, i, d);

    d[0] -= eps / (h0 * H);
    d[2] -= eps / (h1 * H);
    d[1] += eps / (h0 * H) + eps / (h1 * H);
    return first - eps * ((w[i - 1] - w[i]) / h0 + (w[i + 1] - w[i]) / h1) / H;
}

/* ---- Newton's method ------------------------------------------------------------------------- */

static rg_status correct(void *user, const void *z, bool is_new, void *delta)
{
    scheme *m = user;
    const double *w = ((const values *)z)->w;
    double *const D = ((values *)delta)->w;
    const int n = m->s->n;

    if (m->s->variant == RG_TURN_CONSERVATIVE && !conservative_terms(m, w)) return RG_RETRY;
    for (int i = 1; i < n; i++) {
        double d[3] = {0.0, 0.0, 0.0};
        D[i] = -residual_row(m, w, i, d);
        if (!isfinite(D[i])) return RG_RETRY;
        if (!is_new) continue;
        m->matrix.diagonal[i - 1] = d[1];
        if (i > 1) m->matrix.lower[i - 2] = d[0];
        if (i < n - 1) m->matrix.upper[i - 1] = d[2];
    }
    if (is_new && !rg_tridiagonal_factor(&m->matrix)) return RG_RETRY;
    if (is_new) m->s->iterations++;
    rg_tridiagonal_solve(&m->matrix, D + 1);
    D[0] = D[n] = 0.0;
    return rg_newton_poll(m->s->ctx);
}

static void add(const void *z, double factor, const void *d, void *to)
{
    const values *a = z, *b = d, *c = to;

    for (int i = 0; i <= a->n; i++)
        c->w[i] = a->w[i] + factor * b->w[i];
}

static void rescale(void *user, const void *z)
{
    scheme *m = user;
    const values *a = z;

    m->scale = 0.0;
    for (int i = 0; i <= a->n; i++)
        m->scale = fmax(m->scale, fabs(a->w[i]));
    if (m->scale == 0.0) m->scale = 1.0;
}

static double size(const void *user, const void *d, double factor, const void *e)
{
    const scheme *m = user;
    const values *a = d, *b = e;
    double most = 0.0;

    for (int i = 0; i <= a->n; i++)
        most = fmax(most, fabs(a->w[i] - (b != NULL ? factor * b->w[i] : 0.0)));
    return most / m->scale;
}

/* The reduced solution with its layers: at the ends exp(-m (L - s)/eps), at x* half an error
 * function. */
static void first_guess(const scheme *m)
{
    rg_turn_solution *s = m->s;
    const int N = s->n / 2;
    const bool is_inner = s->view->facts.point[0].kind == RG_TURN_ATTRACTIVE;
    const double jump =
        rg_reduced_value(s->reduced, s->x0, 1) - rg_reduced_value(s->reduced, s->x0, -1);

    for (int i = 0; i <= s->n; i++) {
        const rg_turn_half *h = &s->half[i < N ? 0 : 1];
        const double d = fabs(s->x[i] - s->x0), v = rg_reduced_value(s->reduced, s->x[i], h->side);
        const double end = h->side < 0 ? s->view->low : s->view->high;
        const double miss =
            s->view->value[h->side < 0 ? 0 : 1] - rg_reduced_value(s->reduced, end, h->side);
        s->u[i] = is_inner ? v - 0.5 * h->side * jump * erfc(d * sqrt(h->b0 / (2.0 * s->view->eps)))
                           : v + miss * exp(-h->m * (h->length - d) / s->view->eps);
    }
    s->u[0] = s->view->value[0];
    s->u[s->n] = s->view->value[1];
}

static void reduced_terms(const scheme *m)
{
    const rg_turn_solution *s = m->s;
    rg_turning_values now, center;

    for (int i = 0; i <= s->n; i++) {
        m->v[i] = rg_reduced_value(s->reduced, s->x[i], i <= s->n / 2 ? -1 : 1);
        rg_turning_eval(s->view, s->x[i], m->v[i], 0, &now);
        rg_turning_eval(s->view, s->x0, m->v[i], 0, &center);
        m->g0[i] = now.c - center.c;
    }
}

static rg_status iterate(scheme *m, double *room)
{
    static const rg_newton_system system = {
        .correct = correct, .add = add, .rescale = rescale, .size = size};
    rg_turn_solution *s = m->s;
    const int n = s->n;
    values z[4];

    for (int k = 0; k < 4; k++)
        z[k] = (values){n, room + k * (size_t)(n + 1)};
    memcpy(z[0].w, s->u, (size_t)(n + 1) * sizeof *s->u);
    rg_newton newton = {.ctx = s->ctx,
                        .system = &system,
                        .user = m,
                        .z = &z[0],
                        .trial = &z[1],
                        .D = &z[2],
                        .Db = &z[3],
                        .tol = RG_TURN_NEWTON_TOL,
                        .most = RG_TURN_NEWTON_MOST};
    const rg_status status = rg_newton_solve(&newton);
    memcpy(s->u, ((values *)newton.z)->w, (size_t)(n + 1) * sizeof *s->u);
    return status;
}

rg_status rg_turn_difference(rg_turn_solution *s)
{
    const size_t n = (size_t)s->n + 1;
    double *room = rg_alloc(s->ctx, 14 * n, sizeof *room);
    int *pivot = rg_alloc(s->ctx, n, sizeof *pivot);
    rg_status status = room != NULL && pivot != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) {
        double *const r = room;
        scheme m = {
            .s = s,
            .v = r,
            .g0 = r + n,
            .f = r + 2 * n,
            .f_u = r + 3 * n,
            .g = r + 4 * n,
            .g_u = r + 5 * n,
            .matrix = {s->n - 1, r + 6 * n, r + 7 * n, r + 8 * n, r + 9 * n, pivot},
            .scale = 1.0
        };
        first_guess(&m);
        if (s->variant == RG_TURN_CONSERVATIVE) reduced_terms(&m);
        status = iterate(&m, r + 10 * n);
    }
    rg_free(s->ctx, room);
    rg_free(s->ctx, pivot);
    if (status != RG_RETRY) return status;
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "'turning-point': Newton's method finds no solution of the difference equations on %d "
            "intervals",
            s->n);
    return rg_remedy(s->ctx, "give more --intervals, or take --method collocation");
}
