/* Rows of a model, its estimate, and what is said about them. */
#include "support/rows.h"

#include "support/options.h"
#include "support/test.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void read(const rg_solution *s, rows_result *r)
{
    r->n_columns = rg_solution_columns(s);
    r->estimate = rg_solution_estimate(s);
    r->steps = rg_solution_stats(s).steps;
    r->warnings = rg_solution_warning_count(s);
    if (r->warnings > 0) snprintf(r->warning, sizeof r->warning, "%s", rg_solution_warning(s, 0));
    for (int k = 0; k < r->warnings; k++)
        r->is_repeated = r->is_repeated || strstr(rg_solution_warning(s, k), "repeated") != NULL;
    if (!CHECK(r->n_columns <= ROWS_COLUMNS)) return;
    for (int k = 0; r->status == RG_OK && k < r->n_rows; k++)
        CHECK_INT(rg_solution_values(s, k, r->row[k]), RG_OK);
}

rows_result rows_solve(rg_context *ctx, const char *text, int n_rows, const char *format, ...)
{
    rows_result r = {.status = RG_ERR_ARGUMENT, .n_rows = n_rows};
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double a, b, times[ROWS_MOST];
    char words[128];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!CHECK(n_rows > 1 && n_rows <= ROWS_MOST)) return r;
    if (!CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)) {
        printf("%s\n", rg_last_error(ctx)->message);
        return r;
    }
    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK(options_from_words(ctx, o, words));
    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < n_rows; k++)
        times[k] = k == n_rows - 1 ? b : a + (b - a) * k / (n_rows - 1.0);
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = n_rows, .times = times, .estimate = 1};
    r.status = rg_solve_request(p, b, o, &request, &s);
    snprintf(r.message, sizeof r.message, "%s", rg_last_error(ctx)->message);
    snprintf(r.remedy, sizeof r.remedy, "%s", rg_last_error(ctx)->remedy);
    if (s != NULL) read(s, &r);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return r;
}
