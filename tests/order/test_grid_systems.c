/* Linear systems with rough coefficients: how many iterations they take, and where the chosen one
 * does not get there and the next solver is taken. */
#include "support/grid_systems.h"

/* Cells 100 times flatter than wide with white noise of contrast 1e6 in space: aggregation does not
 * get there in 300 iterations (with cells ten times flatter it does); a solver that is asked for by
 * name is not left, and says so. */
static void flat_cells_with_white_noise(void)
{
    const side open[3][2] = {
        {VALUE, WALL},
        {WALL,  WALL},
        {WALL,  WALL}
    };
    rg_elliptic *e = NULL;

    rig mild = make(3, (const int[]){32, 32, 32}, (const double[]){1.0, 1.0, 0.1}, open, false);
    fill(&mild, white, open, 0.0);
    known_solution(&mild, open, false);
    CHECK_NEAR(run(&mild, RG_ELLIPTIC_AGGREGATION, NULL), 0.0, 1e-7);
    drop(&mild);
    rig r = make(3, (const int[]){32, 32, 32}, (const double[]){1.0, 1.0, 0.01}, open, false);
    const rg_elliptic_options o = {.kind = RG_ELLIPTIC_AUTO, .tol = 1e-12, .name = "test"};
    const rg_elliptic_matrix A = {
        r.g, {r.T[0], r.T[1], r.T[2]},
         r.s
    };
    fill(&r, white, open, 0.0);
    known_solution(&r, open, false);
    CHECK(isnan(run(&r, RG_ELLIPTIC_AGGREGATION, NULL)));
    CHECK(strstr(rg_last_error(r.ctx)->message, "relative residual") != NULL);
    memset(r.y, 0, (size_t)r.g->size * sizeof *r.y);
    CHECK(rg_elliptic_create(r.ctx, &A, &o, &e) == RG_OK);
    CHECK_TEXT(rg_elliptic_name(e), "aggregation");
    CHECK(rg_elliptic_solve(e, r.b, r.y) == RG_OK);
    CHECK_TEXT(rg_elliptic_name(e), "direct");
    CHECK_NEAR(difference(&r), 0.0, 1e-7);
    rg_elliptic_destroy(&e);
    drop(&r);
}

/* Rough coefficients, contrast 1e6.  Channels take as many iterations as constant ones or little
 * more; white noise in the plane takes six times as many, and is left to the factorization by the
 * automatic choice. */
static void aggregation_takes_rough_fields(void)
{
    const side closed[3][2] = {
        {WALL, WALL},
        {WALL, WALL}
    };
    coefficient *const field[] = {one, white, channels};
    const int64_t most[] = {22, 140, 32};

    for (int f = 0; f < 3; f++) {
        if (!test_takes(f + 3)) continue;
        int64_t iterations = 0;
        rig r = make(2, (const int[]){128, 128}, (const double[]){1.0, 1.0}, closed, false);
        fill(&r, field[f], closed, 0.0);
        known_solution(&r, closed, true);
        CHECK_NEAR(run(&r, RG_ELLIPTIC_AGGREGATION, &iterations), 0.0, 1e-4);
        CHECK(iterations <= most[f]);
        if (iterations > most[f]) printf("field %d: %lld iterations\n", f, (long long)iterations);
        drop(&r);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"flat cells with white noise",    flat_cells_with_white_noise   },
        {"aggregation takes rough fields", aggregation_takes_rough_fields},
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
