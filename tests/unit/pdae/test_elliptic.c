/* Linear systems on grids: every solver against the matrix itself, on all kinds of sides. */
#include "support/grid_systems.h"

/* All pairs of ends on two axes, both sizes odd and even, with and without a diagonal. */
static void transforms_know_all_sides(void)
{
    static const side ends[][2] = {
        {WALL,   WALL  },
        {VALUE,  VALUE },
        {WALL,   VALUE },
        {VALUE,  WALL  },
        {REPEAT, REPEAT}
    };

    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            for (int stretched = 0; stretched < 2; stretched++)
                for (int with_s = 0; with_s < 2; with_s++) {
                    const side sides[3][2] = {
                        {ends[a][0], ends[a][1]},
                        {ends[b][0], ends[b][1]}
                    };
                    if ((stretched && b == 4) || !test_takes(a + b + stretched)) continue;
                    rig r =
                        make(2, (const int[]){9, 12}, (const double[]){1.3, 0.7}, sides, stretched);
                    fill(&r, one, sides, with_s ? 0.3 : 0.0);
                    known_solution(&r, sides, !with_s && (a == 0 || a == 4) && (b == 0 || b == 4));
                    if (HAS_GPL) CHECK_NEAR(run(&r, RG_ELLIPTIC_TRANSFORM, NULL), 0.0, 1e-11);
                    CHECK_NEAR(run(&r, RG_ELLIPTIC_DIRECT, NULL), 0.0, 1e-10);
                    CHECK_NEAR(run(&r, RG_ELLIPTIC_MIXED, NULL), 0.0, 1e-9);
                    CHECK_NEAR(run(&r, RG_ELLIPTIC_AGGREGATION, NULL), 0.0, 1e-9);
                    drop(&r);
                }
}

static void one_and_three_axes(void)
{
    const side line[3][2] =
        {
            {WALL, VALUE}
    },
               box[3][2] = {{REPEAT, REPEAT}, {WALL, WALL}, {WALL, VALUE}},
               flat[3][2] = {{WALL, WALL}, {WALL, WALL}};

    rig r = make(1, (const int[]){50}, (const double[]){2.0}, line, false);
    fill(&r, one, line, 0.0);
    known_solution(&r, line, false);
    if (HAS_GPL) CHECK_NEAR(run(&r, RG_ELLIPTIC_TRANSFORM, NULL), 0.0, 1e-10);
    CHECK_NEAR(run(&r, RG_ELLIPTIC_DIRECT, NULL), 0.0, 1e-9);
    drop(&r);
    r = make(3, (const int[]){8, 7, 10}, (const double[]){1.0, 2.0, 0.5}, box, true);
    fill(&r, one, box, 0.0);
    known_solution(&r, box, false);
    if (HAS_GPL) CHECK_NEAR(run(&r, RG_ELLIPTIC_TRANSFORM, NULL), 0.0, 1e-10);
    CHECK_NEAR(run(&r, RG_ELLIPTIC_AGGREGATION, NULL), 0.0, 1e-9);
    drop(&r);
    r = make(2, (const int[]){20, 1}, (const double[]){1.0, 1.0}, flat, false); /* one across */
    fill(&r, one, flat, 0.0);
    known_solution(&r, flat, true);
    if (HAS_GPL) CHECK_NEAR(run(&r, RG_ELLIPTIC_TRANSFORM, NULL), 0.0, 1e-10);
    CHECK_NEAR(run(&r, RG_ELLIPTIC_DIRECT, NULL), 0.0, 1e-10);
    drop(&r);
}

static void solids_are_left_out(void)
{
    const side closed[3][2] = {
        {WALL, VALUE},
        {WALL, WALL }
    };
    static unsigned char solid[60 * 40];

    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 60; i++)
            solid[60 * j + i] = (i - 20) * (i - 20) + (j - 17) * (j - 17) < 50 ? 1 : 0;
    rig r = make(2, (const int[]){60, 40}, (const double[]){1.5, 1.0}, closed, false);
    CHECK(rg_grid_set_solid(r.g, solid) == RG_OK);
    fill(&r, one, closed, 0.0);
    known_solution(&r, closed, false);
    CHECK_NEAR(run(&r, RG_ELLIPTIC_AGGREGATION, NULL), 0.0, 1e-9);
    CHECK_NEAR(run(&r, RG_ELLIPTIC_DIRECT, NULL), 0.0, 1e-10);
    CHECK_NEAR(run(&r, RG_ELLIPTIC_MIXED, NULL), 0.0, 1e-9);
    CHECK(isnan(run(&r, RG_ELLIPTIC_TRANSFORM, NULL))); /* refused, with the reason */
    CHECK(strstr(rg_last_error(r.ctx)->message, HAS_GPL ? "there are solids" : "FFTW") != NULL);
    drop(&r);
}

static void rough_coefficients_are_no_transform(void)
{
    const side closed[3][2] = {
        {WALL, WALL},
        {WALL, WALL}
    };
    rig r = make(2, (const int[]){8, 8}, (const double[]){1.0, 1.0}, closed, false);

    fill(&r, white, closed, 0.0);
    known_solution(&r, closed, true);
    CHECK(isnan(run(&r, RG_ELLIPTIC_TRANSFORM, NULL)));
    CHECK_NEAR(run(&r, RG_ELLIPTIC_AUTO, NULL), 0.0, 1e-8);
    drop(&r);
}

/* Factors of an earlier matrix are a preconditioner where the new one differs little, and
 * are made anew where it is another matrix. */
static void old_factors_are_used(void)
{
    const side open[3][2] = {
        {WALL, VALUE},
        {WALL, WALL }
    };
    rig r = make(2, (const int[]){40, 30}, (const double[]){1.0, 1.0}, open, false);
    const rg_elliptic_options o = {.kind = RG_ELLIPTIC_DIRECT, .tol = 1e-12, .name = "test"};
    rg_elliptic *e = NULL;
    bool done = false;

    fill(&r, white, open, 0.0);
    const rg_elliptic_matrix A = {
        r.g, {r.T[0], r.T[1], r.T[2]},
         r.s
    };
    known_solution(&r, open, false);
    CHECK(rg_elliptic_create(r.ctx, &A, &o, &e) == RG_OK);
    CHECK(rg_elliptic_solve(e, r.b, r.y) == RG_OK);
    CHECK(rg_elliptic_iterations(e) == 0);
    for (int64_t at = 0; at < r.g->size; at++) /* up to a tenth more */
        r.T[0][at] *= 1.0 + 0.1 * ((double)(at * 7 % 11) / 11.0);
    known_solution(&r, open, false);
    memset(r.y, 0, (size_t)r.g->size * sizeof *r.y);
    CHECK(rg_elliptic_renew(e, &A, &done) == RG_OK && done);
    CHECK(rg_elliptic_solve(e, r.b, r.y) == RG_OK);
    CHECK_NEAR(difference(&r), 0.0, 1e-6);
    const int64_t few = rg_elliptic_iterations(e);
    CHECK(few > 0);
    fill(&r, channels, open, 0.0);
    known_solution(&r, open, false);
    memset(r.y, 0, (size_t)r.g->size * sizeof *r.y);
    CHECK(rg_elliptic_renew(e, &A, &done) == RG_OK && done);
    CHECK(rg_elliptic_solve(e, r.b, r.y) == RG_OK);
    CHECK_NEAR(difference(&r), 0.0, 1e-6);
    const int64_t tried = rg_elliptic_iterations(e);
    CHECK(rg_elliptic_solve(e, r.b, r.y) == RG_OK); /* the factors are those of this matrix now */
    CHECK(rg_elliptic_iterations(e) == tried);
    rg_elliptic_destroy(&e);
    drop(&r);
}

/* Transforms with other numbers are those of a new solver to the last bit: closed with and without
 * a diagonal, one way and back; with other sides they are made anew. */
static void transforms_are_renewed(void)
{
    const side closed[3][2] =
        {
            {WALL, WALL},
            {WALL, WALL}
    },
               open[3][2] = {{WALL, WALL}, {WALL, VALUE}}, across[3][2] = {{VALUE, WALL}};
    const rg_elliptic_options o = {.kind = RG_ELLIPTIC_AUTO, .tol = 1e-10, .name = "test"};
    const double diagonal[] = {0.0, 0.3, 1e-3, 0.0};

    for (int stretched = 0; stretched < 2; stretched++) {
        rig r = make(2, (const int[]){18, 25}, (const double[]){1.0, 1.5}, closed, stretched);
        rg_elliptic *kept = NULL, *fresh = NULL;
        rg_elliptic_matrix A = {
            r.g, {r.T[0], r.T[1], r.T[2]},
             NULL
        };
        bool done = false;
        for (int k = 0; k < 5; k++) {
            const side(*sides)[2] = k < 4 ? closed : open;
            fill(&r, one, sides, k < 4 ? diagonal[k] : 0.0);
            A.s = k < 4 && diagonal[k] > 0.0 ? r.s : NULL;
            known_solution(&r, sides, A.s == NULL && k < 4);
            if (k == 0)
                CHECK(rg_elliptic_create(r.ctx, &A, &o, &kept) == RG_OK);
            else
                CHECK(rg_elliptic_renew(kept, &A, &done) == RG_OK && done);
            CHECK_INT(rg_elliptic_is_singular(kept), A.s == NULL && k < 4);
            CHECK(rg_elliptic_solve(kept, r.b, r.y) == RG_OK);
            CHECK_NEAR(difference(&r), 0.0, 1e-6);
            memcpy(r.x, r.y, (size_t)r.g->size * sizeof *r.x);
            CHECK(rg_elliptic_create(r.ctx, &A, &o, &fresh) == RG_OK);
            CHECK(rg_elliptic_solve(fresh, r.b, r.y) == RG_OK);
            CHECK(memcmp(r.x, r.y, (size_t)r.g->size * sizeof *r.x) == 0);
            rg_elliptic_destroy(&fresh);
        }
        fill(&r, one, across, 0.0);
        CHECK(rg_elliptic_renew(kept, &A, &done) == RG_OK && !done);
        rg_elliptic_destroy(&kept);
        drop(&r);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"transforms know all sides",           transforms_know_all_sides          },
        {"one and three axes",                  one_and_three_axes                 },
        {"solids are left out",                 solids_are_left_out                },
        {"rough coefficients are no transform", rough_coefficients_are_no_transform},
        {"old factors are used",                old_factors_are_used               },
        {"transforms are renewed",              transforms_are_renewed             },
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
