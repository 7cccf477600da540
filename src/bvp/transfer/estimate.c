/* The error of a transfer, from the local errors of its steps and from rounding.
 *
 * All sweeps say what their conditions are off by (sweep_judge.c), with the computed solution in
 * place of the exact one.  At a time t these residuals r, joined as H is, give
 *
 *     |U^T+ r| + max |U^T+ nu| + eps |U^T+| (|U|^T |y|)     per state, with its algebraic part,
 *
 * so that conditioning and growth of errors on the way are in it.  Relative to the largest value of
 * the state over the interval. */
#include "bvp/transfer/judge.h"
#include "bvp/transfer/transfer_impl.h"
#include "bvp/transfer/tuning.h"

#include <math.h>
#include <string.h>

bool rg_transfer_has_estimate(const rg_transfer *t)
{
    return rg_transfer_is_judged(t);
}

static rg_status solution_at(void *user, double t, const double **y)
{
    return rg_transfer_point(user, t, y);
}

static rg_status judge_sweeps(rg_transfer *t)
{
    for (int k = 0; k < t->n_groups; k++) {
        const rg_group *g = &t->groups[k];
        if (g->forward != NULL) RG_TRY(rg_sweep_judge(g->forward, solution_at, t));
        if (g->backward != NULL) RG_TRY(rg_sweep_judge(g->backward, solution_at, t));
    }
    return RG_OK;
}

typedef struct { /* t->size numbers each */
    double *size, *total, *rounding, *method_now, *rounding_now, *R;
} tally;

/* Folded, times beyond the middle belong to the second half of the states. */
static rg_status add_point(rg_transfer *t, double at, const tally *w)
{
    const double *y;

    if (at < t->low || at > t->high) return RG_OK;
    RG_TRY(rg_transfer_error(t, at, w->R, &y, w->method_now, w->rounding_now));
    for (int i = 0; i < t->size; i++) {
        const double both = w->method_now[i] + w->rounding_now[i];
        w->size[i % t->m] = fmax(w->size[i % t->m], fabs(y[i]));
        if (!(both <= w->total[i % t->m])) w->total[i % t->m] = both;
        if (!(w->rounding_now[i] <= w->rounding[i % t->m]))
            w->rounding[i % t->m] = w->rounding_now[i];
    }
    return RG_OK;
}

static rg_status find(rg_transfer *t, const tally *w, rg_transfer_estimate *out)
{
    const rg_options *o = &t->options;
    const double ratio = o->atol != o->rtol ? o->atol / o->rtol : 0.0;
    const double *at;
    int64_t n;

    RG_TRY(rg_transfer_mesh(t, &n, &at));
    RG_TRY(judge_sweeps(t));
    const int64_t stride = n / RG_TRANSFER_ESTIMATE_POINTS + 1;
    for (int64_t k = n - 1; k >= 0; k -= stride)
        RG_TRY(add_point(t, at[k], w));
    for (int j = 0; j < t->m; j++) {
        const double size = fmax(w->size[j] + ratio / t->unit[j], RG_TRANSFER_NO_SIZE);
        if (!(w->total[j] / size <= out->total)) out->total = w->total[j] / size;
        if (!(w->rounding[j] / size <= out->rounding)) out->rounding = w->rounding[j] / size;
    }
    return RG_OK;
}

rg_status rg_transfer_estimate_find(rg_transfer *t, rg_transfer_estimate *out)
{
    const size_t n = (size_t)t->size;
    double *room = rg_alloc(t->ctx, n * (6 + 2 * (RG_SWEEP_TRIALS + 1)), sizeof *room);

    *out = (rg_transfer_estimate){0.0, 0.0};
    if (room == NULL) return RG_ERR_MEMORY;
    memset(room, 0, n * (6 + 2 * (RG_SWEEP_TRIALS + 1)) * sizeof *room);
    const tally w = {room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, room + 5 * n};
    const rg_status status = find(t, &w, out);
    rg_free(t->ctx, room);
    return status;
}
