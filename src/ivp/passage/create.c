/* Life of a passage. */
#include "ivp/passage/passage.h"

#include <math.h>
#include <string.h>

static rg_status evaluate(void *form, int stage, double t, const double *w, const double *wp,
                          double *F, double *Jw, double *Jwp)
{
    (void)stage;
    return rg_stable_eval(form, t, w, wp, F, Jw, Jwp);
}

/* Most runs never come here. */
rg_status rg_passage_take_memory(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    rg_stable *v = k->form;
    const size_t N = (size_t)k->N;

    if (k->stages != NULL) return RG_OK;
    RG_TRY(rg_stable_open(v));
    const size_t gap = (size_t)v->constraints.m * (size_t)(v->constraints.n_q + 1);
    rg_free(k->ctx, k->point);
    k->point = rg_alloc(k->ctx, 3 * N + gap + 1, sizeof *k->point);
    if (k->point == NULL) return RG_ERR_MEMORY;
    k->slope = k->point + N;
    k->kept = k->slope + N;
    k->gap = k->kept + N;
    if (g->unit != NULL) {
        k->unit = rg_alloc(k->ctx, N + 1, sizeof *k->unit);
        if (k->unit == NULL) return RG_ERR_MEMORY;
        if (!rg_system_units(v->system, &g->options, k->unit)) {
            rg_free(k->ctx, k->unit);
            k->unit = NULL;
        }
    }
    rg_coupled_equations e = {k->N, v->pattern, v->kinds, v->is_differential, evaluate, v};
    if (k->iteration != NULL) RG_TRY(k->iteration->prepare(k->iteration, v, &e));
    RG_TRY(rg_coupled_create(k->ctx, &e, &k->stages));
    k->stages->keeps_factors = k->iteration != NULL;
    return RG_OK;
}

/* What the rank monitor needs: the matrix, a step back, and the states whose slopes are speeds:
 * y_j^(d_j - c), c the largest. */
static rg_status prepare_monitor(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    const rg_stable *v = k->form;
    const size_t n = (size_t)g->n, bytes = n * sizeof *g->y;
    const size_t n_switches = (size_t)rg_system_switch_count(g->system);
    double signal;

    k->y0 = rg_alloc(k->ctx, 2 * n + 1, sizeof *k->y0);
    k->yp0 = rg_alloc(k->ctx, 2 * n + 1, sizeof *k->yp0);
    k->y_start = rg_alloc(k->ctx, n + 1, sizeof *k->y_start);
    k->yp_start = rg_alloc(k->ctx, n + 1, sizeof *k->yp_start);
    k->branches = rg_alloc(k->ctx, 2 * n_switches + 1, sizeof *k->branches);
    k->speed = rg_alloc(k->ctx, (size_t)v->p->n + 1, sizeof *k->speed);
    if (k->y0 == NULL || k->yp0 == NULL || k->y_start == NULL || k->yp_start == NULL
        || k->branches == NULL || k->speed == NULL)
        return RG_ERR_MEMORY;
    memcpy(k->y_start, g->y, bytes);
    memcpy(k->yp_start, g->yp, bytes);
    for (int64_t i = 0; i < g->n; i++)
        k->w_start = fmax(k->w_start, fabs(g->y[i]));
    for (int64_t j = 0; j < v->p->n; j++) {
        const int order = v->a->d[j] - v->levels;
        const int64_t state = order >= 0 ? rg_system_state(g->system, j, order) : -1;
        if (state >= 0) k->speed[k->n_speeds++] = (int32_t)state;
    }
    RG_TRY(rg_passage_rank_create(k->ctx, v->leading, &k->rank));
    return v->border.n == 0 ? RG_OK : rg_passage_look(g, g->t, &signal);
}

static rg_status attach(rg_integrator *g, rg_stable **form, rg_passage_iteration *iteration)
{
    if (*form == NULL) return RG_OK;
    rg_passage *k = rg_alloc(g->ctx, 1, sizeof *k);
    if (k == NULL) return RG_ERR_MEMORY;
    k->ctx = g->ctx;
    k->form = *form;
    *form = NULL;
    k->main = g->method;
    k->iteration = iteration;
    k->N = k->form->size;
    k->jacobians = -1;
    k->supervisor = (rg_supervisor){rg_passage_guard, rg_passage_detach, rg_passage_is_calm,
                                    rg_passage_store_method, rg_passage_store};
    g->supervisor = &k->supervisor;
    const rg_status status = prepare_monitor(g);
    if (status != RG_OK || (k->form->border.n > 0 && !k->form->border.has_vectors))
        rg_passage_detach(g);
    return status;
}

rg_status rg_passage_attach(rg_integrator *g, rg_stable **form)
{
    return attach(g, form, NULL);
}

rg_status rg_passage_attach_iteration(rg_integrator *g, rg_stable **form,
                                      rg_passage_iteration *iteration)
{
    RG_TRY(attach(g, form, iteration));
    if (rg_passage_of(g) != NULL) rg_passage_happens(rg_passage_of(g), EVENT_STAYS);
    return RG_OK;
}

void rg_passage_detach(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);

    if (k == NULL) return;
    g->method = k->main;
    rg_coupled_destroy(&k->stages);
    rg_passage_rank_destroy(&k->rank);
    rg_stable_destroy(&k->form);
    void *const owned[] = {k->y0,    k->yp0,    k->y_start, k->yp_start, k->Jy,      k->Jyp,
                           k->speed, k->passed, k->point,   k->unit,     k->branches};
    for (size_t e = 0; e < sizeof owned / sizeof *owned; e++)
        rg_free(k->ctx, owned[e]);
    rg_free(k->ctx, k);
    g->supervisor = NULL;
}
