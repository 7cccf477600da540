/* Fields on grids from C: what there is, the values of a solution, the function that sees all of
 * them, the file for ParaView. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;

static const char flow[] = "domain x = 0..2 cells 4, y = 0..1 cells 3 periodic\n"
                           "vector u = (0, 0)\n"
                           "field p, c = 10*x + y\n"
                           "u' + div(u*u) = lap(u) - grad(p)\n"
                           "div(u) = 0\n"
                           "c' + div(u*c) = 0\n"
                           "over t = 0 .. 1\n"
                           "output m = mean(c)\n";

static void test_names(void)
{
    rg_problem *p = NULL;
    rg_field_info f = {.first = -7};
    char name[40];
    double at[5];

    CHECK_INT(rg_problem_from_text(ctx, flow, &p), RG_OK);
    CHECK(rg_problem_has_fields(p));
    CHECK_INT(rg_problem_field_count(p), 4);
    CHECK_INT(rg_problem_field(p, 0, &f), RG_OK);
    CHECK_TEXT(f.name, "u[x]");
    CHECK(f.across == 0 && f.dims == 2 && f.shape[0] == 5 && f.shape[1] == 3 && f.count == 15);
    CHECK_INT(rg_problem_field(p, 1, &f), RG_OK);
    CHECK(f.across == 1 && f.shape[0] == 4 && f.shape[1] == 3 && f.first == 15); /* periodic */
    CHECK_INT(rg_problem_field(p, 3, &f), RG_OK);
    CHECK_TEXT(f.name, "c");
    CHECK(f.across == -1 && f.count == 12 && f.first == 15 + 12 + 12);
    CHECK(f.first + f.count == rg_problem_size(p));
    rg_problem_name(p, f.first + 1, name, sizeof name);
    CHECK_TEXT(name, "c[2,1]"); /* the first axis is the fastest */
    CHECK_INT(rg_problem_field_points(p, 0, 0, at), RG_OK);
    CHECK(at[0] == 0.0 && at[1] == 0.5 && at[4] == 2.0);
    CHECK_INT(rg_problem_field_points(p, 3, 0, at), RG_OK);
    CHECK(at[0] == 0.25 && at[3] == 1.75);
    CHECK_INT(rg_problem_field(p, 4, &f), RG_ERR_ARGUMENT);
    CHECK_INT(rg_problem_field_points(p, 0, 2, at), RG_ERR_ARGUMENT);
    rg_problem_destroy(&p);
}

typedef struct {
    int calls;
    double first, last; /* c of the first cell */
    double t;
} seen;

static int look(double t, const double *y, const double *yp, void *user)
{
    seen *s = user;

    (void)yp;
    if (s->calls++ == 0) s->first = y[39];
    s->last = y[39];
    s->t = t;
    return 0;
}

/* With the method on the grid and with the expanded equations. */
static void test_values(const char *method)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    seen got = {0};
    double c[12], u[15];

    CHECK_INT(rg_problem_from_text(ctx, flow, &p), RG_OK);
    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "method", method), RG_OK);
    CHECK_INT(rg_options_set(o, "transport", "upwind"), RG_OK);
    CHECK_INT(rg_solve_with(p, 1.0, o, look, &got, &s), RG_OK);
    CHECK(got.calls >= 2 && got.t == 1.0);
    CHECK_NEAR(got.first, 10.0 * 0.25 + 1.0 / 6.0, 1e-12);
    CHECK_NEAR(got.last, got.first, 1e-12); /* at rest */
    CHECK_INT(rg_solution_field(s, 3, c), RG_OK);
    CHECK_NEAR(c[1], 10.0 * 0.75 + 1.0 / 6.0, 1e-12);
    CHECK_NEAR(c[4], 10.0 * 0.25 + 0.5, 1e-12);
    CHECK_INT(rg_solution_field(s, 0, u), RG_OK);
    for (int k = 0; k < 15; k++)
        CHECK(fabs(u[k]) < 1e-12);
    CHECK_INT(rg_solution_field(s, 4, c), RG_ERR_ARGUMENT);
    CHECK_INT(rg_solution_write_vtk(s, "build/test_fields.vtr"), RG_OK);
    FILE *file = fopen("build/test_fields.vtr", "rb");
    if (CHECK(file != NULL)) {
        char head[64] = "";
        CHECK(fread(head, 1, 60, file) == 60 && strstr(head, "RectilinearGrid") != NULL);
        fclose(file);
    }
    remove("build/test_fields.vtr");
    CHECK_INT(rg_solution_write_vtk(s, "/nowhere/at/all.vtr"), RG_ERR_IO);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void test_grid(void)
{
    test_values("srm");
}

static void test_expanded(void)
{
    test_values("radau");
}

/* Other models have no fields. */
static void test_none(void)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options *o = NULL;
    double v[1];

    CHECK_INT(rg_problem_from_text(ctx, "var x = 1\nx' = -x\nover t = 0 .. 1\n", &p), RG_OK);
    CHECK_INT(rg_problem_field_count(p), 0);
    CHECK_INT(rg_solve(p, 1.0, NULL, &s), RG_OK);
    CHECK_INT(rg_solution_field(s, 0, v), RG_ERR_ARGUMENT);
    CHECK_INT(rg_solution_write_vtk(s, "build/none.vtr"), RG_ERR_ARGUMENT);
    rg_solution_destroy(&s);
    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "vtk", "build/none"), RG_OK);
    CHECK_INT(rg_solve(p, 1.0, o, &s), RG_ERR_ARGUMENT);
    CHECK_TEXT(rg_last_error(ctx)->message,
               "--vtk is for models with fields, and this one has none");
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

int main(void)
{
    static const test_case cases[] = {
        {"names",    test_names   },
        {"grid",     test_grid    },
        {"expanded", test_expanded},
        {"none",     test_none    },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
