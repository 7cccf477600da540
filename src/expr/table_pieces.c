/* The polynomials of a table between its nodes.
 *
 * h_k = x_{k+1} - x_k, m_k = (y_{k+1} - y_k)/h_k, s = x - x_k.  Coefficients of s^0, s^1, ... stand
 * one after the other; the last segment, at and beyond the last node, is the number y_{n-1}. */
#include "expr/table.h"

#include <string.h>

static double width(const rg_table_spec *t, int k)
{
    return t->x[k + 1] - t->x[k];
}

static double slope(const rg_table_spec *t, int k)
{
    return (t->y[k + 1] - t->y[k]) / width(t, k);
}

/* The cubic with the values y and the slopes d at both ends:
 * y_k + d_k s + (3 m_k - 2 d_k - d_{k+1})/h_k s^2 + (d_k + d_{k+1} - 2 m_k)/h_k^2 s^3 */
static void hermite(const rg_table_spec *t, int k, double left, double right, double *c)
{
    const double h = width(t, k), m = slope(t, k);

    c[0] = t->y[k];
    c[1] = left;
    c[2] = (3.0 * m - 2.0 * left - right) / h;
    c[3] = (left + right - 2.0 * m) / (h * h);
}

/* ---- monotone: Fritsch and Butland's weighted harmonic mean of the slopes beside a node ------ */

/* The one-sided three-point formula, limited so that the end does not overshoot.  h0, m0: of the
 * segment at the end, h1, m1: of the next one. */
static double end_slope(double h0, double h1, double m0, double m1)
{
    const double d = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);

    if (rg_sign(d) != rg_sign(m0)) return 0.0;
    const double most = 3.0 * fabs(m0);
    return rg_sign(m0) != rg_sign(m1) && fabs(d) > most ? 3.0 * m0 : d;
}

/* 0 where the data have an extremum, else (w_1 + w_2)/(w_1/m_{k-1} + w_2/m_k) with
 * w_1 = 2 h_k + h_{k-1}, w_2 = h_k + 2 h_{k-1}. */
static double inner_slope(double h0, double h1, double m0, double m1)
{
    const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;

    if (m0 == 0.0 || m1 == 0.0 || rg_sign(m0) != rg_sign(m1)) return 0.0;
    return (w0 + w1) / (w0 / m0 + w1 / m1);
}

static double monotone_slope(const rg_table_spec *t, int k)
{
    const int last = t->n - 1;

    if (t->n == 2) return slope(t, 0);
    if (k == 0) return end_slope(width(t, 0), width(t, 1), slope(t, 0), slope(t, 1));
    if (k == last)
        return end_slope(width(t, last - 1), width(t, last - 2), slope(t, last - 1),
                         slope(t, last - 2));
    return inner_slope(width(t, k - 1), width(t, k), slope(t, k - 1), slope(t, k));
}

static void monotone(const rg_table_spec *t, double *c)
{
    double left = monotone_slope(t, 0);

    for (int k = 0; k + 1 < t->n; k++) {
        const double right = monotone_slope(t, k + 1);
        hermite(t, k, left, right, &c[4 * (int64_t)k]);
        left = right;
    }
}

/* ---- smooth: the spline through its second derivatives M ------------------------------------- */

/* h_{k-1} M_{k-1} + 2 (h_{k-1} + h_k) M_k + h_k M_{k+1} = 6 (m_k - m_{k-1}) for k = from .. to,
 * with the values beyond them 0; several right-hand sides at once: M[side][k].  Elimination without
 * exchanges: the diagonal dominates.  factor: room for n numbers. */
typedef struct {
    const rg_table_spec *t;
    int from, to;
    double first, last; /* added to the first and to the last diagonal entry */
    double *factor;
} spline;

static double before(const spline *s, int k) /* h_{k-1}; node 0 is the last one of a period */
{
    return width(s->t, k > 0 ? k - 1 : s->t->n - 2);
}

static void eliminate(const spline *s, int n_sides, double *const *M)
{
    double pivot = 1.0;

    for (int k = s->from; k <= s->to; k++) {
        double diagonal = 2.0 * (before(s, k) + width(s->t, k));
        if (k == s->from) diagonal += s->first;
        if (k == s->to) diagonal += s->last;
        const double low = k > s->from ? before(s, k) : 0.0;
        pivot = diagonal - (k > s->from ? low * s->factor[k - 1] : 0.0);
        s->factor[k] = width(s->t, k) / pivot;
        for (int side = 0; side < n_sides; side++)
            M[side][k] = (M[side][k] - (k > s->from ? low * M[side][k - 1] : 0.0)) / pivot;
    }
    for (int side = 0; side < n_sides; side++)
        for (int k = s->to - 1; k >= s->from; k--)
            M[side][k] -= s->factor[k] * M[side][k + 1];
}

static double bend(const spline *s, int k) /* the right-hand side */
{
    return 6.0 * (slope(s->t, k) - slope(s->t, k > 0 ? k - 1 : s->t->n - 2));
}

static void solve_natural(const rg_table_spec *t, double *M, double *factor)
{
    const spline s = {.t = t, .from = 1, .to = t->n - 2, .factor = factor};

    for (int k = 1; k + 1 < t->n; k++)
        M[k] = bend(&s, k);
    eliminate(&s, 1, (double *const[]){M});
}

/* M_0 = M_{n-1}: the equations for k = 0 .. n-2 form a circle.  The two corner entries e = h_{n-2}
 * are a matrix of rank one away from a band matrix (Sherman and Morrison):
 * A = B + e u u^T with u = (1, 0, ..., 0, 1), so B has its first and last diagonal entry reduced by
 * e, and M = z - e (u.z)/(1 + e u.q) q with B z = r, B q = u. */
static void solve_periodic(const rg_table_spec *t, double *M, double *q, double *factor)
{
    const int last = t->n - 2;
    const double e = width(t, last);
    const spline s = {t, 0, last, -e, -e, factor};

    if (last == 0) return; /* one segment that begins and ends with the same value: constant */
    if (last == 1) {       /* the corners fall on the entries beside the diagonal */
        M[0] = bend(&s, 0) / (width(t, 0) + width(t, 1));
        M[1] = -M[0];
        M[2] = M[0];
        return;
    }
    for (int k = 0; k <= last; k++) {
        M[k] = bend(&s, k);
        q[k] = k == 0 || k == last ? 1.0 : 0.0;
    }
    eliminate(&s, 2, (double *const[]){M, q});
    const double share = e * (M[0] + M[last]) / (1.0 + e * (q[0] + q[last]));
    for (int k = 0; k <= last; k++)
        M[k] -= share * q[k];
    M[last + 1] = M[0];
}

/* y_k + (m_k - h_k (2 M_k + M_{k+1})/6) s + M_k/2 s^2 + (M_{k+1} - M_k)/(6 h_k) s^3 */
static rg_status smooth(rg_context *ctx, const rg_table_spec *t, double *c)
{
    const size_t n = (size_t)t->n;
    double *M = rg_alloc(ctx, 3 * n, sizeof *M);

    if (M == NULL) return RG_ERR_MEMORY;
    if (t->beyond == RG_BEYOND_REPEAT)
        solve_periodic(t, M, M + n, M + 2 * n);
    else
        solve_natural(t, M, M + n);
    for (int k = 0; k + 1 < t->n; k++) {
        const double h = width(t, k);
        double *p = &c[4 * (int64_t)k];
        p[0] = t->y[k];
        p[1] = slope(t, k) - h * (2.0 * M[k] + M[k + 1]) / 6.0;
        p[2] = 0.5 * M[k];
        p[3] = (M[k + 1] - M[k]) / (6.0 * h);
    }
    rg_free(ctx, M);
    return RG_OK;
}

/* ---- all of them --------------------------------------------------------------------------- */

rg_status rg_table_pieces(rg_context *ctx, const rg_table_spec *t, double *c)
{
    rg_status status = RG_OK;

    switch (t->kind) {
    case RG_TABLE_STEPS:
        memcpy(c, t->y, (size_t)t->n * sizeof *c);
        return RG_OK;
    case RG_TABLE_LINEAR:
        for (int k = 0; k + 1 < t->n; k++) {
            c[2 * (int64_t)k] = t->y[k];
            c[2 * (int64_t)k + 1] = slope(t, k);
        }
        c[2 * ((int64_t)t->n - 1)] = t->y[t->n - 1];
        return RG_OK;
    case RG_TABLE_MONOTONE:
        monotone(t, c);
        break;
    default:
        status = smooth(ctx, t, c);
        break;
    }
    c[4 * ((int64_t)t->n - 1)] = t->y[t->n - 1];
    return status;
}
