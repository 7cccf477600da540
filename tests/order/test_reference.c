/* Every shipped model against its exact solution or published end values, at two tolerances, and
 * the index, degrees of freedom and redundant constraints of all of them.  Run from the top folder.
 *
 * tests/reference/structure.csv  model, unknowns, index, dof, redundant
 * tests/reference/values.csv     model, name of a column, reference value at the end, index of
 *                                the quantity
 * tests/reference/runs.csv       model, two tolerances, atol/rtol, factor, higher, reason
 *                                of large ones
 *
 * What is compared: |ours - theirs| / (ratio + |theirs|) at the end; with an exact solution the
 * same at every accepted step, with the largest size of the unknown in place of |theirs|.  What is
 * allowed, for quantities of index 1, 2, 3:
 *
 *     factor tol,   higher tol^(1/2),   higher tol^(1/3).
 *
 * The error of a step is held at tol in the first kind.  The estimate is of third order, tol' =
 * tol^(2/3) = O(h^4), so that h = O(tol^(1/6)); algebraic variables of index 2 and 3 have orders 3
 * and 2 (HLR89): h^3 = tol^(1/2), h^2 = tol^(1/3). Factors of 10 cover the number of steps and the
 * conditioning of most problems. */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 7, LINE = 256 };

typedef struct {
    char text[LINE];
    char *cell[CELLS];
} csv_row;

/* Splits a line at its commas; a quoted cell may contain commas. */
static int split_row(csv_row *row)
{
    int n = 0;
    char *at = row->text;

    row->text[strcspn(row->text, "\r\n")] = '\0';
    for (int k = 0; k < CELLS; k++)
        row->cell[k] = row->text + strlen(row->text);
    while (n < CELLS) {
        const bool is_quoted = *at == '"';
        if (is_quoted) at++;
        row->cell[n++] = at;
        at += strcspn(at, is_quoted ? "\"" : ",");
        if (is_quoted && *at == '"') *at++ = '\0';
        if (*at != ',') break;
        *at++ = '\0';
    }
    return n;
}

static FILE *open_table(const char *path)
{
    csv_row header;
    FILE *file = fopen(path, "r");

    if (!CHECK(file != NULL)) return NULL;
    CHECK(fgets(header.text, LINE, file) != NULL);
    return file;
}

static bool next_row(FILE *file, csv_row *row)
{
    return fgets(row->text, LINE, file) != NULL && split_row(row) > 1;
}

static rg_problem *open_model(rg_context *ctx, const char *name)
{
    char path[LINE + 16];
    rg_problem *p = NULL;

    snprintf(path, sizeof path, "examples/%s", name);
    if (!CHECK(rg_problem_from_file(ctx, path, &p) >= 0))
        rg_error_print(rg_last_error(ctx), stdout);
    return p;
}

/* ---- structure */

static void check_structure(rg_context *ctx, const csv_row *row)
{
    rg_structure found = {0};
    rg_problem *p = open_model(ctx, row->cell[0]);

    if (p == NULL) return;
    bool ok = CHECK(rg_analyze(p, &found) >= 0);
    if (!ok) rg_error_print(rg_last_error(ctx), stdout);
    ok = CHECK_INT(found.unknowns, atoll(row->cell[1])) && ok;
    ok = CHECK_INT(found.index, atoll(row->cell[2])) && ok;
    ok = CHECK_INT(found.dof, atoll(row->cell[3])) && ok;
    ok = CHECK_INT(found.redundant, atoll(row->cell[4])) && ok;
    if (!ok) printf("    in %s\n", row->cell[0]);
    rg_problem_destroy(&p);
}

static void test_structure(void)
{
    csv_row row;
    rg_context *ctx = NULL;
    FILE *file = open_table("tests/reference/structure.csv");

    if (file == NULL) return;
    if (CHECK(rg_context_create(&ctx) >= 0))
        while (next_row(file, &row))
            check_structure(ctx, &row);
    fclose(file);
    rg_context_destroy(&ctx);
}

/* ---- values */

/* worst[k]: largest error of a quantity of index k; a NaN stays. */
static void add_error(double worst[4], int index, double error)
{
    const int k = index < 1 ? 1 : index > 3 ? 3 : index;

    if (isnan(error) || error > worst[k]) worst[k] = error;
}

/* Number of the column with this name, or -1. */
static int64_t find_column(const rg_solution *s, const char *name)
{
    char buffer[LINE];

    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, buffer, sizeof buffer);
        if (strcmp(buffer, name) == 0) return k;
    }
    return -1;
}

/* Published end values of a model; returns how many there are. */
static int add_values(const rg_solution *s, const char *model, double ratio, double worst[4])
{
    csv_row row;
    int count = 0;
    FILE *file = open_table("tests/reference/values.csv");
    double *ours = malloc(sizeof *ours * (size_t)rg_solution_columns(s));

    if (file == NULL || !CHECK(ours != NULL)) return 0;
    CHECK(rg_solution_end_values(s, ours) >= 0);
    while (next_row(file, &row)) {
        if (strcmp(row.cell[0], model) != 0) continue;
        const int64_t column = find_column(s, row.cell[1]);
        if (!CHECK(column >= 0)) {
            printf("    %s has no column %s\n", model, row.cell[1]);
            continue;
        }
        const double theirs = strtod(row.cell[2], NULL);
        add_error(worst, atoi(row.cell[3]), fabs(ours[column] - theirs) / (ratio + fabs(theirs)));
        count++;
    }
    free(ours);
    fclose(file);
    return count;
}

/* size[i]: largest |y_i| over the steps */
static void find_sizes(const rg_solution *s, int64_t n, double *y, double *size)
{
    for (int64_t row = 0; row < rg_solution_rows(s); row++) {
        CHECK(rg_solution_eval(s, rg_solution_time(s, row), y, NULL) >= 0);
        for (int64_t i = 0; i < n; i++)
            size[i] = fmax(size[i], fabs(y[i]));
    }
}

/* Unknowns with an exact solution, over all steps; returns how many there are. */
static int add_exact(const rg_problem *p, const rg_solution *s, double ratio, double worst[4])
{
    const int64_t n = rg_problem_size(p);
    int count = 0;
    double *size = calloc((size_t)n, sizeof *size), *y = malloc(sizeof *y * (size_t)n);

    if (!CHECK(size != NULL && y != NULL)) return 0;
    find_sizes(s, n, y, size);
    for (int64_t i = 0; i < n; i++) {
        const double error = rg_solution_error(s, i);
        if (isnan(error)) continue; /* no exact solution for this unknown */
        add_error(worst, rg_problem_variable_index(p, i), error / (ratio + size[i]));
        count++;
    }
    free(size);
    free(y);
    return count;
}

/* Prints steps and errors beside what is allowed. */
static void check_errors(const csv_row *row, const char *tolerance, const rg_problem *p,
                         const rg_solution *s)
{
    const double tol = strtod(tolerance, NULL), ratio = strtod(row->cell[3], NULL);
    const double factor = strtod(row->cell[4], NULL);
    const double higher = strtod(row->cell[5], NULL);
    const double allowed[4] = {0, factor * tol, higher * sqrt(tol), higher * cbrt(tol)};
    double worst[4] = {0};
    const int count = add_values(s, row->cell[0], ratio, worst) + add_exact(p, s, ratio, worst);

    CHECK(count > 0);
    printf("  %-28s %-5s %6lld + %-5lld", row->cell[0], tolerance,
           (long long)rg_solution_stats(s).steps, (long long)rg_solution_stats(s).rejected);
    for (int k = 1; k <= 3; k++)
        printf("  %8.1e (%5.0e)", worst[k], allowed[k]);
    printf("\n");
    for (int k = 1; k <= 3; k++)
        CHECK(worst[k] <= allowed[k]);
}

static void check_run(rg_context *ctx, const csv_row *row, const char *tolerance)
{
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    rg_problem *p = open_model(ctx, row->cell[0]);
    double a, b;

    if (p == NULL) return;
    o.rtol = strtod(tolerance, NULL);
    o.atol = o.rtol * strtod(row->cell[3], NULL);
    rg_problem_interval(p, &a, &b);
    if (CHECK(rg_solve(p, b, &o, &s) >= 0)) {
        check_errors(row, tolerance, p, s);
    } else {
        printf("  %-28s %-5s\n", row->cell[0], tolerance);
        rg_error_print(rg_last_error(ctx), stdout);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_values(void)
{
    csv_row row;
    rg_context *ctx = NULL;
    FILE *file = open_table("tests/reference/runs.csv");

    if (file == NULL) return;
    printf("  model                        tol    steps + rejected  errors (allowed), index 1, 2, "
           "3\n");
    if (CHECK(rg_context_create(&ctx) >= 0))
        for (int k = 0; next_row(file, &row); k++)
            for (int j = 1; j <= 2; j++)
                if (test_takes(k + j)) check_run(ctx, &row, row.cell[j]);
    fclose(file);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"structure", test_structure},
    {"values",    test_values   }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
