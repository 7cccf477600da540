/* Memory of the integrator: all of it is taken in create, or when a higher order is first used;
 * every failure is clean. */
#include "support/circle.h"
#include "support/fault.h"
#include "support/test.h"

static rg_context *ctx;

/* With fixed stages nothing under a step allocates. */
static void test_no_allocation(void)
{
    for (int stages = 1; stages <= 7; stages += 2) {
        fault_allocator c = {0};
        rg_system s = {0};
        if (!CHECK_INT(rg_context_create_with(fault_realloc, &c, &ctx), RG_OK)) return;
        rg_integrator *g = circle_start(ctx, &s, stages == 1 ? 1e-3 : 1e-6, 0.0, 5.0, stages);
        const int64_t calls = c.count;
        if (g != NULL) CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
        CHECK_INT(c.count, calls);
        rg_integrator_destroy(&g);
        rg_context_destroy(&ctx);
        CHECK_INT(c.live, 0);
    }
}

typedef struct {
    const fault_allocator *memory;
    int64_t before; /* allocations up to the last step */
    int degree;     /* the highest so far */
    bool is_new;
} growth;

/* Where the order varies, a step allocates when more stages come next than ever before, and only
 * then. */
static rg_status note_growth(const rg_integrator *g, void *user)
{
    growth *c = user;
    const int degree = rg_integrator_degree(g);

    if (c->is_new) CHECK(degree > c->degree); /* memory was taken at the end of the step before */
    c->is_new = c->memory->count > c->before;
    c->before = c->memory->count;
    if (degree > c->degree) c->degree = degree;
    return RG_OK;
}

static void test_growth(void)
{
    fault_allocator c = {0};
    rg_system s = {0};

    if (!CHECK_INT(rg_context_create_with(fault_realloc, &c, &ctx), RG_OK)) return;
    rg_integrator *g = circle_start(ctx, &s, 1e-10, 0.0, 5.0, 0);
    growth seen = {.memory = &c, .before = c.count, .degree = 3};
    if (g != NULL) CHECK_INT(rg_integrate(g, note_growth, &seen), RG_OK);
    CHECK(seen.degree >= 5);
    const int64_t calls = c.count;
    const double y[2] = {0.0, 1.0}, yp[2] = {1.0, 0.0};
    const rg_state again = {0.0, y, yp};
    CHECK_INT(rg_integrator_restart(g, &again, 0.0), RG_OK); /* the same way once more */
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    CHECK_INT(c.count, calls);
    rg_integrator_destroy(&g);
    rg_context_destroy(&ctx);
    CHECK_INT(c.live, 0);
}

/* Growing fails: RG_ERR_MEMORY, the last accepted point stays, nothing is left behind. */
static void test_failed_growth(void)
{
    rg_status status = RG_ERR_MEMORY;

    for (int k = 1; k < 50 && status == RG_ERR_MEMORY; k++) {
        fault_allocator c = {0};
        rg_system s = {0};
        if (!CHECK_INT(rg_context_create_with(fault_realloc, &c, &ctx), RG_OK)) return;
        const int64_t live = c.live;
        rg_integrator *g = circle_start(ctx, &s, 1e-10, 0.0, 5.0, 0);
        c.fail_at = c.count + k;
        status = rg_integrate(g, NULL, NULL);
        CHECK(status == RG_OK || status == RG_ERR_MEMORY);
        const rg_state end = rg_integrator_state(g);
        CHECK_NEAR(end.y[0], sin(end.t), 1e-8);
        rg_integrator_destroy(&g);
        CHECK_INT(c.live, live);
        rg_context_destroy(&ctx);
    }
    CHECK_INT(status, RG_OK);
}

/* Each allocation of create fails once: RG_ERR_MEMORY, nothing is left behind. */
static void test_failed_allocation(void)
{
    rg_status status = RG_ERR_MEMORY;

    for (int k = 1; k < 100 && status == RG_ERR_MEMORY; k++) {
        fault_allocator c = {0};
        if (!CHECK_INT(rg_context_create_with(fault_realloc, &c, &ctx), RG_OK)) return;
        const int64_t live = c.live;
        rg_system s = {.ctx = ctx, .n = 2, .F = circle_F};
        const rg_options o = rg_options_default();
        const double y[2] = {0.0, 1.0}, yp[2] = {1.0, 0.0};
        const rg_state start = {0.0, y, yp};
        rg_integrator *g = NULL;
        mock_init(&s);
        c.fail_at = c.count + k;
        status = rg_integrator_create(&s, &o, &start, 1.0, &g);
        CHECK(status == RG_OK || (status == RG_ERR_MEMORY && g == NULL && c.live == live));
        rg_integrator_destroy(&g);
        rg_context_destroy(&ctx);
    }
    CHECK_INT(status, RG_OK);
}

static const test_case cases[] = {
    {"no allocation",     test_no_allocation    },
    {"growth",            test_growth           },
    {"failed growth",     test_failed_growth    },
    {"failed allocation", test_failed_allocation},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
