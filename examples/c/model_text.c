/* A model from text, solved once, then read at any time: dense output.
 *
 *     cc model_text.c $(pkg-config --cflags --libs regula) -o model_text && ./model_text */
#include <regula.h>

#include <math.h>
#include <stdlib.h>

/* A voltage source across a capacitor and an inductor: index 2. */
static const char model[] = "param C = 2e-3, L = 0.5, w = 10\n"
                            "var iL = 0\n"
                            "var v, iS\n"
                            "C*v' = -iL - iS\n"
                            "L*iL' = v\n"
                            "v = sin(w*t)\n"
                            "over t = 0 .. 2\n";

/* Prints a table of all unknowns at chosen times; the largest error of iL, or NaN. */
static double print_table(const rg_problem *p, const rg_solution *s)
{
    const int64_t n = rg_problem_size(p);
    char name[32];
    double worst = 0, y[3];

    printf("%8s", "t");
    for (int64_t k = 0; k < n; k++) {
        rg_problem_name(p, k, name, sizeof name);
        printf(" %10s", name);
    }
    printf("\n");
    for (double t = 0; t <= 2; t += 0.5) {
        if (rg_solution_eval(s, t, y, NULL) < 0) return NAN;
        printf("%8.2f %10.6f %10.6f %10.6f\n", t, y[0], y[1], y[2]);
        worst = fmax(worst, fabs(y[0] - (1 - cos(10 * t)) / 5));
    }
    return worst;
}

int main(void)
{
    double error = NAN;
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_structure found;
    rg_options *o = NULL;

    if (rg_context_create(&ctx) < 0) return EXIT_FAILURE; /* out of memory */
    bool ok = rg_options_create(ctx, &o) >= 0 && rg_options_set(o, "tol", "1e-8") >= 0
              && rg_problem_from_text(ctx, model, &p) >= 0 && rg_analyze(p, &found) >= 0
              && rg_solve(p, 2.0, o, &s) >= 0;
    if (ok) {
        printf("index %d, %d degree of freedom\n", found.index, (int)found.dof);
        error = print_table(p, s);
    } else {
        rg_error_print(rg_last_error(ctx), stderr);
    }
    ok = ok && found.index == 2 && error < 1e-5;
    printf(ok ? "as it should be\n" : "not as it should be\n");
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
