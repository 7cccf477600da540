/* Every allocation of a report or a figure may fail: no crash, no leak, message and remedy set. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static const char text[] = "param a = 1\nvar x = 1, y\nx' = -a*x\ny = x^2/2\nover t = 0 .. 0.1\n"
                           "exact x = exp(-a*t)\ndraw line(0, 0, x, y), text(x, y, \"A\")\n";

typedef struct {
    rg_problem *problem;
    rg_solution *solution;
} run;

static rg_status solve(rg_context *ctx, run *r)
{
    rg_options *o = NULL;

    rg_status status = rg_problem_from_text(ctx, text, &r->problem);
    if (status >= 0) status = rg_options_create(ctx, &o);
    if (status >= 0) status = rg_options_set(o, "tol", "1e-2");
    if (status >= 0) status = rg_solve(r->problem, 0.1, o, &r->solution);
    rg_options_destroy(&o);
    return status;
}

static void clear(run *r)
{
    rg_solution_destroy(&r->solution);
    rg_problem_destroy(&r->problem);
}

static rg_status write_html(rg_context *ctx, void *nothing)
{
    run r = {NULL, NULL};

    (void)nothing;
    rg_status status = solve(ctx, &r);
    if (status >= 0) status = rg_report_html(r.solution, r.problem, "/dev/null");
    clear(&r);
    return status;
}

static rg_status write_figures(rg_context *ctx, void *nothing)
{
    const rg_figure outputs = {.size = sizeof outputs, .show = "x,y"};
    run r = {NULL, NULL};
    FILE *to = fopen("/dev/null", "w");

    (void)nothing;
    rg_status status = solve(ctx, &r);
    if (status >= 0) status = rg_report_svg(r.solution, r.problem, NULL, "/dev/null");
    if (status >= 0) status = rg_report_svg(r.solution, r.problem, &outputs, "/dev/null");
    if (status >= 0 && to != NULL) status = rg_report_plot(r.solution, r.problem, 60, to);
    clear(&r);
    if (to != NULL) fclose(to);
    return status;
}

/* The rows of a sweep are made by hand: its threads would allocate side by side. */
static rg_status write_sweep(rg_context *ctx, void *nothing)
{
    static const char *const set_names[] = {"a"}, *const names[] = {"x", "y"};
    static const double set[] = {1.0, 2.0, 3.0}, values[] = {0.5, -1.0};
    rg_problem *p = NULL;
    rg_sweep_table *t = NULL;

    (void)nothing;
    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status >= 0) status = rg_sweep_table_create(ctx, &t);
    for (int k = 0; status >= 0 && k < 3; k++) {
        const rg_sweep_row row = {.run = k + 1,
                                  .runs = 3,
                                  .n_set = 1,
                                  .set_names = set_names,
                                  .set = set + k,
                                  .status = k < 2 ? RG_OK : RG_ERR_CONVERGENCE,
                                  .message = k < 2 ? "" : "stopped",
                                  .remedy = "",
                                  .t = 1.0,
                                  .n_values = 2,
                                  .names = names,
                                  .values = values};
        if (rg_sweep_table_take(&row, t) != 0) status = RG_ERR_MEMORY;
    }
    if (status >= 0) status = rg_sweep_table_write_html(t, p, NULL, "/dev/null");
    rg_sweep_table_destroy(&t);
    rg_problem_destroy(&p);
    return status;
}

static void test_html(void)
{
    CHECK(fault_run("report", write_html, NULL) > 40);
}

static void test_figures(void)
{
    CHECK(fault_run("figures", write_figures, NULL) > 40);
}

static void test_sweep(void)
{
    CHECK(fault_run("sweep", write_sweep, NULL) > 10);
}

static const test_case cases[] = {
    {"report",  test_html   },
    {"figures", test_figures},
    {"sweep",   test_sweep  },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
