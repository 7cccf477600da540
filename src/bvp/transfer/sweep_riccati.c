/* Backward differentiation on the Riccati form, in a chart that moves along.
 *
 * Where the conditions of a sweep belong to solutions that decay in its direction, (E2) and (E3)
 * are stable, and an implicit step follows their smooth part at any rate.  In the chart of the last
 * node, U = u_n,
 *
 *     phi = U + Y,  U^T Y = 0,      Y' = (I - phi U^T) K phi,      h' = -(U^T K phi)^T h + phi^T q,
 *
 * q = X^T f; earlier nodes are phi = u_j (U^T u_j)^-1, h <- (U^T u_j)^-T h_j.  With Y' = a_0 Y - Yb
 * (order 1 to 5, steps of any size) the new phi spans the invariant subspace of the k eigenvalues
 * of largest real part of
 *
 *     sign(dt) (K + a_0/2 (2 U U^T - I) + Yb U^T)
 *
 * at t_{n+1}: one ordered Schur decomposition, no iteration and no guess.  Then
 *
 *     (a_0 I + V^T) h = hb + phi^T q,     V = U^T K phi;     where A varies, phi <- P phi.
 *
 * The local error is (t_{n+1} - t_n)/(t_{n+1} - t_{n-q}) (new - extrapolated).  |Y| > 1: the
 * subspace has jumped, and the step is too long.
 *
 * On the way perturbations of h are multiplied by (I + dt V^T)^-1, as an implicit Euler step has
 * it: what grows is resolved (below), and what decays need not be.  u_{n+1} is turned so that this
 * factor, T = M (I + dt V) with phi = u M, is upper triangular like that of Gauss steps. */
#include "bvp/transfer/sweep_riccati.h"

#include "bvp/transfer/tuning.h"
#include "linalg/dense.h"
#include "linalg/schur.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ORDER = 5, PAST = MOST_ORDER + 2 };

struct rg_riccati {
    rg_schur *schur;
    rg_lu *lu;                /* k x k */
    double *N, *phi, *Kphi;   /* m x m, m x k, m x k */
    double *V, *square;       /* k x k each */
    double *Y, *h;            /* of PAST nodes, in the chart: m x k, k each */
    double t[PAST];           /* their times, the last node first */
    double *Y_far, *h_far;    /* extrapolated */
    double *row;              /* k */
    int n_past, order, tried; /* nodes in the chart; order of the next step, of that tried last */
    int steady;               /* steps since order or size changed */
    int64_t first;            /* node from which on the coefficients are smooth */
    double error[PAST];       /* had the order been 1, 2, ... */
    double mu;                /* decay rate of the step tried last */
    double forced;            /* what f adds to a component of h there, without signs */
};

rg_status rg_riccati_create(rg_sweep *s)
{
    rg_riccati *w = s->riccati = rg_alloc(s->ctx, 1, sizeof *w);
    const size_t m = (size_t)s->m, k = (size_t)s->k;

    if (w == NULL) return RG_ERR_MEMORY;
    w->N = rg_alloc(s->ctx, m * m, sizeof *w->N);
    w->phi = rg_alloc(s->ctx, 3 * m * k, sizeof *w->phi);
    w->V = rg_alloc(s->ctx, 2 * k * k + 2 * k, sizeof *w->V);
    w->Y = rg_alloc(s->ctx, PAST * (m + 1) * k, sizeof *w->Y);
    if (w->N == NULL || w->phi == NULL || w->V == NULL || w->Y == NULL) return RG_ERR_MEMORY;
    w->Kphi = w->phi + m * k;
    w->Y_far = w->Kphi + m * k;
    w->square = w->V + k * k;
    w->h_far = w->square + k * k;
    w->row = w->h_far + k;
    w->h = w->Y + PAST * m * k;
    RG_TRY(rg_lu_create(s->ctx, s->k, false, &w->lu));
    return rg_schur_create(s->ctx, s->m, &w->schur);
}

void rg_riccati_destroy(rg_sweep *s)
{
    rg_riccati *w = s->riccati;

    if (w == NULL) return;
    rg_free(s->ctx, w->N);
    rg_free(s->ctx, w->phi);
    rg_free(s->ctx, w->V);
    rg_free(s->ctx, w->Y);
    rg_lu_destroy(&w->lu);
    rg_schur_destroy(&w->schur);
    rg_free(s->ctx, w);
    s->riccati = NULL;
}

void rg_riccati_begin(rg_sweep *s, int64_t first)
{
    s->riccati->first = first;
    s->riccati->order = 1;
    s->riccati->steady = 0;
}

int rg_riccati_order(const rg_sweep *s)
{
    return s->riccati->tried;
}

/* Y (m x k) = x X^-1 and h <- X^-T h for X = U^T x: x in the chart of U. */
static rg_status into_chart(const rg_sweep *s, const double *U, const double *x, double *Y,
                            double *h)
{
    const int m = s->m, k = s->k;
    rg_riccati *w = s->riccati;

    rg_multiply_transposed(m, k, k, x, U, rg_lu_values(w->lu)); /* X^T */
    RG_TRY(rg_lu_factor(w->lu));
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < k; j++)
            w->row[j] = x[j * m + i];
        rg_lu_solve(w->lu, w->row, NULL);
        for (int j = 0; j < k; j++)
            Y[j * m + i] = w->row[j];
    }
    if (h != NULL) rg_lu_solve(w->lu, h, NULL);
    return RG_OK;
}

/* Nodes `last`, last - 1, ... from w->first on, at most `most`, in the chart of node `centre`; Y
 * without U. */
static void take_past(const rg_sweep *s, int64_t last, int64_t centre, int most)
{
    const int m = s->m, k = s->k, size = m * k;
    rg_riccati *w = s->riccati;
    const double *U = s->u + centre * size;

    w->n_past = 0;
    for (int j = 0; j < most && last - j >= w->first; j++) {
        const int64_t node = last - j;
        double *Y = w->Y + j * size, *h = w->h + j * k;
        memcpy(h, s->h + node * k, (size_t)k * sizeof *h);
        if (node == centre)
            memset(Y, 0, (size_t)size * sizeof *Y);
        else if (into_chart(s, U, s->u + node * size, Y, h) != RG_OK)
            return; /* turned too far: not used */
        for (int i = 0; i < size && node != centre; i++)
            Y[i] -= U[i];
        w->t[w->n_past++] = s->t[node];
    }
}

/* Weights of the polynomial through t_0 .. t_{n-1} at `at`. */
static void interpolation_weights(int n, const double *t, double at, double *weight)
{
    for (int j = 0; j < n; j++) {
        weight[j] = 1.0;
        for (int i = 0; i < n; i++)
            if (i != j) weight[j] *= (at - t[i]) / (t[j] - t[i]);
    }
}

/* Of the derivative at `at` of the polynomial through `at` and t_0 .. t_{q-1}: a_0 is returned. */
static double derivative_weights(int q, const double *t, double at, double *weight)
{
    double a_0 = 0.0;

    for (int j = 0; j < q; j++) {
        a_0 += 1.0 / (at - t[j]);
        weight[j] = 1.0 / (t[j] - at);
        for (int i = 0; i < q; i++)
            if (i != j) weight[j] *= (at - t[i]) / (t[j] - t[i]);
    }
    return a_0;
}

/* sum_j weight_j Y_j and the same of h. */
static void combine(const rg_sweep *s, int n, const double *weight, double *Y, double *h)
{
    const int size = s->m * s->k, k = s->k;
    const rg_riccati *w = s->riccati;

    memset(Y, 0, (size_t)size * sizeof *Y);
    memset(h, 0, (size_t)k * sizeof *h);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < size; i++)
            Y[i] += weight[j] * w->Y[j * size + i];
        for (int i = 0; i < k; i++)
            h[i] += weight[j] * w->h[j * k + i];
    }
}

/* K phi, V = U^T K phi. */
static void apply_K(const rg_sweep *s, const double *U)
{
    const int m = s->m, k = s->k;
    rg_riccati *w = s->riccati;
    const double *K = s->field->K;

    memset(w->Kphi, 0, (size_t)(m * k) * sizeof *w->Kphi);
    for (int c = 0; c < k; c++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++)
                w->Kphi[c * m + i] += K[j * m + i] * w->phi[c * m + j];
    rg_multiply_transposed(m, k, k, U, w->Kphi, w->V);
}

/* The smallest eigenvalue of the symmetric part of sign V: of that part plus its norm, all
 * eigenvalues are singular values. */
static rg_status least_rate(const rg_sweep *s, double sign, double *mu)
{
    const int k = s->k;
    rg_riccati *w = s->riccati;
    double shift = 0.0;

    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            w->square[j * k + i] = 0.5 * sign * (w->V[j * k + i] + w->V[i * k + j]);
            shift = hypot(shift, w->square[j * k + i]);
        }
    for (int i = 0; i < k; i++)
        w->square[i * k + i] += shift;
    RG_TRY(rg_svd(s->ctx, k, k, w->square, w->row, NULL, NULL));
    *mu = w->row[k - 1] - shift;
    return RG_OK;
}

rg_status rg_riccati_decay(rg_sweep *s, double dt, double *mu)
{
    const double *U = s->u + (s->n - 1) * s->m * s->k;

    RG_TRY(rg_field_transfer(s->field, s->t[s->n - 1]));
    memcpy(s->riccati->phi, U, (size_t)(s->m * s->k) * sizeof *U);
    apply_K(s, U);
    return least_rate(s, copysign(1.0, dt), mu);
}

/* The invariant subspace, as phi = U + Y. */
static rg_status find_phi(rg_sweep *s, double dt, double a_0, const double *U, const double *Yb)
{
    const int m = s->m, k = s->k;
    const double sign = copysign(1.0, dt), *K = s->field->K;
    rg_riccati *w = s->riccati;

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = K[j * m + i] - (i == j ? 0.5 * a_0 : 0.0);
            for (int c = 0; c < k; c++)
                sum += (a_0 * U[c * m + i] + Yb[c * m + i]) * U[c * m + j];
            w->N[j * m + i] = sign * sum;
        }
    s->field->factorizations++;
    RG_TRY(rg_schur_dominant(w->schur, w->N, k, w->Kphi));
    return into_chart(s, U, w->Kphi, w->phi, NULL);
}

/* h <- (a_0 I + V^T)^-1 (hb + phi^T X^T f) */
static rg_status find_h(rg_sweep *s, double a_0, double *h)
{
    const int m = s->m, k = s->k;
    rg_riccati *w = s->riccati;
    const rg_field *e = s->field;

    w->forced = 0.0;
    for (int j = 0; j < m; j++) {
        double q = 0.0, size = 0.0;
        for (int i = 0; i < m; i++) {
            q += e->X[j * m + i] * e->f[i];
            size += fabs(e->X[j * m + i] * e->f[i]);
        }
        for (int c = 0; c < k; c++)
            h[c] += w->phi[c * m + j] * q;
        w->forced += size / fabs(a_0);
    }
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++)
            rg_lu_values(w->lu)[j * k + i] = w->V[i * k + j] + (i == j ? a_0 : 0.0);
    RG_TRY(rg_lu_factor(w->lu));
    rg_lu_solve(w->lu, h, NULL);
    return RG_OK;
}

/* The error, had the order been q: as a multiple of what is allowed, and as dY, dh. */
static double error_of_order(rg_sweep *s, int q, double at, const double *U, const double *h)
{
    const int size = s->m * s->k;
    rg_riccati *w = s->riccati;
    const rg_sweep_options *o = &s->options;
    double weight[PAST], e_Y = 0.0, e_h = 0.0, size_h = 0.0;

    if (w->n_past < q + 1) return INFINITY;
    interpolation_weights(q + 1, w->t, at, weight);
    combine(s, q + 1, weight, w->Y_far, w->h_far);
    const double factor = (at - w->t[0]) / (at - w->t[q]);
    for (int i = 0; i < size; i++) {
        w->Y_far[i] = factor * (w->phi[i] - U[i] - w->Y_far[i]);
        if (!(fabs(w->Y_far[i]) <= e_Y)) e_Y = fabs(w->Y_far[i]);
    }
    for (int i = 0; i < s->k; i++) {
        w->h_far[i] = factor * (h[i] - w->h_far[i]);
        if (!(fabs(w->h_far[i]) <= e_h)) e_h = fabs(w->h_far[i]);
        size_h = fmax(size_h, fabs(h[i]));
    }
    const double share = RG_TRANSFER_RICCATI_SHARE * o->rtol, rounding = 16.0 * DBL_EPSILON;
    e_h = fmax(e_h - rounding * w->forced, 0.0);
    const double e =
        fmax(e_Y / share, e_h / (RG_TRANSFER_RICCATI_SHARE * o->atol + share * size_h));
    return isfinite(e) ? fmax(e - rounding / share, 0.0) : INFINITY;
}

/* From phi and h in the chart to the next node: u, h, T, and the local errors in its basis. */
static rg_status leave_chart(rg_sweep *s, double dt, rg_candidate *v)
{
    const int m = s->m, k = s->k;
    rg_riccati *w = s->riccati;
    rg_candidate room = rg_sweep_candidate(s, 4);
    double *M = room.T, *turned = room.u;

    memcpy(v->u, w->phi, (size_t)(m * k) * sizeof *v->u);
    if (!rg_normalise(m, k, v->u, v->h, M)) return RG_RETRY;
    for (int j = 0; j < m; j++) { /* dY <- dY M^-1, row by row: M^-T of its transpose */
        for (int c = 0; c < k; c++)
            w->row[c] = w->Y_far[c * m + j];
        rg_solve_transposed(k, M, w->row);
        for (int c = 0; c < k; c++)
            w->Y_far[c * m + j] = w->row[c];
    }
    rg_solve_transposed(k, M, w->h_far);
    for (int j = 0; j < k; j++) /* M (I + dt V) = square T */
        for (int i = 0; i < k; i++) {
            double sum = M[j * k + i];
            for (int l = i; l < k; l++)
                sum += M[l * k + i] * dt * w->V[j * k + l];
            w->square[j * k + i] = sum;
        }
    if (!(rg_orthonormalize(k, k, w->square, v->T) > 0.0)) return RG_RETRY;
    for (int c = 0; c < k; c++)
        for (int i = 0; i < m; i++) {
            turned[c * m + i] = 0.0;
            for (int l = 0; l < k; l++)
                turned[c * m + i] += v->u[l * m + i] * w->square[c * k + l];
        }
    memcpy(v->u, turned, (size_t)(m * k) * sizeof *turned);
    for (int c = 0; c < k; c++)
        for (int i = 0; i < m; i++) {
            s->local.du[c * m + i] = 0.0;
            for (int l = 0; l < k; l++)
                s->local.du[c * m + i] += w->Y_far[l * m + i] * w->square[c * k + l];
        }
    rg_multiply_transposed(k, k, 1, w->square, w->h_far, s->local.dh);
    memcpy(w->row, v->h, (size_t)k * sizeof *w->row);
    rg_multiply_transposed(k, k, 1, w->square, w->row, v->h);
    return RG_OK;
}

static double largest(int n, const double *x)
{
    double most = 0.0;

    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* The largest entry of Y. */
static double jump(const rg_sweep *s, const double *U)
{
    double most = 0.0;

    for (int i = 0; i < s->m * s->k; i++) {
        const double y = fabs(s->riccati->phi[i] - U[i]);
        if (!(y <= most)) most = y;
    }
    return most;
}

static double norm_of_K(const rg_sweep *s)
{
    double sum = 0.0;

    for (int i = 0; i < s->m * s->m; i++)
        sum = hypot(sum, s->field->K[i]);
    return sum;
}

rg_status rg_riccati_try(rg_sweep *s, double t, double dt, rg_candidate *v, double *error)
{
    const int m = s->m, k = s->k;
    const int64_t last = s->n - 1;
    rg_riccati *w = s->riccati;
    const double *U = s->u + last * m * k, at = t + dt;
    double weight[PAST];

    *error = INFINITY;
    take_past(s, last, last, PAST);
    w->order = w->order < w->n_past ? w->order : w->n_past - 1;
    if (w->order < 1) return RG_RETRY;
    w->tried = w->order;
    const double a_0 = derivative_weights(w->order, w->t, at, weight);
    for (int j = 0; j < w->order; j++)
        weight[j] = -weight[j];
    combine(s, w->order, weight, w->Y_far, v->h);
    RG_TRY(rg_field_transfer(s->field, at));
    s->local.noise = 2.0 * DBL_EPSILON * (1.0 + fabs(dt) * norm_of_K(s));
    RG_TRY(find_phi(s, dt, a_0, U, w->Y_far));
    if (!(jump(s, U) <= 1.0)) return RG_RETRY;
    apply_K(s, U);
    RG_TRY(find_h(s, a_0, v->h));
    if (s->field->is_varying) {
        for (int c = 0; c < k; c++)
            rg_field_project(s->field, w->phi + c * m);
        memcpy(w->Kphi, w->phi, (size_t)(m * k) * sizeof *w->phi);
        RG_TRY(into_chart(s, U, w->Kphi, w->phi, v->h));
    }
    RG_TRY(least_rate(s, copysign(1.0, dt), &w->mu));
    for (int q = 1; q <= w->order + 1; q++)
        if (q != w->order) w->error[q] = error_of_order(s, q, at, U, v->h);
    *error = w->error[w->order] = error_of_order(s, w->order, at, U, v->h);
    s->trial_epsilon = (largest(m * k, w->Y_far) + DBL_EPSILON) / fabs(dt);
    s->trial_delta = (largest(k, w->h_far) + DBL_EPSILON * largest(k, v->h)) / fabs(dt);
    if (-w->mu * fabs(dt) > RG_TRANSFER_RICCATI_GROWTH) { /* growth is resolved */
        *error = INFINITY;
        return RG_OK;
    }
    return leave_chart(s, dt, v);
}

/* Factor of the step for an error e of order q. */
static double factor_of(double e, int q)
{
    if (!isfinite(e)) return 0.0;
    if (!(e > 0.0)) return RG_TRANSFER_RICCATI_FASTEST;
    return fmin(RG_TRANSFER_RICCATI_FASTEST, RG_TRANSFER_STEP_SAFETY * pow(e, -1.0 / (q + 1)));
}

double rg_riccati_next(rg_sweep *s, double dt, double e, bool is_accepted)
{
    rg_riccati *w = s->riccati;
    const double most = rg_sweep_largest_step(s);

    if (!is_accepted) {
        const bool is_growth = -w->mu * fabs(dt) > RG_TRANSFER_RICCATI_GROWTH;
        const double wanted =
            is_growth ? RG_TRANSFER_STEP_SAFETY * RG_TRANSFER_RICCATI_GROWTH / (-w->mu * fabs(dt))
            : isfinite(e) ? factor_of(e, w->tried)
                          : RG_TRANSFER_STEP_SLOWEST;
        w->steady = 0;
        if (w->order > 1 && w->error[w->order - 1] < e) w->order--;
        return dt * fmin(RG_TRANSFER_STEP_SAFETY, fmax(RG_TRANSFER_STEP_SLOWEST, wanted));
    }
    double best = factor_of(w->error[w->order], w->order);
    int order = w->order;
    if (order > 1 && factor_of(w->error[order - 1], order - 1) > best) {
        order--;
        best = factor_of(w->error[order], order);
    }
    if (++w->steady > w->order && w->order < MOST_ORDER
        && factor_of(w->error[w->order + 1], w->order + 1) > best) {
        order = w->order + 1;
        best = factor_of(w->error[order], order);
    }
    if (order != w->order) w->steady = 0;
    w->order = order;
    if (best >= 1.0 && best < RG_TRANSFER_RICCATI_KEPT)
        best = 1.0; /* equal steps are the most accurate ones */
    if (best < 1.0) best = fmax(best, RG_TRANSFER_STEP_SLOWEST);
    dt *= best;
    if (-w->mu * fabs(dt) > RG_TRANSFER_STEP_SAFETY * RG_TRANSFER_RICCATI_GROWTH)
        dt = copysign(RG_TRANSFER_STEP_SAFETY * RG_TRANSFER_RICCATI_GROWTH / -w->mu, dt);
    return fabs(dt) > most ? copysign(most, dt) : dt;
}

rg_status rg_riccati_eval(rg_sweep *s, int64_t node, double t, double *u, double *h, int n,
                          double *more)
{
    const int m = s->m, k = s->k, order = s->order[node + 1];
    rg_riccati *w = s->riccati;
    const double *U = s->u + node * m * k, dt = t - s->t[node];
    rg_candidate room = rg_sweep_candidate(s, 4);
    double weight[PAST];
    const int64_t first = w->first;

    w->first = 0;
    take_past(s, node + 1, node, order + 1);
    w->first = first;
    if (w->n_past < 2) return RG_RETRY;
    interpolation_weights(w->n_past, w->t, t, weight);
    combine(s, w->n_past, weight, u, h);
    for (int i = 0; i < m * k; i++)
        u[i] += U[i];
    memcpy(w->phi, u, (size_t)(m * k) * sizeof *u);
    if (n > 0) {
        RG_TRY(rg_field_transfer(s->field, t));
        apply_K(s, U);
        for (int j = 0; j < k; j++)
            for (int i = 0; i < k; i++)
                rg_lu_values(w->lu)[j * k + i] = dt * w->V[i * k + j] + (i == j);
        RG_TRY(rg_lu_factor(w->lu));
    }
    if (s->field->is_varying) {
        RG_TRY(rg_field_at(s->field, t));
        for (int c = 0; c < k; c++)
            rg_field_project(s->field, u + c * m);
    }
    if (!rg_normalise(m, k, u, h, room.T)) return RG_RETRY;
    for (int c = 0; c < n; c++) {
        rg_lu_solve(w->lu, more + c * k, NULL);
        rg_solve_transposed(k, room.T, more + c * k);
    }
    return RG_OK;
}
