/* Leading coefficients that vanish on the way, and denominators that do.  Where many solutions go
 * on from the place the run says so and stops there; where the place is removable, or one solution
 * goes on, it is right. */
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.1415926535897931

static rg_context *ctx;

typedef struct {
    const char *text; /* without interval */
    double from, to;
    double place;  /* NaN: none */
    double result; /* of the first column at the end, where there is no place */
} model;

static void check(const model *m, const char *tol)
{
    char text[1024];
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double value[8] = {0};

    snprintf(text, sizeof text, "%s\nover t = %.17g .. %.17g\n", m->text, m->from, m->to);
    if (CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
        && CHECK_INT(rg_options_create(ctx, &o), RG_OK)
        && CHECK_INT(rg_options_set(o, "tol", tol), RG_OK)) {
        const rg_status status = rg_solve(p, m->to, o, &s);
        const rg_error *e = rg_last_error(ctx);
        bool ok = true;
        if (isnan(m->place)) {
            ok = CHECK_INT(status, RG_OK) && CHECK(rg_solution_end_values(s, value) >= 0)
                 && CHECK(fabs(value[0] - m->result) <= 1e-3 * fmax(1.0, fabs(m->result)));
        } else {
            ok = CHECK_INT(status, RG_ERR_CONVERGENCE)
                 && CHECK(strstr(e->message, "is not determined") != NULL
                          || strstr(e->message, "the step is below rounding") != NULL)
                 && CHECK(fabs(e->t - m->place) <= 1e-6 * (1.0 + fabs(m->place)))
                 && CHECK(e->remedy[0] != '\0');
        }
        if (!ok) printf("    %s\n    %g: %s\n", text, value[0], e->message);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void check_all(size_t count, const model *models)
{
    for (size_t k = 0; k < count; k++) {
        check(&models[k], "1e-4");
        check(&models[k], "1e-6");
        check(&models[k], "1e-9");
    }
}

/* lambda = 1, 2, 3/2, 1; irregular; of the state; in a system, with algebraic unknowns; in arrays;
 * other times, scales and directions. */
static void test_open(void)
{
    static const model models[] = {
        {"var y = 1\n(t - 0.5)*y' = y",                                                  0,   1,     0.5,     0},
        {"var y = 1\n(t - 0.5)*y' = 2*y",                                                0,   1,     0.5,     0},
        {"var y = 1\n(t - 0.5)*y' = 1.5*y",                                              0,   1,     0.5,     0},
        {"var y = 1\nsin(t - 0.5)*y' = y - 1",                                           0,   1,     0.5,     0},
        {"var y = 1\n(t - 0.5)^3*y' = (t - 0.5)^2*y",                                    0,   1,     0.5,     0},
        {"var y = 1\n(t - 0.5)^3*y' = y",                                                0,   1,     0.5,     0},
        {"var y = 1, x = 0\nx' = 1\n(x - 0.5)*y' = y*cos(x - 0.5)",                      0,   1,     0.5,     0},
        {"var y = 1, z, w = 0\nw' = -50*(w - z)\nz = 2*y\n(t - 0.5)*y' = z",             0,   1,     0.5,     0},
        {"var y = 1\n1e-6*(t - 5000)*y' = 1e-6*y",                                       0,   1e4,   5e3,     0},
        {"var y = 1\n(t - 10000.5)*y' = y",                                              1e4, 10001, 10000.5, 0},
        {"var y = 1\n(t - 0.5)*y' = y",                                                  1,   0,     0.5,     0},
        {"var y[i = 1..3] = i\nfor i = 1..3 {\n(t - i/4)*y[i]' = y[i]\n}",               0,   1,     0.25,    0},
        {"var y[i = 1..2] = i\nfor i = 1..2 {\n(t - 0.5)*y[i]' = y[i]\n}",               0,   1,     0.5,     0},
        {"var y = 1\n(t - 0.5)^2*y' = (t - 0.5)*y",                                      0,   1,     0.5,     0},
        {"var y = 1\n(t - 0.3)^2*y' = 3*(t - 0.3)*y",                                    0,   1,     0.3,     0},
        {"var y = 1\n(1 - cos(t - 0.7))*y' = sin(t - 0.7)*y",                            0,   1,     0.7,     0},
        {"var y = 1, z = 1, x = 0\nx' = 1\n(x - 0.3)*y' + z' = y - z\nz' + y' = 0*x*y'", 0,   2,     1.3,
         0                                                                                                     },
        {"var y = 1e-9\n(t - 0.5)*y' = y",                                               0,   1,     0.5,     0},
        {"var y = 1e9\n(t - 5e-7)*y' = y",                                               0,   1e-6,  5e-7,    0},
    };

    check_all(sizeof models / sizeof *models, models);
}

/* Removable; a coefficient that the solution does not let vanish; det K that changes its sign by a
 * product; lambda < 0 behind an irregular place. */
static void test_determined(void)
{
    static const model models[] = {
        {"var y = 1\n(t - 0.5)*y' = (t - 0.5)*cos(t)",        0, 1, NAN, 1.8414709848078965},
        {"var y = 1\n(t - 0.5)^3*y' = y*(t - 0.5)^3",         0, 1, NAN, 2.718281828459045 },
        {"var y = 1\n(y - 1.2)*y' = (y - 1.2)*(1 + t)",       0, 1, NAN, 2.5               },
        {"var y = 1\n(2 + sin(9*t))*y' = y*(2 + sin(9*t))",   0, 1, NAN, 2.718281828459045 },
        {"var y = 1\n(t - 0.5)^2*y' = (t - 0.5)^2*y",         0, 1, NAN, 2.718281828459045 },
        {"var y = 1\n(t - 0.5)^2*y' = -y",                    0, 1, NAN, 0.0               },
        {"var y = 0, x = 1\n(t - 0.5)*(y' - x) = 0\nx' = -x", 0, 1, NAN, 0.6321205588285577},
    };

    check_all(sizeof models / sizeof *models, models);
}

/* The same places where the model divides: by a function of time, of states, of sums; a factor of
 * even order, one that touches 0, tan; in systems with algebraic unknowns and constraints. */
static void test_divided(void)
{
    static const model models[] = {
        {"var y = 1\ny' = y/(t - 0.5)",                                    0,   1,     0.5,     0},
        {"var y = 1\ny' = 1.5*(t - 0.5)^(-1)*y",                           0,   1,     0.5,     0},
        {"var y = 1\ny' = 2*y*(t - 0.5)/(t - 0.5)^2",                      0,   1,     0.5,     0},
        {"var y = 1\n(t - 0.5)^2*y' = 2*(t - 0.5)*y",                      0,   1,     0.5,     0},
        {"var y = 1\ny' = y*sin(t - 0.5)/(1 - cos(t - 0.5))",              0,   1,     0.5,     0},
        {"var y = 1\ny' = -y*tan(t - 0.5 - pi/2)",                         0,   1,     0.5,     0},
        {"var y = 1\ny' = y/tan(t - 0.5)",                                 0,   1,     0.5,     0},
        {"var y = 1, x = 0\nx' = 1\ny' = y/(x - 0.5)",                     0,   1,     0.5,     0},
        {"var y = 1, x = 1\nx' = -1\ny' = y*x'/x",                         0,   2,     1.0,     0},
        {"var y = 1, z\ny' = z/(t - 0.5)\nz = y",                          0,   1,     0.5,     0},
        {"var y = 0.25, y' = -1\ny'' = 2*y/(t - 0.5)^2",                   0,   1,     0.5,     0},
        {"var y = 1\ny' = y*cos(t - 0.5)/sin(t - 0.5)",                    0,   1,     0.5,     0},
        {"var y = 1\ny' = y/(t - 10000.5)",                                1e4, 10001, 10000.5, 0},
        {"var y = 1\ny' = y/(t - 0.5)",                                    1,   0,     0.5,     0},
        {"var y[i = 1..3] = i\nfor i = 1..3 {\ny[i]' = y[i]/(t - i/4)\n}", 0,   1,     0.25,    0},
        {"var y = 1e9\ny' = y/(t - 5e-7)",                                 0,   1e-6,  5e-7,    0},
        {"var p = 1, q = 0, u = 0, v = 1, l\nvar y = 1\np' = u\nq' = v\nu' = -l*p\nv' = -l*q\n"
         "p^2 + q^2 = 1\ny' = y/(t - 0.5)",                       0,   1,     0.5,     0},
    };

    check_all(sizeof models / sizeof *models, models);
}

/* Removable quotients: the limit counts. */
static void test_removable(void)
{
    static const model models[] = {
        {"var y = 0\ny' = sin(t)/t",                                                 -1, 1, NAN, 1.8921661407343662},
        {"var y = 0\ny' = 1 - (1 - cos(t - 0.1))/(t - 0.1)^2",                       -1, 1, NAN, 1.02800823788027  },
        {"var y = 1, x = -1\nx' = 1\ny' = y*sin(x)/x",                               -1, 1, NAN, 6.63372270598531  },
        {"var y = 0, x = -1\nx' = 1\ny' = (exp(x) - 1)/x",                           -1, 1, NAN, 2.11450175075146  },
        {"var y = 1\ny' = if(abs(t) < 1e-3, 0, -y*sin(t)^2/t^2*t)",                  -1, 1, NAN, 1.0               },
        {"var y[i = 1..3] = 1\nfor i = 1..3 {\ny[i]' = (t - i/4)/(t - i/4)*y[i]\n}", 0,  1, NAN,
         2.718281828459045                                                                                         },
    };

    check_all(sizeof models / sizeof *models, models);
}

/* A denominator that comes near 0 between the stages of a long step, in functions of states. */
static void test_near_zero(void)
{
    static const model models[] = {
        {"var y = 0, x = 0\nx' = 1\ny' = 1e-7/((x - 0.52)^2 + 1e-14)",  0, 1, NAN, 3.1415922529 },
        {"var y = 0, x = 0\nx' = 1\ny' = 1e-4/(1.00000001 + cos(6*x))", 0, 1, NAN, 0.7404781    },
        {"var y = 1, x = 0\nx' = 1\ny' = y*1e-5/((x - 0.5)^2 + 1e-10)", 0, 1, NAN, 23.1397670236},
    };

    check_all(sizeof models / sizeof *models, models);
}

/* Where the run begins, many solutions go on: y = t^2 + c t; exponents 1/2, 1, 2, 3; other times
 * and directions; of higher order in t; of rounding; irregular; in systems, of second order; with
 * factors of unknowns, where y = 2 t + c t^(3/2). */
static void test_open_start(void)
{
    static const model models[] = {
        {"var y = 0\nt*y' = y + t^2",                                            0,   1,   0,   0},
        {"var y = 0\n2*t*y' = y + t^2",                                          0,   1,   0,   0},
        {"var y = 0\nt*y' = 2*y + t^3",                                          0,   1,   0,   0},
        {"var y = 0\nt*y' = 3*y + t^2",                                          0,   1,   0,   0},
        {"var y = 2\n(t - 1)*y' = 1.5*(y - 2) + (t - 1)^2",                      1,   3,   1,   0},
        {"var y = 0\n(t - 1)*y' = y + (t - 1)^2",                                1,   0,   1,   0},
        {"var y = 0\n(t - 1e4)*y' = y",                                          1e4, 2e4, 1e4, 0},
        {"var y = 0\n(t - 1)^2*y' = (t - 1)*y",                                  1,   2,   1,   0},
        {"var y = 0\nsin(t)*y' = -y",                                            PI,  4,   PI,  0},
        {"var y = 0\nt^3*y' = y",                                                0,   1,   0,   0},
        {"var x = 1, v = 0\nx' = v\nt*v' = 2*v - t*x^5",                         0,   1,   0,   0},
        {"var y = 0, y' = 0\nt^2*y'' + t*y' + (t^2 - 4)*y = 0",                  0,   1,   0,   0},
        {"var y = 0, v = 0\ny' = v\nt^2*v' + t*v + (t^2 - 9)*y = 0",             0,   1,   0,   0},
        {"var y = 0, z, w = 1\nw' = -50*(w - z)\nz = 2*y\nt*y' = z",             0,   1,   0,   0},
        {"var y[i = 1..3] = 1\nfor i = 1..3 {\nt*y[i]' = (i - 2)*(y[i] - 1)\n}", 0,   1,   0,   0},
        {"var y = 0, x = 0\nx' = 1\nx*y' = y + y^2",                             0,   1,   0,   0},
        {"var y = 0, y' ~ 2\ny*y' = 3*y - 2*t",                                  0,   1,   0,   0},
    };

    check_all(sizeof models / sizeof *models, models);
}

/* ... or one: bounded solutions of exponents below 0; Emden's and Bessel's equations (J0, J1 with
 * its slope); a star; y = t and y = -t; removable. */
static void test_determined_start(void)
{
    static const model models[] = {
        {"var y = 0\nt*y' = -y + t^2",                            0,  1, NAN, 1.0 / 3.0          },
        {"var y = 0\n2*t*y' = -y + t^2",                          0,  1, NAN, 0.2                },
        {"var y = 0\nsin(t)*y' = y",                              PI, 4, NAN, 0.0                },
        {"var x = 1, v = 0\nx' = v\nt*v' = -2*v - t*x^5",         0,  1, NAN, 0.86602540378443865},
        {"var x = 1, x' = 0\nt*x'' + 2*x' + t*x^5 = 0",           0,  1, NAN, 0.86602540378443865},
        {"var y = 1, y' = 0\nt^2*y'' + t*y' + t^2*y = 0",         0,  1, NAN, 0.76519768655796655},
        {"var y = 0, y' = 0.5\nt^2*y'' + t*y' + (t^2 - 1)*y = 0", 0,  1, NAN, 0.44005058574493351},
        {"var p = 1, m = 0\nt^2*p' = -m*p\nm' = t^2",             0,  1, NAN, 0.84648172489061407},
        {"var y = 0, y' = 1\ny*y' = t",                           0,  1, NAN, 1.0                },
        {"var y = 0\nt*y' = t*cos(t)",                            0,  1, NAN, 0.84147098480789651},
        {"var y = 1\nt^2*y' = -t*(y - 1) + t^3*y",                0,  1, NAN, 1.410686134642448  },
    };

    check_all(sizeof models / sizeof *models, models);
}

int main(void)
{
    static const test_case cases[] = {
        {"not determined behind",   test_open            },
        {"determined",              test_determined      },
        {"denominators",            test_divided         },
        {"removable",               test_removable       },
        {"near 0",                  test_near_zero       },
        {"not determined at start", test_open_start      },
        {"determined at start",     test_determined_start},
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
