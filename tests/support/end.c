/* Values at the end of a run, looked up by name. */
#include "support/end.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double end_value(const rg_solution *s, const char *column)
{
    char name[64];
    double value = NAN, *values = malloc(sizeof *values * (size_t)rg_solution_columns(s));

    if (CHECK(values != NULL) && CHECK(rg_solution_end_values(s, values) >= 0))
        for (int64_t k = 0; k < rg_solution_columns(s); k++) {
            rg_solution_column_name(s, k, name, sizeof name);
            if (strcmp(name, column) == 0) value = values[k];
        }
    free(values);
    return value;
}

bool end_values(const char *text, const char *const *options, double *out)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double a = 0.0, b = 0.0;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_options_create(ctx, &o) == RG_OK);
    for (int k = 0; options[k] != NULL; k += 2)
        CHECK(rg_options_set(o, options[k], options[k + 1]) == RG_OK);
    bool ok = rg_problem_from_text(ctx, text, &p) == RG_OK;
    if (ok) rg_problem_interval(p, &a, &b);
    ok = ok && rg_solve(p, b, o, &s) >= RG_OK && rg_solution_end_values(s, out) == RG_OK;
    if (!ok) rg_error_print(rg_last_error(ctx), stderr);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
    return ok;
}

/* One object of the report has one "lost" for each place. */
int places_of(const rg_problem *p, const rg_solution *s)
{
    int count = -1;
    FILE *file = tmpfile();

    if (!CHECK(file != NULL)) return -1;
    rg_report_solution_json("", p, s, NULL, file);
    const long size = ftell(file);
    char *text = calloc((size_t)size + 1, 1);
    rewind(file);
    if (CHECK(text != NULL) && CHECK(fread(text, 1, (size_t)size, file) == (size_t)size)) {
        count = 0;
        for (const char *at = text; (at = strstr(at, "\"lost\"")) != NULL; at++)
            count++;
    }
    free(text);
    fclose(file);
    return count;
}
