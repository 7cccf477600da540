/* Tables 5.1 and 5.2 of Ascher, Lin (1993): Example 1, a boundary value problem through a singular
 * point, by the midpoint scheme with h = 0.01.
 *
 * ex: largest error of a component of x at t;  ey: of By in the midpoint t - h/2;  drift: |C x + r|
 * at t.
 *
 * Table 5.2 is not what the text says (found by trying): the printed values are those of the
 * terminal value problem itself, whose first component at t = 1 comes from the constraint, with
 * By_0 the constant By(1 - h/2).  That is what `layer = back` gives with a number of iterations. */
#include "tables/table.h"

#include "base/options.h"

#include <stdio.h>

static const double h = 0.01, times[] = {0.01, 0.1, 0.3, 0.5, 1.0};
static const char *const names[] = {"ex", "ey", "drift"};
static const char model[] = "examples/srm/srm-boundary.rg";
static const struct {
    const char *row, *eps;
} rows[] = {
    {"eps = 1e-1", "1e-1"},
    {"eps = 5e-2", "5e-2"},
    {"eps = 1e-2", "1e-2"},
    {"eps = 1e-3", "1e-3"},
    {"eps = 1e-6", "1e-6"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static double error_x(double t, const double *x)
{
    return fmax(fabs(x[0] - exp(-t)), fabs(x[1] - sin(t)));
}

static double drift(double t, const double *x)
{
    return fabs((1.0 - 2.0 * t) * (x[0] + x[1] - exp(-t) - sin(t)));
}

static void set_options(rg_context *ctx, const char *eps, int iterations, const char *layer,
                        rg_options *o)
{
    char number[16];
    const char *const list[][2] = {
        {"method",     "srm"      },
        {"variant",    "linear-by"},
        {"scheme",     "midpoint" },
        {"layer",      layer      },
        {"step",       "0.01"     },
        {"eps",        eps        },
        {"iterations", number     }
    };

    *o = rg_options_default();
    snprintf(number, sizeof number, "%d", iterations);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        CHECK_INT(rg_options_assign(ctx, o, list[k][0], list[k][1]), RG_OK);
}

static void add(table_run *run, const char *quantity, double t, double value)
{
    run->entry[run->n++] = (table_entry){quantity, t, value};
}

static void run(rg_context *ctx, rg_problem *p, int row, int iterations, bool is_back,
                table_run *run)
{
    rg_options o;
    rg_solution *s = NULL;

    *run = (table_run){.row = rows[row].row, .iteration = iterations};
    set_options(ctx, rows[row].eps, iterations, is_back ? "back" : "keep", &o);
    if (!CHECK_INT(rg_solve(p, 1.0, &o, &s), RG_OK)) rg_error_print(rg_last_error(ctx), stdout);
    for (int k = 0; k < (is_back ? 4 : 5) && s != NULL; k++) {
        double y[3], yp[3], t = times[k];
        CHECK_INT(rg_solution_eval(s, t, y, NULL), RG_OK);
        add(run, names[0], t, error_x(t, y));
        if (!is_back) add(run, names[2], t, drift(t, y));
        CHECK_INT(rg_solution_eval(s, t - 0.5 * h, y, yp), RG_OK);
        t -= 0.5 * h; /* x' = Ax + By + q holds there */
        const double first = yp[0] + y[0] - y[1] + sin(t), second = yp[1] - cos(t);
        add(run, names[1], times[k], fmax(fabs(first), fabs(second)));
    }
    rg_solution_destroy(&s);
}

static void test_5_1(void)
{
    static table_run runs[3 * N_ROWS];
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    int n = 0;

    if (CHECK_INT(rg_context_create(&ctx), RG_OK)
        && CHECK_INT(rg_problem_from_file(ctx, model, &p), RG_OK)) {
        for (int row = 0; row < N_ROWS; row++)
            for (int s = 1; s <= 3; s++)
                run(ctx, p, row, s, false, &runs[n++]);
        table_compare("tests/tables/srm-linear-5.1.csv", n, runs);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_5_2(void)
{
    static table_run runs[4];
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    if (CHECK_INT(rg_context_create(&ctx), RG_OK)
        && CHECK_INT(rg_problem_from_file(ctx, model, &p), RG_OK)) {
        for (int row = 0; row < 4; row++)
            run(ctx, p, row, 3, true, &runs[row]);
        table_compare("tests/tables/srm-linear-5.2.csv", 4, runs);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"table 5.1", test_5_1},
        {"table 5.2", test_5_2}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
