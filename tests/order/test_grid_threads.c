/* Linear systems on grids by several threads: every number as by one, bit by bit. */
#include "support/grid_systems.h"

enum { MOST = 3 }; /* threads */

/* Contrast 3, without jumps. */
static double wavy(int i, int j, int k)
{
    return 1.0 + 0.5 * sin(0.05 * i + 0.03 * k) * cos(0.04 * j);
}

static void solve_with(rig *r, rg_elliptic_kind kind, int threads, double *out)
{
    const rg_elliptic_matrix A = {
        .grid = r->g, .T = {r->T[0], r->T[1], r->T[2]}
    };
    const rg_elliptic_options o = {.kind = kind, .tol = 1e-2, .name = "test"};
    rg_elliptic *e = NULL;

    CHECK(rg_grid_share(r->g, threads) == RG_OK);
    CHECK(rg_crew_hands(r->ctx) == threads);
    memset(out, 0, (size_t)r->g->size * sizeof *out);
    CHECK(rg_elliptic_create(r->ctx, &A, &o, &e) == RG_OK);
    CHECK(rg_elliptic_solve(e, r->b, out) == RG_OK);
    rg_elliptic_destroy(&e);
}

static void compare(int dims, const int *n, const side sides[][2], bool singular,
                    rg_elliptic_kind kind, coefficient *of)
{
    rig r = make(dims, n, (const double[]){1.0, 1.2, 0.9}, sides, false);
    double *second = rg_grid_array(r.g);

    fill(&r, of, sides, 0.0);
    known_solution(&r, sides, singular);
    solve_with(&r, kind, 1, r.x);
    for (int threads = 2; threads <= MOST; threads++) {
        solve_with(&r, kind, threads, second);
        CHECK(memcmp(r.x, second, (size_t)r.g->size * sizeof *second) == 0);
    }
    rg_free(r.ctx, second);
    drop(&r);
}

/* Rows begin with lines of the cache, an odd number of them apart, and hold all ghosts. */
static void layout(void)
{
    const side walls[3][2] = {
        {WALL, WALL},
        {WALL, WALL},
        {WALL, WALL}
    };

    for (int dims = 1; dims <= 3; dims++)
        for (int n = 1; n < 40; n++) {
            rig r =
                make(dims, (const int[]){n, 3, 2}, (const double[]){1.0, 1.0, 1.0}, walls, false);
            const int64_t first = rg_grid_corner(r.g), row = r.g->stride[1],
                          last = rg_grid_at(r.g, n + 1, dims > 1 ? 4 : 0, dims > 2 ? 3 : 0);
            CHECK(r.g->origin % 8 == 0 && row % 16 == 8 && row >= n + 4);
            CHECK(first >= 0 && last < r.g->size);
            CHECK(rg_grid_corner(r.g)
                  == r.g->origin - 2 - (dims > 1 ? 2 * row : 0)
                         - (dims > 2 ? 2 * r.g->stride[2] : 0));
            drop(&r);
        }
}

static void planes(void)
{
    const side open[3][2] =
        {
            {VALUE, WALL },
            {WALL,  VALUE}
    },
               ring[3][2] = {{REPEAT, REPEAT}, {WALL, WALL}};

    compare(2, (const int[]){331, 310}, open, false, RG_ELLIPTIC_AGGREGATION, wavy);
    compare(2, (const int[]){340, 309}, ring, true, RG_ELLIPTIC_MULTIGRID, wavy);
    if (HAS_GPL) compare(2, (const int[]){330, 310}, open, false, RG_ELLIPTIC_TRANSFORM, one);
    if (!test_takes(1)) return;
    compare(2, (const int[]){331, 310}, open, false, RG_ELLIPTIC_MULTIGRID, wavy);
    if (HAS_GPL) compare(2, (const int[]){331, 311}, ring, true, RG_ELLIPTIC_TRANSFORM, one);
}

static void space(void)
{
    const side open[3][2] =
        {
            {VALUE,  WALL  },
            {REPEAT, REPEAT},
            {WALL,   WALL  }
    },
               box[3][2] = {{VALUE, VALUE}, {REPEAT, REPEAT}, {REPEAT, REPEAT}};

    compare(3, (const int[]){48, 46, 47}, open, false, RG_ELLIPTIC_MULTIGRID, wavy);
    if (HAS_GPL) compare(3, (const int[]){48, 46, 47}, open, false, RG_ELLIPTIC_TRANSFORM, one);
    if (HAS_GPL) compare(3, (const int[]){49, 46, 47}, box, false, RG_ELLIPTIC_TRANSFORM, one);
}

int main(void)
{
    static const test_case cases[] = {
        {"layout", layout},
        {"planes", planes},
        {"space",  space },
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
