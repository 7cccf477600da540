/* The stages of a half-explicit method. */
#include "ivp/half_explicit/half_explicit.h"

#include "base/vector.h"
#include "ivp/tuning.h"
#include "newton/iterated.h"

#include <math.h>
#include <string.h>

rg_half_point rg_half_explicit_point(const rg_half_explicit *e, double t, const double *X,
                                     const double *a, const double *y)
{
    return (rg_half_point){t, X, e->order == 2 ? X + e->n : NULL, a, y};
}

/* out = x + sum_j factor_j f_j, j of the list */
RG_FOR_QUADS static void add_up(const rg_half_explicit *e, int count, const int *list,
                                const double *factor, const double *x, double *out)
{
    const int N = e->N;
    int k = 0;

    for (; k + RG_LANES <= N; k += RG_LANES) {
        rg_quad sum = RG_FOUR(x + k);
        for (int j = 0; j < count; j++)
            sum += RG_FOUR(e->F + list[j] * N + k) * factor[j];
        *(rg_quad *)(out + k) = sum;
    }
    for (; k < N; k++) {
        double sum = x[k];
        for (int j = 0; j < count; j++)
            sum += e->F[list[j] * N + k] * factor[j];
        out[k] = sum;
    }
}

void rg_half_explicit_add(const rg_half_explicit *e, int count, const double *factor,
                          const double *x, double *out)
{
    double used[RG_TABLEAU_MOST];
    int list[RG_TABLEAU_MOST], n = 0;

    for (int j = 0; j < count; j++) {
        if (factor[j] == 0.0) continue;
        list[n] = j;
        used[n++] = factor[j];
    }
    add_up(e, n, list, used, x, out);
}

/* out = x_n + h sum_{j<count} w_j f_j */
static void combine(const rg_half_explicit *e, int count, const double *w, double *out)
{
    double factor[RG_TABLEAU_MOST];

    for (int j = 0; j < count; j++)
        factor[j] = e->pace.h * w[j];
    rg_half_explicit_add(e, count, factor, e->x, out);
}

/* Of a Newton step in Xbar and Y, relative to them; where one step is enough, 0, or not finite. */
static double change_of(const rg_half_explicit *e, double hw)
{
    double sum = 0.0;

    if (!rg_half_is_linear(e->view))
        return fmax(rg_half_explicit_of_x(e, hw, e->top, e->Xbar + e->N - e->n, true),
                    rg_half_explicit_of_y(e, e->bottom, e->Y));
    for (int k = 0; k < e->n; k++)
        sum += 0.0 * e->top[k];
    for (int k = 0; k < e->m; k++)
        sum += 0.0 * e->bottom[k];
    return sum;
}

/* One Newton step for  D(t, X, a, Y) = 0,  c(t_c, Xbar) = 0,  where the last part of Xbar moves
 * with hw a. */
static rg_status correct(rg_integrator *g, double t, double t_c, double hw, double *a, double *size)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const int u = e->N - e->n;
    const rg_half_point at = rg_half_explicit_point(e, t, e->X, a, e->Y);
    const rg_half_point end = rg_half_explicit_point(e, t_c, e->Xbar, a, e->Y);
    bool is_new;

    g->stats.evaluations++;
    rg_status status = rg_half_dynamics(e->view, &at, e->top);
    if (status == RG_OK) status = rg_half_constraint(e->view, &end, e->bottom);
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&e->pace, RG_PACE_VALUES);
    if (status != RG_OK) return status;
    status = rg_half_factor_near(e->view, &is_new);
    g->stats.factorizations += is_new;
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&e->pace, RG_PACE_RANK);
    if (status != RG_OK) return status;
    for (int k = 0; k < e->n; k++)
        e->top[k] = -e->top[k];
    for (int k = 0; k < e->m; k++)
        e->bottom[k] = -e->bottom[k] / hw;
    rg_half_solve(e->view, e->top, e->bottom);
    for (int k = 0; k < e->n; k++) {
        a[k] += e->top[k];
        e->Xbar[u + k] += hw * e->top[k];
    }
    for (int k = 0; k < e->m; k++)
        e->Y[k] += e->bottom[k];
    *size = change_of(e, hw);
    return isfinite(*size) ? RG_OK : rg_pace_fail(&e->pace, RG_PACE_VALUES);
}

rg_status rg_half_explicit_multipliers(rg_integrator *g, double t, double t_c, double hw, double *a)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    double size = INFINITY, before;

    rg_half_explicit_begin(e);
    for (int k = 0; k < RG_HALF_NEWTON; k++) {
        before = size;
        RG_TRY(correct(g, t, t_c, hw, a, &size));
        if (rg_half_is_linear(e->view) || rg_is_iterated(size, before)) return RG_OK;
        if (size >= RG_NOT_HALVED * before) rg_half_explicit_look_closer(e, hw, true);
    }
    return rg_is_nearly_iterated(size) ? RG_OK : rg_pace_fail(&e->pace, RG_PACE_NEWTON);
}

/* Without constraints and with a constant matrix. */
static rg_status explicit_stage(rg_integrator *g, int i)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const double t = g->t + e->tableau->c[i] * e->pace.h;
    const rg_status status = rg_half_explicit_force(e, t, e->X, e->F + i * e->N);

    return status == (rg_status)RG_RETRY ? rg_pace_fail(&e->pace, RG_PACE_VALUES) : status;
}

/* f_i of stage i; weights w of the constraint's point, which is at t_c. */
static rg_status stage(rg_integrator *g, int i, const double *w, double t_c)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    double *f = e->F + i * e->N, *a = f + e->N - e->n;
    const double t = g->t + e->tableau->c[i] * e->pace.h;
    const double *guess = i > 0 ? e->F + (i - 1) * e->N + e->N - e->n : e->f + e->N - e->n;

    if (e->order == 2) memcpy(f, e->X + e->n, (size_t)e->n * sizeof *f);
    memmove(a, guess, (size_t)e->n * sizeof *a);
    combine(e, i + 1, w, e->Xbar);
    return rg_half_explicit_multipliers(g, t, t_c, e->pace.h * w[i], a);
}

/* Z_i from the constraint at the next stage. */
static rg_status plain_stages(rg_integrator *g)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const rg_tableau *a = e->tableau;

    memcpy(e->X, e->x, (size_t)e->N * sizeof *e->X);
    for (int i = 0; i < a->s; i++) {
        const bool is_last = i + 1 == a->s;
        const double t_c = is_last ? rg_pace_end(g, &e->pace) : g->t + a->c[i + 1] * e->pace.h;
        RG_TRY(stage(g, i, is_last ? a->b : a->A[i + 1], t_c));
        memcpy(e->X, e->Xbar, (size_t)e->N * sizeof *e->X);
    }
    return RG_OK;
}

/* Z_1 = z_n; the constraint has points of its own. */
static rg_status partitioned_stages(rg_integrator *g)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const rg_tableau *a = e->tableau;

    const bool is_explicit = rg_half_is_explicit(e->view);

    memcpy(e->F, e->f, (size_t)e->N * sizeof *e->F);
    for (int i = 1; i < a->s; i++) {
        const double t_c = i + 1 == a->s ? rg_pace_end(g, &e->pace) : g->t + a->cbar[i] * e->pace.h;
        combine(e, i, a->A[i], e->X);
        RG_TRY(is_explicit ? explicit_stage(g, i) : stage(g, i, a->Abar[i], t_c));
    }
    if (is_explicit) combine(e, a->s, a->b, e->Xbar);
    return RG_OK;
}

rg_status rg_half_explicit_stages(rg_integrator *g)
{
    rg_half_explicit *e = rg_half_explicit_of(g);

    if (e->m > 0) memcpy(e->Y, e->y, (size_t)e->m * sizeof *e->Y);
    rg_half_explicit_see(e);
    RG_TRY(e->is_partitioned ? partitioned_stages(g) : plain_stages(g));
    memcpy(e->x_new, e->Xbar, (size_t)e->N * sizeof *e->x_new);
    return RG_OK;
}
