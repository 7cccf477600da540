/* Turning points: time of sweep, two-pass, conservative and collocation at equal true error (1e-2,
 * 1e-3, 1e-5), eps = 1e-2 .. 1e-8.  The fewest intervals (16, 32, ...) or the loosest tolerance
 * that reach the error at 201 places and in the layers; the best of five runs, no estimates. */
#include "base/base.h"
#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 241, RUNS = 5 };

static double places[PLACES];

static void take_places(double eps)
{
    for (int k = 0; k < 201; k++)
        places[k] = -1 + k / 100.0;
    for (int k = 0; k < 10; k++) {
        const double d = eps * (k + 1) * 0.5, w = sqrt(eps) * (k + 1) * 0.4;
        places[201 + k] = -1 + d;
        places[211 + k] = 1 - d;
        places[221 + k] = -w;
        places[231 + k] = w;
    }
    for (int i = 1; i < PLACES; i++) /* sorted */
        for (int k = i; k > 0 && places[k] < places[k - 1]; k--) {
            const double t = places[k];
            places[k] = places[k - 1];
            places[k - 1] = t;
        }
}

static bool solve(const rg_problem *p, const rg_options *o, double *u, double *seconds)
{
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = PLACES, .times = places};

    *seconds = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        rg_solution *s = NULL;
        if (rg_solve_request(p, 1.0, o, &r, &s) < 0) {
            rg_solution_destroy(&s);
            return false;
        }
        *seconds = fmin(*seconds, rg_solution_stats(s).seconds);
        for (int k = 0; k < PLACES; k++) {
            double y[2];
            rg_solution_eval(s, places[k], y, NULL);
            u[k] = y[0];
        }
        rg_solution_destroy(&s);
    }
    return true;
}

static double error_of(const double *u, const double *exact)
{
    double worst = 0;

    for (int k = 0; k < PLACES; k++)
        worst = fmax(worst, fabs(u[k] - exact[k]));
    return worst;
}

/* Seconds of the cheapest run that reaches the error; infinity: none does. */
static double cheapest(const rg_problem *p, const char *variant, const double *exact, double wanted)
{
    rg_options o = rg_options_default();
    double u[PLACES], seconds;

    strcpy(o.method, variant == NULL ? "collocation" : "turning-point");
    if (variant != NULL) strcpy(o.variant, variant);
    for (int k = 0; k < (variant == NULL ? 9 : 12); k++) {
        o.intervals = 16 << k;
        if (variant == NULL) o.rtol = o.atol = pow(10, -1 - k);
        if (solve(p, &o, u, &seconds) && error_of(u, exact) <= wanted) return seconds;
    }
    return INFINITY;
}

int main(void)
{
    static const char *const files[] = {"examples/singpert/repulsive.rg",
                                        "examples/singpert/attractive.rg"};
    static const char *const variants[][2] = {
        {"sweep",        "two-pass"},
        {"conservative", NULL      }
    };
    static const double wanted[] = {1e-2, 1e-3, 1e-5}, all_eps[] = {1e-2, 1e-4, 1e-6, 1e-8};
    double worst = 0;

    printf("milliseconds (of collocation; ratio)\n");
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 4; i++) {
            const rg_setting setting = {"eps", all_eps[i]};
            rg_options tight = rg_options_default();
            rg_context *ctx = NULL;
            rg_problem *p = NULL;
            double exact[PLACES], seconds;
            take_places(all_eps[i]);
            tight.rtol = tight.atol = 1e-9;
            if (rg_context_create(&ctx) != RG_OK
                || rg_problem_from_file_with(ctx, files[f], 1, &setting, &p) != RG_OK
                || !solve(p, &tight, exact, &seconds))
                return 1;
            for (int w = 0; w < 3; w++) {
                const double base = cheapest(p, NULL, exact, wanted[w]);
                for (int v = 0; v < 2 && variants[f][v] != NULL; v++) {
                    const double ours = cheapest(p, variants[f][v], exact, wanted[w]);
                    printf("%-12s eps %g error %g: %8.3f (%8.3f; %.2f)%s\n", variants[f][v],
                           all_eps[i], wanted[w], 1e3 * ours, 1e3 * base, ours / base,
                           isinf(ours)   ? " not reached: collocation"
                           : ours > base ? " collocation wins"
                                         : "");
                    if (f == 0 && v == 0 && w == 0 && isfinite(ours))
                        worst = fmax(worst, ours / base);
                }
            }
            rg_problem_destroy(&p);
            rg_context_destroy(&ctx);
        }
    printf("target %s: sweep at an error of 1e-2 in at most 0.2 of collocation's time: %.2f\n",
           worst <= 0.2 ? "met" : "missed", worst);
    return 0;
}
