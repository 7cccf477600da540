/* The three problems of the test set for initial value problems that contain switches, against
 * its reference values at the end: a pipe network whose friction law jumps (index 2, 49 unknowns,
 * 72 places of switches), a charge pump (index 2) and a wheelset on a track (index 2; switches in
 * switches).
 *
 *     test_testset long      the wheelset to t = 10, where its reference values are
 *
 * F. Mazzia, C. Magherini: Test Set for Initial Value Problem Solvers, release 2.4, 2008. */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 64 };
static rg_context *ctx;
static bool is_long;

typedef struct {
    double y[COLUMNS];
    double estimate;
} outcome;

static bool solve(const char *name, double t, const char *const *options, outcome *out)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    char path[100];

    snprintf(path, sizeof path, "tests/testset/%s.rg", name);
    bool ok = CHECK_INT(rg_problem_from_file(ctx, path, &p), RG_OK)
              && CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    for (int k = 0; ok && options[k] != NULL; k += 2)
        ok = CHECK_INT(rg_options_set(o, options[k], options[k + 1]), RG_OK);
    ok = ok && CHECK_INT(rg_solve_rows(p, t, o, RG_KEEP_LAST, 0, NULL, 1, &s), RG_OK)
         && CHECK(rg_solution_columns(s) <= COLUMNS)
         && CHECK_INT(rg_solution_end_values(s, out->y), RG_OK);
    if (ok) out->estimate = rg_solution_estimate(s);
    if (!ok) rg_error_print(rg_last_error(ctx), stdout);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return ok;
}

/* Flows, coefficients of resistance, pressures; each relative to its own size. */
static void test_pipes(void)
{
    static const double reference[] = {
        0.00229848829647743,   0.001188984650746585,  0.001109503645730845,  0.0001589620100314825,
        0.001030022640715102,  0.0008710606306836165, 0.003243571480903489,  0.001109503645730845,
        0.0007120986206521341, 0.0006414613963833099, 0.0009416978549524347, 0.003403428519096511,
        0.002397639310739395,  0.002397639310739395,  0.00334858143045418,   0.001353560017035444,
        0.001995021413418736,  0.005746220741193575,  0.04751940452918529,   0.04751940452918529,
        0.04751940452918529,   0.04751940452918529,   0.04751940452918529,   0.04751940452918529,
        0.04311196778792902,   0.04751940452918529,   0.04751940452918529,   0.04751940452918529,
        0.04751940452918529,   0.0424921743360116,    0.04732336439609648,   0.04732336439609648,
        0.04270002118868241,   0.04751940452918529,   0.04751940452918529,   0.03651427026675656,
        111127.1078730254,     111126.9851929858,     111126.9255355337,     111126.9322658045,
        111126.8591478108,     111126.9221703983,     111127.0121140691,     111127.0045592387,
        111127.4419515807,     111125.5158881087,     111127.8793439227,     111127.0995171642,
        111129.8338971779,
    };
    static const struct {
        double tol, allowed;
        int count; /* of runs at neighbouring tolerances: single errors scatter by a factor ten */
    } runs[] = {
        {1e-4, 1e-2, 1},
        {1e-6, 1e-3, 1},
        {1e-9, 1e-6, 4},
    };
    static outcome r;

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double mean = 1.0, estimate = 1.0;
        for (int e = 0; e < runs[i].count; e++) {
            char tol[32];
            snprintf(tol, sizeof tol, "%.3g", runs[i].tol * pow(0.8, e));
            const char *const options[] = {"tol", tol, "atol", "auto", NULL};
            if (!solve("pipes", 61200.0, options, &r)) continue;
            double worst = 0.0;
            for (size_t k = 0; k < sizeof reference / sizeof *reference; k++)
                worst = fmax(worst, fabs(r.y[k] - reference[k]) / fabs(reference[k]));
            mean *= pow(worst, 1.0 / runs[i].count);
            estimate *= pow(r.estimate, 1.0 / runs[i].count);
            if (!CHECK(worst <= 10.0 * r.estimate))
                printf("pipes, %s: error %.2g, estimate %.2g\n", tol, worst, r.estimate);
        }
        if (!CHECK(mean <= runs[i].allowed) || !CHECK(estimate <= 100.0 * mean))
            printf("pipes, %g: errors of %.2g, estimates of %.2g\n", runs[i].tol, mean, estimate);
    }
}

/* With all charges in the channel, u3 > u1, so that gdt = 0, and gst = x:
 *
 *     caps u2 = cox x/3,   x = u1 - u2 - vt - gam (sqrt(phi + u2) - sqrt(phi)),   u1 = 20;
 *
 * at the end the gate has the charge of the start (reference value). */
static void test_pump(void)
{
    static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};
    static outcome r;
    double u2 = 9.0;

    for (int k = 0; k < 100; k++)
        u2 = 0.5
             * (u2
                + 4e-12 / 3.0 / 1.6e-12
                      * (20.0 - u2 - 0.2 - 0.035 * (sqrt(1.01 + u2) - sqrt(1.01))));
    for (int k = 0; k < 3; k++) {
        if (!test_takes(k)) continue;
        const char *const options[] = {"tol", tols[k], NULL};
        if (!solve("pump", 1e-7, options, &r)) continue;
        CHECK_NEAR(r.y[6], u2, 1e-5 * u2);
        CHECK_NEAR(r.y[7], 4.0 * u2, 4e-5 * u2);
        if (!solve("pump", 1.2e-6, options, &r)) continue;
        CHECK_NEAR(r.y[0], 0.1262800429876759e-12, 1e-18);
        for (int j = 1; j < 8; j++)
            CHECK_NEAR(r.y[j], 0.0, j < 5 ? 1e-17 : 1e-9);
    }
}

/* Columns as in the model: positions, velocities, multipliers, contact points. */
static void test_wheelset(void)
{
    static const double reference[] = {
        0.86355386965811e-2,  0.13038281022727e-4,  -0.93635784016818e-4, -0.13642299804033e-1,
        0.15292895005422e-2,  -0.76985374142666e-1, -0.25151106429207e-3, 0.20541188079539e-2,
        -0.23904837703692,    -0.13633468454173e-1, -0.24421377661131,    -0.10124044903201e-1,
        -0.56285630573753e-2, 0.37839614386969e-3,  -0.33666751972196e-3, 0.14173214964613,
        -0.15949425684022};
    static const char *const some[] = {"tol", "1e-5", NULL};
    static const char *const tight[] = {"tol", "1e-9", "formulation", "projected", NULL};
    static const char *const longer[] = {"tol", "1e-9", NULL};
    static outcome r, s;

    if (solve("wheelset", 0.3, some, &r) && solve("wheelset", 0.3, tight, &s))
        for (int k = 0; k < 17; k++)
            CHECK_NEAR(r.y[k], s.y[k], 1e-5);
    if (is_long && solve("wheelset", 10.0, longer, &r))
        for (int k = 0; k < 17; k++)
            CHECK_NEAR(r.y[k], reference[k], 1e-6);
    for (int i = 0; i < 20 && is_long; i++) { /* it stopped at single ones of them */
        char tol[32];
        snprintf(tol, sizeof tol, "%.2g", pow(10.0, -3.0 - 0.15 * i));
        const char *const options[] = {"tol", tol, NULL};
        double e = 0.0;
        if (!solve("wheelset", 10.0, options, &r)) continue;
        for (int k = 0; k < 17; k++)
            e = fmax(e, fabs(r.y[k] - reference[k]));
        if (!CHECK(e <= 10.0 * r.estimate))
            printf("wheelset, %s: error %.2g, estimate %.2g\n", tol, e, r.estimate);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"pipe network", test_pipes   },
        {"charge pump",  test_pump    },
        {"wheelset",     test_wheelset},
    };

    is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
