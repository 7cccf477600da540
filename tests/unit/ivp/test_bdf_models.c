/* --method bdf on models: as written up to index 1, reduced and projected above.  Skipped when
 * built without SUNDIALS. */
#include "ivp/bdf/bdf.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;

/* L = m = g = 1, started horizontally at rest; reference: closed form with Jacobi's elliptic
 * functions. */
static const char pendulum[] = "var p = 1, q = 0, u = 0, v = 0, lam\n"
                               "p' = u\nq' = v\nu' = -p*lam\nv' = -q*lam - 1\n"
                               "0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";
static const double pendulum_end[] = {-8.1158644619130383e-1, -5.8423235134539570e-1,
                                      -6.3152914906501758e-1, 8.7728879884106933e-1,
                                      1.7526970540361871};

static const char robertson[] = "var y1 = 1, y2 = 0, y3 = 0\n"
                                "y1' = -0.04*y1 + 1e4*y2*y3\n"
                                "y2' = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2\n"
                                "0 = y1 + y2 + y3 - 1\nover t = 0 .. 40\n";

static rg_solution *run(const char *text, double t_end, rg_options *o, rg_problem **p)
{
    rg_solution *s = NULL;

    rg_clear_error(ctx);
    strcpy(o->method, "bdf");
    if (!CHECK_INT(rg_problem_from_text(ctx, text, p), RG_OK)) return NULL;
    CHECK_INT(rg_solve(*p, t_end, o, &s), RG_OK);
    return s;
}

static void test_index_3(void)
{
    static const double tols[] = {1e-5, 1e-8}, errors[] = {5e-3, 1e-5};

    for (int k = 0; k < 2; k++) {
        rg_problem *p = NULL;
        rg_options o = rg_options_default();
        double y[5], yp[5];
        o.rtol = o.atol = tols[k];
        rg_solution *s = run(pendulum, 10.0, &o, &p);
        if (s != NULL) {
            CHECK_INT(rg_solution_eval(s, 10.0, y, yp), RG_OK);
            for (int i = 0; i < 5; i++)
                CHECK_NEAR(y[i], pendulum_end[i], errors[k]);
            CHECK(rg_solution_drift(s, 0) < 1e-13 && rg_solution_drift(s, 1) < 1e-12);
            CHECK_TEXT(rg_solution_method(s), "bdf");
            CHECK_INT(rg_solution_eval(s, 3.21, y, NULL), RG_OK); /* between steps */
            CHECK_NEAR(y[0] * y[0] + y[1] * y[1], 1.0, 20.0 * tols[k]);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
}

typedef struct { /* what the log says about starts from projected points */
    int count;
    double largest; /* correction, in tolerances */
} restarts;

static void note_restart(int level, const char *text, void *user)
{
    restarts *n = user;
    const char *corrected = strstr(text, "corrected by ");

    (void)level;
    if (corrected == NULL || strstr(text, "starts again") == NULL) return;
    n->count++;
    n->largest = fmax(n->largest, strtod(corrected + 13, NULL));
}

/* IDA goes on with its own history, which drifts away from the constraints: it starts again from
 * the projected point before they are more than some ten tolerances apart. */
static void test_history(void)
{
    restarts n = {0, 0.0};
    rg_problem *p = NULL;
    rg_options o = rg_options_default();

    o.rtol = o.atol = 1e-8;
    rg_context_set_log(ctx, note_restart, 3, &n);
    rg_solution *s = run(pendulum, 10.0, &o, &p);
    rg_context_set_log(ctx, NULL, 0, NULL);
    CHECK(n.count > 0 && n.count < 20);
    CHECK(n.largest < 20.0);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* Against Radau at a tighter tolerance. */
static void test_index_1(void)
{
    rg_problem *p = NULL;
    rg_options o = rg_options_default();
    rg_solution *reference = NULL;
    double y[3], r[3];

    o.rtol = 1e-7;
    o.atol = 1e-12;
    rg_solution *s = run(robertson, 40.0, &o, &p);
    o.rtol = 1e-10;
    strcpy(o.method, "radau");
    if (s != NULL && CHECK_INT(rg_solve(p, 40.0, &o, &reference), RG_OK)) {
        rg_solution_eval(s, 40.0, y, NULL);
        rg_solution_eval(reference, 40.0, r, NULL);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(y[i] / r[i], 1.0, 1e-4);
    }
    rg_solution_destroy(&reference);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* A model of index 2 and of index 3 as written, asked for directly; stages. */
static void test_refusals(void)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    strcpy(o.method, "bdf");
    strcpy(o.formulation, "direct");
    if (!CHECK_INT(rg_problem_from_text(ctx, pendulum, &p), RG_OK)) return;
    CHECK_INT(rg_solve(p, 1.0, &o, &s), RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->message, "index 3") != NULL);
    o = rg_options_default();
    strcpy(o.method, "bdf");
    o.stages = 3;
    CHECK_INT(rg_solve(p, 1.0, &o, &s), RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->remedy, "radau") != NULL);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static const test_case cases[] = {
    {"refusals", test_refusals},
    {"index 3",  test_index_3 },
    {"history",  test_history },
    {"index 1",  test_index_1 },
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const bool has_ida = rg_bdf_is_available();
    if (!has_ida) printf("skipped, built without SUNDIALS: models by bdf\n");
    const int result = test_main(cases, has_ida ? sizeof cases / sizeof *cases : 1);
    rg_context_destroy(&ctx);
    return result;
}
