/* The same problem by several methods, side by side.
 *
 * Every method solves the problem, with initial or with boundary values.  Errors are against
 * the exact solution of the model, or against a run with a tight tolerance (of radau; of
 * collocation or the transfer for boundary values), over 101 times; drift over the accepted
 * steps.  A table (compare_table.c) is made of the same runs, with all their steps. */
#include "pdae/mesh/ranks.h"
#include "solve/compare_table.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char REFERENCE_TOL[] = "1e-11";

typedef struct {
    const rg_problem *problem;
    rg_comparison *result;
    rg_solution *reference; /* NULL: the model has an exact solution, or none could be had */
    bool is_known;          /* ... which of these */
    rg_options *options;    /* of every row */
    double times[RG_COMPARE_POINTS], *y, *other;
    const rg_compare_request *table;    /* NULL: none */
    rg_compare_view *view;              /* of the table; NULL: the model has no constraints apart */
    double few[RG_COMPARE_GRID_POINTS]; /* fields on grids: output times do not shorten steps */
} job;

static int count_items(const char *list)
{
    int count = 0;

    for (; *list != '\0'; list += strcspn(list, ","), list += *list == ',')
        count += *list != ',';
    return count;
}

static rg_status fail_list(rg_context *ctx, const char *remedy, const char *format,
                           const char *word)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, format, word);
    return rg_remedy(ctx, "%s", remedy);
}

/* "srm:eps=1e-3:iterations=3" over the options of all rows. */
static rg_status read_item(const job *j, const char *text, rg_options *o)
{
    rg_context *ctx = j->problem->ctx;
    char copy[sizeof((rg_compare_row *)0)->text], *rest = copy;

    snprintf(copy, sizeof copy, "%s", text);
    const char *method = strtok_r(rest, ":", &rest);
    if (method == NULL) method = "";
    RG_TRY(rg_options_assign(ctx, o, "method", method));
    for (char *word; (word = strtok_r(rest, ":", &rest)) != NULL;) {
        char *value = strchr(word, '=');
        if (value == NULL)
            return fail_list(ctx, "write METHOD:NAME=VALUE, as in srm:eps=1e-3",
                             "'%s' in --methods is not of the form NAME=VALUE", word);
        *value = '\0';
        RG_TRY(rg_options_assign(ctx, o, word, value + 1));
    }
    return RG_OK;
}

/* Texts and options of all rows, before the first of them runs. */
static rg_status read_list(job *j, const rg_options *given, const char *list)
{
    rg_context *ctx = j->problem->ctx;
    rg_options model = rg_options_default();
    int k = 0;

    RG_TRY(rg_problem_options(j->problem, &model));
    for (; *list != '\0'; list += *list == ',') {
        const size_t length = strcspn(list, ",");
        rg_compare_row *row = &j->result->row[k];
        if (length >= sizeof row->text)
            return fail_list(ctx, "give each method a few options",
                             "--methods has too much in one place: '%.40s...'", list);
        if (length > 0) {
            memcpy(row->text, list, length);
            j->options[k] = given != NULL ? *given : model;
            RG_TRY(read_item(j, row->text, &j->options[k++]));
        }
        list += length;
    }
    return RG_OK;
}

static void take_largest(double value, double *largest)
{
    if (isfinite(value) && !(value <= *largest)) *largest = value;
}

/* Largest difference to the reference over the times, per unknown. */
static void compare_reference(const job *j, const rg_solution *s, double *errors)
{
    for (int k = 0; k < RG_COMPARE_POINTS; k++) {
        if (rg_solution_eval(s, j->times[k], j->y, NULL) < 0
            || rg_solution_eval(j->reference, j->times[k], j->other, NULL) < 0)
            continue;
        for (int64_t i = 0; i < j->problem->n; i++)
            take_largest(fabs(j->y[i] - j->other[i]), &errors[i]);
    }
}

/* Fields on grids: against their exact solutions over the output times, each error at the first
 * value of its field; or against the fields of the reference at the end. */
static void take_field_errors(const job *j, const rg_solution *s, double *errors)
{
    const rg_problem *p = j->problem;

    for (int k = 0; k < s->grid->n_errors; k++) {
        const size_t length = strlen(s->grid->error[k].name);
        int f = 0;
        while (f < p->n_families
               && strncmp(p->families[f].name, s->grid->error[k].name, length) != 0)
            f++;
        if (f < p->n_families) errors[p->families[f].first] = s->grid->error[k].largest;
    }
    for (int64_t i = 0; j->reference != NULL && i < p->n; i++)
        errors[i] = fabs(s->unknown[i] - j->reference->unknown[i]);
}

static void take_result(const job *j, const rg_solution *s, rg_compare_row *row, double *errors)
{
    const int levels = rg_solution_drift_levels(s);

    row->t = rg_solution_end(s);
    row->stats = rg_solution_stats(s);
    snprintf(row->method, sizeof row->method, "%s", rg_solution_method(s));
    row->n_levels = levels < RG_COMPARE_LEVELS ? levels : RG_COMPARE_LEVELS;
    for (int k = 0; k < row->n_levels; k++)
        row->drift[k] = rg_solution_drift(s, k);
    if (row->status < 0) return; /* errors of a part of the way say nothing beside whole ones */
    const bool is_grid = s->unknown != NULL;
    if (is_grid) take_field_errors(j, s, errors);
    for (int64_t i = 0; !is_grid && rg_solution_has_exact(s) && i < j->problem->n; i++)
        errors[i] = rg_solution_error(s, i);
    if (!is_grid && j->reference != NULL) compare_reference(j, s, errors);
    for (int64_t i = 0; i < j->problem->n; i++) {
        const double before = row->error;
        take_largest(errors[i], &row->error);
        if (row->error > before || (isnan(before) && !isnan(row->error))) row->worst = i;
    }
}

/* Failures that are not those of a method. */
static bool is_end(rg_status status)
{
    return status == RG_ERR_INTERRUPTED || status == RG_ERR_MEMORY;
}

static rg_status run_reference(job *j, const char *option, const char *value)
{
    rg_context *ctx = j->problem->ctx;
    rg_options o = rg_options_default();
    const rg_request request = {.keep = j->table != NULL ? RG_KEEP_STEPS : RG_KEEP_ROWS,
                                .n_times = j->table != NULL ? 0 : RG_COMPARE_POINTS,
                                .times = j->times};

    RG_TRY(rg_options_assign(ctx, &o, "tol", REFERENCE_TOL));
    RG_TRY(rg_options_assign(ctx, &o, option, value));
    RG_TRY(rg_options_assign(ctx, &o, "newton", "full"));
    const rg_status status =
        rg_solve_request(j->problem, j->times[RG_COMPARE_POINTS - 1], &o, &request, &j->reference);
    if (status < 0)
        rg_solution_destroy(&j->reference);
    else
        snprintf(j->result->against, sizeof j->result->against, "%s",
                 rg_solution_method(j->reference));
    return status;
}

/* Fields on grids: the same equations on the same grid, exactly in time; expanded where that is
 * possible. */
static rg_status run_grid_reference(job *j)
{
    rg_context *ctx = j->problem->ctx;
    const double t_end = j->times[RG_COMPARE_POINTS - 1];
    static const struct {
        const char *method, *tol;
    } ways[] = {
        {"radau", "1e-8"},
        {"srm",   "1e-8"}
    };
    rg_status status = RG_OK;

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        rg_options o = j->options[0];
        const rg_request request = {.keep = RG_KEEP_LAST};
        RG_TRY(rg_options_assign(ctx, &o, "method", ways[k].method));
        RG_TRY(rg_options_assign(ctx, &o, "scheme", "auto"));
        RG_TRY(rg_options_assign(ctx, &o, "tol", ways[k].tol));
        o.step = 0.0;
        status = rg_solve_request(j->problem, t_end, &o, &request, &j->reference);
        if (status >= 0) break;
        rg_solution_destroy(&j->reference);
        if (is_end(status)) return status;
    }
    if (status >= 0)
        snprintf(j->result->against, sizeof j->result->against, "%s",
                 rg_solution_method(j->reference));
    return RG_OK;
}

/* Once something has been solved, a reference is worth its time.  Of the forms of radau, the
 * projected one of index 1 is the most accurate between its steps; not every model has it. */
static rg_status know_reference(job *j, const rg_solution *s)
{
    const bool is_boundary = j->problem->is_boundary;

    if (j->is_known) return RG_OK;
    j->is_known = true;
    if (rg_solution_has_exact(s)) {
        snprintf(j->result->against, sizeof j->result->against, "exact");
        return RG_OK;
    }
    if (s->unknown != NULL) {
        if (s->grid->n_errors == 0) return run_grid_reference(j);
        snprintf(j->result->against, sizeof j->result->against, "exact");
        return RG_OK;
    }
    const char *const option = is_boundary ? "method" : "formulation";
    rg_status status = run_reference(j, option, is_boundary ? "collocation" : "projected");
    if (status < 0 && !is_end(status))
        status = run_reference(j, option, is_boundary ? "transfer" : "auto");
    return is_end(status) ? status : RG_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static rg_status add_points(job *j, const rg_compare_spot *spot)
{
    rg_comparison *c = j->result;
    const int64_t count = j->table->n_times > 0 ? j->table->n_times : 1;

    for (int64_t k = 0; k < count; k++) {
        RG_TRY(rg_grow(c->ctx, &c->points, c->n_points, &c->point_capacity, sizeof *c->points));
        rg_compare_point *to = &c->points[c->n_points];
        RG_TRY(j->table->n_times > 0 ? rg_compare_measure(j->view, spot, j->table->times[k], to)
                                     : rg_compare_measure_all(j->view, spot, to));
        c->n_points++;
    }
    return RG_OK;
}

/* Iterate s is the last one of a run with s of them: later ones do not change it where the step is
 * fixed.  The run with all of them comes last. */
static rg_status add_iterates(job *j, const rg_compare_spot *all)
{
    const rg_request request = {.keep = RG_KEEP_STEPS};
    rg_options o = j->options[all->row];
    rg_status status = RG_OK;

    for (int s = 1; s < all->solution->iterations && status == RG_OK; s++) {
        rg_solution *one = NULL;
        o.iterations = s;
        const rg_status ran =
            rg_solve_request(j->problem, j->times[RG_COMPARE_POINTS - 1], &o, &request, &one);
        const rg_compare_spot spot = {all->row, s, one, all->reference, all->is_fixed};
        if (is_end(ran)) status = ran;
        if (status == RG_OK && one != NULL) status = add_points(j, &spot);
        rg_solution_destroy(&one);
    }
    return status;
}

static rg_status add_to_table(job *j, int k, const rg_solution *s)
{
    const bool is_shown = j->table->show_iterates && s->iterations > 0;
    const rg_compare_spot spot = {k, is_shown ? s->iterations : 0, s, j->reference,
                                  j->options[k].step > 0.0};

    if (is_shown) RG_TRY(add_iterates(j, &spot));
    return add_points(j, &spot);
}

/* A failure is a row of its own, unless it ends the comparison. */
static rg_status run_row(job *j, int k)
{
    rg_compare_row *row = &j->result->row[k];
    rg_solution *s = NULL;
    const bool is_grid = rg_problem_has_fields(j->problem), is_table = j->table != NULL;
    const rg_request request = {.keep = is_table ? RG_KEEP_STEPS : RG_KEEP_ROWS,
                                .n_times = is_table  ? 0
                                           : is_grid ? RG_COMPARE_GRID_POINTS
                                                     : RG_COMPARE_POINTS,
                                .times = is_grid ? j->few : j->times};

    row->error = row->t = NAN;
    row->worst = -1;
    row->status =
        rg_solve_request(j->problem, j->times[RG_COMPARE_POINTS - 1], &j->options[k], &request, &s);
    if (row->status < 0)
        snprintf(row->message, sizeof row->message, "%s", rg_last_error(j->problem->ctx)->message);
    rg_status status = is_end(row->status) || row->status == RG_ERR_ARGUMENT ? row->status : RG_OK;
    if (s != NULL && status == RG_OK) status = know_reference(j, s);
    if (s != NULL && status == RG_OK) take_result(j, s, row, j->result->errors + k * j->problem->n);
    if (s != NULL && status == RG_OK && is_table) status = add_to_table(j, k, s);
    if (status == RG_OK) j->result->n_rows = k + 1;
    rg_solution_destroy(&s);
    return status;
}

static rg_status run(job *j, double t_end, const rg_options *o, const char *methods, int count)
{
    rg_context *ctx = j->problem->ctx;
    const double a = j->problem->a;

    for (int k = 0; k < RG_COMPARE_POINTS; k++)
        j->times[k] =
            k + 1 < RG_COMPARE_POINTS ? a + (t_end - a) * k / (RG_COMPARE_POINTS - 1) : t_end;
    for (int k = 0; k < RG_COMPARE_GRID_POINTS; k++)
        j->few[k] = j->times[k * (RG_COMPARE_POINTS - 1) / (RG_COMPARE_GRID_POINTS - 1)];
    j->options = rg_alloc(ctx, (size_t)count, sizeof *j->options);
    j->y = rg_alloc(ctx, (size_t)j->problem->n + 1, sizeof *j->y);
    j->other = rg_alloc(ctx, (size_t)j->problem->n + 1, sizeof *j->other);
    if (j->options == NULL || j->y == NULL || j->other == NULL) return RG_ERR_MEMORY;
    RG_TRY(read_list(j, o, methods));
    for (int k = 0; k < count; k++)
        RG_TRY(run_row(j, k));
    rg_clear_error(ctx);
    return RG_OK;
}

/* "error,By,g" as numbers of columns. */
static rg_status read_columns(rg_comparison *c, const char *list)
{
    char word[32];

    for (; *list != '\0'; list += *list == ',') {
        const size_t length = strcspn(list, ",");
        int k = 0;
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), list);
        while (k < RG_COMPARE_COLUMNS && strcmp(rg_compare_columns[k], word) != 0)
            k++;
        if (k == RG_COMPARE_COLUMNS || c->n_columns == RG_COMPARE_COLUMNS)
            return fail_list(c->ctx,
                             "give some of error, By, g, g', iterations, steps, evaluations, "
                             "seconds, with commas between them",
                             "--columns has '%s'", word);
        c->column[c->n_columns++] = k;
        list += length;
    }
    return RG_OK;
}

static rg_status prepare_table(job *j)
{
    const rg_compare_request *r = j->table;

    if (r == NULL) return RG_OK;
    if (rg_problem_has_fields(j->problem))
        return fail_list(j->problem->ctx, "leave out --at, --columns and --show-iterates",
                         "%s has no tables of models with fields", "regula compare");
    j->result->has_table = true;
    RG_TRY(read_columns(j->result, r->columns != NULL ? r->columns : "error,By,g"));
    return rg_compare_view_create(j->problem, &j->view);
}

static rg_status compare(const rg_problem *p, double t_end, const rg_options *o,
                         const char *methods, const rg_compare_request *table, rg_comparison **out)
{
    job j = {.problem = p, .table = table};

    if (p == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(p->ctx);
    if (out != NULL) *out = NULL;
    const int count = methods != NULL ? count_items(methods) : 0;
    if (count == 0 || out == NULL)
        return fail_list(p->ctx, "write --methods radau,srm:eps=1e-3:iterations=3",
                         "'%s' needs a list of methods", "regula compare");
    RG_TRY(rg_ranks_need_one(p->ctx, "a comparison")); /* of all values */
    RG_TRY(rg_comparison_create(p, count, out));
    j.result = *out;
    rg_status status = prepare_table(&j);
    if (status == RG_OK) status = run(&j, t_end, o, methods, count);
    rg_solution_destroy(&j.reference);
    rg_compare_view_destroy(&j.view);
    rg_free(p->ctx, j.options);
    rg_free(p->ctx, j.y);
    rg_free(p->ctx, j.other);
    if (status < 0 && j.result->n_rows == 0) rg_comparison_destroy(out);
    return status;
}

rg_status rg_compare(const rg_problem *p, double t_end, const rg_options *o, const char *methods,
                     rg_comparison **out)
{
    return compare(p, t_end, o, methods, NULL, out);
}

rg_status rg_compare_table(const rg_problem *p, double t_end, const rg_options *o,
                           const char *methods, const rg_compare_request *request,
                           rg_comparison **out)
{
    static const rg_compare_request maxima = {0};

    return compare(p, t_end, o, methods, request != NULL ? request : &maxima, out);
}
