/* Every model with switches by every method that takes it: the same answers as by Radau IIA, no
 * false stop.  Exact solutions, and `# @ref NAME=VALUE` of the end. */
#include "ivp/bdf/bdf.h"
#include "regula.h"
#include "support/options.h"
#include "support/rows.h"
#include "support/test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;
static int known;   /* runs that were compared with something */
static int stopped; /* runs of bdf that say that they cannot go on */
static int unheld;  /* ... of the stabilized form, which holds no branches */

static const char *const methods[][3] = {
    {"gauss",         NULL,          NULL },
    {"gauss",         "stages",      "2"  },
    {"lobatto3a",     NULL,          NULL },
    {"lobatto3c",     NULL,          NULL },
    {"sdirk",         NULL,          NULL },
    {"sdirk",         "order",       "2"  },
    {"radau",         "stages",      "4"  },
    {"rosenbrock",    NULL,          NULL },
    {"extrapolation", NULL,          NULL },
    {"bdf",           NULL,          NULL },
    {"dopri",         NULL,          NULL },
    {"half-explicit", NULL,          NULL },
    {"gauss",         "formulation", "ggl"},
};

/* The value of a column at the end; NaN: there is none of that name. */
static double end_value(const rg_solution *s, const char *name)
{
    double values[256];
    char column[64];

    if (rg_solution_columns(s) > 256 || rg_solution_end_values(s, values) < 0) return NAN;
    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, column, sizeof column);
        if (strcmp(column, name) == 0) return values[k];
    }
    return NAN;
}

/* The largest error, relative to 1 + |value|, of what is known; *count: how much that is. */
static double error_of(const char *text, const rg_solution *s, const rg_problem *p, int *count)
{
    double most = 0.0, value;
    char name[64];
    int used;

    for (int64_t k = 0; k < rg_problem_size(p); k++) {
        const double e = rg_solution_error(s, k);
        if (isnan(e)) continue;
        most = fmax(most, e);
        ++*count;
    }
    for (const char *at = strstr(text, "@ref "); at != NULL; at = strstr(at + 1, "@ref "))
        for (const char *c = at + 5; sscanf(c, " %63[^= \n]=%lf%n", name, &value, &used) == 2;
             c += used + (c[used] == ',')) {
            const double found = end_value(s, name);
            if (isnan(found)) continue;
            most = fmax(most, fabs(found - value) / (1.0 + fabs(value)));
            ++*count;
        }
    return most;
}

static void solve(const char *file, const char *text, size_t m, double tol)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options *o = NULL;
    char number[32];
    double from, to;

    snprintf(number, sizeof number, "%g", tol);
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0 && rg_options_create(ctx, &o) >= 0);
    CHECK(rg_options_set(o, "method", methods[m][0]) >= 0);
    CHECK(rg_options_set(o, "tol", number) >= 0);
    if (methods[m][1] != NULL) CHECK(rg_options_set(o, methods[m][1], methods[m][2]) >= 0);
    rg_problem_interval(p, &from, &to);
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};
    const rg_status status = rg_solve_request(p, to, o, &request, &s);
    const bool is_reduced =
        strcmp(methods[m][0], "rosenbrock") == 0 || strcmp(methods[m][0], "extrapolation") == 0;
    const bool is_bdf = strcmp(methods[m][0], "bdf") == 0;
    if (is_reduced && strstr(file, "sharing") != NULL) /* there what jumps is not the charge */
        CHECK(status == RG_ERR_CONVERGENCE);
    else if (is_bdf && status == RG_ERR_CONVERGENCE)
        stopped++; /* its steps end at switches by dense output alone */
    else if (methods[m][2] != NULL && strcmp(methods[m][2], "ggl") == 0
             && status == RG_ERR_CONVERGENCE)
        unheld++;
    else if (status != RG_ERR_METHOD && !CHECK(status >= 0)) {
        printf("%s by %s, tol %g\n", file, methods[m][0], tol);
        rg_error_print(rg_last_error(ctx), stdout);
    }
    if (status >= 0) {
        int count = 0;
        const double e = error_of(text, s, p, &count), estimate = rg_solution_estimate(s);
        known += count > 0;
        if (!CHECK(e <= 200.0 * tol || e <= 10.0 * estimate))
            printf("%s by %s, tol %g: %g, estimated %g\n", file, methods[m][0], tol, e, estimate);
    }
    rg_options_destroy(&o);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void with_file(const char *file)
{
    char path[300], text[8192];

    snprintf(path, sizeof path, "tests/switches/%.200s", file);
    FILE *f = fopen(path, "r");
    if (!CHECK(f != NULL)) return;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    if (strstr(text, "@refuse") != NULL) return;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int digits = 4; digits <= 6; digits += 2)
            if (test_takes((int)m + digits / 2)) solve(file, text, m, pow(10.0, -digits));
}

static void test_all(void)
{
    DIR *dir = opendir("tests/switches");
    int count = 0;

    if (!CHECK(dir != NULL)) return;
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        const size_t length = strlen(e->d_name);
        if (length < 4 || strcmp(e->d_name + length - 3, ".rg") != 0) continue;
        with_file(e->d_name);
        count++;
    }
    closedir(dir);
    CHECK(count >= 50);
    const bool no_bdf = test_skips(!rg_bdf_is_available(), "bdf, built without SUNDIALS");
    CHECK(known * test_share() > (no_bdf ? 830 : 900)); /* of 13 methods one */
    CHECK(stopped <= 4);
    CHECK(unheld <= 8);
    printf("%d runs\n", known);
}

/* A body goes round a circle and begins on a switch, where the constraint is off by the rounding of
 * the start values: over the length of a trial step that is a velocity, over its square a force,
 * and no branch was found, or values from which no method goes on. */
static void check_start(const char *method, const char *force, double phi)
{
    const double c = cos(phi), s = sin(phi);
    char text[1024], switched[128];
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *solution = NULL;

    snprintf(switched, sizeof switched, force, c);
    snprintf(text, sizeof text,
             "var p = %.17g, q = %.17g, u = %.17g, v = %.17g, l\nlet f = l - %s\np' = u\nq' = v\n"
             "u' = -f*p\nv' = -f*q\np^2 + q^2 = 1\nover t = 0 .. 0.5\n"
             "exact p = cos(t + %.17g), v = cos(t + %.17g)\n",
             c, s, -s, c, switched, phi, phi);
    if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0) && CHECK(rg_options_create(ctx, &o) >= 0)
        && CHECK(rg_options_set(o, "method", method) >= 0)) {
        const rg_status status = rg_solve(p, 0.5, o, &solution);
        if (!CHECK(status == RG_OK && rg_solution_error(solution, 0) <= 1e-5
                   && rg_solution_error(solution, 3) <= 1e-5))
            printf("%s, %s, %g: %s\n", method, switched, phi, rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&solution);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void test_start(void)
{
    static const char *const by[] = {"radau", "half-explicit", "extrapolation", "rosenbrock"};

    for (int k = 0; k < 24; k++)
        for (int m = 0; m < 4; m++) {
            const double phi = 0.3 + 0.317 * k;
            if (!test_takes(k + m)) continue;
            check_start(by[m], "if(p > %.17g, 1, 0.3)", phi);
            check_start(by[m], "abs(p - %.17g)", phi);
            check_start(by[m], "min(p, %.17g)", phi);
        }
}

/* A step that ends at a switch of time, t = 0.673, and has a zero of another one on its polynomial
 * that is none, abs(x) of x = 1e-12: the switch of time was passed over, x(1) = 0.017 for 0.026
 * with an estimate of 1e-6 (sdirk, 1e-4 to 1e-6). */
static void test_beside(void)
{
    static const char *const by[] = {"radau", "sdirk", "lobatto3c", "gauss", "rosenbrock", "bdf"};
    static const char *const text =
        "var x = 0, y ~ 0\nfun e(t) = 0.24*max(0, t - 0.673)^2\n"
        "fun v(t) = 0.55*(1 - tanh((t - 0.4)/0.024))\nfun g(x, y) = y + 0.3*abs(x) + 0.1*abs(y)\n"
        "x' = 0.48*max(0, t - 0.673) + v(t) - y\ng(x, y) = g(e(t), v(t))\nover t = 0 .. 1\n";

    for (int k = 0; k < 6 * 5; k++) {
        const double tol = pow(10.0, -4 - k / 6);
        if (!options_has_method(by[k % 6])) continue;
        const rows_result r = rows_solve(ctx, text, 11, "tol=%g method=%s", tol, by[k % 6]);
        const double e = r.n_rows == 11 ? fabs(r.row[10][0] - 0.24 * 0.327 * 0.327) : NAN;
        if (!CHECK(e <= 10.0 * tol) || !CHECK(e <= fmax(10.0 * r.estimate, tol)))
            printf("%s, %g: error %g, estimate %g %s\n", by[k % 6], tol, e, r.estimate, r.message);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"all",    test_all   },
        {"start",  test_start },
        {"beside", test_beside},
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int failures = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return failures;
}
