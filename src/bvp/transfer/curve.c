/* A piecewise polynomial through Chebyshev points, at which quasilinearization linearizes. */
#include "bvp/transfer/curve.h"

#include "linalg/powers.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

void rg_transfer_nodes(double *s)
{
    for (int k = 0; k <= RG_TRANSFER_DEGREE; k++)
        s[k] = 0.5 * (1.0 - cos(PI * k / RG_TRANSFER_DEGREE));
}

rg_status rg_transfer_curve_create(rg_context *ctx, int m, int n_pieces, const double *edge,
                                   rg_transfer_curve **out)
{
    rg_transfer_curve *c = rg_alloc(ctx, 1, sizeof *c);
    const size_t pieces = (size_t)n_pieces, size = (size_t)m;
    const int d = RG_TRANSFER_DEGREE;
    double s[RG_TRANSFER_DEGREE + 1];

    *out = c;
    if (c == NULL) return RG_ERR_MEMORY;
    *c = (rg_transfer_curve){.ctx = ctx, .m = m, .n_pieces = n_pieces};
    c->edge = rg_alloc(ctx, pieces + 1, sizeof *c->edge);
    c->point = rg_alloc(ctx, (size_t)d * pieces + 1, sizeof *c->point);
    c->value = rg_alloc(ctx, ((size_t)d * pieces + 1) * size, sizeof *c->value);
    c->coefficients = rg_alloc(ctx, (size_t)(d + 1) * pieces * size, sizeof *c->coefficients);
    if (c->edge == NULL || c->point == NULL || c->value == NULL || c->coefficients == NULL) {
        rg_transfer_curve_destroy(out);
        return RG_ERR_MEMORY;
    }
    memcpy(c->edge, edge, (pieces + 1) * sizeof *edge);
    rg_transfer_nodes(s);
    for (int p = 0; p < n_pieces; p++)
        for (int k = 0; k < d; k++)
            c->point[p * d + k] = edge[p] + (edge[p + 1] - edge[p]) * s[k];
    c->point[n_pieces * d] = edge[n_pieces];
    return RG_OK;
}

void rg_transfer_curve_destroy(rg_transfer_curve **curve)
{
    rg_transfer_curve *c = *curve;

    if (c == NULL) return;
    rg_free(c->ctx, c->edge);
    rg_free(c->ctx, c->point);
    rg_free(c->ctx, c->value);
    rg_free(c->ctx, c->coefficients);
    rg_free(c->ctx, c);
    *curve = NULL;
}

int rg_transfer_curve_points(const rg_transfer_curve *c)
{
    return c->n_pieces * RG_TRANSFER_DEGREE + 1;
}

void rg_transfer_curve_update(rg_transfer_curve *c)
{
    const int d = RG_TRANSFER_DEGREE;
    double s[RG_TRANSFER_DEGREE + 1];

    rg_transfer_nodes(s);
    for (int p = 0; p < c->n_pieces; p++)
        rg_powers_fit(d + 1, s, c->m, c->value + (size_t)(p * d) * (size_t)c->m,
                      c->coefficients + (size_t)(p * (d + 1)) * (size_t)c->m);
}

static int find_piece(const rg_transfer_curve *c, double t)
{
    int low = 0, high = c->n_pieces - 1;

    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (c->edge[middle] <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void rg_transfer_curve_eval(const rg_transfer_curve *c, double t, double *y, double *yp,
                            double *ypp)
{
    const int d = RG_TRANSFER_DEGREE, m = c->m, piece = find_piece(c, t);
    const double *a = c->coefficients + (size_t)(piece * (d + 1)) * (size_t)m;
    const double h = c->edge[piece + 1] - c->edge[piece], s = (t - c->edge[piece]) / h;

    for (int i = 0; i < m; i++) {
        double p = a[d * m + i], dp = 0.0, ddp = 0.0; /* ddp: half of p'' */
        for (int k = d - 1; k >= 0; k--) {
            ddp = ddp * s + dp;
            dp = dp * s + p;
            p = p * s + a[k * m + i];
        }
        if (y != NULL) y[i] = p;
        if (yp != NULL) yp[i] = dp / h;
        if (ypp != NULL) ypp[i] = 2.0 * ddp / (h * h);
    }
}

/* c_d = (1/d) sum'' (-1)^k y_k  over the Chebyshev points, first and last halved; with c_{d-1}
 * beside it, since every second coefficient of an even or odd function vanishes: the larger one,
 * the earlier reduced by a tenth. */
double rg_transfer_curve_tail(const rg_transfer_curve *c, int piece, int component)
{
    const int d = RG_TRANSFER_DEGREE;
    const double *y = c->value + (size_t)(piece * d) * (size_t)c->m + component;
    double last = 0.0, before = 0.0;

    for (int k = 0; k <= d; k++) {
        const double w = (k == 0 || k == d ? 0.5 : 1.0) * y[k * c->m];
        last += w * cos(PI * k);
        before += 2.0 * w * cos(PI * k * (d - 1) / d);
    }
    return fmax(fabs(last), 0.1 * fabs(before)) / d;
}
