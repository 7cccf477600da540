/* The same model by several methods, and whole columns of a solution.
 *
 *     cc compare_methods.c $(pkg-config --cflags --libs regula) -o compare_methods
 *     ./compare_methods */
#include <regula.h>

#include <math.h>
#include <stdlib.h>

/* A pendulum of index 3. */
static const char model[] = "param g = 1\n"
                            "var p = 1, q = 0, u = 0, v = 0\n"
                            "var lambda\n"
                            "p' = u\nq' = v\n"
                            "u' = -p*lambda\nv' = -q*lambda - g\n"
                            "0 = p^2 + q^2 - 1\n"
                            "over t = 0 .. 1\n";

/* One line per method; true if all of them worked. */
static bool print_rows(const rg_comparison *c)
{
    rg_compare_row row;
    bool ok = true;

    printf("errors against: %s\n", rg_comparison_against(c));
    for (int k = 0; k < rg_comparison_count(c); k++) {
        if (rg_comparison_row(c, k, &row) < 0) return false;
        printf("%-20s %-8s error %.0e, %d steps\n", row.text, rg_status_name(row.status), row.error,
               (int)row.stats.steps);
        ok = ok && row.status >= 0 && row.error < 1e-3;
    }
    return ok;
}

/* The two coordinates at 11 times, and how far they are off the circle. */
static bool is_on_circle(const rg_solution *s)
{
    enum { ROWS = 11 };
    double pq[2 * ROWS], worst = 0;

    if (rg_solution_rows(s) != ROWS || rg_solution_rows_into(s, 0, 2, pq) < 0) return false;
    for (int k = 0; k < ROWS; k++)
        worst = fmax(worst, fabs(hypot(pq[2 * k], pq[2 * k + 1]) - 1));
    return worst < 1e-5;
}

int main(void)
{
    double times[11];
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_comparison *c = NULL;

    for (int k = 0; k <= 10; k++)
        times[k] = k / 10.0;
    if (rg_context_create(&ctx) < 0) return EXIT_FAILURE; /* out of memory */
    bool ok = rg_problem_from_text(ctx, model, &p) >= 0
              && rg_compare(p, 1, NULL, "radau,radau:stages=3,baumgarte:gamma=10", &c) >= 0
              && rg_solve_at(p, 1, NULL, 11, times, &s) >= 0;
    if (!ok) rg_error_print(rg_last_error(ctx), stderr);
    ok = ok && print_rows(c) && is_on_circle(s);
    printf(ok ? "as it should be\n" : "not as it should be\n");
    rg_comparison_destroy(&c);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
