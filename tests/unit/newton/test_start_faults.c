/* Start values when memory runs out, when callbacks fail, and for problems given as callbacks. */
#include "newton/consistent.h"
#include "support/fault.h"
#include "support/test.h"

static const char nine_digits[] = "var p = 0.577350269, q = 0.816496581, u, v, z\n"
                                  "var lambda, w ~ 2\n"
                                  "p' = u\n"
                                  "q' = v\n"
                                  "u' = -p*lambda\n"
                                  "v' = -q*lambda - 9.81\n"
                                  "0 = p^2 + q^2 - 1\n"
                                  "w^2 = 2 + z\n"
                                  "z' = 1\n"
                                  "over t = 0 .. 10\n";
static const char contradiction[] = "var x = 1, y = 2, z ~ 1\n"
                                    "x' = z\n"
                                    "y = x\n"
                                    "z^3 = y\n"
                                    "over t = 0 .. 1\n";

/* Start values of a model, with the n-th allocation failing; *hit: there were as many. */
static rg_status start_with_fault(const char *text, int64_t n, bool *hit)
{
    fault_allocator a = {0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *analysis = NULL;
    rg_consistent *c = NULL;

    if (!CHECK_INT(rg_context_create_with(fault_realloc, &a, &ctx), RG_OK)) return RG_ERR_MEMORY;
    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    CHECK_INT(rg_analysis_get(p, &analysis), RG_OK);
    a.fail_at = a.count + n;
    const rg_status status = rg_consistent_create(p, analysis, 0, &c);
    *hit = a.count >= a.fail_at;
    CHECK(status == RG_OK ? c != NULL : c == NULL);
    if (status < 0) CHECK(rg_last_error(ctx)->message[0] != 0);
    a.fail_at = 0;
    rg_consistent_destroy(ctx, &c);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    CHECK_INT(a.live, 0);
    return status;
}

/* One allocation fails, until the call gets through without: no leak, and a message. */
static void check_faults(const char *text, rg_status expected)
{
    enum { ALL_UP_TO = 50, RELATIVE = 20 };
    rg_status status = RG_OK;
    bool hit = true;

    for (int64_t n = 1; hit; n += test_share() * (n < ALL_UP_TO ? 1 : n / RELATIVE)) {
        status = start_with_fault(text, n, &hit);
        if (hit) CHECK_INT(status, RG_ERR_MEMORY);
    }
    CHECK_INT(status, expected);
}

static void test_memory(void)
{
    check_faults(nine_digits, RG_OK);
    check_faults(contradiction, RG_ERR_INCONSISTENT);
}

/* Index 1:  x' = y,  0 = x^2 + y - 3.  user: which call fails, and how. */
typedef struct {
    int calls, fail_at, result;
} script;

static int residual(double t, const double *y, const double *yp, double *F, void *user)
{
    script *s = user;

    (void)t;
    if (++s->calls == s->fail_at) return s->result;
    F[0] = yp[0] - y[1];
    F[1] = y[0] * y[0] + y[1] - 3;
    return 0;
}

static rg_status solve_callback(script *s, const double *y, rg_consistent **c, rg_context *ctx,
                                rg_problem **p)
{
    const rg_analysis *a = NULL;

    RG_TRY(rg_problem_create(ctx, 2, residual, s, p));
    RG_TRY(rg_problem_set_initial(*p, 0, y, NULL));
    RG_TRY(rg_analysis_get(*p, &a));
    s->calls = 0;
    return rg_consistent_create(*p, a, 0, c);
}

static void test_callbacks(void)
{
    const double good[] = {1, 2}, bad[] = {1, 5};
    script s = {0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_consistent *c = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    if (CHECK_INT(solve_callback(&s, good, &c, ctx, &p), RG_OK)) {
        CHECK_NEAR(c->value[1][0], 2, 1e-8); /* difference quotients inside */
        CHECK(c->value[0][0] == 1 && c->value[0][1] == 2);
    }
    rg_consistent_destroy(ctx, &c);
    rg_problem_destroy(&p);
    CHECK_INT(solve_callback(&s, bad, &c, ctx, &p), RG_ERR_INCONSISTENT);
    CHECK(rg_last_error(ctx)->remedy[0] != 0);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The k-th call asks for a smaller step, aborts, or gives NaN by itself: never a crash, always a
 * message. */
static void test_callback_failures(void)
{
    const double y[] = {1, 2};

    for (int fail_at = 1; fail_at < 12; fail_at++) {
        for (int result = -1; result <= 1; result += 2) {
            script s = {.fail_at = 0};
            rg_context *ctx = NULL;
            rg_problem *p = NULL;
            rg_consistent *c = NULL;
            const rg_analysis *a = NULL;
            CHECK_INT(rg_context_create(&ctx), RG_OK);
            CHECK_INT(rg_problem_create(ctx, 2, residual, &s, &p), RG_OK);
            CHECK_INT(rg_problem_set_initial(p, 0, y, NULL), RG_OK);
            CHECK_INT(rg_analysis_get(p, &a), RG_OK);
            s = (script){.fail_at = fail_at, .result = result};
            const rg_status status = rg_consistent_create(p, a, 0, &c);
            CHECK(status <= 0);
            if (status < 0) CHECK(rg_last_error(ctx)->message[0] != 0);
            if (result < 0 && s.calls >= fail_at) CHECK_INT(status, RG_ERR_CALLBACK);
            rg_consistent_destroy(ctx, &c);
            rg_problem_destroy(&p);
            rg_context_destroy(&ctx);
        }
    }
}

static void test_interrupt(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    rg_consistent *c = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    CHECK_INT(rg_problem_from_text(ctx, nine_digits, &p), RG_OK);
    CHECK_INT(rg_analysis_get(p, &a), RG_OK);
    rg_context_interrupt(ctx);
    CHECK_INT(rg_consistent_create(p, a, 0, &c), RG_ERR_INTERRUPTED);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"memory",            test_memory           },
    {"callbacks",         test_callbacks        },
    {"callback_failures", test_callback_failures},
    {"interrupt",         test_interrupt        },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
