/* Reads what is to be swept, and tells the values of every run. */
#include "solve/sweep_plan.h"

#include "base/text.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rg_sweep_plan_clear(rg_sweep_plan *plan)
{
    for (int k = 0; k < plan->n_lists; k++) {
        rg_free(plan->ctx, plan->lists[k].name);
        rg_free(plan->ctx, plan->lists[k].variable);
        rg_free(plan->ctx, plan->lists[k].values);
    }
    if (plan->ctx != NULL) rg_free(plan->ctx, plan->lists);
    if (plan->ctx != NULL) rg_free(plan->ctx, plan->counts);
    *plan = (rg_sweep_plan){0};
}

/* ---- names ----------------------------------------------------------------------------------- */

/* start(x), start(u[3]), start(x'): an unknown and how often it is differentiated. */
static rg_status find_start(const rg_problem *p, rg_sweep_list *list)
{
    const char *open = list->name + strlen("start("), *close = strrchr(open, ')');

    if (p->form != NULL || p->is_boundary) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "'%s' cannot be swept: the model has %s", list->name,
                p->form != NULL ? "fields" : "boundary conditions");
        return rg_remedy(p->ctx, "write the value as a parameter of the model, and sweep that");
    }
    if (close == NULL) close = open + strlen(open);
    while (close > open && close[-1] == '\'') {
        close--;
        list->order++;
    }
    list->variable = rg_copy_text(p->ctx, open, (size_t)(close - open));
    if (list->variable == NULL) return RG_ERR_MEMORY;
    if (rg_problem_find(p, list->variable) >= 0 && list->order <= RG_MAX_ORDER) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "'%s': the model has no unknown '%s'", list->name,
            list->variable);
    return rg_remedy(p->ctx, "'regula check' lists the unknowns");
}

static rg_status add_list(const rg_problem *p, rg_sweep_plan *plan, const char *name, size_t length,
                          rg_sweep_list **out)
{
    char *copy = rg_copy_text(p->ctx, name, length);

    *out = NULL;
    if (copy == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < plan->n_lists; k++)
        if (strcmp(plan->lists[k].name, copy) == 0) {
            rg_fail(p->ctx, RG_ERR_ARGUMENT, "'%s' is swept twice", copy);
            rg_free(p->ctx, copy);
            return rg_remedy(p->ctx, "give all its values in one --over");
        }
    if (rg_grow(p->ctx, &plan->lists, plan->n_lists, &plan->capacity, sizeof *plan->lists)
        != RG_OK) {
        rg_free(p->ctx, copy);
        return RG_ERR_MEMORY;
    }
    rg_sweep_list *list = *out = &plan->lists[plan->n_lists++];
    *list = (rg_sweep_list){.name = copy};
    if (strncmp(copy, "start(", 6) == 0) return find_start(p, list);
    if (rg_problem_find(p, copy) < 0) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "'%s' is an unknown of the model, no parameter", copy);
    return rg_remedy(p->ctx, "write 'start(%s)' to sweep its start value", copy);
}

static rg_status add_factor(rg_sweep_plan *plan, int64_t count, int *out)
{
    RG_TRY(rg_grow(plan->ctx, &plan->counts, plan->n_factors, &plan->factor_capacity,
                   sizeof *plan->counts));
    *out = plan->n_factors;
    plan->counts[plan->n_factors++] = count;
    return RG_OK;
}

/* ---- NAME=SPEC ------------------------------------------------------------------------------- */

/* Random numbers of several parameters are drawn together: one factor. */
static rg_status join_random(rg_sweep_plan *plan, rg_sweep_list *list)
{
    if (plan->random_factor < 0) {
        RG_TRY(add_factor(plan, list->count, &plan->random_factor));
    } else if (plan->counts[plan->random_factor] != list->count) {
        rg_fail(plan->ctx, RG_ERR_ARGUMENT,
                "random values are drawn together: %lld of '%s', and %lld of another parameter",
                (long long)list->count, list->name, (long long)plan->counts[plan->random_factor]);
        return rg_remedy(plan->ctx, "give the same number of values to all of them");
    }
    list->factor = plan->random_factor;
    return RG_OK;
}

static rg_status read_spec(const rg_problem *p, rg_sweep_plan *plan, const char *text, int *stream)
{
    const char *equal = strchr(text, '=');
    rg_sweep_list *list;
    bool is_random;

    if (equal == NULL || equal == text || equal[1] == '\0') {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "'--over %.200s' is not of the form NAME=VALUES", text);
        return rg_remedy(p->ctx, "write --over l=1,2,3 or --over l=0.5..2:16 or --over @FILE.csv");
    }
    RG_TRY(add_list(p, plan, text, (size_t)(equal - text), &list));
    RG_TRY(rg_sweep_values(p->ctx, list->name, equal + 1, plan->seed, *stream, &list->count,
                           &list->values, &is_random));
    if (!is_random) return add_factor(plan, list->count, &list->factor);
    ++*stream;
    return join_random(plan, list);
}

/* ---- @FILE.csv ------------------------------------------------------------------------------- */

static rg_status fail_line(rg_context *ctx, const char *path, int64_t line, const char *what)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "%s:%lld: %s", path, (long long)line, what);
    return rg_remedy(ctx, "give a header line with names of parameters, and numbers below");
}

static rg_status fail_field(rg_context *ctx, const char *path, int64_t line, const char *text)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "%s:%lld: '%s' is not a number", path, (long long)line, text);
    return rg_remedy(ctx, "write a number there, like -0.5 or 1e-3");
}

static rg_status fail_separator(rg_context *ctx, const char *path)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "%s:1: ';' is between the names", path);
    return rg_remedy(ctx, "separate names and numbers by commas, with decimal points");
}

static rg_status read_line(rg_sweep_plan *plan, int first, int factor, const char *path,
                           int64_t line, const char *at, const char *end)
{
    char text[64];

    for (int k = first; k < plan->n_lists; k++) {
        rg_sweep_list *list = &plan->lists[k];
        if (at == NULL) return fail_line(plan->ctx, path, line, "a number is missing");
        at = rg_text_field(at, end, ',', text, sizeof text);
        if (!rg_parse_real(text, &list->values[plan->counts[factor]]))
            return fail_field(plan->ctx, path, line, text);
    }
    if (at != NULL)
        return fail_line(plan->ctx, path, line, "there are more numbers than names in the header");
    plan->counts[factor]++;
    return RG_OK;
}

static rg_status read_header(const rg_problem *p, rg_sweep_plan *plan, const rg_source *source)
{
    const char *at = source->text, *end = at + strcspn(at, "\n");
    char name[256];
    rg_sweep_list *list;

    while (at != NULL) {
        at = rg_text_field(at, end, ',', name, sizeof name);
        if (name[0] == '\0') return fail_line(p->ctx, source->name, 1, "a name is missing");
        if (strchr(name, ';') != NULL) return fail_separator(p->ctx, source->name);
        RG_TRY(add_list(p, plan, name, strlen(name), &list));
        list->values = rg_alloc(p->ctx, (size_t)source->n_lines + 1, sizeof *list->values);
        if (list->values == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static rg_status read_table(const rg_problem *p, rg_sweep_plan *plan, const rg_source *source)
{
    const int first = plan->n_lists;
    int factor;

    RG_TRY(read_header(p, plan, source));
    RG_TRY(add_factor(plan, 0, &factor));
    const char *at = strchr(source->text, '\n');
    for (int64_t line = 2; at != NULL && at[1] != '\0'; line++) {
        const char *from = at + 1, *end = from + strcspn(from, "\n");
        if (end > from && !(end == from + 1 && *from == '\r'))
            RG_TRY(read_line(plan, first, factor, source->name, line, from, end));
        at = *end != '\0' ? end : NULL;
    }
    if (plan->counts[factor] == 0) return fail_line(p->ctx, source->name, 2, "there are no values");
    for (int k = first; k < plan->n_lists; k++) {
        plan->lists[k].factor = factor;
        plan->lists[k].count = plan->counts[factor];
    }
    return RG_OK;
}

static rg_status read_file(const rg_problem *p, rg_sweep_plan *plan, const char *path)
{
    rg_source *source = NULL;

    const rg_status read = rg_source_read_table(p->ctx, path, &source);
    if (read == RG_ERR_IO) { /* a wrong option, not a failure of a run */
        const rg_error error = *rg_last_error(p->ctx);
        rg_clear_error(p->ctx);
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "--over: %s", error.message);
        return rg_remedy(p->ctx, "%s", error.remedy);
    }
    if (read != RG_OK) return read;
    const rg_status status = read_table(p, plan, source);
    rg_source_destroy(p->ctx, &source);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* --zip: first values with first values, and so on: one factor. */
static rg_status zip(rg_sweep_plan *plan)
{
    for (int k = 1; k < plan->n_lists; k++) {
        if (plan->lists[k].count == plan->lists[0].count) continue;
        rg_fail(plan->ctx, RG_ERR_ARGUMENT, "--zip pairs %lld values of '%s' with %lld of '%s'",
                (long long)plan->lists[0].count, plan->lists[0].name,
                (long long)plan->lists[k].count, plan->lists[k].name);
        return rg_remedy(plan->ctx, "give as many values of each, or leave --zip out for all "
                                    "combinations");
    }
    for (int k = 0; k < plan->n_lists; k++)
        plan->lists[k].factor = 0;
    plan->n_factors = 1;
    return RG_OK;
}

static rg_status count_runs(rg_sweep_plan *plan)
{
    double runs = 1.0;

    for (int k = 0; k < plan->n_factors; k++)
        runs *= (double)plan->counts[k];
    if (runs > RG_SWEEP_RUNS) {
        rg_fail(plan->ctx, RG_ERR_ARGUMENT, "the sweep has %.3g runs, more than 1e9", runs);
        return rg_remedy(plan->ctx, "give fewer values, or pair them with --zip");
    }
    plan->runs = (int64_t)runs;
    return RG_OK;
}

static rg_status take_task(rg_sweep_plan *plan, const rg_sweep *s)
{
    plan->task = s->n_tasks == 0 ? 1 : s->task;
    plan->n_tasks = s->n_tasks == 0 ? 1 : s->n_tasks;
    if (plan->n_tasks >= 1 && plan->task >= 1 && plan->task <= plan->n_tasks) return RG_OK;
    rg_fail(plan->ctx, RG_ERR_ARGUMENT, "there is no task %lld of %lld", (long long)s->task,
            (long long)s->n_tasks);
    return rg_remedy(plan->ctx, "tasks are numbered from 1: --task 1/4 ... --task 4/4");
}

rg_status rg_sweep_plan_read(const rg_problem *p, const rg_sweep *s, rg_sweep_plan *plan)
{
    int stream = 0;

    *plan = (rg_sweep_plan){.ctx = p->ctx, .random_factor = -1, .seed = s->seed != 0 ? s->seed : 1};
    if (s->n_over <= 0) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "nothing is swept");
        return rg_remedy(p->ctx, "say what varies, as in --over l=1,2,3");
    }
    for (int k = 0; k < s->n_over; k++) {
        const char *text = s->over[k];
        RG_TRY(text[0] == '@' ? read_file(p, plan, text + 1) : read_spec(p, plan, text, &stream));
    }
    if (s->zip) RG_TRY(zip(plan));
    RG_TRY(count_runs(plan));
    return take_task(plan, s);
}

int64_t rg_sweep_plan_count(const rg_sweep_plan *plan)
{
    return plan->task > plan->runs ? 0 : (plan->runs - plan->task) / plan->n_tasks + 1;
}

int64_t rg_sweep_plan_run(const rg_sweep_plan *plan, int64_t k)
{
    return plan->task + k * plan->n_tasks;
}

void rg_sweep_plan_values(const rg_sweep_plan *plan, int64_t run, double *values)
{
    int64_t rest = run - 1;

    for (int f = plan->n_factors - 1; f >= 0; f--) {
        const int64_t place = rest % plan->counts[f];
        rest /= plan->counts[f];
        for (int k = 0; k < plan->n_lists; k++)
            if (plan->lists[k].factor == f) values[k] = plan->lists[k].values[place];
    }
}
