/* Where the sign of det K changes between steps the place is found by halving on the polynomial of
 * the step, and lambda from the eigenvalues of M at two distances behind it: see degenerate.h. */
#include "ivp/degenerate.h"

#include "ivp/tuning.h"
#include "linalg/dense.h"
#include "linalg/eigenvalues.h"

#include <math.h>
#include <string.h>

struct rg_degenerate {
    rg_context *ctx;
    int n;
    uint8_t *is_slope; /* per state: its derivative occurs */
    double *Jy, *Jyp;
    double *K, *B;  /* n x n by columns */
    double *y, *yp; /* a point */
    int sign;       /* of det K at the last step; 0: not known */
};

/* ---- life ------------------------------------------------------------------------------------ */

static rg_status take_memory(const rg_integrator *g, rg_degenerate *d)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const size_t n = (size_t)g->n, entries = (size_t)p->start[n] + 1;

    uint8_t *kinds = rg_alloc(d->ctx, entries, 1);
    d->is_slope = rg_alloc(d->ctx, n + 1, 1);
    d->Jy = rg_alloc(d->ctx, 2 * entries + 2 * n * n + 2 * n + 1, sizeof *d->Jy);
    if (kinds != NULL && d->is_slope != NULL) {
        rg_system_entry_kinds(g->system, kinds);
        for (size_t j = 0; j < n; j++)
            for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
                if (kinds[e] & 2) d->is_slope[j] = 1;
    }
    const bool is_done = kinds != NULL && d->is_slope != NULL && d->Jy != NULL;
    rg_free(d->ctx, kinds);
    if (!is_done) return RG_ERR_MEMORY;
    d->Jyp = d->Jy + entries;
    d->K = d->Jyp + entries;
    d->B = d->K + n * n;
    d->y = d->B + n * n;
    d->yp = d->y + n;
    return RG_OK;
}

/* Do factors of derivatives differ at another point?  What cannot be told may. */
static rg_status find_variation(const rg_integrator *g, rg_degenerate *d, bool *varies)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const double move = RG_MASS_MOVE;
    const size_t entries = (size_t)p->start[g->n];

    for (int64_t i = 0; i < g->n; i++) {
        d->y[i] = g->y[i] + move * (1.0 + fabs(g->y[i]));
        d->yp[i] = g->yp[i] + move * (1.0 + fabs(g->yp[i]));
    }
    rg_status status = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, d->Jy, d->Jyp);
    if (status == RG_OK) {
        memcpy(d->Jy, d->Jyp, entries * sizeof *d->Jy);
        status = rg_system_jacobian(g->system, g->work, g->t + move * (g->t_end - g->t), d->y,
                                    d->yp, d->K, d->Jyp);
    }
    *varies = status != RG_OK;
    for (size_t e = 0; e < entries && status == RG_OK; e++)
        if (d->Jy[e] != d->Jyp[e]) *varies = true;
    return status < 0 ? status : RG_OK;
}

void rg_degenerate_destroy(rg_degenerate **degenerate)
{
    rg_degenerate *d = *degenerate;

    if (d == NULL) return;
    rg_free(d->ctx, d->is_slope);
    rg_free(d->ctx, d->Jy);
    rg_free(d->ctx, d);
    *degenerate = NULL;
}

/* ---- K and M --------------------------------------------------------------------------------- */

/* K, and B = -F_y in the differentiated unknowns, 0 elsewhere. */
static rg_status evaluate(rg_degenerate *d, const rg_integrator *g, double t, const double *y,
                          const double *yp)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const int n = d->n;

    RG_TRY(rg_system_jacobian(g->system, g->work, t, y, yp, d->Jy, d->Jyp));
    memset(d->K, 0, 2 * (size_t)(n * n) * sizeof *d->K);
    for (int j = 0; j < n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            d->K[j * n + p->row[e]] = d->is_slope[j] ? d->Jyp[e] : d->Jy[e];
            if (d->is_slope[j]) d->B[j * n + p->row[e]] = -d->Jy[e];
        }
    return RG_OK;
}

static void swap_rows(int n, double *A, int i, int k)
{
    for (int j = 0; j < n; j++) {
        const double a = A[j * n + i];
        A[j * n + i] = A[j * n + k];
        A[j * n + k] = a;
    }
}

/* The row of the largest entry of column k below row k, each row in units of its size. */
static int find_pivot(int n, const double *K, int k)
{
    double most = 0.0;
    int best = -1;

    for (int i = k; i < n; i++) {
        double size = 0.0;
        for (int j = k; j < n; j++)
            size = fmax(size, fabs(K[j * n + i]));
        if (size > 0.0 && fabs(K[k * n + i]) / size > most) {
            most = fabs(K[k * n + i]) / size;
            best = i;
        }
    }
    return best;
}

/* Gaussian elimination: the sign of det K; B <- K^-1 B unless B is NULL. */
static int eliminate(int n, double *K, double *B)
{
    int sign = 1;

    for (int k = 0; k < n; k++) {
        const int pivot = find_pivot(n, K, k);
        if (pivot < 0) return 0;
        if (pivot != k) {
            sign = -sign;
            swap_rows(n, K, k, pivot);
            if (B != NULL) swap_rows(n, B, k, pivot);
        }
        if (K[k * n + k] < 0.0) sign = -sign;
        for (int i = B != NULL ? 0 : k + 1; i < n; i++) {
            const double f = i != k ? K[k * n + i] / K[k * n + k] : 0.0;
            for (int j = k; j < n && f != 0.0; j++)
                K[j * n + i] -= f * K[j * n + k];
            for (int j = 0; j < n && f != 0.0 && B != NULL; j++)
                B[j * n + i] -= f * B[j * n + k];
        }
    }
    for (int k = 0; k < n && B != NULL; k++)
        for (int j = 0; j < n; j++)
            B[j * n + k] /= K[k * n + k];
    return sign;
}

rg_status rg_degenerate_create(const rg_integrator *g, rg_degenerate **out)
{
    bool varies = false;

    *out = NULL;
    if (g->n == 0 || g->n > RG_DEGENERATE_MOST || rg_system_is_linear(g->system)
        || !rg_system_is_regular(g->system) || rg_system_projects(g->system))
        return RG_OK;
    rg_degenerate *d = rg_alloc(g->ctx, 1, sizeof *d);
    if (d == NULL) return RG_ERR_MEMORY;
    d->ctx = g->ctx;
    d->n = (int)g->n;
    rg_status status = take_memory(g, d);
    if (status == RG_OK) status = find_variation(g, d, &varies);
    if (status == RG_OK && varies && evaluate(d, g, g->t, g->y, g->yp) == RG_OK)
        d->sign = eliminate(d->n, d->K, NULL);
    if (status == RG_OK && varies)
        *out = d;
    else
        rg_degenerate_destroy(&d);
    return status;
}

/* 0: cannot be told. */
static rg_status sign_at(rg_degenerate *d, rg_integrator *g, double t, int *sign)
{
    *sign = 0;
    rg_integrator_eval(g, t, d->y, d->yp);
    const rg_status status = evaluate(d, g, t, d->y, d->yp);
    if (status == RG_OK) *sign = eliminate(d->n, d->K, NULL);
    return status < 0 ? status : RG_OK;
}

/* ---- the place ------------------------------------------------------------------------------- */

/* Between low and high, where the sign is another one. */
static rg_status find_place(rg_degenerate *d, rg_integrator *g, double low, double high,
                            double *place)
{
    int sign;

    for (;;) {
        const double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high) break;
        RG_TRY(sign_at(d, g, middle, &sign));
        if (sign == d->sign)
            low = middle;
        else
            high = middle;
        if (sign == 0) break;
    }
    *place = high;
    return RG_OK;
}

/* The largest (t - t*) Re mu at a distance behind t*; -INFINITY: cannot be told.  Unknowns that are
 * not differentiated have no part in M: their columns are 0, and with them eigenvalues. */
static rg_status exponent_at(rg_degenerate *d, rg_integrator *g, double place, double distance,
                             double *out)
{
    const double t = place + distance;
    const int n = d->n;

    *out = -INFINITY;
    rg_integrator_eval(g, t, d->y, d->yp);
    const rg_status status = evaluate(d, g, t, d->y, d->yp);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    if (eliminate(n, d->K, d->B) == 0) return RG_OK;
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += fabs(d->B[i]);
    if (!isfinite(sum) || !rg_eigenvalues(n, d->B, d->y, d->yp)) return RG_OK;
    for (int i = 0; i < n; i++)
        *out = fmax(*out, distance * d->y[i]);
    return RG_OK;
}

/* lambda > 0: it does not become smaller with the distance. */
static rg_status is_open_behind(rg_degenerate *d, rg_integrator *g, double place, bool *is_open)
{
    const double rounding = RG_DEGENERATE_ROUNDING * rg_integrator_time_rounding(g);
    const double far =
        g->direction * fmax(RG_DEGENERATE_FAR * fabs(g->t - g->t_previous), rounding);
    double first, second;

    RG_TRY(exponent_at(d, g, place, far, &first));
    RG_TRY(exponent_at(d, g, place, RG_DEGENERATE_NEARER * far, &second));
    *is_open = second > RG_DEGENERATE_LEAST && second > RG_DEGENERATE_STAYS * first;
    return RG_OK;
}

/* ---- the message ----------------------------------------------------------------------------- */

static int largest_of(int n, const double *x)
{
    int best = 0;

    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best])) best = i;
    return best;
}

static rg_status fail(rg_degenerate *d, rg_integrator *g, double place)
{
    const int n = d->n;
    const size_t size = (size_t)(n * n);
    char row[128] = "an equation", state[128] = "an unknown";
    double *U = rg_alloc(d->ctx, 2 * size + (size_t)n + 1, sizeof *U);

    if (U == NULL) return RG_ERR_MEMORY;
    rg_integrator_eval(g, place, d->y, d->yp);
    if (evaluate(d, g, place, d->y, d->yp) == RG_OK
        && rg_svd(d->ctx, n, n, d->K, U + 2 * size, U, U + size) == RG_OK) {
        rg_system_row_name(g->system, largest_of(n, U + (n - 1) * n), row, sizeof row);
        rg_system_state_name(g->system, largest_of(n, U + size + (size_t)((n - 1) * n)), state,
                             sizeof state);
    }
    rg_free(d->ctx, U);
    rg_integrator_cut(g, place);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: behind it '%s' is not determined: the factor of its derivative "
            "in %s vanishes there, and many solutions go on from the same value",
            place, state, row);
    rg_fail_time(g->ctx, place);
    return rg_remedy(g->ctx,
                     "end the run there with --to %.10g, or begin a new one behind it with "
                     "a value of '%s'",
                     place, state);
}

/* A step may pass several places: its parts are looked at one by one. */
rg_status rg_degenerate_look(rg_degenerate *d, rg_integrator *g)
{
    const double from = g->t_previous, h = (g->t - from) / RG_DEGENERATE_PARTS;
    double low = from, place;
    bool is_open = false;

    for (int k = 1; k <= RG_DEGENERATE_PARTS && h != 0.0; k++) {
        const double high = k < RG_DEGENERATE_PARTS ? from + k * h : g->t;
        int sign = 0;
        RG_TRY(sign_at(d, g, high, &sign));
        if (sign == 0) continue;
        if (d->sign != 0 && sign != d->sign) {
            RG_TRY(find_place(d, g, low, high, &place));
            RG_TRY(is_open_behind(d, g, place, &is_open));
            if (is_open) return fail(d, g, place);
        }
        d->sign = sign;
        low = high;
    }
    return RG_OK;
}
