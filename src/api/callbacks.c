/* Problems whose equations are functions of the caller, and what can be stated about them. */
#include "api/entry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_status refuse(rg_problem *p, const char *what, const char *remedy)
{
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "%s", what);
    return rg_remedy(p->ctx, "%s", remedy);
}

static rg_status check_size(rg_context *ctx, int64_t n)
{
    if (n > 0 && n <= INT32_MAX) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "a problem has 1 to %d unknowns, not %lld", INT32_MAX,
            (long long)n);
    return rg_remedy(ctx, "check the size");
}

static rg_status create_empty(rg_context *ctx, int64_t n, void *user, rg_problem **out)
{
    rg_problem *p = rg_alloc(ctx, 1, sizeof *p);

    if (p == NULL) return RG_ERR_MEMORY;
    p->ctx = ctx;
    p->n = p->n_rows = n;
    p->max_order = 1;
    p->b = 1;
    p->user = user;
    *out = p;
    const rg_status status = rg_study_create(ctx, &p->study);
    if (status != RG_OK) rg_problem_destroy(out);
    return status;
}

rg_status rg_problem_create(rg_context *ctx, int64_t n, rg_residual_fn *F, void *user,
                            rg_problem **out)
{
    RG_TRY(rg_enter(ctx, F != NULL && out != NULL, "rg_problem_create"));
    *out = NULL;
    RG_TRY(check_size(ctx, n));
    RG_TRY(create_empty(ctx, n, user, out));
    (*out)->residual = F;
    return RG_OK;
}

static rg_status copy_mass(rg_problem *p, const double *M)
{
    const size_t n = (size_t)p->n;

    p->mass = rg_alloc(p->ctx, n, n * sizeof *p->mass);
    if (p->mass == NULL) return RG_ERR_MEMORY;
    memcpy(p->mass, M, n * n * sizeof *M);
    return RG_OK;
}

rg_status rg_problem_create_mass(rg_context *ctx, int64_t n, const double *M, rg_rhs_fn *f,
                                 void *user, rg_problem **out)
{
    RG_TRY(rg_enter(ctx, f != NULL && out != NULL, "rg_problem_create_mass"));
    *out = NULL;
    RG_TRY(check_size(ctx, n));
    RG_TRY(create_empty(ctx, n, user, out));
    (*out)->rhs = f;
    const rg_status status = M != NULL ? copy_mass(*out, M) : RG_OK;
    if (status != RG_OK) rg_problem_destroy(out);
    return status;
}

static rg_status check_callbacks(rg_problem *p, bool has_all, const char *function)
{
    RG_TRY(rg_enter_change(p, has_all, function));
    if (p->residual != NULL || p->rhs != NULL) return RG_OK;
    return refuse(p, "this problem comes from a model text, which has its own derivatives",
                  "use this call for problems from rg_problem_create()");
}

rg_status rg_problem_set_jacobian(rg_problem *p, rg_jacobian_fn *J)
{
    RG_TRY(check_callbacks(p, true, "rg_problem_set_jacobian"));
    rg_problem_forget(p);
    p->jacobian = J; /* NULL: difference quotients again */
    return RG_OK;
}

/* Names, for messages and JSON: "event 0", ... */
static rg_status create_events(rg_context *ctx, int n, rg_event **out)
{
    rg_event *events = rg_alloc(ctx, (size_t)n + 1, sizeof *events);
    char name[32];
    bool ok = events != NULL;

    for (int k = 0; k < n && ok; k++) {
        const int length = snprintf(name, sizeof name, "event %d", k);
        events[k].name = rg_copy_text(ctx, name, (size_t)length);
        ok = events[k].name != NULL;
    }
    *out = events;
    if (ok) return RG_OK;
    if (events != NULL) rg_events_clear(ctx, events, n);
    return RG_ERR_MEMORY;
}

rg_status rg_problem_set_event(rg_problem *p, int n, rg_event_fn *g, rg_reset_fn *reset)
{
    rg_event *events = NULL;

    RG_TRY(check_callbacks(p, n == 0 || g != NULL, "rg_problem_set_event"));
    if (n < 0) return refuse(p, "the number of events is negative", "give 0 for none");
    RG_TRY(create_events(p->ctx, n, &events));
    rg_problem_forget(p);
    rg_events_clear(p->ctx, p->events, p->n_events);
    p->events = events;
    p->n_events = n;
    p->event = n > 0 ? g : NULL;
    p->reset = reset;
    return RG_OK;
}

static bool is_pattern(int64_t n, const int64_t *start, const int64_t *row)
{
    if (start[0] != 0) return false;
    for (int64_t j = 0; j < n; j++) {
        if (start[j + 1] < start[j]) return false;
        for (int64_t k = start[j]; k < start[j + 1]; k++) {
            if (row[k] < 0 || row[k] >= n) return false;
            if (k > start[j] && row[k] <= row[k - 1]) return false;
        }
    }
    return true;
}

static void *copy_array(rg_context *ctx, const void *from, size_t count, size_t size)
{
    void *copy = rg_alloc(ctx, count, size);

    if (copy != NULL && count > 0) memcpy(copy, from, count * size);
    return copy;
}

rg_status rg_problem_set_pattern(rg_problem *p, const int64_t *start, const int64_t *row)
{
    RG_TRY(check_callbacks(p, start != NULL && row != NULL, "rg_problem_set_pattern"));
    if (!is_pattern(p->n, start, row))
        return refuse(p, "the pattern is not in compressed columns with ascending rows",
                      "start[0] = 0, start[j] <= start[j+1], rows from 0 to n-1, ascending");
    int64_t *new_start = copy_array(p->ctx, start, (size_t)p->n + 1, sizeof *start);
    int64_t *new_row = copy_array(p->ctx, row, (size_t)start[p->n], sizeof *row);
    if (new_start == NULL || new_row == NULL) {
        rg_free(p->ctx, new_start);
        rg_free(p->ctx, new_row);
        return RG_ERR_MEMORY;
    }
    rg_problem_forget(p);
    rg_free(p->ctx, p->pattern_start);
    rg_free(p->ctx, p->pattern_row);
    p->pattern_start = new_start;
    p->pattern_row = new_row;
    return RG_OK;
}

rg_status rg_problem_set_indices(rg_problem *p, const int *index)
{
    RG_TRY(check_callbacks(p, index != NULL, "rg_problem_set_indices"));
    for (int64_t j = 0; index != NULL && j < p->n; j++)
        if (index[j] < 1 || index[j] > 3) index = NULL;
    if (index == NULL)
        return refuse(
            p, "the indices are not all 1, 2 or 3",
            "give 1 to differential unknowns, 2 or 3 to those that hidden constraints fix");
    int *copy = copy_array(p->ctx, index, (size_t)p->n, sizeof *index);
    if (copy == NULL) return RG_ERR_MEMORY;
    rg_problem_forget(p);
    rg_free(p->ctx, p->given_index);
    p->given_index = copy;
    return RG_OK;
}

/* NaN: nothing is known.  values NULL: of no unknown. */
static rg_status make_start(const rg_problem *p, const double *values, uint8_t kind, rg_start *out)
{
    out->kind = rg_alloc(p->ctx, (size_t)p->n, sizeof *out->kind);
    out->value = rg_alloc(p->ctx, (size_t)p->n, sizeof *out->value);
    if (out->kind == NULL || out->value == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; values != NULL && j < p->n; j++) {
        out->kind[j] = isnan(values[j]) ? RG_START_NONE : kind;
        out->value[j] = isnan(values[j]) ? 0 : values[j];
    }
    return RG_OK;
}

static void swap_start(rg_start *a, rg_start *b)
{
    const rg_start old = *a;

    *a = *b;
    *b = old;
}

static void free_start(const rg_problem *p, rg_start *start)
{
    rg_free(p->ctx, start->kind);
    rg_free(p->ctx, start->value);
    rg_free(p->ctx, start->place);
}

rg_status rg_problem_set_initial(rg_problem *p, double t0, const double *y, const double *yp)
{
    rg_start start[2] = {
        {NULL, NULL, NULL},
        {NULL, NULL, NULL}
    };

    RG_TRY(rg_enter_change(p, y != NULL, "rg_problem_set_initial"));
    if (!isfinite(t0))
        return refuse(p, "the start time is not a finite number", "give a finite t0");
    rg_status status = make_start(p, y, RG_START_KEPT, &start[0]);
    if (status == RG_OK) status = make_start(p, yp, RG_START_GUESS, &start[1]);
    if (status == RG_OK) {
        rg_problem_forget(p);
        for (int r = 0; r < 2; r++)
            swap_start(&p->start[r], &start[r]);
        if (p->start_orders < 2) p->start_orders = 2;
        if (p->b == t0) p->b = t0 + 1;
        p->a = t0;
    }
    for (int r = 0; r < 2; r++)
        free_start(p, &start[r]);
    return status;
}
