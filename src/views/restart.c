/* Consistent values in the middle of a run. */
#include "views/system_impl.h"

#include <string.h>

/* The highest derivative of every unknown in the equations; elements of one array may differ. */
static void find_written(const rg_system *s, int8_t *order)
{
    const rg_signature *a = &s->analysis->signature;

    for (int64_t e = 0; e < a->start[a->n_rows]; e++)
        if (a->order[e] > order[a->column[e]]) order[a->column[e]] = a->order[e];
}

/* What is constant between events is known. */
static void keep_states(const rg_problem *p, rg_problem *at)
{
    for (int k = 0; k < p->n_families; k++)
        if (p->families[k].is_state)
            memset(at->start[0].kind + p->families[k].first, RG_START_KEPT,
                   (size_t)p->families[k].count);
}

/* Start data made from a point of the run: differentiated unknowns are guesses that move as little
 * as possible, the others are free, near their last values.  kept, per state: stays as it is. */
static rg_status data_from_point(const rg_system *s, const double *y, const uint8_t *kept,
                                 rg_problem *at)
{
    const rg_problem *p = s->p;
    const rg_states *l = &s->layout;

    memset(at->start, 0, sizeof at->start);
    at->start_orders = l->n_orders - 1;
    for (int r = 0; r < at->start_orders; r++) {
        at->start[r].kind = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *at->start[r].kind);
        at->start[r].value = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *at->start[r].value);
        if (at->start[r].kind == NULL || at->start[r].value == NULL) return RG_ERR_MEMORY;
    }
    int8_t *order = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *order);
    if (order == NULL) return RG_ERR_MEMORY;
    find_written(s, order);
    for (int64_t j = 0; j < p->n; j++)
        for (int r = 0; r < l->m[j]; r++) {
            at->start[r].kind[j] = order[j] > r ? RG_START_GUESS : RG_START_NONE;
            at->start[r].value[j] = y[l->column[r][j]];
            if (kept != NULL && kept[l->column[r][j]]) at->start[r].kind[j] = RG_START_KEPT;
        }
    keep_states(p, at);
    rg_free(p->ctx, order);
    return RG_OK;
}

rg_status rg_system_reset(const rg_system *s, double t, const uint8_t *kept, double *y, double *yp)
{
    rg_context *ctx = s->p->ctx;
    rg_problem at = *s->p; /* borrows all but the start data and the study */
    rg_study study = {.ctx = ctx};
    rg_consistent *c = NULL;

    at.study = &study;              /* its warnings are not wanted */
    at.native_mode = RG_NATIVE_OFF; /* for one use */
    rg_status status = data_from_point(s, y, kept, &at);
    if (status == RG_OK) {
        status = rg_consistent_create(&at, s->analysis, t, &c);
        if (status == RG_OK) rg_system_start(s, c, y, yp);
    }
    rg_consistent_destroy(ctx, &c);
    for (int r = 0; r <= RG_MAX_ORDER; r++) {
        rg_free(ctx, at.start[r].kind);
        rg_free(ctx, at.start[r].value);
    }
    rg_study_clear(&study);
    return status;
}

rg_status rg_system_restart(const rg_system *s, double t, double *y, double *yp)
{
    rg_context *ctx = s->p->ctx;
    const rg_status status = rg_system_reset(s, t, NULL, y, yp);

    if (status == RG_OK || status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
    rg_log(ctx, 1, "no consistent values behind the switch at t = %.10g: %s", t,
           rg_last_error(ctx)->message);
    rg_clear_error(ctx);
    return RG_RETRY;
}
