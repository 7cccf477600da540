/* Spurious upwind solutions on a ring, refs section 4: error, distance to the
 * closed form, norm of the inverse, to 1 percent; n = 512 and 1024 with the
 * argument "long". */
#include "pdae/annulus/annulus.h"
#include "singpert.h"

static bool is_long;

static void check_column(const csv_table *t, int row, const char *name, double ours)
{
    const double theirs = t->value[row][csv_column(t, name)];

    if (!(fabs(ours - theirs) <= 0.01 * theirs))
        printf("    n %g eps %g %s: %.4e, table %.4e\n", t->value[row][0], t->value[row][2], name,
               ours, theirs);
    CHECK(fabs(ours - theirs) <= 0.01 * theirs);
}

static void test_cartesian(void)
{
    csv_table t;
    rg_context *ctx = NULL;
    double low = INFINITY, high = 0;

    if (!csv_read("tests/tables/singpert-annulus.csv", &t)
        || !CHECK(rg_context_create(&ctx) == RG_OK))
        return;
    for (int row = 0; row < t.n_rows; row++) {
        const int n = (int)t.value[row][0];
        const double eps = t.value[row][2], h = 4.0 / n;
        const rg_annulus p = {eps, 1, 2, 0, 1};
        rg_annulus_errors e;
        if (n > 128 && !is_long && !(n == 256 && (eps == 1 || eps == 1e-3 || eps == 1e-8)))
            continue;
        if (!CHECK(rg_annulus_cartesian(ctx, &p, n, &e, NULL) == RG_OK)) continue;
        check_column(&t, row, "err_upwind_cartesian", e.error);
        check_column(&t, row, "dist_to_closed_form_spurious", e.distance);
        check_column(&t, row, "norm_Ainv", e.norm);
        low = fmin(low, e.norm * fmax(eps, h));
        high = fmax(high, e.norm * fmax(eps, h));
    }
    printf("    norm of the inverse times max(eps, h): %.3f to %.3f\n", low, high);
    CHECK(low >= 0.1145 && high < 0.9586); /* 0.115 to 0.958 in three digits, refs section 4 */
    rg_context_destroy(&ctx);
}

/* The closed form for eps -> 0 is 0.086071 away from the logarithm, at r = 2
 * ln 2. */
static void test_limit(void)
{
    const rg_annulus p = {1e-30, 1, 2, 0, 1};
    double worst = 0, at = 0;

    for (int k = 0; k <= 10000; k++) {
        const double r = 1 + k / 10000.0;
        const double d = fabs(rg_annulus_exact(&p, r) - rg_annulus_spurious(&p, 1e-3, r));
        if (d > worst) at = r;
        worst = fmax(worst, d);
    }
    CHECK_NEAR(worst, 0.086071, 1e-6);
    CHECK_NEAR(at, 2 * log(2.0), 1e-3);
}

static void test_polar(void)
{
    csv_table t;
    rg_context *ctx = NULL;

    if (!csv_read("tests/tables/singpert-annulus-polar.csv", &t)
        || !CHECK(rg_context_create(&ctx) == RG_OK))
        return;
    for (int row = 0; row < t.n_rows; row++) {
        const rg_annulus p = {1e-8, 1, 2, 0, 1};
        double error;
        CHECK(rg_annulus_polar(ctx, &p, (int)t.value[row][0], &error) == RG_OK);
        CHECK_NEAR(error / t.value[row][1], 1, 0.01);
    }
    rg_context_destroy(&ctx);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"Cartesian grid", test_cartesian},
        {"limit",          test_limit    },
        {"polar grid",     test_polar    }
    };

    is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    return test_main(cases, sizeof cases / sizeof *cases);
}
