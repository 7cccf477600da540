/* Flow around solids: walls of solids are walls of the box, periodic axes go through them, and the
 * force on them closes the balance of momentum to rounding. */
#include "pdae/ops/vector.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS = 4 };

/* The outputs of a model at its end; NaN where it fails. */
static void solve(const char *text, const char *convection, const char *scheme, double *out)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double y[OUTPUTS];

    for (int k = 0; k < OUTPUTS; k++)
        out[k] = NAN;
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_options_create(ctx, &o) == RG_OK);
    rg_options_set(o, "convection", convection);
    rg_options_set(o, "scheme", scheme);
    rg_options_set(o, "estimate", "off");
    rg_options_set(o, "step", "0.01");
    const bool ok = rg_problem_from_text(ctx, text, &p) == RG_OK && rg_solve(p, 0.5, o, &s) >= RG_OK
                    && rg_solution_eval(s, 0.5, y, NULL) == RG_OK;
    if (!ok) rg_error_print(rg_last_error(ctx), stderr);
    if (CHECK(ok)) memcpy(out, y, sizeof y);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
}

static void compare(const char *a, const char *b, const char *convection, const char *scheme,
                    double tol)
{
    double x[OUTPUTS], y[OUTPUTS];

    solve(a, convection, scheme, x);
    solve(b, convection, scheme, y);
    for (int k = 0; k < OUTPUTS; k++)
        if (!CHECK_NEAR(x[k], y[k], tol))
            printf("  output %d, %s, %s: %.12g %.12g\n", k, convection, scheme, x[k], y[k]);
}

#define EQUATIONS                                                                                  \
    "vector u = (0, 0)\nfield p\nu' + div(u*u) = lap(u)/20 - grad(p) + (0, x)\ndiv(u) = 0\n"       \
    "over t = 0 .. .5\n"                                                                           \
    "output a = u[x](.5, .4), b = u[y](.25, .5), c = p(.5, .5) - p(.2, .2), d = u[x](.4, .95)\n"

static const char *const plain =
    "domain x = 0..1 cells 8, y = 0..1 cells 8\n" EQUATIONS "boundary u(top) = (1 + sin(4*t), 0)\n";
static const char *const framed =
    "domain x = -.25..1.25 cells 12, y = -.25..1.25 cells 12\nsolid lid = y > 1\n"
    "solid frame = max(abs(x - .5), abs(y - .5)) > .5\n" EQUATIONS
    "boundary u(lid) = (1 + sin(4*t), 0)\n";

/* The cavity inside a frame of solids is the cavity. */
static void test_frame(void)
{
    compare(plain, framed, "central", "cn", 1e-9);
    compare(plain, framed, "upwind", "cn", 1e-9);
    compare(plain, framed, "central", "heun", 1e-9);
}

/* A solid that slips is a side that slips. */
static void test_slip(void)
{
    static const char *const slipping =
        "domain x = 0..1 cells 8, y = -.25..1 cells 10\nsolid ground = y < 0\n" EQUATIONS
        "boundary u(top) = (1, 0), u(ground) = slip\n";
    static const char *const slip = "domain x = 0..1 cells 8, y = 0..1 cells 8\n" EQUATIONS
                                    "boundary u(top) = (1, 0), u(bottom) = slip\n";

    compare(slip, slipping, "central", "cn", 1e-9);
    compare(slip, slipping, "central", "heun", 1e-9);
}

/* A block that the periodic axis cuts is the block in the middle. */
static void test_periodic(void)
{
    static const char *const middle =
        "domain x = 0..1 cells 16 periodic, y = 0..1 cells 12\n"
        "solid block = abs(x - .5) < .13 and abs(y - .5) < .2\nvector u = (0, 0)\nfield p\n"
        "u' + div(u*u) = lap(u)/20 - grad(p) + (1, 0)\ndiv(u) = 0\nover t = 0 .. .5\n"
        "output a = force(block, x), b = force(block, y), c = u[x](.1, .4), "
        "d = u[y](.25, .7)\n";
    static const char *const ends =
        "domain x = 0..1 cells 16 periodic, y = 0..1 cells 12\n"
        "solid block = abs(x - .5) > .37 and abs(y - .5) < .2\nvector u = (0, 0)\nfield p\n"
        "u' + div(u*u) = lap(u)/20 - grad(p) + (1, 0)\ndiv(u) = 0\nover t = 0 .. .5\n"
        "output a = force(block, x), b = force(block, y), c = u[x](.6, .4), "
        "d = u[y](.75, .7)\n";

    compare(middle, ends, "central", "cn", 1e-9);
    compare(middle, ends, "tvd", "cn", 1e-9);
    compare(middle, ends, "central", "ssprk3", 1e-9);
}

/* ---- balance of momentum --------------------------------------------------------------------- */
static double noise(void)
{
    return rand() / (RAND_MAX + 1.0) - 0.5;
}

/* On a periodic box the momentum of all unknown faces changes by the forces on the solids. */
static void close_balance(int dims, rg_carry carry, bool slips)
{
    rg_context *ctx = NULL;
    rg_grid *g = NULL;
    rg_vector_space *s = NULL;
    const rg_axis_spec spec[3] = {
        {.n = 7, .b = 1.0, .periodic = true},
        {.n = 9, .b = 1.3, .periodic = true},
        {.n = 6, .b = 0.8, .periodic = true}
    };
    const int side[RG_SIDES] = {RG_VECTOR_PERIODIC, RG_VECTOR_PERIODIC, RG_VECTOR_PERIODIC,
                                RG_VECTOR_PERIODIC, RG_VECTOR_PERIODIC, RG_VECTOR_PERIODIC};
    const bool slip[2] = {slips, false};
    unsigned char solid[7 * 9 * 6];
    double *u[3], *p;
    const double nu = 0.3, w = 1.7;

    rg_context_create(&ctx);
    rg_grid_create(ctx, dims, spec, &g);
    for (size_t k = 0; k < sizeof solid; k++)
        solid[k] = noise() < -0.2 ? (noise() < 0.0 ? 1 : 2) : 0;
    CHECK(rg_grid_set_solid(g, solid) == RG_OK);
    rg_vector_space_create(g, side, &s);
    CHECK(rg_vector_space_set_solids(s, slip) == RG_OK);
    p = rg_grid_array(g);
    for (int64_t at = 0; at < g->size; at++)
        p[at] = noise();
    for (int c = 0; c < dims; c++) {
        u[c] = rg_grid_array(g);
        for (int64_t at = 0; at < g->size; at++)
            u[c][at] = noise();
        for (int64_t k = 0; k < s->solid[c].n_fixed + s->solid[c].n_contacts; k++)
            s->solid[c].value[k] = noise();
    }
    rg_vector_fill(s, u);
    for (int c = 0; c < dims; c++) {
        double *rate = rg_grid_array(g), sum = 0.0, size = 0.0;
        rg_vector_convection(s, c, u, w, carry, rate);
        rg_vector_laplacian(s, c, u[c], nu, rate);
        rg_vector_add_gradient(s, c, p, NULL, 1.0, rate, rate);
        rg_vector_mask(s, c, rate);
        for (int k = 0; k < g->axis[2].n; k++)
            for (int j = 0; j < g->axis[1].n; j++)
                for (int i = 0; i < g->axis[0].n; i++) {
                    const double part = rate[rg_grid_at(g, i, j, k)] * rg_grid_volume(g, i, j, k);
                    sum += part;
                    size += fabs(part);
                }
        const rg_vector_stress stress = {.nu = nu, .w = w, .carry = carry};
        const double force =
            rg_vector_force(s, 1, c, u, p, &stress) + rg_vector_force(s, 2, c, u, p, &stress);
        CHECK(size > 0.1);
        CHECK_NEAR(sum + force, 0.0, 1e-14 * size);
        rg_free(ctx, rate);
    }
    for (int c = 0; c < dims; c++)
        rg_free(ctx, u[c]);
    rg_free(ctx, p);
    rg_vector_space_destroy(&s);
    rg_grid_destroy(&g);
    rg_context_destroy(&ctx);
}

static void test_force(void)
{
    srand(3);
    for (int dims = 2; dims <= 3; dims++)
        for (int carry = RG_CARRY_CENTRAL; carry <= RG_CARRY_TVD; carry++)
            for (int slips = 0; slips < 2; slips++)
                close_balance(dims, (rg_carry)carry, slips);
}

int main(void)
{
    const test_case cases[] = {
        {"frame",    test_frame   },
        {"slip",     test_slip    },
        {"periodic", test_periodic},
        {"force",    test_force   }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
