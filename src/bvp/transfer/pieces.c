/* Polynomials through values at Chebyshev points s_k, s = (t - t0)/(t1 - t0).  s_0 = 0, so a_0 is
 * the value at the left end exactly. */
#include "bvp/transfer/pieces.h"

#include "linalg/powers.h"

#include <math.h>

rg_status rg_pieces_create(rg_context *ctx, rg_transfer *t, int64_t n, double tol,
                           const double *unit, rg_pieces **out)
{
    rg_pieces *w = rg_alloc(ctx, 1, sizeof *w);
    const size_t room = (RG_PIECE_DEGREE + 1) * (size_t)n + 1;

    *out = w;
    if (w == NULL) return RG_ERR_MEMORY;
    w->ctx = ctx;
    w->transfer = t;
    w->n = n;
    w->tol = tol;
    w->unit = unit;
    w->value = rg_alloc(ctx, room, sizeof *w->value);
    w->coefficients = rg_alloc(ctx, room, sizeof *w->coefficients);
    w->y = rg_alloc(ctx, 2 * (size_t)n + 1, sizeof *w->y);
    w->at = w->y != NULL ? w->y + n : NULL;
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

/* Difference from the solution at s, relative to unit + |y|. */
static rg_status miss(rg_pieces *w, double t0, double t1, double s, double *worst)
{
    RG_TRY(rg_transfer_eval(w->transfer, t0 + s * (t1 - t0), w->y, NULL));
    rg_powers_eval(RG_PIECE_DEGREE, w->n, w->coefficients, s, 1.0, w->at, NULL);
    for (int64_t i = 0; i < w->n; i++)
        *worst = fmax(*worst, fabs(w->at[i] - w->y[i])
                                  / ((w->unit != NULL ? w->unit[i] : 1.0) + fabs(w->y[i])));
    return RG_OK;
}

rg_status rg_pieces_fit(rg_pieces *w, double t0, double t1, bool *is_good)
{
    double worst = 0.0, s[RG_PIECE_DEGREE + 1];

    rg_transfer_nodes(s);
    for (int k = 0; k <= RG_PIECE_DEGREE; k++) {
        const double t = k == RG_PIECE_DEGREE ? t1 : t0 + s[k] * (t1 - t0);
        RG_TRY(rg_transfer_eval(w->transfer, t, w->value + k * w->n, NULL));
    }
    rg_powers_fit(RG_PIECE_DEGREE + 1, s, w->n, w->value, w->coefficients);
    RG_TRY(miss(w, t0, t1, 0.5 * (s[0] + s[1]), &worst));
    RG_TRY(miss(w, t0, t1, 0.5 * (s[4] + s[5]), &worst));
    *is_good = worst <= w->tol;
    return RG_OK;
}
