/* Evaluates parts of equations along a guess or a solution. */
#include "bvp/branch_walk.h"

#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "solution/values.h"

#include <math.h>
#include <string.h>

rg_status rg_walk_init(rg_bvp_form *f, const rg_profile *from, int64_t n_times, rg_walk *out)
{
    const size_t n = (size_t)f->n, nx = (size_t)f->nx, states = (size_t)f->states.n_states;

    *out = (rg_walk){.f = f, .from = from, .n_times = n_times};
    out->time = rg_alloc(f->ctx, (size_t)n_times + 2 * nx + n + 2 * states + 1, sizeof(double));
    if (out->time == NULL) return RG_ERR_MEMORY;
    out->x = out->time + n_times;
    out->xp = out->x + nx;
    out->w = out->xp + nx;
    out->z = out->w + n;
    RG_TRY(rg_layout_create(f->ctx, f->states.n_states, f->n, f->states.n_orders, &out->layout));
    for (int r = 0; r < f->states.n_orders; r++)
        memcpy(out->layout->place[r], f->states.column[r], n * sizeof **f->states.column);
    return RG_OK;
}

void rg_walk_clear(rg_walk *w)
{
    rg_layout_destroy(&w->layout);
    rg_free(w->f->ctx, w->time);
}

static rg_status walk_to(rg_walk *w, int64_t k)
{
    const int64_t states = w->f->states.n_states;

    RG_TRY(w->from->eval(w->from->user, w->time[k], w->x, w->xp, w->w));
    memset(w->z, 0, (size_t)(2 * states) * sizeof *w->z);
    rg_bvp_form_point(w->f, w->x, w->w, w->z, w->z + states);
    return RG_OK;
}

rg_status rg_walk_largest(rg_walk *w, const rg_body *body, rg_node node, double *out)
{
    rg_body copy = *body;
    const rg_value value = {.body = &copy};
    rg_values *values = NULL;
    double *list = rg_alloc(w->f->ctx, (size_t)body->count + 1, sizeof *list);
    rg_status status = list == NULL ? RG_ERR_MEMORY : RG_OK;

    copy.outputs = &node;
    copy.n_outputs = 1;
    *out = 0.0;
    if (status == RG_OK) status = rg_values_create(w->f->p, 1, &value, w->layout, &values);
    for (int64_t k = 0; k < w->n_times && status == RG_OK; k++) {
        status = walk_to(w, k);
        if (status == RG_OK) status = rg_values_eval(values, w->time[k], w->z, list);
        for (int64_t i = 0; i < body->count && status == RG_OK; i++)
            if (!(fabs(list[i]) <= *out)) *out = isfinite(list[i]) ? fabs(list[i]) : INFINITY;
    }
    rg_values_destroy(&values);
    rg_free(w->f->ctx, list);
    return status;
}

rg_status rg_walk_is_singular(rg_walk *w, bool *out)
{
    rg_bvp_form *f = w->f;
    const size_t n = (size_t)f->n;
    double *F = rg_alloc(f->ctx, n + n * (size_t)f->nx + n * n + 1, sizeof *F);
    rg_status status = F == NULL ? RG_ERR_MEMORY : RG_OK;

    *out = true;
    for (int64_t k = 0; k < w->n_times && status == RG_OK && *out; k++) {
        int64_t rank = 0;
        double *Fx = F + n, *Fw = Fx + n * (size_t)f->nx;
        status = walk_to(w, k);
        if (status == RG_OK) status = rg_bvp_form_jacobian(f, w->time[k], w->x, w->w, F, Fx, Fw);
        if (status == RG_OK)
            status = rg_rank_svd(f->ctx, f->n, f->n, Fw, rg_rank_floor(RG_NOISE_ITERATED), &rank);
        *out = status == RG_OK && rank < f->n;
    }
    rg_free(f->ctx, F);
    return status < 0 ? status : RG_OK;
}
