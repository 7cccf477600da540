/* The fitted hyperbolic scheme (6.63), refs section 5: L2 and maximum errors
 * over the levels t = j/32 of the fitted, the upwind and the central scheme.
 *
 * The reference solution is the fitted scheme with n = 2048 and 4096,
 * extrapolated; it agrees with the stored values at t = 1.  Where eps is of the
 * size of these steps the extrapolation is worth 1e-4, so n = 512 and 1024 are
 * compared for eps = 1, 0.1, 0.01 only: there the largest errors of all eps
 * are, and so the uniform rates.  With the argument "long" the reference has
 * four times as many intervals, and all eps are compared. */
#include "base/base.h"
#include "pdae/fitted/fitted.h"
#include "singpert.h"

enum { LEVELS = 32 };

static int fine_n = 4096;

typedef struct { /* u at the levels t = j/32, j = 0 .. 32 */
    int n;
    double *u;
} run;

static double phi(double x)
{
    return 256 * pow(x * (1 - x), 4);
}

/* Problem H: a = 2, b = 1, c = 1, f = 0, l = T = 1, psi = 0; k = h = 1/n. */
static run solve(rg_fitted_kind kind, double eps, int n)
{
    const size_t m = (size_t)n + 1;
    double *room = calloc(11 * m, sizeof *room), *out = calloc((LEVELS + 1) * m, sizeof *out);
    int *pivot = calloc(m, sizeof *pivot);
    double *before = room, *last = room + m, *u = room + 2 * m, *a = room + 3 * m,
           *b = room + 4 * m, *c = room + 5 * m, *f = room + 6 * m;
    rg_tridiagonal t = {n - 1, room + 7 * m, room + 8 * m, room + 9 * m, room + 10 * m, pivot};
    const rg_fitted_grid g = {kind, n, eps, 1.0 / n, 1.0 / n};
    const rg_fitted_coefficients at = {a, b, c, f};

    for (int i = 0; i <= n; i++) {
        a[i] = 2;
        b[i] = c[i] = 1;
        before[i] = last[i] = out[i] = phi(i / (double)n); /* psi = 0 */
    }
    CHECK(rg_fitted_factor(&g, &at, &t));
    if (n == LEVELS) memcpy(out + m, last, m * sizeof *out);
    for (int j = 2; j <= n; j++) {
        rg_fitted_level(&g, &at, &t, before, last, u);
        if (j % (n / LEVELS) == 0) memcpy(out + (size_t)(j / (n / LEVELS)) * m, u, m * sizeof *out);
        double *const old = before;
        before = last;
        last = u;
        u = old;
    }
    free(room);
    free(pivot);
    return (run){n, out};
}

static run reference(double eps)
{
    run coarse = solve(RG_FITTED, eps, fine_n / 2), fine = solve(RG_FITTED, eps, fine_n);

    for (int j = 0; j <= LEVELS; j++)
        for (int i = 0; i <= fine_n; i += 2) {
            double *const u = &fine.u[(size_t)j * ((size_t)fine_n + 1) + (size_t)i];
            *u = 2 * *u - coarse.u[(size_t)j * (fine_n / 2 + 1) + (size_t)i / 2];
        }
    free(coarse.u);
    return fine;
}

static void errors_of(const run *r, const run *exact, double *L2, double *most)
{
    *L2 = *most = 0;
    for (int j = 1; j <= LEVELS; j++) {
        double sum = 0;
        for (int i = 1; i < r->n; i++) {
            const size_t place = (size_t)j * ((size_t)fine_n + 1) + (size_t)(i * (fine_n / r->n));
            const double d =
                fabs(r->u[(size_t)j * ((size_t)r->n + 1) + (size_t)i] - exact->u[place]);
            sum += d * d / r->n;
            *most = fmax(*most, d);
        }
        *L2 = fmax(*L2, sqrt(sum));
    }
}

static void check_stored(const run *exact, double eps)
{
    csv_table t;

    if (!csv_read("tests/tables/singpert-hyperbolic-ref.csv", &t)) return;
    for (int row = 0; row < t.n_rows; row++) {
        if (fabs(t.value[row][0] - eps) > 1e-12 * eps || t.value[row][2] != 1.0) continue;
        const int i = (int)lround(t.value[row][1] * fine_n / 2) * 2;
        if (fabs(i / (double)fine_n - t.value[row][1]) > 1e-9) continue;
        const double ours = exact->u[(size_t)LEVELS * ((size_t)fine_n + 1) + (size_t)i];
        if (!(fabs(ours - t.value[row][3]) <= 2e-4))
            printf("    eps %g x %g: %.8f, stored %.8f\n", eps, t.value[row][1], ours,
                   t.value[row][3]);
        CHECK(fabs(ours - t.value[row][3]) <= 2e-4);
    }
}

static void test_table(void)
{
    static const double all_eps[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    static const int all_n[] = {32, 64, 128, 256, 512, 1024};
    static const char *const names[][2] = {
        {"L2_fit",     "max_fit"    },
        {"L2_upwind",  "max_upwind" },
        {"L2_central", "max_central"}
    };
    double largest[6] = {0};
    csv_table t;

    if (!csv_read("tests/tables/singpert-hyperbolic.csv", &t)) return;
    for (int i = 0; i < 9; i++) {
        if (!test_takes(i)) continue;
        run exact = reference(all_eps[i]);
        check_stored(&exact, all_eps[i]);
        for (int k = 0; k < (all_eps[i] >= 1e-2 || fine_n > 4096 ? 6 : 4); k++)
            for (int kind = 0; kind < 3; kind++) {
                double L2, most;
                run r = solve((rg_fitted_kind)kind, all_eps[i], all_n[k]);
                errors_of(&r, &exact, &L2, &most);
                free(r.u);
                check_entry(names[kind][0], all_eps[i], all_n[k], L2,
                            csv_entry(&t, all_eps[i], all_n[k], names[kind][0]));
                check_entry(names[kind][1], all_eps[i], all_n[k], most,
                            csv_entry(&t, all_eps[i], all_n[k], names[kind][1]));
                if (kind == 0) largest[k] = fmax(largest[k], L2);
            }
        free(exact.u);
    }
    if (test_share() > 1) return; /* they belong to the worst eps */
    printf("    uniform rates:");
    for (int k = 0; k < 5; k++) {
        static const double rates[] = {0.80, 0.88, 0.92, 0.95, 0.97};
        const double rate = log2(largest[k] / largest[k + 1]);
        printf(" %.2f", rate);
        CHECK_NEAR(rate, rates[k], 0.011);
    }
    printf("\n");
}

/* The shipped model by lines, n = 256: as far from the reference as the scheme is, or nearer. */
static void test_lines(void)
{
    static const double all_eps[] = {1e-2, 1e-4, 1e-8};

    for (int k = 0; k < 3; k++) {
        const rg_setting setting = {"eps", all_eps[k]};
        rg_options o = rg_options_default();
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        run scheme = solve(RG_FITTED, all_eps[k], 256);
        double y[510];
        if (CHECK(rg_context_create(&ctx) == RG_OK)
            && CHECK(
                rg_problem_from_file_with(ctx, "examples/singpert/hyperbolic.rg", 1, &setting, &p)
                == RG_OK)
            && CHECK(rg_solve(p, 1.0, &o, &s) == RG_OK)
            && CHECK(rg_solution_eval(s, 1.0, y, NULL) == RG_OK))
            for (int i = 1; i < 256; i++)
                CHECK(fabs(y[i - 1] - scheme.u[(size_t)LEVELS * 257 + (size_t)i]) <= 0.026);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
        free(scheme.u);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"scheme (6.63)", test_table},
        {"by lines",      test_lines}
    };

    if (argc > 1 && strcmp(argv[1], "long") == 0) fine_n *= 4;
    return test_main(cases, sizeof cases / sizeof *cases);
}
