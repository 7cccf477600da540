/* Consistent values in the middle of a run. */
#include "views/reset.h"

#include "newton/consistent.h"
#include "views/system_impl.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The highest derivative of every unknown in the equations; elements of one array may differ. */
static void find_written(const rg_system *s, int8_t *order)
{
    const rg_signature *a = &s->analysis->signature;

    for (int64_t e = 0; e < a->start[a->n_rows]; e++)
        if (a->order[e] > order[a->column[e]]) order[a->column[e]] = a->order[e];
}

/* ---- data from a point of the run ------------------------------------------------------------ */

struct rg_reset {
    const rg_system *s;
    const double *sizes;
    rg_problem at; /* borrows all but the start data and the study */
    rg_study study;
    int8_t *order;     /* per unknown: the highest derivative written */
    uint8_t *is_state; /* per unknown: constant between events */
    int n_stages;
    rg_start_system *start;
};

static rg_status take_data(rg_reset *r)
{
    rg_context *ctx = r->s->p->ctx;
    const size_t n = (size_t)r->s->p->n + 1;

    memset(r->at.start, 0, sizeof r->at.start);
    r->at.start_orders = r->s->layout.n_orders - 1;
    for (int k = 0; k < r->at.start_orders; k++) {
        rg_start *start = &r->at.start[k];
        start->kind = rg_alloc(ctx, n, sizeof *start->kind);
        start->value = rg_alloc(ctx, n, sizeof *start->value);
        if (start->kind == NULL || start->value == NULL) return RG_ERR_MEMORY;
    }
    r->order = rg_alloc(ctx, n, sizeof *r->order);
    r->is_state = rg_alloc(ctx, n, sizeof *r->is_state);
    if (r->order == NULL || r->is_state == NULL) return RG_ERR_MEMORY;
    for (int f = 0; f < r->at.n_families; f++)
        memset(r->is_state + r->at.families[f].first, r->at.families[f].is_state,
               (size_t)r->at.families[f].count);
    find_written(r->s, r->order);
    return RG_OK;
}

/* What is constant between events is known. */
static void keep_states(rg_reset *r)
{
    for (int64_t j = 0; j < r->at.n; j++)
        if (r->is_state[j]) r->at.start[0].kind[j] = RG_START_KEPT;
}

/* Below the highest derivative by how much? */
static int distance(const rg_reset *r, int64_t j, int order)
{
    return r->n_stages > 1 ? r->s->analysis->d[j] - order : 1;
}

/* What is rounding beside the values that it had, in a model with constraints: they are not to be
 * met with its digits.  Elsewhere it stays: it may have decayed, with all of its digits, and grow
 * again. */
static bool is_nothing(const rg_reset *r, int64_t state, double value)
{
    return r->sizes != NULL && rg_system_drift_levels(r->s) > 0
           && fabs(value) <= RG_EVENT_ROUNDING * DBL_EPSILON * r->sizes[state];
}

/* Differentiated unknowns are guesses that move as little as possible, the others are free, near
 * their last values.  kept, per state: stays as it is.  Stage e: what is further than e below the
 * highest derivative stays, what is nearer is free. */
static void set_data(rg_reset *r, int e, const double *y, const uint8_t *kept)
{
    const rg_states *l = &r->s->layout;

    for (int64_t j = 0; j < r->at.n; j++)
        for (int k = 0; k < l->m[j]; k++) {
            const int64_t state = l->column[k][j];
            const int far = distance(r, j, k) - e;
            const bool is_kept = far > 0 || (far == 0 && kept != NULL && kept[state]);
            const bool is_written = r->order[j] > k;
            r->at.start[k].kind[j] = is_kept && (is_written || far <= 0) ? RG_START_KEPT
                                     : is_written && far == 0            ? RG_START_GUESS
                                                                         : RG_START_NONE;
            const bool is_assigned = is_kept && far == 0;
            const bool is_rounding =
                !is_assigned && !r->is_state[j] && is_nothing(r, state, y[state]);
            r->at.start[k].value[j] = is_rounding ? 0.0 : y[state];
        }
    keep_states(r);
}

/* How many stages there are: positions before velocities. */
static int count_stages(const rg_reset *r)
{
    const rg_problem *p = r->s->p;
    int most = 1;

    if (p->residual != NULL || p->rhs != NULL || !r->s->analysis->is_structural) return 1;
    for (int64_t j = 0; j < p->n; j++)
        if (r->s->analysis->d[j] > most) most = r->s->analysis->d[j];
    return most;
}

/* ---- life ------------------------------------------------------------------------------------ */

rg_status rg_reset_create(const rg_system *s, const double *sizes, rg_reset **out)
{
    rg_context *ctx = s->p->ctx;
    rg_reset *r = rg_alloc(ctx, 1, sizeof *r);

    *out = r;
    if (r == NULL) return RG_ERR_MEMORY;
    r->s = s;
    r->sizes = sizes;
    r->at = *s->p;
    r->study.ctx = ctx;
    r->at.study = &r->study;           /* its warnings are not wanted */
    r->at.native_mode = RG_NATIVE_OFF; /* for few uses */
    r->n_stages = count_stages(r);
    rg_status status = take_data(r);
    if (status == RG_OK) status = rg_consistent_open(&r->at, s->analysis, &r->start);
    if (status != RG_OK) rg_reset_destroy(out);
    return status;
}

void rg_reset_destroy(rg_reset **reset)
{
    rg_reset *r = *reset;

    if (r == NULL) return;
    rg_context *ctx = r->s->p->ctx;
    rg_consistent_close(&r->start);
    for (int k = 0; k < r->at.start_orders; k++) {
        rg_free(ctx, r->at.start[k].kind);
        rg_free(ctx, r->at.start[k].value);
    }
    rg_free(ctx, r->order);
    rg_free(ctx, r->is_state);
    rg_study_clear(&r->study);
    rg_free(ctx, r);
    *reset = NULL;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* ... to the last bit, whatever the repair of kept values does. */
static void put_states(const rg_reset *r, double *y, double *yp)
{
    for (int64_t j = 0; j < r->at.n; j++) {
        if (!r->is_state[j]) continue;
        y[r->s->layout.column[0][j]] = r->at.start[0].value[j];
        yp[r->s->layout.column[0][j]] = 0.0;
    }
}

static rg_status run_stage(rg_reset *r, int e, double t, const uint8_t *kept, double *y, double *yp)
{
    rg_consistent *c = NULL;

    set_data(r, e, y, kept);
    const rg_status status =
        rg_consistent_again(r->start, r->s->analysis, t, e == 1 && kept != NULL, &c);
    if (status == RG_OK) rg_system_start(r->s, c, y, yp);
    if (status == RG_OK) put_states(r, y, yp);
    rg_consistent_destroy(r->s->p->ctx, &c);
    rg_study_clear(&r->study);
    r->study.ctx = r->s->p->ctx;
    return status;
}

/* What a stage has decided. */
static void take_far(const rg_reset *r, int e, const double *z, double *found)
{
    const rg_states *l = &r->s->layout;

    for (int64_t j = 0; j < r->at.n; j++)
        for (int k = 0; k < l->m[j]; k++)
            if (distance(r, j, k) >= e) found[l->column[k][j]] = z[l->column[k][j]];
}

/* There are no consistent values: the message is to name what was assigned, not what stayed. */
static rg_status name_contradiction(rg_reset *r, double t, const uint8_t *kept, const double *y)
{
    rg_context *ctx = r->s->p->ctx;
    const rg_error staged = *rg_last_error(ctx);
    const int n_stages = r->n_stages;
    rg_consistent *c = NULL;

    r->n_stages = 1; /* all that was not assigned moves */
    set_data(r, 1, y, kept);
    r->n_stages = n_stages;
    rg_clear_error(ctx);
    const rg_status status = rg_consistent_again(r->start, r->s->analysis, t, false, &c);
    rg_consistent_destroy(ctx, &c);
    if (status != RG_OK) return status;
    rg_fail(ctx, RG_ERR_INCONSISTENT, "%s", staged.message);
    return rg_remedy(ctx, "%s", staged.remedy);
}

/* Positions move only where constraints on positions make them, whatever the velocities do: if the
 * last stage fails with all of them as they are, one stage follows the other. */
rg_status rg_reset_run(rg_reset *r, double t, const uint8_t *kept, double *y, double *yp)
{
    rg_context *ctx = r->s->p->ctx;
    const int64_t n = r->s->layout.n_states;
    const size_t bytes = (size_t)n * sizeof *y;
    rg_status status = run_stage(r, 1, t, kept, y, yp);

    if (status != RG_ERR_INCONSISTENT || r->n_stages == 1) return status;
    rg_clear_error(ctx);
    double *z = rg_alloc(ctx, 3 * (size_t)n + 1, sizeof *z);
    if (z == NULL) return RG_ERR_MEMORY;
    double *const zp = z + n, *const found = zp + n;
    memcpy(found, y, bytes);
    status = RG_OK;
    for (int e = r->n_stages; e >= 1 && status == RG_OK; e--) {
        memcpy(z, found, bytes);
        status = run_stage(r, e, t, kept, z, zp);
        take_far(r, e, z, found);
    }
    if (status == RG_OK) {
        memcpy(y, z, bytes);
        memcpy(yp, zp, bytes);
    }
    rg_free(ctx, z);
    return status == RG_ERR_INCONSISTENT ? name_contradiction(r, t, kept, y) : status;
}

int64_t rg_reset_changed(rg_reset *r)
{
    return rg_consistent_changed(r->start, r->s->analysis);
}

/* No consistent values there: RG_RETRY, and the log tells why. */
static rg_status soften(const rg_system *s, double t, rg_status status)
{
    rg_context *ctx = s->p->ctx;

    if (status == RG_OK || status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
    rg_log(ctx, 1, "no consistent values at t = %.10g: %s", t, rg_last_error(ctx)->message);
    rg_clear_error(ctx);
    return RG_RETRY;
}

rg_status rg_reset_project(rg_reset *r, double t, double *y, double *yp)
{
    return soften(r->s, t, rg_reset_run(r, t, NULL, y, yp));
}

rg_status rg_system_restart(const rg_system *s, double t, double *y, double *yp)
{
    rg_reset *r = NULL;
    rg_status status = rg_reset_create(s, NULL, &r);

    if (status == RG_OK) status = rg_reset_run(r, t, NULL, y, yp);
    rg_reset_destroy(&r);
    return soften(s, t, status);
}
