/* Closed-loop chains by sequential regularization with E = I (thesis 7.2): convergence on the
 * closed chain and the N-four-bar mechanism, the same first joints whatever the number of rods, and
 * memory and evaluations that grow linearly with it. */
#include "base/options.h"
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *model, *parameter;
    int n;
    double step, eps, t_end;
    int count;
    const char *const *names; /* of the first values of `end` */
    bool is_auto; /* the variant is left to srm: it has to take E = I for large models */
} chain_case;

typedef struct {
    double end[4];
    int64_t peak_bytes, evaluations;
} chain_result;

static bool take_values(const rg_problem *p, const rg_solution *s, const chain_case *c,
                        chain_result *r)
{
    const int64_t n = rg_problem_size(p);
    double *y = calloc((size_t)n + 1, sizeof *y);
    char name[32];

    bool ok = CHECK(y != NULL) && CHECK_INT(rg_solution_eval(s, c->t_end, y, NULL), RG_OK);
    for (int k = 0; ok && k < c->count; k++)
        for (int64_t i = 0; i < n; i++) {
            rg_problem_name(p, i, name, sizeof name);
            if (strcmp(name, c->names[k]) == 0) r->end[k] = y[i];
        }
    free(y);
    return ok;
}

static bool set_real(rg_context *ctx, rg_options *o, const char *name, double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.17g", value);
    return CHECK_INT(rg_options_assign(ctx, o, name, text), RG_OK);
}

static bool run(const chain_case *c, chain_result *r)
{
    fault_allocator memory = {0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 1, .times = &c->t_end};

    bool ok = CHECK_INT(rg_context_create_with(fault_realloc, &memory, &ctx), RG_OK)
              && CHECK_INT(rg_problem_from_file(ctx, c->model, &p), RG_OK)
              && CHECK_INT(rg_problem_set_parameter(p, c->parameter, c->n), RG_OK)
              && CHECK_INT(rg_options_assign(ctx, &o, "method", "srm"), RG_OK)
              && CHECK_INT(rg_options_assign(ctx, &o, "variant", c->is_auto ? "auto" : "multibody"),
                           RG_OK)
              && set_real(ctx, &o, "step", c->step) && set_real(ctx, &o, "eps", c->eps)
              && CHECK_INT(rg_solve_request(p, c->t_end, &o, &request, &s), RG_OK)
              && take_values(p, s, c, r);
    r->peak_bytes = memory.peak_bytes;
    r->evaluations = s != NULL ? rg_solution_stats(s).evaluations : 0;
    if (!ok && ctx != NULL) printf("%s: %s\n", c->model, rg_last_error(ctx)->message);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return ok;
}

static const char *const joints[] = {"x[1]", "y[1]", "x[2]", "y[2]"}, *const end_B[] = {"x[0]",
                                                                                        "y[0]"};

static double error(const chain_case *c, const chain_result *r, const double *reference)
{
    double largest = 0.0;

    for (int k = 0; k < c->count; k++)
        largest = fmax(largest, fabs(r->end[k] - reference[k]));
    return largest;
}

/* step and eps halved twice, eps = 10 step; reference: radau, tolerance 1e-12, the model as written
 * and reduced agree to 12 digits */
static void test_closed_chain(void)
{
    static const double reference[] = {0.0275142517730, -0.9996214113100, 0.9634467590768,
                                       -1.3518008283294};
    double e[3];

    for (int k = 0; k < 3; k++) {
        const double h = 2e-3 / (1 << k);
        const chain_case c = {
            "examples/srm/closed-chain.rg", "n", 100, h, 10 * h, 0.5, 4, joints, false};
        chain_result r = {0};
        if (!run(&c, &r)) return;
        e[k] = error(&c, &r, reference);
    }
    if (!CHECK(log2(e[1] / e[2]) > 3.5 && e[2] < 1e-6))
        printf("closed chain: %.2e %.2e %.2e\n", e[0], e[1], e[2]);
}

/* The parallelogram motion of 40 windows, before its first singular position; reference: the motion
 * with one degree of freedom, I phi'' = -G cos phi, I = (4N + 1)/3, G = g (3N + 1)/2, phi(0) =
 * pi/2, phi'(0) = -1, by the classical method with 5000 steps. */
static void test_four_bar(void)
{
    const int N = 40, steps = 5000;
    const double ratio = 9.81 * (3 * N + 1) / 2 / ((4 * N + 1) / 3.0), T = 0.5, h = T / steps;
    double phi = acos(-1.0) / 2, w = -1.0, e[3];

    for (int k = 0; k < steps; k++) {
        const double k1 = w, l1 = -ratio * cos(phi), k2 = w + h / 2 * l1,
                     l2 = -ratio * cos(phi + h / 2 * k1), k3 = w + h / 2 * l2,
                     l3 = -ratio * cos(phi + h / 2 * k2), k4 = w + h * l3,
                     l4 = -ratio * cos(phi + h * k3);
        phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    const double reference[] = {cos(phi), sin(phi)};
    for (int k = 0; k < 3; k++) {
        const double step = 1e-3 / (1 << k);
        const chain_case c = {
            "examples/singular/four-bar.rg", "N", N, step, 6.5 * step, T, 2, end_B, false};
        chain_result r = {0};
        if (!run(&c, &r)) return;
        e[k] = error(&c, &r, reference);
    }
    if (!CHECK(e[0] / e[1] > 3 && e[1] / e[2] > 4 && e[2] < 2e-5))
        printf("four-bar: %.2e %.2e %.2e\n", e[0], e[1], e[2]);
}

static void test_growth(void)
{
    static const struct {
        const char *model, *parameter;
        int count;
        const char *const *names;
    } models[] = {
        {"examples/srm/closed-chain.rg",  "n", 4, joints},
        {"examples/singular/four-bar.rg", "N", 2, end_B },
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        chain_result small = {0}, large = {0};
        chain_case c = {models[k].model, models[k].parameter, 300, 1e-3, 1e-2, 0.01,
                        models[k].count, models[k].names,     true};
        if (!run(&c, &small)) return;
        c.n = 3000;
        if (!run(&c, &large)) return;
        CHECK_INT(large.evaluations, small.evaluations);
        const double ratio = (double)large.peak_bytes / (double)small.peak_bytes;
        if (!CHECK(ratio < 10.5)) printf("%s: memory grows by %.2f\n", c.model, ratio);
        for (int i = 0; i < c.count; i++) /* far ends do not matter yet */
            CHECK_NEAR(large.end[i], small.end[i], 1e-9);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"closed chain", test_closed_chain},
        {"four-bar",     test_four_bar    },
        {"growth",       test_growth      }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
