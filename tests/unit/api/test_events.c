/* Events of callback problems: rg_problem_set_event(). */
#include "regula.h"
#include "support/test.h"

#include <math.h>

typedef struct { /* what the callbacks do and count */
    int evaluations, resets;
    int ends_at; /* the run ends at this bounce; 0: never */
    int answer;  /* of the condition */
} told;

/* A ball: h' = v, v' = -10, and a mode n with n' = 0 that counts the bounces. */
static int ball(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -10.0;
    f[2] = 0.0;
    return 0;
}

static int is_below(double t, const double *y, double *g, void *user)
{
    told *w = user;

    (void)t;
    w->evaluations++;
    g[0] = -y[0];      /* h < 0 */
    g[1] = y[2] - 2.5; /* the third bounce */
    return w->answer;
}

static int bounce(double t, int event, double *y, void *user)
{
    told *w = user;

    (void)t;
    w->resets++;
    if (event == 1) return w->ends_at > 0;
    y[1] = -0.5 * y[1];
    y[2] += 1.0;
    return 0;
}

static rg_problem *create(rg_context *ctx, told *w, rg_reset_fn *reset)
{
    const double start[3] = {5, 0, 0};
    rg_problem *p = NULL;

    CHECK(rg_problem_create_mass(ctx, 3, NULL, ball, w, &p) == RG_OK);
    CHECK(rg_problem_set_initial(p, 0, start, NULL) == RG_OK);
    CHECK(rg_problem_set_event(p, 2, is_below, reset) == RG_OK);
    return p;
}

/* Falls 1 s, bounces at t = 1, 2, 2.5, 2.75, ... with 10/2^n. */
static void test_bounces(void)
{
    rg_context *ctx = NULL;
    rg_solution *s = NULL;
    told w = {0};
    double y[3];

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = create(ctx, &w, bounce);
    CHECK(rg_solve(p, 2.25, NULL, &s) == RG_OK);
    CHECK(rg_solution_eval(s, 2.25, y, NULL) == RG_OK);
    CHECK_NEAR(y[0], 2.5 * 0.25 - 5 * 0.0625, 1e-9);
    CHECK_NEAR(y[1], 0.0, 1e-8);
    CHECK(y[2] == 2.0);
    CHECK_INT(w.resets, 2);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_end(void)
{
    rg_context *ctx = NULL;
    rg_solution *s = NULL;
    told w = {.ends_at = 3};

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = create(ctx, &w, bounce);
    CHECK(rg_solve(p, 10, NULL, &s) == RG_OK);
    CHECK_NEAR(rg_solution_end(s), 2.5, 1e-9);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Nothing is assigned: the ball falls on. */
static void test_no_reset(void)
{
    rg_context *ctx = NULL;
    rg_solution *s = NULL;
    told w = {0};
    double y[3];

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = create(ctx, &w, NULL);
    CHECK(rg_solve(p, 2, NULL, &s) == RG_OK);
    CHECK(rg_solution_eval(s, 2, y, NULL) == RG_OK);
    CHECK_NEAR(y[0], -15.0, 1e-9);
    rg_solution_destroy(&s);
    CHECK(rg_problem_set_event(p, 0, NULL, NULL) == RG_OK);
    w.evaluations = 0;
    CHECK(rg_solve(p, 2, NULL, &s) == RG_OK);
    CHECK(w.evaluations == 0);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_refused(void)
{
    rg_context *ctx = NULL;
    rg_solution *s = NULL;
    rg_problem *text = NULL;
    told w = {.answer = -3};

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = create(ctx, &w, bounce);
    CHECK(rg_solve(p, 2, NULL, &s) == RG_ERR_CALLBACK);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    rg_solution_destroy(&s);
    CHECK(rg_problem_set_event(p, 1, NULL, bounce) == RG_ERR_ARGUMENT);
    CHECK(rg_problem_set_event(p, -1, is_below, bounce) == RG_ERR_ARGUMENT);
    CHECK(rg_problem_from_text(ctx, "var x = 1\nx' = -x\nover t = 0 .. 1\n", &text) == RG_OK);
    CHECK(rg_problem_set_event(text, 1, is_below, bounce) == RG_ERR_ARGUMENT);
    rg_problem_destroy(&text);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* A step ends at a bounce with the values before it, the next call has those behind it. */
static void test_by_hand(void)
{
    rg_context *ctx = NULL;
    rg_solver *s = NULL;
    told w = {.ends_at = 3};
    double t = 0.0, last = -1.0, y[3] = {0}, v = 0.0;
    int bounces = 0;
    rg_status status = RG_OK;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = create(ctx, &w, bounce);
    CHECK(rg_solver_create(p, NULL, &s) == RG_OK);
    for (int k = 0; k < 1000 && status == RG_OK && t < 2.2; k++) {
        status = rg_solver_step(s, 2.2, &t, y);
        if (t == last) {
            CHECK_NEAR(y[1], -0.5 * v, 1e-12);
            CHECK_NEAR(y[0], 0.0, 1e-12);
            bounces++;
        }
        last = t;
        v = y[1];
    }
    CHECK(status == RG_OK);
    CHECK(t == 2.2);
    CHECK_INT(bounces, 2);
    CHECK_NEAR(y[0], 2.5 * 0.2 - 5 * 0.04, 1e-9);
    for (int k = 0; k < 1000 && status == RG_OK; k++) /* another limit; the reset ends the run */
        status = rg_solver_step(s, 10.0, &t, y);
    CHECK(status == RG_STOPPED);
    CHECK_NEAR(t, 2.5, 1e-9);
    CHECK(rg_solver_step(s, 10.0, &t, y) == RG_STOPPED);
    CHECK_NEAR(t, 2.5, 1e-9);
    rg_solver_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"by hand",  test_by_hand },
    {"bounces",  test_bounces },
    {"end",      test_end     },
    {"no reset", test_no_reset},
    {"refused",  test_refused }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
