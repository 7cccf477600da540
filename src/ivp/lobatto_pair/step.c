/* A step of the Lobatto IIIA-IIIB pair.
 *
 * The stages are found by an iteration with the matrix of the constraints alone, taken once per
 * step in its middle; D_q and D_v, which come with h^2 and h, are left out:
 *
 *     M dA_k + B dY_k = -D_k,    G dA_k = -(E g)_k/h^2,                    k = 1 .. s - 1
 *                                G dA_s = (-c/h - sum_{k<s} b_k G dA_k)/b_s */
#include "ivp/lobatto_pair/lobatto_pair.h"
#include "ivp/lobatto_pair/tuning.h"
#include "ivp/tuning.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* V_i and Q_i from the A_j; the end in x_new. */
static void set_stages(rg_lobatto_pair *l)
{
    rg_half_explicit *e = &l->half;
    const int n = e->n, s = l->s;
    const double h = e->pace.h;

    for (int i = 0; i < s; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++)
                sum += l->second.A[i][j] * e->F[j * e->N + n + k];
            l->Q[i * e->N + n + k] = e->F[i * e->N + k] = e->x[n + k] + h * sum;
        }
    for (int i = 0; i < s; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++)
                sum += l->first.A[i][j] * e->F[j * e->N + k];
            l->Q[i * e->N + k] = e->x[k] + h * sum;
        }
    for (int k = 0; k < n; k++) {
        double sum = 0.0;
        for (int j = 0; j < s; j++)
            sum += l->first.b[j] * e->F[j * e->N + n + k];
        e->x_new[k] = l->Q[(s - 1) * e->N + k];
        e->x_new[n + k] = e->x[n + k] + h * sum;
    }
}

/* A_i and Y_i from the last point; the matrix in the middle of the step. */
static rg_status predict(rg_integrator *g)
{
    rg_lobatto_pair *l = rg_lobatto_pair_of(g);
    rg_half_explicit *e = &l->half;
    const int n = e->n;
    const double half = 0.5 * e->pace.h;

    for (int i = 0; i < l->s; i++) {
        memcpy(e->F + i * e->N + n, e->f + n, (size_t)n * sizeof *e->F);
        memcpy(l->Y + i * e->m, e->y, (size_t)e->m * sizeof *l->Y);
    }
    for (int k = 0; k < n; k++) {
        e->X[k] = e->x[k] + half * (e->x[n + k] + 0.5 * half * e->f[n + k]);
        e->X[n + k] = e->x[n + k] + half * e->f[n + k];
    }
    const rg_half_point at = rg_half_explicit_point(e, g->t + half, e->X, e->f + n, e->y);
    bool is_new;
    RG_TRY(rg_half_dynamics(e->view, &at, e->top));
    RG_TRY(rg_half_constraint(e->view, &at, e->bottom));
    RG_TRY(rg_half_factor(e->view, &is_new));
    g->stats.factorizations += is_new;
    return RG_OK;
}

/* G dA_k of all stages, in rows; the matrix is left alone. */
static rg_status constraints(rg_integrator *g)
{
    rg_lobatto_pair *l = rg_lobatto_pair_of(g);
    rg_half_explicit *e = &l->half;
    const int m = e->m, r = l->s - 1;
    const double h = e->pace.h, *b = l->first.b;

    for (int i = 1; i <= r; i++) {
        const double t = i == r ? rg_pace_end(g, &e->pace) : g->t + l->first.c[i] * h;
        const double *X = i == r ? e->x_new : l->Q + i * e->N;
        const rg_half_point at = rg_half_explicit_point(e, t, X, e->zero, e->y);
        RG_TRY(rg_half_position(e->view, &at, l->G + (i - 1) * m));
    }
    const rg_half_point end =
        rg_half_explicit_point(e, rg_pace_end(g, &e->pace), e->x_new, e->zero, e->y);
    RG_TRY(rg_half_velocity(e->view, &end, l->rows + r * m));
    for (int k = 0; k < m; k++) {
        double last = -l->rows[r * m + k] / h;
        for (int i = 0; i < r; i++) {
            double sum = 0.0;
            for (int j = 0; j < r; j++)
                sum += l->E[i * r + j] * l->G[j * m + k];
            l->rows[i * m + k] = -sum / (h * h);
            last -= b[i] * l->rows[i * m + k];
        }
        l->rows[r * m + k] = last / b[r];
    }
    return RG_OK;
}

/* One iteration; *size: largest change of h^2 A relative to |q|.  The rounding errors of g come
 * back in it as they are, in h A and in A divided by h and h^2. */
static rg_status iterate(rg_integrator *g, double *size)
{
    rg_lobatto_pair *l = rg_lobatto_pair_of(g);
    rg_half_explicit *e = &l->half;
    const double h = fabs(e->pace.h);

    set_stages(l);
    RG_TRY(constraints(g));
    *size = 0.0;
    for (int i = 0; i < l->s; i++) {
        double *A = e->F + i * e->N + e->n, *Y = l->Y + i * e->m;
        const double t =
            i == l->s - 1 ? rg_pace_end(g, &e->pace) : g->t + l->first.c[i] * e->pace.h;
        const rg_half_point at = rg_half_explicit_point(e, t, l->Q + i * e->N, A, Y);
        g->stats.evaluations++;
        RG_TRY(rg_half_force(e->view, &at, e->top));
        for (int k = 0; k < e->n; k++)
            e->top[k] = -e->top[k];
        memcpy(e->bottom, l->rows + i * e->m, (size_t)e->m * sizeof *e->bottom);
        rg_half_solve(e->view, e->top, e->bottom);
        for (int k = 0; k < e->n; k++)
            A[k] += e->top[k];
        *size = fmax(*size, rg_half_explicit_of_x(e, h * h, e->top, l->Q + i * e->N, false));
        for (int k = 0; k < e->m; k++)
            Y[k] += e->bottom[k];
    }
    return isfinite(*size) ? RG_OK : (rg_status)RG_RETRY;
}

/* Until the changes are rounding, and do not fall any more: what is left would add up. */
static rg_status attempt(rg_integrator *g, double *error)
{
    rg_lobatto_pair *l = rg_lobatto_pair_of(g);
    rg_half_explicit *e = &l->half;
    double size = INFINITY;

    *error = 0.0;
    rg_half_explicit_see(e);
    rg_half_explicit_begin(e);
    rg_status status = predict(g);
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&e->pace, RG_PACE_RANK);
    for (int k = 0; k < RG_PAIR_ITERATIONS && status == RG_OK; k++) {
        const double before = size;
        status = iterate(g, &size);
        if (status != RG_OK || !(size >= RG_NOT_HALVED * before)) continue;
        if (size < RG_PAIR_ROUNDING) break;
        rg_half_explicit_look_closer(e, e->pace.h, false);
    }
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&e->pace, RG_PACE_NEWTON);
    if (status != RG_OK) return status;
    if (!(size < RG_PAIR_ROUNDING)) return rg_pace_fail(&e->pace, RG_PACE_NEWTON);
    set_stages(l);
    const double t = rg_pace_end(g, &e->pace);
    memcpy(e->f_new, e->F + (l->s - 1) * e->N, (size_t)e->N * sizeof *e->f_new);
    memcpy(e->y_new, l->Y + (l->s - 1) * e->m, (size_t)e->m * sizeof *e->y_new);
    status = rg_half_explicit_hidden(e, t, e->x_new, e->f_new, e->y_new);
    if (status == RG_OK) status = rg_half_explicit_inner(g);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&e->pace, RG_PACE_RANK) : status;
}

rg_status rg_lobatto_pair_step(rg_integrator *g)
{
    static const rg_pace_calls calls = {attempt, rg_half_explicit_accept};

    return rg_pace_step(g, &rg_lobatto_pair_of(g)->half.pace, &calls);
}
