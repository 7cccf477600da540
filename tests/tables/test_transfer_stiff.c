/* Stiff and rotating linear boundary value problems by the transfer, with all of its schemes:
 * growth and decay e^(+-lambda t), rotation of the solutions (Petry, section 6.1) and of the kernel
 * of A.  The error, relative to 1 + |y| over 101 times, is at most 100 times the tolerance, or the
 * run fails, or a warning says that it is more.  bench/bench_transfer.c has the whole table. */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRID = 100, MOST = 3 };

typedef void exact_fn(double t, double rate, double omega, double *y);

static void exact_6_1(double t, double lambda, double omega, double *y)
{
    const double c = cos(omega * t), s = sin(omega * t), down = exp(-lambda * t),
                 up = exp(lambda * (t - acos(-1.0)));

    y[0] = c * down + s * up;
    y[1] = -s * down + c * up;
}

static void exact_turning(double t, double k, double omega, double *y)
{
    const double c = cos(omega * t), s = sin(omega * t), x = -k * exp(-k * t), z = 1 + sin(t);

    y[0] = exp(-k * t);
    y[1] = c * x - s * z;
    y[2] = s * x + c * z;
}

typedef struct {
    const char *path, *rate; /* name of the parameter for growth and decay */
    int n;
    exact_fn *exact;
} family;

static const family families[] = {
    {"examples/transfer/petry-6-1.rg", "lambda", 2, exact_6_1    },
    {"examples/transfer/turning.rg",   "k",      3, exact_turning}
};

static double error_of(const rg_solution *s, const family *f, const double *setting,
                       const double *times)
{
    double worst = 0;

    for (int k = 0; k <= GRID; k++) {
        double y[MOST], exact[MOST], e = 0, size = 1;
        if (!CHECK(rg_solution_eval(s, times[k], y, NULL) == RG_OK)) return INFINITY;
        f->exact(times[k], setting[0], setting[1], exact);
        for (int i = 0; i < f->n; i++) {
            e = fmax(e, fabs(y[i] - exact[i]));
            size = fmax(size, 1 + fabs(exact[i]));
        }
        worst = fmax(worst, e / size);
    }
    return worst;
}

static void check(const family *f, const char *scheme, double rate, double omega, double tol)
{
    const rg_setting settings[] = {
        {f->rate, rate      },
        {"omega", omega     },
        {"shift", acos(-1.0)}
    };
    const double setting[] = {rate, omega};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a, b, times[GRID + 1];

    if (!CHECK(rg_context_create(&ctx) == RG_OK)
        || !CHECK(
            rg_problem_from_file_with(ctx, f->path, f->exact == exact_6_1 ? 3 : 2, settings, &p)
            == RG_OK))
        goto done;
    rg_options o = rg_options_default();
    strcpy(o.method, "transfer");
    strcpy(o.scheme, scheme);
    o.rtol = o.atol = tol;
    rg_problem_interval(p, &a, &b);
    for (int k = 0; k <= GRID; k++)
        times[k] = k == GRID ? b : a + (b - a) * k / GRID;
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = GRID + 1, .times = times, .estimate = 1};
    const rg_status status = rg_solve_request(p, b, &o, &r, &s);
    const double e = status >= 0 ? error_of(s, f, setting, times) : NAN;
    const bool is_told = status < 0 || rg_solution_warning_count(s) > 0;
    printf("    %-5s %s %5g omega %4g tol %g: %8.1e, %6lld steps%s\n", scheme, f->rate, rate, omega,
           tol, e, status >= 0 ? (long long)rg_solution_stats(s).steps : 0LL,
           is_told ? ", told" : "");
    CHECK(e <= 100 * tol || is_told);
    if (strcmp(scheme, "gauss") == 0) CHECK(e <= 100 * tol && !is_told);
    if (status < 0 && strcmp(scheme, "bdf") != 0) printf("    %s\n", rg_last_error(ctx)->message);
done:
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_schemes(void)
{
    static const char *const schemes[] = {"gauss", "radau", "bdf"};
    static const double rates[] = {20, 200}, omegas[] = {1, 20};

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                for (int l = 0; l < 2; l++)
                    check(&families[l], schemes[k], rates[i], omegas[j], 1e-6);
}

/* lambda = 1e4: integrators may step over what has died away; Gauss steps resolve it, 26594 of
 * them. */
static void test_very_stiff(void)
{
    check(&families[0], "radau", 1e4, 1, 1e-8);
    check(&families[0], "radau", 1e4, 100, 1e-6);
    check(&families[0], "bdf", 1e4, 1, 1e-6);
}

int main(void)
{
    static const test_case cases[] = {
        {"growth, decay, rotation", test_schemes   },
        {"very stiff",              test_very_stiff}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
