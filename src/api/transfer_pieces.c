/* Polynomials through values at Chebyshev points, by divided differences.
 *
 *     s_k = (1 - cos(pi k/d))/2,  k = 0 .. d:    p(s) = c_0 + (s - s_0)(c_1 + (s - s_1)(c_2 + ...)),
 *
 * expanded into powers of s.  s_0 = 0, so a_0 is the value at the left end exactly. */
#include "api/transfer_pieces.h"

#include <math.h>

static double node(int k)
{
    const double pi = 3.14159265358979323846;

    return 0.5 * (1.0 - cos(pi * k / RG_PIECE_DEGREE));
}

rg_status rg_pieces_create(rg_context *ctx, rg_transfer *t, int64_t n, double tol, rg_pieces **out)
{
    rg_pieces *w = rg_alloc(ctx, 1, sizeof *w);
    const size_t room = (RG_PIECE_DEGREE + 1) * (size_t)n + 1;

    *out = w;
    if (w == NULL) return RG_ERR_MEMORY;
    w->ctx = ctx;
    w->transfer = t;
    w->n = n;
    w->tol = tol;
    w->value = rg_alloc(ctx, room, sizeof *w->value);
    w->coefficients = rg_alloc(ctx, room, sizeof *w->coefficients);
    w->y = rg_alloc(ctx, (size_t)n + 1, sizeof *w->y);
    if (w->value != NULL && w->coefficients != NULL && w->y != NULL) return RG_OK;
    rg_pieces_destroy(out);
    return RG_ERR_MEMORY;
}

void rg_pieces_destroy(rg_pieces **pieces)
{
    rg_pieces *w = *pieces;

    if (w == NULL) return;
    rg_free(w->ctx, w->value);
    rg_free(w->ctx, w->coefficients);
    rg_free(w->ctx, w->y);
    rg_free(w->ctx, w);
    *pieces = NULL;
}

/* Values -> divided differences -> powers, one state after the other. */
static void expand(rg_pieces *w)
{
    const int d = RG_PIECE_DEGREE;

    for (int64_t i = 0; i < w->n; i++) {
        double c[RG_PIECE_DEGREE + 1], a[RG_PIECE_DEGREE + 1] = {0};
        for (int k = 0; k <= d; k++)
            c[k] = w->value[k * w->n + i];
        for (int level = 1; level <= d; level++)
            for (int k = d; k >= level; k--)
                c[k] = (c[k] - c[k - 1]) / (node(k) - node(k - level));
        a[0] = c[d];
        for (int k = d - 1; k >= 0; k--) { /* a <- c_k + (s - s_k) a */
            for (int j = d; j > 0; j--)
                a[j] = a[j - 1] - node(k) * a[j];
            a[0] = c[k] - node(k) * a[0];
        }
        for (int k = 0; k <= d; k++)
            w->coefficients[k * w->n + i] = a[k];
    }
}

/* Difference from the solution at s, relative to 1 + |y|. */
static rg_status miss(rg_pieces *w, double t0, double t1, double s, double *worst)
{
    RG_TRY(rg_transfer_eval(w->transfer, t0 + s * (t1 - t0), w->y, NULL));
    for (int64_t i = 0; i < w->n; i++) {
        double p = 0.0;
        for (int k = RG_PIECE_DEGREE; k >= 0; k--)
            p = p * s + w->coefficients[k * w->n + i];
        *worst = fmax(*worst, fabs(p - w->y[i]) / (1.0 + fabs(w->y[i])));
    }
    return RG_OK;
}

rg_status rg_pieces_fit(rg_pieces *w, double t0, double t1, bool *is_good)
{
    double worst = 0.0;

    for (int k = 0; k <= RG_PIECE_DEGREE; k++) {
        const double t = k == RG_PIECE_DEGREE ? t1 : t0 + node(k) * (t1 - t0);
        RG_TRY(rg_transfer_eval(w->transfer, t, w->value + k * w->n, NULL));
    }
    expand(w);
    RG_TRY(miss(w, t0, t1, 0.5 * (node(0) + node(1)), &worst));
    RG_TRY(miss(w, t0, t1, 0.5 * (node(4) + node(5)), &worst));
    *is_good = worst <= w->tol;
    return RG_OK;
}
