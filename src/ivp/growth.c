/* Dense matrices of small models: see growth.h. */
#include "ivp/growth.h"

#include "base/pieces.h"
#include "ivp/tuning.h"
#include "linalg/dense.h"
#include "linalg/eigenvalues.h"
#include "linalg/rank.h"
#include "linalg/small_lu.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

struct rg_growth {
    rg_context *ctx;
    int n;
    void *memory;
    uint8_t *is_slope; /* per state: its derivative occurs */
    double *Jy, *Jyp;
    double *K, *B; /* n x n by columns */
    int *pivot;
    double *y, *yp; /* a point */
    double *F, *f;
};

/* ---- life ------------------------------------------------------------------------------------ */

static rg_status find_slopes(const rg_integrator *g, rg_growth *w)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    uint8_t *kinds = rg_alloc(w->ctx, (size_t)p->start[g->n] + 1, 1);

    if (kinds == NULL) return RG_ERR_MEMORY;
    rg_system_entry_kinds(g->system, kinds);
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (kinds[e] & 2) w->is_slope[j] = 1;
    rg_free(w->ctx, kinds);
    return RG_OK;
}

rg_status rg_growth_create(const rg_integrator *g, rg_growth **out)
{
    const int64_t n = g->n, entries = rg_system_pattern(g->system)->start[n] + 1;
    rg_growth *w = rg_alloc(g->ctx, 1, sizeof *w);

    *out = NULL;
    if (w == NULL) return RG_ERR_MEMORY;
    w->ctx = g->ctx;
    w->n = (int)n;
    rg_status status = RG_TAKE(
        g->ctx, &w->memory, RG_PIECE(w->Jy, entries), RG_PIECE(w->Jyp, entries),
        RG_PIECE(w->K, n * n), RG_PIECE(w->B, n * n), RG_PIECE(w->pivot, n), RG_PIECE(w->y, n),
        RG_PIECE(w->yp, n), RG_PIECE(w->F, n), RG_PIECE(w->f, n), RG_PIECE(w->is_slope, n));
    if (status == RG_OK) status = find_slopes(g, w);
    if (status == RG_OK)
        *out = w;
    else
        rg_growth_destroy(&w);
    return status;
}

void rg_growth_destroy(rg_growth **growth)
{
    rg_growth *w = *growth;

    if (w == NULL) return;
    rg_free(w->ctx, w->memory);
    rg_free(w->ctx, w);
    *growth = NULL;
}

/* ---- K and M --------------------------------------------------------------------------------- */

/* K, and B = -F_y in the differentiated unknowns, 0 elsewhere, at w->y and yp. */
static rg_status evaluate_here(rg_growth *w, const rg_integrator *g, double t)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const int n = w->n;

    RG_TRY(rg_system_jacobian(g->system, g->work, t, w->y, w->yp, w->Jy, w->Jyp));
    memset(w->K, 0, (size_t)(n * n) * sizeof *w->K);
    memset(w->B, 0, (size_t)(n * n) * sizeof *w->B);
    for (int j = 0; j < n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            w->K[j * n + p->row[e]] = w->is_slope[j] ? w->Jyp[e] : w->Jy[e];
            if (w->is_slope[j]) w->B[j * n + p->row[e]] = -w->Jy[e];
        }
    return RG_OK;
}

static rg_status evaluate(rg_growth *w, const rg_integrator *g, double t)
{
    rg_integrator_eval(g, t, w->y, w->yp);
    return evaluate_here(w, g, t);
}

/* B <- K^-1 B, which has so many columns; rows in units of their size in K.  false: singular. */
static bool eliminate(rg_growth *w, int columns, double *B)
{
    const int n = w->n;

    for (int i = 0; i < n; i++) {
        double size = 0.0;
        for (int j = 0; j < n; j++)
            size = fmax(size, fabs(w->K[j * n + i]));
        for (int j = 0; j < n && size > 0.0; j++)
            w->K[j * n + i] /= size;
        for (int j = 0; j < columns && size > 0.0; j++)
            B[j * n + i] /= size;
    }
    if (!rg_small_lu_factor(n, w->K, w->pivot)) return false;
    for (int j = 0; j < columns; j++)
        rg_small_lu_solve(n, w->K, w->pivot, B + j * n);
    return true;
}

/* M of K and B. */
static rg_status make_matrix(rg_growth *w, const double **M, int *state)
{
    const int n = w->n;
    double sum = 0.0, most = -1.0;

    *state = 0;
    *M = w->B;
    if (!eliminate(w, n, w->B)) return RG_RETRY;
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int j = 0; j < n && w->is_slope[i]; j++)
            row += fabs(w->B[j * n + i]);
        if (row > most) *state = i;
        most = fmax(most, row);
        sum += row;
        for (int j = 0; j < n && !w->is_slope[i]; j++) /* no part of M */
            w->B[j * n + i] = 0.0;
    }
    return isfinite(sum) ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_growth_matrix(rg_growth *w, const rg_integrator *g, double t, const double **M,
                           int *state)
{
    RG_TRY(evaluate(w, g, t));
    return make_matrix(w, M, state);
}

rg_status rg_growth_matrix_at(rg_growth *w, const rg_integrator *g, const rg_state *at,
                              const double **M)
{
    int state;

    memcpy(w->y, at->y, (size_t)w->n * sizeof *w->y);
    memcpy(w->yp, at->yp, (size_t)w->n * sizeof *w->yp);
    RG_TRY(evaluate_here(w, g, at->t));
    return make_matrix(w, M, &state);
}

rg_status rg_growth_rate(rg_growth *w, const rg_integrator *g, double t, double *rate)
{
    const double *M;
    int state;
    const rg_status status = rg_growth_matrix(w, g, t, &M, &state);

    *rate = -INFINITY;
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    if (!rg_eigenvalues(w->n, w->B, w->y, w->yp)) return RG_OK;
    for (int i = 0; i < w->n; i++)
        *rate = fmax(*rate, g->direction * w->y[i]);
    return RG_OK;
}

/* One Newton step from the polynomial, y kept in the differentiated unknowns:  K d = F. */
rg_status rg_growth_slopes(rg_growth *w, const rg_integrator *g, double t, const double **yp,
                           const double **f)
{
    RG_TRY(evaluate(w, g, t));
    RG_TRY(rg_system_residual(g->system, g->work, t, w->y, w->yp, w->F));
    if (!eliminate(w, 1, w->F)) return RG_RETRY;
    for (int i = 0; i < w->n; i++) {
        w->f[i] = w->is_slope[i] ? w->yp[i] - w->F[i] : 0.0;
        if (!w->is_slope[i]) w->yp[i] = 0.0;
        if (!isfinite(w->f[i])) return RG_RETRY;
    }
    *yp = w->yp;
    *f = w->f;
    return RG_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static int largest_of(int n, const double *x)
{
    int best = 0;

    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best])) best = i;
    return best;
}

rg_status rg_growth_name(rg_growth *w, const rg_integrator *g, double t, int *row, int *state)
{
    const int n = w->n;
    const size_t size = (size_t)(n * n);
    double *U = rg_alloc(w->ctx, 2 * size + (size_t)n + 1, sizeof *U);

    *row = *state = -1;
    if (U == NULL) return RG_ERR_MEMORY;
    if (evaluate(w, g, t) == RG_OK
        && rg_svd(w->ctx, n, n, w->K, U + 2 * size, U, U + size) == RG_OK) {
        *row = largest_of(n, U + (n - 1) * n);
        *state = largest_of(n, U + size + (size_t)((n - 1) * n));
    }
    rg_free(w->ctx, U);
    return RG_OK;
}

rg_status rg_growth_open(rg_growth *w, const rg_integrator *g, double t, uint8_t *is_open,
                         int64_t *count)
{
    const int n = w->n;
    rg_qr *qr = NULL;

    *count = 0;
    memset(is_open, 0, (size_t)n);
    if (memchr(w->is_slope, 0, (size_t)n) == NULL)
        return RG_OK; /* E may be singular: nobody asks */
    RG_TRY(evaluate(w, g, t));
    rg_equilibrate(n, n, w->K, w->F, w->f);
    RG_TRY(rg_qr_create(w->ctx, n, n, w->K, rg_rank_floor(RG_NOISE_EXACT), &qr));
    const int64_t lost = n - rg_qr_rank(qr);
    if (lost > 0) rg_qr_right_null(qr, w->B);
    for (int64_t k = 0; k < lost; k++)
        for (int j = 0; j < n; j++)
            if (fabs(w->B[k * n + j]) > RG_GROWTH_OPEN) is_open[j] = 1;
    for (int j = 0; j < n; j++)
        *count += is_open[j];
    rg_qr_destroy(&qr);
    return RG_OK;
}
