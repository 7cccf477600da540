/* A row inside the last step: the step of this folder from t_n to the row (ivp/aside.h).  Its
 * stages begin on the polynomial of the last step, which has them almost; what the next step of the
 * run begins with stays as it is. */
#include "ivp/aside.h"
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"
#include "linalg/powers.h"

#include <math.h>
#include <string.h>

/* y and y' of the run from w, w' of the form. */
static void give(const rg_integrator *g, const double *w, const double *wp, double *y, double *yp)
{
    const rg_stable *form = rg_passage_of(g)->form;

    for (int64_t j = 0; j < form->p->n; j++)
        for (int r = 0; rg_system_state(g->system, j, r) >= 0; r++) {
            const int64_t state = rg_system_state(g->system, j, r);
            const int64_t at = rg_system_state(form->system, j, r),
                          next = rg_system_state(form->system, j, r + 1);
            y[state] = w[at];
            yp[state] = next >= 0 ? w[next] : wp[at];
        }
}

/* Algebraic unknowns are what the accepted step has made of them (multipliers of least norm). */
static void keep_algebraic(rg_passage *k, double s)
{
    rg_coupled *c = k->stages;

    rg_powers_eval(3, k->N, c->last, s, c->h_last, c->W, c->F);
    for (int e = 0; e < k->N; e++)
        if (!c->equations.is_differential[e]) {
            k->point[e] = c->W[e];
            k->slope[e] = c->F[e];
        }
}

/* No stage may come near a singular point: there the polynomial of the last step has to do. */
static bool is_far(rg_passage *k, double t, double h)
{
    for (int i = 0; i < COUPLED_STAGES; i++) {
        const double s =
            rg_passage_signal(k, t + k->stages->rule.c[i] * h, k->stages->W + i * k->N, NULL);
        if (!(s >= RG_PASSAGE_LOST * k->s_ref)) return false;
    }
    return true;
}

static rg_status take_step(rg_integrator *g, double h)
{
    rg_passage *k = rg_passage_of(g);
    rg_coupled *c = k->stages;
    rg_passage_iteration *q = k->iteration;
    const double h_last = c->h_last;
    rg_status status;

    memcpy(c->w, c->last, (size_t)k->N * sizeof *c->w); /* w_n */
    for (int i = 0; i < COUPLED_STAGES; i++)
        rg_powers_eval(3, k->N, c->last, c->rule.c[i] * h / h_last, 1.0, c->W + i * k->N, NULL);
    if (!is_far(k, g->t_previous, h)) return (rg_status)RG_RETRY;
    rg_passage_weights(g);
    c->has_factors = false;
    if (q != NULL) {
        q->is_inside = true;
        status = q->stages(q, c, g->t_previous, h, &g->recovered.evaluations);
        q->is_inside = false;
    } else {
        status = rg_coupled_newton(c, g->t_previous, h, &g->recovered.evaluations);
    }
    c->has_factors = false;
    return status;
}

rg_status rg_passage_side_step(rg_integrator *g, double t, double *y, double *yp)
{
    rg_passage *k = rg_passage_of(g);
    rg_coupled *c = k->stages;
    const double noise = c->noise, h = t - g->t_previous;
    const size_t bytes = (size_t)k->N * sizeof *c->w;

    if (c->h_last == 0.0) return (rg_status)RG_RETRY; /* the step went past the end of the run */
    memcpy(k->kept, c->w, bytes);
    RG_TRY(rg_aside_exchange(&c->matrix, &c->side, false));
    const rg_status status = take_step(g, h);
    rg_aside_exchange(&c->matrix, &c->side, false);
    c->noise = noise;
    if (status == RG_OK) {
        rg_coupled_interpolate(c);
        rg_coupled_at(c, h, 1.0, k->point, k->slope);
        keep_algebraic(k, h / c->h_last);
        give(g, k->point, k->slope, y, yp);
    }
    memcpy(c->w, k->kept, bytes);
    return status;
}
