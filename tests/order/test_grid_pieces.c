/* Aggregation in pieces of rows, which threads share. */
#include "support/grid_systems.h"

/* The sweeps of aggregation go through pieces: as many iterations as in one, nearly. */
static int64_t iterations_of(int n)
{
    const side open[3][2] = {
        {VALUE, WALL},
        {WALL,  WALL}
    };
    rig r = make(2, (const int[]){n, n}, (const double[]){1.0, 1.0}, open, false);
    const rg_elliptic_matrix A = {
        .grid = r.g, .T = {r.T[0], r.T[1], r.T[2]}
    };
    const rg_elliptic_options o = {.kind = RG_ELLIPTIC_AGGREGATION, .tol = 1e-8, .name = "test"};
    rg_elliptic *e = NULL;

    fill(&r, white, open, 0.0);
    known_solution(&r, open, false);
    memset(r.x, 0, (size_t)r.g->size * sizeof *r.x);
    CHECK(rg_elliptic_create(r.ctx, &A, &o, &e) == RG_OK);
    CHECK(rg_elliptic_solve(e, r.b, r.x) == RG_OK);
    const int64_t iterations = rg_elliptic_iterations(e);
    rg_elliptic_destroy(&e);
    drop(&r);
    return iterations;
}

static void pieces_do_not_slow_down(void)
{
    const int64_t one_piece = iterations_of(180), five = iterations_of(400);
    CHECK(five <= one_piece + one_piece / 2);
}

int main(void)
{
    static const test_case cases[] = {
        {"pieces do not slow down", pieces_do_not_slow_down},
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
