/* Checkpoints through the C interface: a run that was interrupted goes on to the same numbers. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "var p = 1, q = 0, u = 0, v = 0, lambda\n"
                            "p' = u\nq' = v\nu' = -p*lambda\nv' = -q*lambda - 9.81\n"
                            "0 = p^2 + q^2 - 1\nover t = 0 .. 30\n";
static const char path[] = "test_checkpoint.ck";

typedef struct {
    rg_context *ctx;
    double stop;  /* interrupts there */
    double first; /* the first time that was seen */
} observer;

static int look(double t, const double *y, const double *yp, void *user)
{
    observer *o = user;

    (void)y;
    (void)yp;
    if (isnan(o->first)) o->first = t;
    if (t > o->stop) rg_context_interrupt(o->ctx);
    return 0;
}

/* One process, as it were: p at the end, and from where it went on. */
static rg_status solve(double stop, int resume, const char *options, double *p, double *from)
{
    rg_context *ctx = NULL;
    rg_problem *problem = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double y[5] = {NAN};

    CHECK(rg_context_create(&ctx) == RG_OK);
    observer seen = {ctx, stop, NAN};
    const rg_request request = {.keep = RG_KEEP_LAST,
                                .output = look,
                                .user = &seen,
                                .may_repeat = 1,
                                .estimate = 1,
                                .checkpoint = path,
                                .checkpoint_every = 1e-9,
                                .resume = resume};
    rg_status status = rg_problem_from_text(ctx, model, &problem);
    if (status >= 0) status = rg_options_create(ctx, &o);
    if (status >= 0 && options != NULL) status = rg_options_set(o, "rtol", options);
    if (status >= 0) status = rg_solve_request(problem, 30.0, o, &request, &s);
    if (status < 0) CHECK(rg_last_error(ctx)->message[0] != '\0');
    if (status >= 0) CHECK(rg_solution_eval(s, 30.0, y, NULL) == RG_OK);
    *p = y[0];
    *from = seen.first;
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&problem);
    rg_context_destroy(&ctx);
    return status;
}

static void test_same_numbers(void)
{
    double whole, resumed, from;

    remove(path);
    CHECK(solve(INFINITY, 0, NULL, &whole, &from) == RG_OK && from == 0.0);
    CHECK(solve(20.0, 0, NULL, &resumed, &from) == RG_ERR_INTERRUPTED);
    CHECK(solve(25.0, 1, NULL, &resumed, &from) == RG_ERR_INTERRUPTED && from > 5.0);
    CHECK(solve(INFINITY, 1, NULL, &resumed, &from) == RG_OK && from > 10.0);
    CHECK(resumed == whole);
    CHECK(solve(INFINITY, 1, NULL, &resumed, &from) == RG_OK && isnan(from)); /* it is over */
    CHECK(resumed == whole);
}

static void test_refused(void)
{
    double p, from;

    CHECK(solve(INFINITY, 1, "1e-7", &p, &from) == RG_ERR_ARGUMENT);
    remove(path);
}

static const test_case cases[] = {
    {"same numbers", test_same_numbers},
    {"refused",      test_refused     },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
