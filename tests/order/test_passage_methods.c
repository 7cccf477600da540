/* Singular positions under other circumstances than the default: fixed steps, other methods and
 * views, high index. Run from the top folder. */
#include "ivp/bdf/bdf.h"
#include "support/end.h"
#include "support/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *model, *options, *column;
    double reference, error;
    int places;          /* that are passed */
    const char *message; /* or how the run ends */
} passage;

static const passage passages[] = {
  /* a point at .985 of a step: no stage near it; then on a mesh point, and on the first stage */
    {"examples/singular/both-vanish.rg",      "step=0.1003",                    "x2",    0.84147098480789651, 1e-8,    1,  NULL                         },
    {"examples/singular/both-vanish.rg",      "step=0.1",                       "x2",    NAN,                 0,       0,  "has a stage there"          },
    {"examples/singular/both-vanish.rg",      "step=0.232013",                  "x2",    NAN,                 0,       0,  "has a stage there"          },
    {"examples/singular/four-bar.rg",         "step=0.01",                      "x[0]",  0.328458111541,      3e-6,    10, NULL                         },
    {"examples/singular/four-bar.rg",         "step=0.02 stages=5",             "x[0]",  0.328458111541,      3e-4,    10, NULL                         },
    {"tests/singular/arrives-at-rest.rg",     "step=0.13",                      "q1",    NAN,                 0,       0,  "bifurcation"                },
    {"tests/singular/index-four.rg",          "tol=1e-6",                       "b",     1.0 / 6.0,           1e-6,    1,  NULL                         },
    {"tests/singular/index-four.rg",          "tol=1e-6 formulation=ggl",       "b",     1.0 / 6.0,           1e-6,    1,  NULL                         },
    {"examples/singular/four-bar.rg",         "tol=1e-6 formulation=projected", "x[0]",  0.328458111541,
     1e-3,                                                                                                             10, NULL                         },
    {"examples/singular/four-bar.rg",         "tol=1e-6 formulation=direct",    "x[0]",  0.328458111541,      1e-3,
     10,                                                                                                                   NULL                         },
    {"examples/singular/four-bar.rg",         "tol=1e-6 method=bdf",            "x[0]",  0.328458111541,      1e-3,    10,
     NULL                                                                                                                                               },
    {"tests/singular/arrives-at-rest.rg",     "tol=1e-6 method=bdf",            "q1",    NAN,                 0,       0,  "bifurcation"                },
    {"tests/singular/combined.rg",            "tol=1e-4",                       "x2",    0.84147098480789651, 7.5e-6,  1,  NULL                         },
    {"tests/singular/combined.rg",            "tol=1e-6",                       "x2",    0.84147098480789651, 2.7e-8,  1,  NULL                         },
    {"tests/singular/combined.rg",            "tol=1e-8",                       "x2",    0.84147098480789651, 3e-10,   1,  NULL                         },
    {"tests/singular/combined.rg",            "step=0.1003",                    "x2",    0.84147098480789651, 1e-8,    1,  NULL                         },
    {"tests/singular/combined-cross.rg",      "tol=1e-6",                       "q1",    -1.0627296672045814, 1e-7,    1,  NULL                         },
    {"tests/singular/combined-rest.rg",       "tol=1e-6",                       "q1",    NAN,                 0,       0,  "bifurcation"                },
 /* starts on a singular point: three times the errors of the prototype with x0' known */
    {"tests/singular/start-both-vanish.rg",   "tol=1e-4",                       "x2",    0.84147098480789651, 5.4e-6,  1,  NULL                         },
    {"tests/singular/start-both-vanish.rg",   "tol=1e-6",                       "x2",    0.84147098480789651, 1.4e-8,  1,  NULL                         },
    {"tests/singular/start-both-vanish.rg",   "tol=1e-8",                       "x2",    0.84147098480789651, 6.9e-11, 1,
     NULL                                                                                                                                               },
    {"tests/singular/start-bounded.rg",       "tol=1e-6",                       "x1",    0.47942553860420301, 2e-8,    1,  NULL                         },
    {"tests/singular/start-unbounded.rg",     "tol=1e-6",                       "x2",    0.84147098480789651, 2e-8,    1,  NULL                         },
    {"tests/singular/start-contradiction.rg", "tol=1e-6",                       "x2",    NAN,                 0,       0,
     "lose rank at the start"                                                                                                                           },
    {"tests/singular/start-open.rg",          "tol=1e-6",                       "x2",    NAN,                 0,       0,  "lose rank (t = 0.5, line 6)"},
 /* several points within a thirtieth of a step */
    {"tests/singular/five-close.rg",          "tol=1e-3",                       "x1",    0.54030230586813972, 3e-5,    5,  NULL                         },
    {"tests/singular/five-close.rg",          "tol=1e-4",                       "x1",    0.54030230586813972, 3e-6,    5,  NULL                         },
    {"tests/singular/five-close.rg",          "tol=1e-6",                       "x1",    0.54030230586813972, 1e-7,    5,  NULL                         },
    {"tests/singular/five-close.rg",          "tol=1e-8",                       "x1",    0.54030230586813972, 1e-9,    5,  NULL                         },
 /* nothing is lost, though entries of the Jacobian come from nearly 0 */
    {"tests/singular/level-chain.rg",         "tol=1e-6 method=lobatto3c",      "x[60]", 0.8778647595,        1e-6,    0,
     NULL                                                                                                                                               },
    {"tests/singular/level-chain.rg",         "tol=1e-4 method=radau",          "x[60]", 0.8778647595,        1e-4,    0,
     NULL                                                                                                                                               },
    {"tests/singular/level-chain.rg",         "tol=1e-4 method=gauss",          "x[60]", 0.8778647595,        1e-4,    0,
     NULL                                                                                                                                               },
    {"tests/singular/switch-behind.rg",       "tol=1e-6",                       "x1",    0.04978706836786394, 1e-7,    1,  NULL                         },
    {"tests/singular/switch-behind.rg",       "tol=1e-6",                       "z",     2531.25,             1e-8,    1,  NULL                         },
};

static void check_end(rg_context *ctx, const passage *c, rg_status status, const rg_problem *p,
                      const rg_solution *s)
{
    const rg_error *error = rg_last_error(ctx);

    if (c->message != NULL) {
        if (!CHECK(status == RG_ERR_CONVERGENCE || status == RG_ERR_INCONSISTENT)
            || !CHECK(strstr(error->message, c->message) != NULL))
            printf("    %s, %s: %s\n", c->model, c->options, error->message);
        CHECK(error->remedy[0] != '\0');
        return;
    }
    if (!CHECK(status == RG_OK)) {
        rg_error_print(error, stdout);
        return;
    }
    const double miss = fabs(end_value(s, c->column) - c->reference);
    printf("  %s, %s: error %.1e (%.0e)\n", c->model, c->options, miss, c->error);
    CHECK(miss <= c->error);
    CHECK_INT(places_of(p, s), c->places);
}

static void check_passage(rg_context *ctx, const passage *c)
{
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a, b;

    if (!CHECK(rg_problem_from_file(ctx, c->model, &p) == RG_OK)) return;
    if (options_from_words(ctx, &o, c->options)) {
        rg_problem_interval(p, &a, &b);
        const rg_status status = rg_solve_with(p, b, &o, NULL, NULL, &s);
        check_end(ctx, c, status, p, s);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_passages(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof passages / sizeof *passages; k++)
        if (rg_bdf_is_available() || strstr(passages[k].options, "bdf") == NULL)
            check_passage(ctx, &passages[k]);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"passages", test_passages}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
