/* Growth along a sweep of the transfer, F' = V F: triangular parts add up to logarithms that are
 * known for V that commutes with itself, and perturbations are multiplied by F^-T. */
#include "base/context.h"
#include "bvp/transfer/sweep_impl.h"
#include "support/test.h"

#include <math.h>

/* The sums of log F_ii after steps of V, linear between the values before and after each. */
static void grow(int k, const double *V, int n_steps, double dt, double *growth,
                 double *amplification)
{
    rg_context *ctx = NULL;
    rg_sweep s = {.k = k, .from = 0.0, .to = n_steps * dt};

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    s.ctx = ctx;
    CHECK_INT(rg_sweep_growth_create(&s), RG_OK);
    CHECK(rg_sweep_grow(&s, 0.0, V));
    rg_sweep_mark(&s, 0.0);
    for (int i = 1; i <= n_steps; i++)
        CHECK(rg_sweep_grow(&s, dt, V + i * k * k));
    for (int i = 0; i < k; i++)
        growth[i] = s.growth[i];
    *amplification = s.amplification;
    rg_free(ctx, s.growth);
    rg_free(ctx, s.E);
    rg_free(ctx, s.frame);
    rg_context_destroy(&ctx);
}

/* One column: log F = the integral of V, here by trapezoids, exact for V linear between nodes.  A
 * step of order 4 errs by less than |V dt|^5. */
static void test_scalar(void)
{
    const double V[] = {1.0, 3.0, -2.0}, W[] = {-2.0, -2.0, -2.0};
    double growth, amplification;

    grow(1, V, 2, 0.002, &growth, &amplification);
    CHECK_NEAR(growth, 0.002 * (2.0 + 0.5), 1e-11);
    grow(1, W, 2, 0.01, &growth, &amplification);
    CHECK_NEAR(growth, -0.04, 1e-10);
    CHECK_NEAR(amplification, exp(0.04), 1e-10);
}

/* V = a I + b J, a turn with growth: |F_11| = e^(a t), and F_22 likewise; the turn itself does not
 * count.  In column-major order J = (0, 1; -1, 0). */
static void test_turn(void)
{
    const double a = 0.5, b = 3.0, V[] = {a, b, -b, a, a, b, -b, a};
    double growth[2], amplification;

    grow(2, V, 1, 0.01, growth, &amplification);
    CHECK_NEAR(growth[0], a * 0.01, 1e-9);
    CHECK_NEAR(growth[1], a * 0.01, 1e-9);
}

/* V = (1, c; 0, -1): the second column decays however much the first one grows, and a perturbation
 * in it is multiplied by e^t. */
static void test_triangular(void)
{
    const double V[] = {1.0, 0.0, 0.7, -1.0, 1.0, 0.0, 0.7, -1.0};
    const double t = 0.01, c = 0.7 * sinh(t); /* F = (e^t, c; 0, e^-t) */
    double growth[2], amplification;

    grow(2, V, 1, t, growth, &amplification);
    CHECK_NEAR(growth[0], t, 1e-9);
    CHECK_NEAR(growth[1], -t, 1e-9);
    /* the Frobenius norm of F^-T */
    CHECK_NEAR(amplification, sqrt(exp(2 * t) + exp(-2 * t) + c * c), 1e-9);
}

int main(void)
{
    static const test_case cases[] = {
        {"scalar",     test_scalar    },
        {"turn",       test_turn      },
        {"triangular", test_triangular}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
