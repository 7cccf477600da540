/* The transfer, by Gauss steps and by Radau IIA, against collocation on linear boundary value
 * problems: processor time to a true error of 1e-8, and growth of the cost with the number of
 * unknowns and with the length of the interval.  Then the table of section 6.1 of Petry for all
 * schemes, lambda to 1e4 and omega to 1e3.  Run from the top folder. */
#include "base/options.h"
#include "regula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *name, *method, *scheme;
} rival;

static const rival rivals[] = {
    {"gauss",       "transfer",    "gauss"},
    {"radau",       "transfer",    "radau"},
    {"collocation", "collocation", "auto" }
};
static const double WANTED = 1e-8; /* relative to 1 + |y|, over 101 times */

/* n coupled pairs of growing and decaying solutions, the exact solution y[i] = sin(i + t). */
static const char chain[] =
    "param n = 4, L = 2\nvar y[i=1..n]\n"
    "fun e(i, t) = sin(i + t)\n"
    "for i = 1..n {\n"
    " y[i]'' = 9*y[i] + if(i > 1, y[i-1] - e(i - 1, t), 0) + if(i < n, y[i+1] - e(i + 1, t), 0) - "
    "10*e(i, t)\n"
    " boundary y[i](0) = e(i, 0)\n boundary y[i](L) = e(i, L)\n exact y[i] = e(i, t)\n}\n"
    "over t = 0 .. L\n";

typedef struct {
    double error, seconds, tol;
    int64_t steps;
} outcome;

/* One run; the error is the largest over all unknowns with a known solution, relative to 1 + the
 * largest value. */
static outcome run(rg_context *ctx, const char *path, int n, const rg_setting *settings,
                   const rival *who, double tol)
{
    enum { TIMES = 101 };
    outcome out = {NAN, NAN, tol, 0};
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double a, b, times[TIMES];

    rg_options_assign(ctx, &o, "method", who->method);
    rg_options_assign(ctx, &o, "scheme", who->scheme);
    o.rtol = o.atol = tol;
    if (rg_problem_from_file_with(ctx, path, n, settings, &p) < 0) goto done;
    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < TIMES; k++)
        times[k] = k == TIMES - 1 ? b : a + (b - a) * k / (TIMES - 1);
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = TIMES, .times = times};
    const clock_t begin = clock();
    if (rg_solve_request(p, b, &o, &r, &s) < 0) goto done;
    out.seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    out.error = 0;
    double size = 1, *y = malloc(sizeof *y * (size_t)rg_problem_size(p));
    for (int k = 0; k < TIMES && y != NULL; k++) {
        rg_solution_eval(s, times[k], y, NULL);
        for (int64_t j = 0; j < rg_problem_size(p); j++)
            size = fmax(size, 1 + fabs(y[j]));
    }
    for (int64_t j = 0; j < rg_problem_size(p); j++)
        out.error = fmax(out.error, rg_solution_error(s, j) / size);
    free(y);
    out.steps = rg_solution_stats(s).steps;
done:
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return out;
}

/* The largest tolerance that gives the wanted error. */
static outcome search(rg_context *ctx, const char *path, int n, const rg_setting *settings,
                      const rival *who)
{
    outcome out = {NAN, NAN, NAN, 0};

    for (double tol = 1e-5; tol > 1e-13; tol /= 10) {
        out = run(ctx, path, n, settings, who, tol);
        if (out.error <= WANTED) break;
    }
    return out;
}

static void show(rg_context *ctx, const char *title, const char *path, int n,
                 const rg_setting *settings)
{
    printf("%-26s", title);
    for (size_t k = 0; k < sizeof rivals / sizeof *rivals; k++) {
        const outcome o = search(ctx, path, n, settings, &rivals[k]);
        if (o.error <= WANTED)
            printf("  %s %7.2g s %6lld steps", rivals[k].name, o.seconds, (long long)o.steps);
        else
            printf("  %s: not reached        ", rivals[k].name);
    }
    printf("\n");
    fflush(stdout);
}

static void show_petry(rg_context *ctx)
{
    static const double pairs[][3] = {
        {1,   1,   0                },
        {10,  10,  0                },
        {1,   100, 0                },
        {100, 1,   3.141592653589793},
        {100, 100, 3.141592653589793}
    };

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char title[64];
        const rg_setting settings[] = {
            {"lambda", pairs[k][0]},
            {"omega",  pairs[k][1]},
            {"shift",  pairs[k][2]}
        };
        snprintf(title, sizeof title, "6.1 lambda %g omega %g", pairs[k][0], pairs[k][1]);
        show(ctx, title, "examples/transfer/petry-6-1.rg", 3, settings);
    }
    show(ctx, "6.2", "examples/transfer/petry-6-2.rg", 0, NULL);
    show(ctx, "turning kernel", "examples/transfer/turning.rg", 0, NULL);
}

static void show_growth(rg_context *ctx, const char *path)
{
    for (double n = 1; n <= 16; n *= 2) {
        char title[64];
        const rg_setting settings[] = {
            {"n", n},
            {"L", 2}
        };
        snprintf(title, sizeof title, "chain of %g pairs", n);
        show(ctx, title, path, 2, settings);
    }
    for (double L = 2; L <= 200; L *= 10) {
        char title[64];
        const rg_setting settings[] = {
            {"n", 2},
            {"L", L}
        };
        snprintf(title, sizeof title, "2 pairs, interval %g", L);
        show(ctx, title, path, 2, settings);
    }
}

/* Error / tolerance and steps at tol 1e-6, relative to 1 + the largest value; the growing part ends
 * at 1. */
static void show_table(rg_context *ctx)
{
    static const rival schemes[] = {
        {"gauss", "transfer", "gauss"},
        {"radau", "transfer", "radau"},
        {"bdf",   "transfer", "bdf"  }
    };
    const double tol = 1e-6;

    printf("\nsection 6.1, tol %g: error / tolerance, steps, processor time\n", tol);
    for (double lambda = 1; lambda <= 1e4; lambda *= 10)
        for (double omega = 1; omega <= 1e3; omega *= 10) {
            const rg_setting settings[] = {
                {"lambda", lambda           },
                {"omega",  omega            },
                {"shift",  3.141592653589793}
            };
            printf("lambda %5g omega %4g", lambda, omega);
            for (int k = 0; k < 3; k++) {
                const outcome o =
                    run(ctx, "examples/transfer/petry-6-1.rg", 3, settings, &schemes[k], tol);
                printf("   %s %8.1e %6lld %7.2g s", schemes[k].name, o.error / tol,
                       (long long)o.steps, o.seconds);
            }
            printf("\n");
            fflush(stdout);
        }
}

int main(void)
{
    char path[] = "bench-transfer.rg";
    rg_context *ctx = NULL;
    FILE *to = fopen(path, "w");

    if (to == NULL || rg_context_create(&ctx) < 0) return EXIT_FAILURE;
    fputs(chain, to);
    fclose(to);
    printf("processor time to a true error of %g, relative to the largest value\n", WANTED);
    show_petry(ctx);
    show_growth(ctx, path);
    show_table(ctx);
    remove(path);
    rg_context_destroy(&ctx);
    return EXIT_SUCCESS;
}
