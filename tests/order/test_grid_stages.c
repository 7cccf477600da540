/* Scalars that diffuse fast on fine grids: steps far beyond those of explicit diffusion, second
 * order in time towards the expansion of the same equations by Radau IIA. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 4 };

typedef struct {
    const char *name, *text;
    double t_end;
    int most_steps; /* at tolerance 1e-4                                             */
    double ratio;   /* of the errors of steps of a quarter; less where data change at sides, and
                     * none where convection keeps the steps as they are */
} row;

#define LINE  "domain x = 0..1 cells 200\n"
#define PLANE "domain x = 0..1 cells 24, y = 0..1 cells 24\n"

/* Explicit diffusion alone needs two steps per h^2/D: 80 000 on the line, 1150 t in the plane. */
static const row rows[] = {
    {"rough start",
     LINE "field c = if(x < .5, 1, 0)\nc' = lap(c)\nover t = 0 .. .1\n"
          "output a = c(.2), b = c(.7)\n",                                                 0.1, 110, 8.0},
    {"sides in time",
     LINE "field c = 0\nc' = lap(c)\nboundary c(left) = sin(8*t)\n"
          "boundary flux(c, right) = -cos(5*t)\nover t = 0 .. 1\n"
          "output a = c(.2), b = c(.9)\n",                                                 1.0, 250, 5.0},
    {"nonlinear",
     LINE "field c = 1 + cos(pi*x)\nc' = div((.1 + c^2)*grad(c)) - c^3\n"
          "boundary c(right) = .5\nover t = 0 .. .5\noutput a = c(.2), b = c(.7)\n",       0.5, 120, 8.0},
    {"two scalars",
     PLANE "field a = x, b = y\na' = lap(a) - 5*a*b\nb' = .3*lap(b) + 5*a*b - b^2\n"
           "over t = 0 .. .5\noutput A = a(.3, .3), B = b(.2, .7)\n",                      0.5, 150, 8.0},
    {"carried",
     PLANE "field c = x*y\nc' + div(c*(sin(pi*x)*cos(t), -.5*sin(2*pi*y))) = lap(c)\n"
           "boundary c(top) = x\nover t = 0 .. .5\noutput A = c(.3, .3), B = c(.2, .7)\n", 0.5, 150, 0.0},
    {"flow",
     "domain x = 0..1 cells 10, y = 0..1 cells 10\nvector u = (0, 0)\nfield p, T = 0\n"
     "u' + div(u*u) = .1*lap(u) - grad(p) + (0, 20*T)\ndiv(u) = 0\n"
     "T' + div(u*T) = 2*lap(T)\nboundary T(left) = 1, T(right) = 0\nover t = 0 .. .5\n"
     "output A = T(.3, .3), B = u[y](.2, .7)\n",                                           0.5, 200, 8.0},
};

/* The outputs at the end, and the steps; false: it failed. */
static bool solve(const row *r, const char *method, double tol, double *out, int64_t *steps)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    char text[32];

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_options_create(ctx, &o) == RG_OK);
    snprintf(text, sizeof text, "%.3e", tol);
    CHECK(rg_options_set(o, "method", method) == RG_OK && rg_options_set(o, "tol", text) == RG_OK);
    CHECK(rg_options_set(o, "transport", "central") == RG_OK);
    const bool ok = rg_problem_from_text(ctx, r->text, &p) == RG_OK
                    && rg_solve(p, r->t_end, o, &s) >= RG_OK
                    && rg_solution_end_values(s, out) == RG_OK;
    if (!ok) rg_error_print(rg_last_error(ctx), stderr);
    if (ok) *steps = rg_solution_stats(s).steps;
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
    return ok;
}

static void check_row(const row *r)
{
    double exact[MOST] = {0}, y[MOST] = {0}, error[3] = {0.0, 0.0, 0.0};
    int64_t steps[3] = {0}, ignored;

    if (!CHECK(solve(r, "radau", 1e-9, exact, &ignored))) return;
    for (int k = 0; k < 3; k++) { /* steps of half the length */
        if (!CHECK(solve(r, "srm", 1e-4 * pow(8.0, -k), y, &steps[k]))) return;
        for (int m = 0; m < 2; m++)
            error[k] = fmax(error[k], fabs(y[m] - exact[m]) / (1.0 + fabs(exact[m])));
    }
    const double ratio = error[0] / error[2];
    if (!CHECK(error[0] < 2e-4) || !CHECK(ratio > r->ratio) || !CHECK(steps[0] <= r->most_steps))
        printf("    %s: errors %.2e %.2e %.2e, steps %d %d %d\n", r->name, error[0], error[1],
               error[2], (int)steps[0], (int)steps[1], (int)steps[2]);
}

static void test_stages(void)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        check_row(&rows[k]);
}

int main(void)
{
    static const test_case cases[] = {
        {"stages", test_stages},
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
