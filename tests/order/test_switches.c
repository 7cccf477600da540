/* Models with switches (tests/switches) at four tolerances, against `exact` at all rows, or against
 * values at the end ("# @ref x=..", computed without a DAE solver).  "# @refuse 1": there is no
 * solution behind the switch, and the run must end with an error.
 *
 *     test_switches [NAME ...]      prints a table of errors, of these models only */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLERANCES = 4, TEXT = 8192, MODELS = 200, NAME = 64 };
static const double tolerance[TOLERANCES] = {1e-3, 1e-5, 1e-7, 1e-9};
static const char folder[] = "tests/switches";
static rg_context *ctx;
static int wanted, first_wanted;
static char **names;

/* Errors are multiples of the tolerance, more so where small differences grow: a condition that is
 * met at a small angle, impacts on stiff stops. */
static double allowed(const char *model, double tol)
{
    static const struct {
        const char *model;
        double factor;
    } hard[] = {
        {"graze.rg", 4000.0},
        {"stops.rg", 1000.0},
        {"play.rg",  100.0 }
    };
    double factor = 30.0;

    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++)
        if (strcmp(hard[k].model, model) == 0) factor = hard[k].factor;
    return factor * tol + 2e-9;
}

static bool read_text(const char *model, char *text)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", folder, model);
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    const size_t length = fread(text, 1, TEXT - 1, file);
    text[length] = '\0';
    fclose(file);
    return true;
}

static int64_t find_column(const rg_solution *s, const char *name)
{
    char column[NAME];

    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, column, sizeof column);
        if (strcmp(column, name) == 0) return k;
    }
    return -1;
}

/* |e|/(1 + |y|) over the values behind "# @ref". */
static double end_error(const rg_solution *s, const char *text)
{
    const char *at = strstr(text, "# @ref ");
    double *end = calloc((size_t)rg_solution_columns(s), sizeof *end);
    double worst = 0.0;

    if (end == NULL || rg_solution_end_values(s, end) != RG_OK) worst = NAN;
    for (at = at != NULL ? at + 7 : NULL; at != NULL && !isnan(worst);) {
        char name[NAME];
        double value;
        int used = 0;
        if (sscanf(at, " %63[^= ]=%lf%n", name, &value, &used) != 2) break;
        const int64_t k = find_column(s, name);
        const double e = k < 0 ? NAN : fabs(end[k] - value) / (1.0 + fabs(value));
        if (!(e <= worst)) worst = e;
        at = at[used] == ',' ? at + used + 1 : NULL;
    }
    free(end);
    return worst;
}

static double exact_error(const rg_solution *s, int64_t n)
{
    double worst = 0.0;

    for (int64_t k = 0; k < n && rg_solution_has_exact(s); k++)
        worst = fmax(worst, rg_solution_error(s, k));
    return worst;
}

/* The error, negative: the run ended with an error. */
static double solve(const char *model, const char *text, double tol)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double error = -1.0;

    o.rtol = o.atol = tol;
    if (rg_problem_from_text(ctx, text, &p) == RG_OK) {
        double a, b;
        rg_problem_interval(p, &a, &b);
        const rg_status status = rg_solve(p, b, &o, &s);
        if (status == RG_OK)
            error = fmax(exact_error(s, rg_problem_size(p)), end_error(s, text));
        else if (wanted > 0 || getenv("VERBOSE") != NULL)
            printf("    %s %g: %s\n", model, tol, rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return error;
}

static int check_model(const char *model)
{
    char text[TEXT], line[200];
    int good = 0;

    if (!CHECK(read_text(model, text))) return 0;
    const bool must_fail = strstr(text, "# @refuse 1") != NULL;
    int used = snprintf(line, sizeof line, "%-16s", model);
    for (int k = 0; k < TOLERANCES; k++) {
        const double error = solve(model, text, tolerance[k]);
        const bool is_good =
            must_fail ? error < 0.0 : error >= 0.0 && error <= allowed(model, tolerance[k]);
        used += snprintf(line + used, sizeof line - (size_t)used, "  %8.1e%s", error,
                         is_good ? " " : "*");
        good += is_good;
    }
    printf("%s\n", line);
    CHECK(good == TOLERANCES);
    fflush(stdout);
    return good == TOLERANCES;
}

static bool is_asked_for(const char *model)
{
    bool is_found = wanted == 0;

    for (int k = 0; k < wanted; k++)
        is_found = is_found || strncmp(names[first_wanted + k], model, strlen(model) - 3) == 0;
    return is_found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void test_models(void)
{
    static char models[MODELS][NAME];
    int n = 0, good = 0;
    DIR *directory = opendir(folder);

    if (!CHECK(directory != NULL)) return;
    for (struct dirent *e; n < MODELS && (e = readdir(directory)) != NULL;) {
        const size_t length = strlen(e->d_name);
        if (length > 3 && length < NAME && strcmp(e->d_name + length - 3, ".rg") == 0
            && is_asked_for(e->d_name))
            snprintf(models[n++], NAME, "%.60s", e->d_name);
    }
    closedir(directory);
    qsort(models, (size_t)n, sizeof *models, by_name);
    for (int k = 0; k < n; k++)
        good += check_model(models[k]);
    CHECK(n > 0);
    printf("%d of %d models right\n", good, n);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"models", test_models}
    };

    wanted = argc - 1;
    first_wanted = 1;
    names = argv;
    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
