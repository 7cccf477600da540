/* The iterates of one window, and what is kept of a step that was accepted. */
#include "ivp/srm/tuning.h"
#include "ivp/srm/window_impl.h"
#include "linalg/powers.h"

#include <math.h>
#include <string.h>

/* What is carried on: L = B y at the stages, or y itself. */
static rg_status take_carried(rg_srm_window *q, const rg_coupled *c, double t, double h)
{
    for (int i = 0; i < COUPLED_STAGES; i++) {
        double *L = q->now + i * q->n_c;
        rg_srm_window_take_point(q, c->W + i * q->N);
        if (q->carries_y) {
            memcpy(L, q->ys, (size_t)q->n_y * sizeof *L);
            continue;
        }
        RG_TRY(rg_srm_window_look(q, t + c->rule.c[i] * h, NULL));
        rg_srm_product(q->n_x, q->n_y, q->core->space.v.B, q->ys, L);
    }
    return RG_OK;
}

/* y_0 of the options, at the predicted stages. */
static rg_status take_y0(rg_srm_window *q, const rg_coupled *c, double t, double h)
{
    for (int i = 0; i < COUPLED_STAGES; i++) {
        double *L = q->before + i * q->n_c;
        RG_TRY(rg_srm_y0_eval(q->core, t + c->rule.c[i] * h));
        rg_srm_window_take_point(q, c->W + i * q->N);
        if (q->carries_y) {
            memcpy(L, q->core->y0, (size_t)q->n_y * sizeof *L);
            continue;
        }
        RG_TRY(rg_srm_window_look(q, t + c->rule.c[i] * h, NULL));
        rg_srm_product(q->n_x, q->n_y, q->core->space.v.B, q->core->y0, L);
    }
    return RG_OK;
}

/* Iterate 0 from the step before: L by its quadratic, y as it was at the end. */
static void extrapolate(rg_srm_window *q, const rg_coupled *c, double h)
{
    for (int i = 0; i < COUPLED_STAGES; i++) {
        const double s = (q->iteration.is_inside ? 0.0 : 1.0) + c->rule.c[i] * h / c->h_last;
        double *L = q->before + i * q->n_c, a[COUPLED_STAGES];
        for (int j = 0; j < COUPLED_STAGES; j++) {
            rg_powers_lagrange(COUPLED_STAGES, c->rule.c, j, a);
            const double factor =
                q->carries_y ? (j == COUPLED_STAGES - 1 ? 1.0 : 0.0) : a[0] + s * (a[1] + s * a[2]);
            for (int k = 0; k < q->n_c; k++)
                L[k] = (j > 0 ? L[k] : 0.0) + factor * q->last[j * q->n_c + k];
        }
    }
}

static void swap(rg_srm_window *q)
{
    double *kept = q->before;

    q->before = q->now;
    q->now = kept;
}

/* Iterates until two of them agree: the next one would move by about 2 RATIO of their distance. */
rg_status rg_srm_window_stages(rg_passage_iteration *iteration, rg_coupled *c, double t, double h,
                               int64_t *evaluations)
{
    rg_srm_window *q = (rg_srm_window *)iteration;
    const int most = q->m_given > 0 ? q->m_given : RG_WINDOW_ITERATES;

    q->eps = q->eps_given > 0.0 ? copysign(q->eps_given, h) : RG_WINDOW_RATIO * h;
    c->has_factors = false;
    RG_TRY(rg_srm_window_take_units(q, t, c->W));
    if (c->h_last != 0.0 && q->has_last)
        extrapolate(q, c, h);
    else
        RG_TRY(take_y0(q, c, t, h));
    for (int s = 1; s <= most; s++) {
        memcpy(q->W, c->W, COUPLED_STAGES * (size_t)q->N * sizeof *q->W);
        RG_TRY(rg_coupled_newton(c, t, h, evaluations));
        RG_TRY(take_carried(q, c, t, h));
        *evaluations += COUPLED_STAGES;
        swap(q);
        const double d = rg_coupled_distance(c, q->W);
        if (!isfinite(d)) return (rg_status)RG_RETRY;
        if (q->m_given == 0 && s >= 2 && d < RG_WINDOW_CLOSE) return RG_OK;
    }
    return q->m_given > 0 ? RG_OK : (rg_status)RG_RETRY;
}

/* (GB) y = G f + d^nu g/dt^nu:  the hidden constraint gives y at a stage with the error of x over
 * the size of B, the root of the pivot where B is like G^T; what the stage itself has of y is that
 * of its quadratic (1e-3 a fiftieth beside a zero of B, at 1e-6).  false: too near to a singular
 * position, where the error of x over B would be above the root of the tolerance. */
static rg_status hidden(rg_srm_window *q, double t, const double *w, bool *is_there)
{
    srm_sample pivots;

    *is_there = false;
    rg_srm_window_take_point(q, w);
    const rg_status status = rg_srm_core_multipliers(q->core, t, q->point, q->ys);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    rg_srm_pivot_now(q->core, 0.0, &pivots);
    *is_there = pivots.p > q->rtol;
    return RG_OK;
}

/* The cubic through y at the start and at the stages. */
static void interpolate(const rg_srm_window *q, rg_coupled *c)
{
    const double node[COUPLED_STAGES + 1] = {0.0, c->rule.c[0], c->rule.c[1], c->rule.c[2]};

    for (int k = 0; k < q->n_y; k++) {
        double *a = c->polynomial + q->y[k];
        for (int e = 0; e <= COUPLED_STAGES; e++)
            a[e * q->N] = 0.0;
        for (int j = 0; j <= COUPLED_STAGES; j++) {
            double p[COUPLED_STAGES + 1];
            rg_powers_lagrange(COUPLED_STAGES + 1, node, j, p);
            for (int e = 0; e <= COUPLED_STAGES; e++)
                a[e * q->N] += p[e] * q->y_hidden[j * q->n_y + k];
        }
    }
}

rg_status rg_srm_window_accept(rg_passage_iteration *iteration, rg_coupled *c, double t, double h,
                               int64_t *evaluations)
{
    rg_srm_window *q = (rg_srm_window *)iteration;
    const bool has_start = q->has_hidden;
    const size_t m = (size_t)q->n_y;

    memcpy(q->last, q->before, COUPLED_STAGES * (size_t)q->n_c * sizeof *q->last);
    q->has_last = true;
    q->has_hidden = false;
    if (q->is_identity && !q->accepts_doubt) {
        rg_srm_window_take_point(q, c->W + (COUPLED_STAGES - 1) * q->N);
        RG_TRY(rg_srm_weak_check(q->core, t + h, q->point, q->ys, RG_WINDOW_OFF * q->rtol));
    }
    if (q->is_identity || q->carries_y) return RG_OK;
    bool is_there = true;
    for (int i = 0; i < COUPLED_STAGES && is_there; i++, ++*evaluations) {
        RG_TRY(hidden(q, t + c->rule.c[i] * h, c->W + i * q->N, &is_there));
        memcpy(q->y_hidden + (i + 1) * q->n_y, q->ys, m * sizeof *q->ys);
    }
    if (!is_there) return RG_OK;
    for (int i = 0; i < COUPLED_STAGES; i++)
        for (int k = 0; k < q->n_y; k++)
            c->W[i * q->N + q->y[k]] = q->y_hidden[(i + 1) * q->n_y + k];
    rg_coupled_interpolate(c);
    if (has_start) interpolate(q, c);
    memcpy(q->y_hidden, q->y_hidden + COUPLED_STAGES * q->n_y, m * sizeof *q->ys);
    q->has_hidden = true;
    return RG_OK;
}

int rg_srm_window_lost(rg_passage_iteration *iteration, double t, const double *w)
{
    rg_srm_window *q = (rg_srm_window *)iteration;
    srm_sample pivots = {.t = t};

    rg_srm_window_take_point(q, w);
    if (rg_srm_pivot_at(q->core, q->point, q->ys, RG_WINDOW_LOST, &pivots) != RG_OK) return 0;
    return pivots.lost;
}
