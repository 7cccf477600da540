/* One problem, a solver per thread. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <pthread.h>

enum { THREADS = 3 };

static const char model[] = "param w = 3\n"
                            "var x = 1, v = 0\n"
                            "var e\n"
                            "x' = v\n"
                            "v' = -w^2*x\n"
                            "e = w^2*x^2 + v^2\n"
                            "over t = 0 .. 5\n";

typedef struct {
    rg_context *ctx;
    rg_solver *solver;
    double t, end, y[3];
    rg_status status;
} job;

static void *walk(void *argument)
{
    job *j = argument;

    while (j->status >= 0 && j->t < j->end)
        j->status = rg_solver_step(j->solver, j->end, &j->t, j->y);
    return NULL;
}

static void test_threads(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    job jobs[THREADS] = {{0}};
    pthread_t threads[THREADS];

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, model, &p) == RG_OK);
    for (int k = 0; k < THREADS; k++) {
        jobs[k].end = 3 + k;
        CHECK(rg_context_create(&jobs[k].ctx) == RG_OK);
        CHECK(rg_solver_create_in(jobs[k].ctx, p, NULL, &jobs[k].solver) == RG_OK);
    }
    for (int k = 0; k < THREADS; k++)
        CHECK(pthread_create(&threads[k], NULL, walk, &jobs[k]) == 0);
    for (int k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        CHECK(jobs[k].status == RG_OK);
        CHECK_NEAR(jobs[k].y[0], cos(3 * jobs[k].end), 1e-4);
        rg_solver_destroy(&jobs[k].solver);
        rg_context_destroy(&jobs[k].ctx);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* What goes wrong in the analysis of the problem is told in the context of the solver. */
static void test_message(void)
{
    rg_context *ctx = NULL, *other = NULL;
    rg_problem *p = NULL;
    rg_solver *s = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK && rg_context_create(&other) == RG_OK);
    CHECK(rg_problem_from_text(ctx, "var x = 1, y = 3\nx' = 0\ny = 2*x\nover t = 0 .. 1\n", &p)
          == RG_OK);
    CHECK(rg_solver_create_in(other, p, NULL, &s) == RG_ERR_INCONSISTENT);
    CHECK(s == NULL);
    CHECK(rg_last_error(other)->code == RG_ERR_INCONSISTENT);
    CHECK(rg_last_error(other)->message[0] != '\0' && rg_last_error(other)->remedy[0] != '\0');
    rg_problem_destroy(&p);
    rg_context_destroy(&other);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"threads", test_threads},
    {"message", test_message}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
