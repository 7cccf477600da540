/* Hidden constraints in the metric of the mass matrix: two bodies of mass 1 and 100 that must stay
 * together. */
#include "linalg/matrix.h"
#include "support/test.h"
#include "views/system_impl.h"

enum { STATES = 5 };
static const double X = 1e7; /* gamma/h of a very short step */

static rg_context *ctx;

/* The second one: equations and multiplier scaled otherwise, the same motion. */
static const char *const models[] = {
    "var x = 0, y = 0, x' = 1, y' = 1, lam\n"
    "x'' = lam\n100*y'' = -lam\n0 = x - y\nover t = 0 .. 1\n",
    "var x = 0, y = 0, x' = 1, y' = 1, lam\n"
    "0 = 7*x'' - 2*lam\ny'' = -lam/350\n0 = 3*(y - x)\nover t = 0 .. 1\n",
};

/* y <- y moved with the matrix X F_y' + F_y; true: done */
static bool move(const rg_system *s, rg_system_work *w, int e, double *y)
{
    double yp[STATES] = {0}, Jy[STATES * STATES], Jyp[STATES * STATES], b[2 * STATES] = {0};
    rg_matrix *m = NULL;
    bool done = CHECK_INT(rg_matrix_create(ctx, rg_system_pattern(s), false, &m), RG_OK)
                && CHECK_INT(rg_system_jacobian(s, w, 0.0, y, yp, Jy, Jyp), RG_OK)
                && CHECK_INT(rg_matrix_factor(m, X, 0.0, Jy, Jyp), RG_OK)
                && CHECK_INT(rg_system_violation(s, w, 0.0, y, e, b), RG_OK);

    for (int i = 0; i < STATES && done; i++)
        b[i] *= X;
    if (done) rg_matrix_solve(m, b, NULL);
    if (done) rg_system_move(s, e, b, y);
    rg_matrix_destroy(&m);
    return done;
}

/* The violation 1 is shared as 100 : 1, positions first, then velocities; nothing else moves. */
static void check_model(const rg_system *s, rg_system_work *w)
{
    double y[2 * STATES] = {0};
    const int64_t x = rg_system_state(s, 0, 0), vx = rg_system_state(s, 0, 1);
    const int64_t z = rg_system_state(s, 1, 0), vz = rg_system_state(s, 1, 1);

    if (!CHECK_INT(rg_system_size(s), STATES) || !CHECK_INT(rg_system_hidden_levels(s), 2)) return;
    y[x] = 1.0;
    y[vx] = 1.0;
    y[vz] = 3.0;
    if (!move(s, w, 2, y)) return;
    CHECK_NEAR(y[x], 1.0 / 101.0, 1e-6);
    CHECK_NEAR(y[z], 1.0 / 101.0, 1e-6);
    CHECK_NEAR(y[vx], 1.0, 0.0);
    CHECK_NEAR(y[vz], 3.0, 0.0);
    if (!move(s, w, 1, y)) return;
    CHECK_NEAR(y[vx], 301.0 / 101.0, 1e-6); /* as after a plastic impact */
    CHECK_NEAR(y[vz], 301.0 / 101.0, 1e-6);
}

static void test_shares(void)
{
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        const rg_analysis *a;
        rg_problem *p = NULL;
        rg_system *s = NULL;
        rg_system_work *w = NULL;
        if (CHECK_INT(rg_problem_from_text(ctx, models[k], &p), RG_OK)
            && CHECK_INT(rg_analysis_get(p, &a), RG_OK)
            && CHECK_INT(rg_system_create(p, a, RG_VIEW_REDUCED, &s), RG_OK)
            && CHECK_INT(rg_system_work_create(s, &w), RG_OK))
            check_model(s, w);
        rg_system_work_destroy(&w);
        rg_system_destroy(&s);
        rg_problem_destroy(&p);
    }
}

/* Equations as written have nothing to take off. */
static void test_direct(void)
{
    const rg_analysis *a;
    rg_problem *p = NULL;
    rg_system *s = NULL;

    if (CHECK_INT(rg_problem_from_text(ctx, models[0], &p), RG_OK)
        && CHECK_INT(rg_analysis_get(p, &a), RG_OK)
        && CHECK_INT(rg_system_create(p, a, RG_VIEW_DIRECT, &s), RG_OK))
        CHECK_INT(rg_system_hidden_levels(s), 0);
    rg_system_destroy(&s);
    rg_problem_destroy(&p);
}

int main(void)
{
    static const test_case cases[] = {
        {"shares", test_shares},
        {"direct", test_direct}
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
