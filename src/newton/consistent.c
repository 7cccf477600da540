/* Consistent start values.
 *
 *     min |z_guess - given|   subject to   F_i^(k)(t0, z) = 0, k = 0..c_i,   z_kept = given
 *
 * The equations are all those that hidden constraints can come from (structure/analysis.h), so a
 * solution meets them all. */
#include "newton/consistent.h"

#include "newton/search.h"
#include "newton/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

void rg_consistent_destroy(rg_context *ctx, rg_consistent **consistent)
{
    rg_consistent *c = *consistent;

    if (c == NULL) return;
    for (int r = 0; r < c->n_orders; r++) {
        if (c->value != NULL) rg_free(ctx, c->value[r]);
        if (c->is_computed != NULL) rg_free(ctx, c->is_computed[r]);
    }
    rg_free(ctx, c->value);
    rg_free(ctx, c->is_computed);
    rg_free(ctx, c);
    *consistent = NULL;
}

static rg_status take_memory(rg_context *ctx, int n_orders, int64_t n, rg_consistent **out)
{
    rg_consistent *c = rg_alloc(ctx, 1, sizeof *c);
    bool ok = c != NULL;

    if (ok) {
        c->n_orders = n_orders;
        c->value = rg_alloc(ctx, (size_t)n_orders, sizeof *c->value);
        c->is_computed = rg_alloc(ctx, (size_t)n_orders, sizeof *c->is_computed);
        ok = c->value != NULL && c->is_computed != NULL;
    }
    for (int r = 0; r < n_orders && ok; r++) {
        c->value[r] = rg_alloc(ctx, (size_t)n, sizeof **c->value);
        c->is_computed[r] = rg_alloc(ctx, (size_t)n, sizeof **c->is_computed);
        ok = c->value[r] != NULL && c->is_computed[r] != NULL;
    }
    if (!ok) rg_consistent_destroy(ctx, &c);
    *out = c;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_consistent_given(const rg_problem *p, const rg_analysis *a, rg_consistent **out)
{
    int n_orders = 2;

    for (int64_t j = 0; j < p->n; j++)
        if (a->d[j] + 1 > n_orders) n_orders = a->d[j] + 1;
    RG_TRY(take_memory(p->ctx, n_orders, p->n, out));
    for (int r = 0; r < n_orders; r++)
        for (int64_t j = 0; j < p->n; j++) {
            const bool has_data = r < p->start_orders && p->start[r].kind != NULL;
            const int kind = has_data ? p->start[r].kind[j] : RG_START_NONE;
            (*out)->value[r][j] = kind != RG_START_NONE ? p->start[r].value[j] : 0.0;
            (*out)->is_computed[r][j] = kind == RG_START_NONE;
        }
    return RG_OK;
}

/* Orders above d_j were only needed to check data of theirs, and are left out. */
static rg_status write_result(rg_start_system *s, const rg_analysis *a, rg_consistent **out)
{
    const bool is_callback = s->p->residual != NULL || s->p->rhs != NULL;
    int n_orders = is_callback ? 2 : 1;

    for (int64_t j = 0; j < s->p->n && !is_callback; j++)
        if (a->d[j] + 1 > n_orders) n_orders = a->d[j] + 1;
    RG_TRY(take_memory(s->ctx, n_orders, s->p->n, out));
    rg_consistent *c = *out;
    for (int r = 0; r < n_orders; r++) {
        for (int64_t j = 0; j < s->p->n; j++) {
            const int32_t k =
                r < s->n_orders && (is_callback || r <= a->d[j]) ? s->column[r][j] : -1;
            c->value[r][j] = k >= 0 ? s->z[k] : NAN;
            c->is_computed[r][j] = k >= 0 && s->given[k] == RG_START_NONE;
        }
    }
    c->residual = rg_start_miss(s, NULL);
    return RG_OK;
}

/* Rows that hold kept values alone cannot be helped: no search needed to see a contradiction
 * there. */
static rg_status check_kept_rows(rg_start_system *s)
{
    uint8_t *is_movable = rg_alloc(s->ctx, (size_t)s->n_rows, sizeof *is_movable);
    double miss = 0;

    if (is_movable == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->role[j] == RG_START_KEPT) continue;
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            is_movable[s->pattern->row[k]] = 1;
    }
    rg_status status = rg_start_linearize(s);
    if (status == RG_OK) rg_start_miss(s, NULL);
    for (int64_t i = 0; i < s->n_rows && status == RG_OK; i++)
        if (!is_movable[i] && fabs(s->F[i]) >= DBL_MIN)
            miss = fmax(miss, fabs(s->F[i]) / s->size[i]);
    rg_free(s->ctx, is_movable);
    if (status < 0) return status;
    return status == RG_OK && miss > RG_REPAIR_LIMIT ? rg_report_contradiction(s, miss) : RG_OK;
}

/* A value without data starts at 0, where its column may vanish (x^2) although it matters
 * elsewhere: it starts beside. */
static void leave_zero(rg_start_system *s)
{
    const rg_pattern *pattern = s->pattern;

    for (int64_t j = 0; j < s->n_columns; j++) {
        bool is_zero = pattern->start[j] < pattern->start[j + 1];
        if (s->role[j] != RG_START_NONE || s->place[j] == RG_PLACE_HIGH) continue;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            is_zero = is_zero && s->J[k] == 0;
        if (is_zero) s->z[j] = RG_CONSISTENT_BESIDE_ZERO;
    }
}

/* Values without data that are rounding errors of 0 become 0; F and J are those of the values. */
static rg_status clean(rg_start_system *s)
{
    const rg_pattern *pattern = s->pattern;
    bool is_any = false;

    rg_start_miss(s, NULL); /* fills the sizes */
    for (int64_t j = 0; j < s->n_columns; j++) {
        bool is_noise = s->role[j] == RG_START_NONE && s->z[j] != 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1] && is_noise; k++)
            is_noise = fabs(s->J[k] * s->z[j]) <= RG_CONSISTENT_NOISE * s->size[pattern->row[k]];
        if (is_noise) s->z[j] = 0;
        is_any = is_any || is_noise;
    }
    return is_any ? rg_start_linearize(s) : RG_OK;
}

static rg_status find(rg_start_system *s)
{
    double miss;

    RG_TRY(check_kept_rows(s));
    leave_zero(s);
    const rg_status status = rg_search(s, &miss);
    if (status == (rg_status)RG_RETRY) {
        bool is_rounding;
        RG_TRY(rg_repair_kept(s, &is_rounding));
        if (!is_rounding) return rg_report_contradiction(s, miss);
    } else if (status != RG_OK) {
        return status;
    }
    RG_TRY(rg_start_fix_free(s));
    RG_TRY(rg_start_linearize(s));
    miss = rg_start_miss(s, NULL);
    if (miss > RG_MISS_ROUNDING) {
        RG_TRY(rg_repair_kept(s, NULL));
        RG_TRY(rg_start_linearize(s));
    }
    RG_TRY(clean(s));
    RG_TRY(rg_warn_moved(s));
    rg_log(s->ctx, 2, "start values: found, %lld unknowns, %lld equations, miss %.2g",
           (long long)s->n_columns, (long long)s->n_rows, rg_start_miss(s, NULL));
    return RG_OK;
}

/* ---- again and again ------------------------------------------------------------------------- */

rg_status rg_consistent_open(const rg_problem *p, const rg_analysis *a, rg_start_system **out)
{
    return rg_start_system_create(p, a, p->a, out);
}

void rg_consistent_close(rg_start_system **s)
{
    rg_start_system_destroy(s);
}

/* At a solution: once more with the velocities that impulses give, and back to it if that does not
 * work. */
static rg_status jump(rg_start_system *s, const rg_analysis *a)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *s->z;
    rg_status status = rg_start_impulse(s, a);

    if (status != RG_OK) return status == (rg_status)RG_RETRY ? RG_OK : status;
    double *before = rg_alloc(s->ctx, (size_t)s->n_columns + 1, sizeof *before);
    if (before == NULL) return RG_ERR_MEMORY;
    memcpy(before, s->z, bytes);
    for (int64_t j = 0; j < s->n_columns; j++) {
        s->role[j] = s->given[j];
        if (s->given[j] != RG_START_NONE) s->z[j] = s->given_value[j];
    }
    status = find(s);
    if (status != RG_OK && status != RG_ERR_MEMORY && status != RG_ERR_INTERRUPTED) {
        rg_clear_error(s->ctx);
        memcpy(s->z, before, bytes);
        status = rg_start_linearize(s);
    }
    rg_free(s->ctx, before);
    return status;
}

rg_status rg_consistent_again(rg_start_system *s, const rg_analysis *a, double t, bool has_impulses,
                              rg_consistent **out)
{
    *out = NULL;
    RG_TRY(rg_start_system_reload(s, a, t));
    rg_status status = rg_start_quick(s);
    if (status == RG_OK) { /* all that was given has stayed: no velocity jumps */
        has_impulses = false;
        status = clean(s);
    } else if (status == (rg_status)RG_RETRY) {
        RG_TRY(rg_start_system_reload(s, a, t));
        status = find(s);
    }
    if (status == RG_OK && has_impulses) status = jump(s, a);
    if (status == (rg_status)RG_RETRY) status = rg_report_contradiction(s, INFINITY);
    return status == RG_OK ? write_result(s, a, out) : status;
}

int64_t rg_consistent_changed(rg_start_system *s, const rg_analysis *a)
{
    return rg_start_changed(s, a);
}

/* ---- at the start ---------------------------------------------------------------------------- */

static rg_status create(const rg_problem *p, const rg_analysis *a, double t0, rg_consistent **out)
{
    rg_start_system *s = NULL;

    rg_status status = rg_start_system_create(p, a, t0, &s);
    if (status == RG_OK) status = find(s);
    if (status == RG_RETRY) /* a solution was found, so F can be evaluated: not expected */
        status = rg_report_contradiction(s, INFINITY);
    if (status == RG_OK) status = write_result(s, a, out);
    rg_start_system_destroy(&s);
    return status;
}

/* The problem with its start conditions as further equations behind its own. */
static rg_status create_with_conditions(const rg_problem *p, const rg_analysis *a, double t0,
                                        rg_consistent **out)
{
    rg_problem all = *p;
    const int n = p->n_blocks + p->n_conditions;

    all.blocks = rg_alloc(p->ctx, (size_t)n, sizeof *all.blocks);
    if (all.blocks == NULL) return RG_ERR_MEMORY;
    memcpy(all.blocks, p->blocks, (size_t)p->n_blocks * sizeof *all.blocks);
    for (int k = 0; k < p->n_conditions; k++) {
        const rg_body *body = p->conditions[k].body;
        all.blocks[all.n_blocks] = p->conditions[k];
        all.blocks[all.n_blocks++].first_row = all.n_rows;
        all.n_rows += body->count * body->n_outputs;
    }
    const rg_status status = create(&all, a, t0, out);
    rg_free(p->ctx, all.blocks);
    return status;
}

rg_status rg_consistent_create(const rg_problem *p, const rg_analysis *a, double t0,
                               rg_consistent **out)
{
    *out = NULL;
    if (p->has_start_conditions && t0 == p->a) return create_with_conditions(p, a, t0, out);
    return create(p, a, t0, out);
}

const rg_consistent *rg_start_known(const rg_problem *p)
{
    return p->study->consistent;
}

static rg_status refuse_boundary(const rg_problem *p)
{
    rg_fail(
        p->ctx, RG_ERR_METHOD,
        "a boundary value problem has no start values of its own, and cannot be stepped through");
    if (p->n_conditions > 0) rg_fail_at(p->ctx, p->source, p->conditions[0].spans[0]);
    return rg_remedy(p->ctx, "solve it as a whole: 'regula solve', rg_solve()");
}

rg_status rg_start_get(const rg_problem *p, const rg_analysis *a, const rg_consistent **out)
{
    if (p->is_boundary) return refuse_boundary(p);
    rg_study *s = p->study;
    if (s->consistent == NULL) {
        RG_TRY(rg_consistent_create(p, a, p->a, &s->consistent));
        s->consistent_destroy = rg_consistent_destroy;
    }
    *out = s->consistent;
    return RG_OK;
}
