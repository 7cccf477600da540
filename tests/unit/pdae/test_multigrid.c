/* Geometric multigrid on grids: right on all kinds of sides, and as many iterations on fine grids
 * as on coarse ones. */
#include "support/grid_systems.h"

/* Contrast 100, without jumps. */
static double smooth(int i, int j, int k)
{
    return exp(2.3 * sin(0.05 * i + 0.03 * k) * cos(0.04 * j));
}

/* Walls, values and periodic ends on both axes, odd sizes, with and without a diagonal. */
static void all_sides(void)
{
    static const side ends[][2] = {
        {WALL,   WALL  },
        {VALUE,  WALL  },
        {WALL,   VALUE },
        {REPEAT, REPEAT}
    };

    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int with_s = 0; with_s < 2; with_s++) {
                int64_t iterations = 0;
                const side sides[3][2] = {
                    {ends[a][0], ends[a][1]},
                    {ends[b][0], ends[b][1]}
                };
                rig r = make(2, (const int[]){19, 14}, (const double[]){1.3, 0.7}, sides, false);
                fill(&r, smooth, sides, with_s ? 0.3 : 0.0);
                known_solution(&r, sides, !with_s && (a == 0 || a == 3) && (b == 0 || b == 3));
                CHECK_NEAR(run(&r, RG_ELLIPTIC_MULTIGRID, &iterations), 0.0, 1e-10);
                CHECK(iterations <= 15);
                drop(&r);
            }
}

/* As many iterations on four times as many cells, cells ten times longer than wide too. */
static void iterations_do_not_grow(void)
{
    const side open[3][2] = {
        {VALUE, WALL},
        {WALL,  WALL}
    };

    for (int n = 32; n <= 128; n *= 2)
        for (int flat = 0; flat < 2; flat++) {
            int64_t iterations = 0;
            const double length[] = {1.0, flat ? 0.1 : 1.0};
            rig r = make(2, (const int[]){n, n + 1}, length, open, false);
            fill(&r, smooth, open, 0.0);
            known_solution(&r, open, false);
            CHECK_NEAR(run(&r, RG_ELLIPTIC_MULTIGRID, &iterations), 0.0, 1e-9);
            CHECK(iterations <= 18);
            if (iterations > 18) printf("%d, %d: %lld\n", n, flat, (long long)iterations);
            drop(&r);
        }
}

static void space_and_stretched_axes(void)
{
    const side box[3][2] = {
        {REPEAT, REPEAT},
        {WALL,   WALL  },
        {WALL,   VALUE }
    };

    for (int stretched = 0; stretched < 2; stretched++) {
        int64_t iterations = 0;
        rig r = make(3, (const int[]){12, 9, 16}, (const double[]){1.0, 1.0, 1.0}, box, stretched);
        fill(&r, smooth, box, 0.0);
        known_solution(&r, box, false);
        CHECK_NEAR(run(&r, RG_ELLIPTIC_MULTIGRID, &iterations), 0.0, 1e-9);
        CHECK(iterations <= (stretched ? 40 : 18));
        drop(&r);
    }
}

/* A line, one cell across, one periodic cell: axes without neighbours. */
static void thin_boxes(void)
{
    const side line[3][2] =
        {
            {WALL, VALUE}
    },
               ring[3][2] = {{REPEAT, REPEAT}, {VALUE, VALUE}};

    rig r = make(1, (const int[]){50}, (const double[]){2.0}, line, false);
    fill(&r, smooth, line, 0.0);
    known_solution(&r, line, false);
    CHECK_NEAR(run(&r, RG_ELLIPTIC_MULTIGRID, NULL), 0.0, 1e-9);
    drop(&r);
    for (int n = 1; n < 4; n++) {
        r = make(2, (const int[]){n, 70}, (const double[]){0.3, 1.0}, ring, false);
        fill(&r, smooth, ring, 0.0);
        known_solution(&r, ring, false);
        CHECK_NEAR(run(&r, RG_ELLIPTIC_MULTIGRID, NULL), 0.0, 1e-9);
        drop(&r);
    }
}

static double tiny(int i, int j, int k)
{
    return 1e-150 * smooth(i, j, k);
}

static double huge(int i, int j, int k)
{
    return 1e150 * smooth(i, j, k);
}

/* Cycles have single numbers, which end at 1e38: the units of coefficients and right-hand sides
 * change nothing, nor does a diagonal beside which they are small. */
static void units(void)
{
    const side open[3][2] = {
        {VALUE, WALL},
        {WALL,  WALL}
    };
    coefficient *const field[] = {smooth, tiny, huge, tiny};
    const double s[] = {0.0, 0.0, 0.0, 1e-120};

    for (int f = 0; f < 4; f++) {
        int64_t iterations = 0;
        rig r = make(2, (const int[]){40, 33}, (const double[]){1.0, 1.0}, open, false);
        fill(&r, field[f], open, s[f]);
        known_solution(&r, open, false);
        CHECK_NEAR(run(&r, RG_ELLIPTIC_MULTIGRID, &iterations), 0.0, 1e-10);
        CHECK(iterations <= 15);
        drop(&r);
    }
}

/* The automatic choice: multigrid where coefficients are smooth. */
static void choice(void)
{
    const side open[3][2] = {
        {VALUE, WALL},
        {WALL,  WALL}
    };
    coefficient *const field[] = {smooth, white};
    rg_elliptic *e = NULL;

    for (int f = 0; f < 2; f++) {
        rig r = make(2, (const int[]){40, 40}, (const double[]){1.0, 1.0}, open, false);
        const rg_elliptic_options o = {.kind = RG_ELLIPTIC_AUTO, .tol = 1e-10, .name = "test"};
        const rg_elliptic_matrix A = {
            r.g, {r.T[0], r.T[1], r.T[2]},
             r.s
        };
        fill(&r, field[f], open, 0.0);
        CHECK(rg_elliptic_create(r.ctx, &A, &o, &e) == RG_OK);
        CHECK_TEXT(rg_elliptic_name(e), f == 0 ? "multigrid" : "direct");
        rg_elliptic_destroy(&e);
        drop(&r);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"all sides",                all_sides               },
        {"iterations do not grow",   iterations_do_not_grow  },
        {"space and stretched axes", space_and_stretched_axes},
        {"thin boxes",               thin_boxes              },
        {"units",                    units                   },
        {"choice",                   choice                  },
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
