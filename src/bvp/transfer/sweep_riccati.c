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
 * at t_{n+1}: one ordered Schur decomposition, without iteration and guess, or Newton's method from
 * the extrapolated one (sweep_subspace.c).  Then
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

#include "bvp/transfer/sweep_riccati_impl.h"
#include "bvp/transfer/tuning.h"
#include "linalg/vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

void rg_riccati_begin(rg_sweep *s, int64_t first)
{
    s->riccati->first = first;
    s->riccati->order = 1;
    s->riccati->steady = 0;
    rg_subspace_forget(s);
}

int rg_riccati_order(const rg_sweep *s)
{
    return s->riccati->tried;
}

/* The smallest real part of the eigenvalues of sign V.  (The symmetric part of V would say as much
 * where its eigenvectors are orthogonal.  They are not: units alone change that.) */
static rg_status least_rate(const rg_sweep *s, double sign, double *mu)
{
    rg_riccati *w = s->riccati;

    for (int i = 0; i < s->k * s->k; i++)
        w->square[i] = sign * w->V[i];
    return rg_schur_least(w->schur, s->k, w->square, mu);
}

/* Whether the symmetric part of sign V + c I is positive, by its Cholesky factor: then no
 * eigenvalue of sign V has a real part of -c or less, and none has to be computed. */
static bool is_above(const rg_sweep *s, double sign, double c)
{
    const int k = s->k;
    rg_riccati *w = s->riccati;
    double *N = w->square;

    for (int j = 0; j < k; j++) {
        for (int i = j; i < k; i++)
            N[j * k + i] = 0.5 * sign * (w->V[j * k + i] + w->V[i * k + j]) + (i == j ? c : 0.0);
        for (int l = 0; l < j; l++)
            rg_add_multiple(k - j, -N[l * k + j], N + l * k + j, N + j * k + j);
        if (!(N[j * k + j] > 0.0)) return false;
        const double root = sqrt(N[j * k + j]);
        for (int i = j; i < k; i++)
            N[j * k + i] /= root;
    }
    return true;
}

/* least_rate(), or 0 where it is not below what limits this step or the next. */
static rg_status rate_of_step(const rg_sweep *s, double dt, double *mu)
{
    const double most = RG_TRANSFER_STEP_SAFETY * RG_TRANSFER_RICCATI_GROWTH
                        / (RG_TRANSFER_RICCATI_FASTEST * fabs(dt));

    *mu = 0.0;
    return is_above(s, copysign(1.0, dt), most) ? RG_OK : least_rate(s, copysign(1.0, dt), mu);
}

rg_status rg_riccati_decay(rg_sweep *s, double dt, double *mu)
{
    const double *U = s->u + (s->n - 1) * s->m * s->k;

    RG_TRY(rg_field_transfer(s->field, s->t[s->n - 1]));
    memcpy(s->riccati->phi, U, (size_t)(s->m * s->k) * sizeof *U);
    rg_riccati_apply_K(s, U);
    return least_rate(s, copysign(1.0, dt), mu);
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

/* The invariant subspace, as phi = U + Y; Kphi: what Y is expected to be. */
static rg_status find_phi(rg_sweep *s, double dt, double a_0, const double *U, const double *Yb)
{
    const int m = s->m, k = s->k;
    const double sign = copysign(1.0, dt), *K = s->field->K;
    rg_riccati *w = s->riccati;

    const rg_status status = rg_subspace_find(s, dt, a_0, Yb, w->Kphi);
    if (status != (rg_status)RG_RETRY) return status;
    s->field->factorizations++;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = K[j * m + i] - (i == j ? 0.5 * a_0 : 0.0);
            for (int c = 0; c < k; c++)
                sum += (a_0 * U[c * m + i] + Yb[c * m + i]) * U[c * m + j];
            w->N[j * m + i] = sign * sum;
        }
    RG_TRY(rg_schur_dominant(w->schur, w->N, k, w->Kphi));
    return rg_riccati_into_chart(s, U, w->Kphi, w->phi, NULL);
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
    double weight[RG_RICCATI_PAST], e_Y = 0.0, e_h = 0.0, size_h = 0.0;

    if (w->n_past < q + 1) return INFINITY;
    rg_riccati_weights(q + 1, w->t, at, weight);
    rg_riccati_combine(s, q + 1, weight, w->Y_far, w->h_far);
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
    return sqrt(rg_dot(s->m * s->m, s->field->K, s->field->K));
}

rg_status rg_riccati_try(rg_sweep *s, double t, double dt, rg_candidate *v, double *error)
{
    const int m = s->m, k = s->k;
    const int64_t last = s->n - 1;
    rg_riccati *w = s->riccati;
    const double *U = s->u + last * m * k, at = t + dt;
    double weight[RG_RICCATI_PAST], guess[RG_RICCATI_PAST];

    *error = INFINITY;
    rg_riccati_take_past(s, last, last, RG_RICCATI_PAST);
    w->order = w->order < w->n_past ? w->order : w->n_past - 1;
    if (w->order < 1) return RG_RETRY;
    w->tried = w->order;
    const double a_0 = derivative_weights(w->order, w->t, at, weight);
    for (int j = 0; j < w->order; j++)
        weight[j] = -weight[j];
    rg_riccati_weights(w->order + 1, w->t, at, guess);
    rg_riccati_combine(s, w->order + 1, guess, w->Kphi, v->h);
    rg_riccati_combine(s, w->order, weight, w->Y_far, v->h);
    RG_TRY(rg_field_transfer(s->field, at));
    s->local.noise = 2.0 * DBL_EPSILON * (1.0 + fabs(dt) * norm_of_K(s));
    s->local.added = 0.0;
    RG_TRY(find_phi(s, dt, a_0, U, w->Y_far));
    if (!(jump(s, U) <= 1.0)) return RG_RETRY;
    rg_riccati_apply_K(s, U);
    RG_TRY(find_h(s, a_0, v->h));
    if (s->field->is_varying) {
        for (int c = 0; c < k; c++)
            rg_field_project(s->field, w->phi + c * m);
        memcpy(w->Kphi, w->phi, (size_t)(m * k) * sizeof *w->phi);
        RG_TRY(rg_riccati_into_chart(s, U, w->Kphi, w->phi, v->h));
    }
    RG_TRY(rate_of_step(s, dt, &w->mu));
    for (int q = 1; q <= w->order + 1; q++)
        if (q != w->order) w->error[q] = error_of_order(s, q, at, U, v->h);
    *error = w->error[w->order] = error_of_order(s, w->order, at, U, v->h);
    s->trial_epsilon = (largest(m * k, w->Y_far) + DBL_EPSILON) / fabs(dt);
    s->trial_delta = (largest(k, w->h_far) + DBL_EPSILON * largest(k, v->h)) / fabs(dt);
    if (-w->mu * fabs(dt) > RG_TRANSFER_RICCATI_GROWTH) { /* growth is resolved */
        *error = INFINITY;
        return RG_OK;
    }
    return rg_riccati_leave_chart(s, dt, v);
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
    if (++w->steady > w->order && w->order < RG_RICCATI_MOST_ORDER
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
