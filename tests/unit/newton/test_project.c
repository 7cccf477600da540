/* Projection onto invariants: least change in the given weights, factor reuse, redundancy, no
 * allocation per call. */
#include "newton/project.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    fault_allocator memory;
    rg_context *ctx;
    rg_problem *p;
    rg_assembly *invariants;
    rg_projector *projector;
} fixture;

/* Invariants: all equations of the model, level 0; columns: its unknowns. */
static bool open_fixture(fixture *f, const char *text)
{
    int32_t column[64], row[64];
    const int32_t *columns[] = {column}, *rows[] = {row};

    *f = (fixture){0};
    bool ok = CHECK_INT(rg_context_create_with(fault_realloc, &f->memory, &f->ctx), RG_OK)
              && CHECK_INT(rg_problem_from_text(f->ctx, text, &f->p), RG_OK)
              && CHECK(f->p->n <= 64);
    for (int32_t k = 0; ok && k < f->p->n; k++)
        column[k] = row[k] = k;
    if (ok) {
        const rg_assembly_spec spec = {.n_levels = 1,
                                       .n_orders = 1,
                                       .n_columns = f->p->n,
                                       .row = rows,
                                       .n_rows = f->p->n_rows,
                                       .column = columns};
        ok = CHECK_INT(rg_assembly_create(f->p, &spec, true, &f->invariants), RG_OK)
             && CHECK_INT(rg_projector_create(f->ctx, f->invariants, &f->projector), RG_OK);
    }
    return ok;
}

static void close_fixture(fixture *f)
{
    rg_projector_destroy(&f->projector);
    rg_assembly_destroy(&f->invariants);
    rg_problem_destroy(&f->p);
    rg_context_destroy(&f->ctx);
}

/* The circle twice: redundant.  Third unknown: not movable. */
static const char circle[] = "var p = 1, q = 0, r = 1\n"
                             "p^2 + q^2 = r\n"
                             "2*p^2 + 2*q^2 = 2*r\n"
                             "3*r = 3*p^2 + 3*q^2\n"
                             "over t = 0 .. 1\n";

static void test_nearest(void)
{
    const double weight[] = {1, 1, 1};
    double z[] = {0.61, 0.79, 1};
    fixture f;

    if (open_fixture(&f, circle)) {
        const double length = hypot(z[0], z[1]), p = z[0] / length, q = z[1] / length;
        CHECK_INT(rg_projector_run(f.projector, 0, weight, 2, z), RG_OK);
        CHECK_NEAR(z[0], p, 1e-4); /* first order: one direction for all steps */
        CHECK_NEAR(z[1], q, 1e-4);
        CHECK_NEAR(z[0] * z[0] + z[1] * z[1], 1, 3e-16);
        CHECK(z[2] == 1);
    }
    close_fixture(&f);
}

/* A value with a small weight hardly moves. */
static void test_weights(void)
{
    const double weight[] = {1e-6, 1, 1};
    double z[] = {0.6, 0.81, 1};
    fixture f;

    if (open_fixture(&f, circle)) {
        CHECK_INT(rg_projector_run(f.projector, 0, weight, 2, z), RG_OK);
        CHECK_NEAR(z[0], 0.6, 1e-12);
        CHECK_NEAR(z[1], 0.8, 1e-12);
    }
    close_fixture(&f);
}

/* A tolerance of 1e9 times the value: the other rows are not taken for redundant. */
static void test_far_below(void)
{
    static const char text[] = "var a = 1, b = 2, c = 3e-12\n"
                               "a + b + 1e12*c = 6\n"
                               "a - b + 2e12*c = 5\n"
                               "3*a + sin(b) - 1e12*c = sin(2)\n"
                               "over t = 0 .. 1\n";
    const double weight[] = {1e-4, 1e-4, 1e-3};
    double z[] = {1.001, 2.002, 3.001e-12};
    fixture f;

    if (open_fixture(&f, text)) {
        CHECK_INT(rg_projector_run(f.projector, 0, weight, 3, z), RG_OK);
        CHECK_NEAR(z[0], 1, 1e-12);
        CHECK_NEAR(z[1], 2, 1e-12);
        CHECK_NEAR(1e12 * z[2], 3, 1e-12);
    }
    close_fixture(&f);
}

/* Around the circle in small steps: the factors are renewed when needed, and nothing is allocated.
 * */
static void test_many_calls(void)
{
    const double weight[] = {1e-6, 1e-6, 1};
    double z[] = {1, 0, 1};
    fixture f;

    if (open_fixture(&f, circle)) {
        CHECK_INT(rg_projector_run(f.projector, 0, weight, 2, z), RG_OK);
        const int64_t before = f.memory.count;
        for (int k = 1; k <= 200; k++) {
            z[0] = cos(0.05 * k) * (1 + 1e-5);
            z[1] = sin(0.05 * k) * (1 + 1e-5);
            CHECK_INT(rg_projector_run(f.projector, 0, weight, 2, z), RG_OK);
            CHECK_NEAR(z[0] * z[0] + z[1] * z[1], 1, 3e-15);
            CHECK_NEAR(z[0], cos(0.05 * k), 2e-6);
        }
        CHECK_INT(f.memory.count, before);
    }
    close_fixture(&f);
}

static void test_failure(void)
{
    const double weight[] = {1, 1, 1};
    double z[] = {0.1, 0.2, -1}; /* p^2 + q^2 = -1 */
    fixture f;

    if (open_fixture(&f, circle)) {
        CHECK_INT(rg_projector_run(f.projector, 0, weight, 2, z), RG_RETRY);
        CHECK(z[0] == 0.1 && z[1] == 0.2);
        z[0] = NAN;
        CHECK_INT(rg_projector_run(f.projector, 0, weight, 2, z), RG_RETRY);
        z[0] = 0.6, z[2] = 1; /* and it works again */
        CHECK_INT(rg_projector_run(f.projector, 0, weight, 2, z), RG_OK);
        CHECK_NEAR(z[0] * z[0] + z[1] * z[1], 1, 1e-15);
    }
    close_fixture(&f);
}

/* Along the circle, which stands there three times: the normal part of a change goes, the other
 * stays.  With weights the least change, (dz_j/weight_j)^2 summed, takes it off. */
static void test_tangent(void)
{
    const double weight[] = {1, 1, 1}, other[] = {1e-3, 1, 1}, z[] = {0.6, 0.8, 1};
    double dz[] = {0.6 * 0.25 - 0.8 * 0.5, 0.8 * 0.25 + 0.6 * 0.5, 7}, dw[] = {1, 1, 7};
    fixture f;

    if (open_fixture(&f, circle)) {
        CHECK_INT(rg_projector_tangent(f.projector, 0, weight, 2, z, dz), RG_OK);
        CHECK_NEAR(dz[0], -0.4, 1e-6);
        CHECK_NEAR(dz[1], 0.3, 1e-6);
        CHECK(dz[2] == 7);
        CHECK_INT(rg_projector_tangent(f.projector, 0, other, 2, z, dw), RG_OK);
        CHECK_NEAR(0.6 * dw[0] + 0.8 * dw[1], 0, 1e-6);
        CHECK_NEAR(dw[0], 1, 1e-5);
    }
    close_fixture(&f);
}

static const test_case cases[] = {
    {"nearest",    test_nearest   },
    {"weights",    test_weights   },
    {"far_below",  test_far_below },
    {"many_calls", test_many_calls},
    {"failure",    test_failure   },
    {"tangent",    test_tangent   },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
