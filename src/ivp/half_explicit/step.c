/* A step of a half-explicit method, as an attempt for ivp/pace.h. */
#include "ivp/half_explicit/half_explicit.h"

#include <string.h>

void rg_half_explicit_read(const rg_half_explicit *e, const double *y, const double *yp, double *X,
                           double *f, double *multipliers)
{
    for (int k = 0; k < e->n; k++) {
        const int64_t x = rg_half_x(e->view)[k];
        X[k] = y[x];
        f[k] = yp[x];
        if (e->order == 1) continue;
        const int64_t v = rg_half_v(e->view)[k];
        X[e->n + k] = f[k] = y[v];
        f[e->n + k] = yp[v];
    }
    for (int k = 0; k < e->m; k++)
        multipliers[k] = y[rg_half_y(e->view)[k]];
}

void rg_half_explicit_give(const rg_half_explicit *e, const double *X, const double *y,
                           double *state)
{
    for (int k = 0; k < e->n; k++) {
        state[rg_half_x(e->view)[k]] = X[k];
        if (e->order == 2) state[rg_half_v(e->view)[k]] = X[e->n + k];
    }
    for (int k = 0; k < e->m && y != NULL; k++)
        state[rg_half_y(e->view)[k]] = y[k];
}

static rg_status attempt(rg_integrator *g, double *error)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const double t = rg_pace_end(g, &e->pace);

    RG_TRY(rg_half_explicit_stages(g));
    RG_TRY(rg_half_explicit_project(e, t, e->x_new, e->Y));
    memcpy(e->f_new, e->F + (e->tableau->s - 1) * e->N, (size_t)e->N * sizeof *e->f_new);
    if (e->m > 0) memcpy(e->y_new, e->Y, (size_t)e->m * sizeof *e->y_new);
    rg_status status = rg_half_explicit_hidden(e, t, e->x_new, e->f_new, e->y_new);
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&e->pace, RG_PACE_RANK);
    if (status != RG_OK) return status;
    *error = rg_half_explicit_error(g);
    if (!e->pace.is_fixed && !(*error < 1.0)) return RG_OK;
    status = rg_half_explicit_inner(g);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&e->pace, RG_PACE_RANK) : status;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

/* y' of the multipliers: the slope of their polynomial. */
void rg_half_explicit_accept(rg_integrator *g)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const size_t bytes = (size_t)e->m * sizeof(double);

    rg_half_explicit_dense(g);
    if (e->m > 0) { /* the newest of the points behind the step first */
        memmove(e->past + e->m, e->past, bytes);
        memcpy(e->past, e->y, bytes);
    }
    e->t_past[1] = e->t_past[0];
    e->t_past[0] = g->t;
    if (e->n_past < HALF_PAST) e->n_past++;
    swap(&e->x, &e->x_new);
    swap(&e->f_before, &e->f);
    swap(&e->f, &e->f_new);
    swap(&e->y, &e->y_new);
    rg_half_explicit_note_size(e);
    rg_half_explicit_give(e, e->x, e->y, g->y);
    rg_half_explicit_give(e, e->f, NULL, g->yp);
    for (int k = 0; k < e->m; k++) {
        const int64_t state = rg_half_y(e->view)[k];
        double slope = 0.0;
        for (int p = 1; p <= 3; p++)
            slope += p * g->polynomial[p * g->n + state];
        g->yp[state] = slope / e->pace.h;
    }
}

rg_status rg_half_explicit_step(rg_integrator *g)
{
    static const rg_pace_calls calls = {attempt, rg_half_explicit_accept};

    RG_TRY(rg_pace_step(g, &rg_half_explicit_of(g)->pace, &calls));
    return rg_half_explicit_look(g);
}
