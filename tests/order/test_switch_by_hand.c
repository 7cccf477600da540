/* Steps by hand, rg_solver_step(), through switches: ends of steps, rows in them and the end of the
 * run are as those of rg_solve(); the time to step towards may move, onto switches and behind. */
#include "base/options.h"
#include "regula.h"
#include "support/options.h"
#include "support/test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS = 400, TEXT = 8192 };
static rg_context *ctx;

/* x = sin(t), y' = 2 while x > 1/2 and 1 else. */
static double exact_y(double t)
{
    const double on = asin(0.5), off = 2.0 * acos(0.0) - on;

    return t + fmax(0.0, fmin(t, off) - on);
}

static const char in_state[] = "var x = 0, v = 1, y = 0\nx' = v\nv' = -x\ny' = if(x > 0.5, 2, 1)\n"
                               "over t = 0 .. 3\n";
static const char in_time[] = "var x = 0, v = 1, y = 0\nx' = v\nv' = -x\n"
                              "y' = if(t > asin(0.5) and t < pi - asin(0.5), 2, 1)\n"
                              "over t = 0 .. 3\n";
static const char with_event[] = "var x = 0, v = 1, y = 0, u = 0\nx' = v\nv' = -x\n"
                                 "y' = if(x > 0.5, 2, 1)\nu' = 1\nwhen u > 0.3 { u = 0 }\n"
                                 "over t = 0 .. 3\n";

static double error_at(double t, const double *y)
{
    return fmax(fabs(y[0] - sin(t)), fabs(y[2] - exact_y(t)));
}

/* Towards limits `part` apart, rows in every step; the largest errors of both. */
static bool walk(const char *text, const char *method, double tol, double part, double *at_steps,
                 double *at_rows)
{
    rg_problem *p = NULL;
    rg_solver *s = NULL;
    rg_options o = rg_options_default();
    double y[8], t = 0.0;

    *at_steps = *at_rows = 0.0;
    o.rtol = o.atol = tol;
    snprintf(o.method, sizeof o.method, "%s", method);
    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status == RG_OK) status = rg_solver_create(p, &o, &s);
    for (int k = 0; t < 3.0 && status == RG_OK && k < 20000; k++) {
        const double limit = fmin(3.0, part * (floor(t / part + 1e-9) + 1.0)), from = t;
        status = rg_solver_step(s, limit, &t, y);
        if (status != RG_OK) break;
        *at_steps = fmax(*at_steps, error_at(t, y));
        for (int i = 1; i < 8 && t > from && status == RG_OK; i++) {
            const double at = from + (t - from) * i / 8;
            status = rg_solver_row(s, at, y, NULL);
            *at_rows = fmax(*at_rows, error_at(at, y));
        }
    }
    if (status != RG_OK) printf("    %s: %s\n", method, rg_last_error(ctx)->message);
    rg_solver_destroy(&s);
    rg_problem_destroy(&p);
    return status == RG_OK && t == 3.0;
}

static void test_accuracy(void)
{
    static const char *const methods[] = {"radau", "bdf",   "gauss",        "rosenbrock",
                                          "sdirk", "dopri", "extrapolation"};
    static const char *const texts[] = {in_state, in_time, with_event};
    const double parts[] = {3.0, 0.1, asin(0.5)};

    for (int k = 0; k < 7; k++)
        for (int m = 0; m < 3 && options_has_method(methods[k]); m++)
            for (int i = 3; i <= 9; i += 3)
                for (int q = 0; q < 3; q++) {
                    const double tol = pow(10.0, -i);
                    double steps, rows;
                    if (!CHECK(walk(texts[m], methods[k], tol, parts[q], &steps, &rows))) continue;
                    if (!CHECK(steps <= 10.0 * tol && rows <= 10.0 * tol))
                        printf("    %s, model %d, %g, limits %g: %.3g at steps, %.3g in rows\n",
                               methods[k], m, tol, parts[q], steps, rows);
                }
}

static bool read_model(const char *name, char *text)
{
    char path[200];

    snprintf(path, sizeof path, "tests/switches/%s", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    text[fread(text, 1, TEXT - 1, file)] = '\0';
    fclose(file);
    return strstr(text, "@refuse") == NULL && strstr(text, "table") == NULL;
}

static bool is_repeated(const rg_solution *s)
{
    bool is_so = false;

    for (int k = 0; s != NULL && k < rg_solution_warning_count(s); k++)
        is_so = is_so || strstr(rg_solution_warning(s, k), "repeated") != NULL;
    return is_so;
}

/* The same steps: the same end, unless the run was repeated with another atol. */
static bool is_same(const char *text, double tol)
{
    rg_problem *p = NULL;
    rg_solution *end = NULL;
    rg_solver *s = NULL;
    rg_options o = rg_options_default();
    static double y[UNKNOWNS], expected[UNKNOWNS];
    double from, to, t = NAN, worst = 0.0;

    o.rtol = o.atol = tol;
    if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) return false;
    rg_problem_interval(p, &from, &to);
    const int64_t n = rg_problem_size(p);
    rg_status status = rg_solve(p, to, &o, &end);
    if (status == RG_OK) status = rg_solution_eval(end, to, expected, NULL);
    if (status == RG_OK) status = rg_solver_create(p, &o, &s);
    t = from;
    for (int k = 0; status == RG_OK && t != to && k < 100000; k++)
        status = rg_solver_step(s, to, &t, y);
    for (int64_t j = 0; j < n && status == RG_OK; j++)
        worst = fmax(worst, fabs(y[j] - expected[j]) / (1.0 + fabs(y[j])));
    if (status != RG_OK) printf("    %s\n", rg_last_error(ctx)->message);
    const double allowed = is_repeated(end) ? tol : 1e-12;
    if (worst > allowed) printf("    differs by %.3g\n", worst);
    rg_solver_destroy(&s);
    rg_solution_destroy(&end);
    rg_problem_destroy(&p);
    return status == RG_OK && t == to && worst <= allowed;
}

static void test_models(void)
{
    DIR *folder = opendir("tests/switches");
    static char text[TEXT];
    int count = 0;

    if (!CHECK(folder != NULL)) return;
    for (struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        if (strstr(e->d_name, ".rg") == NULL || !read_model(e->d_name, text)) continue;
        count++;
        for (int i = 4; i <= 8; i += 2)
            if (!CHECK(is_same(text, pow(10.0, -i)))) printf("    %s, 1e-%d\n", e->d_name, i);
    }
    closedir(folder);
    CHECK(count > 40);
}

int main(void)
{
    static const test_case cases[] = {
        {"accuracy", test_accuracy},
        {"models",   test_models  },
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
