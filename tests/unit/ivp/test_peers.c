/* Work and accuracy against RADAU5 and RADAU on problems of the IVP test set (CWI Amsterdam,
 * University of Bari).  With three stages: about the steps of RADAU5, no more evaluations, as many
 * digits.  With the order free: not many more evaluations and factorizations than the better of the
 * two at the same tolerance, and an error of at most 100 tol.  Their figures were measured with
 * exact Jacobians and an initial step of 0.01 rtol; digits = -log10 max |y - ref| / (atol/rtol +
 * |ref|). */
#include "ivp/integrator.h"
#include "support/mock_system.h"
#include "support/test.h"

static rg_context *ctx;

typedef struct {
    const char *name;
    int n, n_reference;
    rg_status (*F)(double t, const double *y, const double *yp, double *F);
    double t_end, atol_factor; /* atol = factor * rtol */
    double y[8], yp[8], reference[8];
    int index[8];
} problem;

typedef struct {
    double tol;
    int steps, evaluations; /* of RADAU5 */
    double digits;
    int variable; /* evaluations of RADAU; 0: it failed */
} figure;

static rg_status chemakzo_F(double t, const double *y, const double *yp, double *F)
{
    const double root = sqrt(fabs(y[1]));
    const double r1 = 18.7 * y[0] * y[0] * y[0] * y[0] * root, r2 = 0.58 * y[2] * y[3];
    const double r3 = 0.58 / 34.4 * y[0] * y[4], r4 = 0.09 * y[0] * y[3] * y[3];
    const double r5 = 0.42 * y[5] * y[5] * root, inflow = 3.3 * (0.9 / 737.0 - y[1]);

    (void)t;
    F[0] = yp[0] + 2.0 * r1 - r2 + r3 + r4;
    F[1] = yp[1] + 0.5 * r1 + r4 + 0.5 * r5 - inflow;
    F[2] = yp[2] - r1 + r2 - r3;
    F[3] = yp[3] + r2 - r3 + 2.0 * r4;
    F[4] = yp[4] - r2 + r3 - r5;
    F[5] = 115.83 * y[0] * y[3] - y[5];
    return RG_OK;
}

static rg_status robertson_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    F[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    F[2] = y[0] + y[1] + y[2] - 1.0;
    return RG_OK;
}

static rg_status vdpol_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[1];
    F[1] = yp[1] - ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
    return RG_OK;
}

static rg_status hires_F(double t, const double *y, const double *yp, double *F)
{
    const double q = 280.0 * y[5] * y[7];

    (void)t;
    F[0] = yp[0] + 1.71 * y[0] - 0.43 * y[1] - 8.32 * y[2] - 0.0007;
    F[1] = yp[1] - 1.71 * y[0] + 8.75 * y[1];
    F[2] = yp[2] + 10.03 * y[2] - 0.43 * y[3] - 0.035 * y[4];
    F[3] = yp[3] - 8.32 * y[1] - 1.71 * y[2] + 1.12 * y[3];
    F[4] = yp[4] + 1.745 * y[4] - 0.43 * y[5] - 0.43 * y[6];
    F[5] = yp[5] + q - 0.69 * y[3] - 1.71 * y[4] + 0.43 * y[5] - 0.69 * y[6];
    F[6] = yp[6] - q + 1.81 * y[6];
    F[7] = yp[7] + q - 1.81 * y[6];
    return RG_OK;
}

static rg_status pendulum_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = yp[2] + y[0] * y[4];
    F[3] = yp[3] + y[1] * y[4] + 1.0;
    F[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return RG_OK;
}

static double digits(const problem *p, const double *y)
{
    double worst = 1e-16;

    for (int i = 0; i < p->n_reference; i++)
        worst =
            fmax(worst, fabs(y[i] - p->reference[i]) / (p->atol_factor + fabs(p->reference[i])));
    return -log10(worst);
}

static bool run(const problem *p, double tol, int stages, rg_stats *stats, double *found)
{
    rg_system s = {.ctx = ctx, .n = p->n, .F = p->F};
    const rg_state start = {0.0, p->y, p->yp};
    rg_options o = rg_options_default();
    rg_integrator *g = NULL;

    memcpy(s.index, p->index, sizeof p->index);
    mock_init(&s);
    o.rtol = tol;
    o.atol = p->atol_factor * tol;
    o.stages = stages;
    if (!CHECK_INT(rg_integrator_create(&s, &o, &start, p->t_end, &g), RG_OK)) return false;
    const bool ok = CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    *stats = rg_integrator_stats(g);
    *found = digits(p, rg_integrator_state(g).y);
    rg_integrator_destroy(&g);
    return ok;
}

static void compare_fixed(const problem *p, const figure *f)
{
    rg_stats stats;
    double found;

    if (!run(p, f->tol, 3, &stats, &found)) return;
    bool ok = CHECK((double)stats.steps <= 1.1 * f->steps);
    ok = CHECK((double)stats.evaluations <= 1.05 * f->evaluations) && ok;
    ok = CHECK(found > f->digits - 0.9) && ok;
    if (!ok)
        printf("%s, tol %g: %d steps (RADAU5 %d), %d evaluations (%d), %.2f digits (%.2f)\n",
               p->name, f->tol, (int)stats.steps, f->steps, (int)stats.evaluations, f->evaluations,
               found, f->digits);
}

static void compare_free(const problem *p, const figure *f)
{
    const bool has_both = f->variable > 0;
    const int best = has_both && f->variable < f->evaluations ? f->variable : f->evaluations;
    rg_stats stats;
    double found;

    if (!run(p, f->tol, 0, &stats, &found)) return;
    bool ok = CHECK((double)stats.evaluations <= 1.2 * best);
    ok = CHECK((double)stats.steps <= 1.1 * f->steps) && ok;
    ok = CHECK(found > -log10(f->tol) - 2.0) && ok;
    if (!ok)
        printf("%s, tol %g: %d evaluations (RADAU5 %d, RADAU %d), %.2f digits\n", p->name, f->tol,
               (int)stats.evaluations, f->evaluations, f->variable, found);
}

static void compare(const problem *p, int n_figures, const figure *figures)
{
    for (int k = 0; k < n_figures; k++) {
        compare_fixed(p, figures + k);
        compare_free(p, figures + k);
    }
}

static void test_chemakzo(void)
{
    static const problem p = {
        "chemakzo",
        6,
        6,
        chemakzo_F,
        180.0,
        1.0,
        {0.444, 0.00123, 0.0, 0.007, 0.0, 115.83 * 0.444 * 0.007},
        {-0.05097555,  -0.0152335, 0.02548779, -3.9e-6, 0.0019099, 0.0},
        {0.1150794920661702,  0.1203831471567715e-2, 0.1611562887407974, 0.3656156421249283e-3,
          0.1708010885264404e-1, 0.4873531310307455e-2},
        {0    },
    };
    static const figure f[] = {
        {1e-4,  22, 187, 5.48,  187},
        {1e-6,  32, 293, 7.79,  293},
        {1e-8,  53, 476, 9.07,  476},
        {1e-10, 96, 867, 10.50, 724},
    };
    compare(&p, 4, f);
}

static void test_robertson(void)
{
    static const problem p = {
        "robertson",
        3,
        3,
        robertson_F,
        1e11,
        1e-8,
        {1.0,   0.0, 0.0},
        {-0.04,  0.04, 0.0},
        {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050},
        {0 },
    };
    /* 1e-10 needs better Jacobians than difference quotients: atol = 1e-18 */
    static const figure f[] = {
        {1e-4, 149, 1094, 5.49, 1094},
        {1e-6, 292, 2173, 7.86, 1682},
        {1e-8, 604, 4528, 7.85, 2592},
    };
    compare(&p, 3, f);
}

static void test_vdpol(void)
{
    static const problem p = {
        "vdpol",    2,           2,
        vdpol_F,    2.0,         1.0,
        {2.0,               0.0},
                     {0.0,                 -2e6},
                     {1.706167732170469,-0.8928097010248125},
        {0},
    };
    static const figure f[] = {
        {1e-4,  245,  2253,  5.28,  2214},
        {1e-6,  488,  3947,  6.69,  3882},
        {1e-8,  1047, 8247,  8.96,  5787},
        {1e-10, 2270, 17414, 10.50, 7589},
    };
    compare(&p, 4, f);
}

static void test_hires(void)
{
    static const problem p = {
        "hires",
        8,
        8,
        hires_F,
        321.8122,
        1.0,
        {1.0,  0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057},
        {-1.7093, 1.71, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
          0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2,
          0.2850001604814231e-2},
        {0},
    };
    static const figure f[] = {
        {1e-4,  33,  333,  2.93, 333 },
        {1e-6,  53,  491,  5.20, 859 },
        {1e-8,  98,  821,  7.62, 933 },
        {1e-10, 202, 1684, 9.39, 1511},
    };
    compare(&p, 4, f);
}

static void test_pendulum(void)
{
    static const problem p = {
        "pendulum",
        5,
        2,
        pendulum_F,
        10.0,
        1.0,
        {1.0,                    0.0,                    0.0, 0.0,  0.0           },
        {0.0,                    0.0,                    0.0, -1.0, 0.0           },
        {-8.1158644619130383e-1, -5.8423235134539570e-1},
        {1,                     1,                                          2,    2,        3},
    };
    static const figure f[] = {
        {1e-4,  101, 899,  3.83, 0   },
        {1e-6,  157, 1515, 4.78, 1638},
        {1e-8,  317, 3061, 6.70, 3106},
        {1e-10, 667, 6404, 9.25, 4249},
    };
    compare(&p, 4, f);
}

static const test_case cases[] = {
    {"chemakzo",  test_chemakzo },
    {"robertson", test_robertson},
    {"vdpol",     test_vdpol    },
    {"hires",     test_hires    },
    {"pendulum",  test_pendulum },
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
