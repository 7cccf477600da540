/* Tables 5.1 to 5.3 of the thesis (Darcy flow by sequential regularization), the contraction of its
 * iteration, and the quarter five-spot against the curves of an independent code. */
#include "pdae/darcy/darcy.h"
#include "pdae/transport/scalar.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    rg_grid *g;
    rg_vector_space *s;
    rg_darcy *d;
    double *r, *q, *f[2];
} rig;

static rig make(int n, double from, double eps, int iterations)
{
    const rg_axis_spec axis[2] = {
        {.n = n, .a = from, .b = 1.0},
        {.n = n, .a = from, .b = 1.0}
    };
    const int side[RG_SIDES] = {0};
    const rg_darcy_options o = {
        .eps = eps, .iterations = iterations, .solver_tol = 1e-12, .name = "darcy"};
    rig m = {0};

    rg_context_create(&m.ctx);
    rg_grid_create(m.ctx, 2, axis, &m.g);
    rg_vector_space_create(m.g, side, &m.s);
    rg_darcy_create(m.ctx, m.s, &o, &m.d);
    double **list[] = {&m.r, &m.q, &m.f[0], &m.f[1]};
    for (int k = 0; k < 4; k++)
        *list[k] = rg_grid_array(m.g);
    return m;
}

static void drop(rig *m)
{
    double *list[] = {m->r, m->q, m->f[0], m->f[1]};

    for (int k = 0; k < 4; k++)
        rg_free(m->ctx, list[k]);
    rg_darcy_destroy(&m->d);
    rg_vector_space_destroy(&m->s);
    rg_grid_destroy(&m->g);
    rg_context_destroy(&m->ctx);
}

/* Exact solutions of the two examples: component c of u (0, 1), p (2), q (3), f (4, 5). */
typedef double example(int what, double x, double y);

static const double PI = 3.14159265358979323846;

static double example_1(int what, double x, double y)
{
    switch (what) {
    case 0:
        return sin(PI * x);
    case 1:
        return sin(PI * y);
    case 2:
        return (cos(PI * x) + cos(PI * y) + x - y) / PI;
    case 3:
        return PI * (cos(PI * x) + cos(PI * y));
    default:
        return what == 4 ? 1.0 / PI : -1.0 / PI;
    }
}

static double example_2(int what, double x, double y)
{
    const double a = 0.05, b = 10.0;

    switch (what) {
    case 0:
        return -a * (b * b * exp(b * x) + x);
    case 1:
        return a * (b * b * exp(b * y) + y);
    case 2:
        return b * (exp(b * x) - exp(b * y));
    case 3:
        return a * b * b * b * (exp(b * y) - exp(b * x));
    default:
        return what == 4 ? -x : y;
    }
}

/* Writes the data of an example: q is the mean of the four midpoints of edges, as in the thesis;
 * given normal components at midpoints. */
static void fill(rig *m, example *e, double a)
{
    const rg_grid *g = m->g;
    const int n = g->axis[0].n;
    const double *edge = g->axis[0].edge, *mid = g->axis[0].centre;

    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            const int64_t at = rg_grid_at(g, i, j, 0);
            m->f[0][at] = e(4, edge[i], mid[j]);
            m->f[1][at] = e(5, mid[i], edge[j]);
            if (i == n || j == n) continue;
            m->q[at] = 0.25
                       * (e(3, edge[i], mid[j]) + e(3, edge[i + 1], mid[j]) + e(3, mid[i], edge[j])
                          + e(3, mid[i], edge[j + 1]));
        }
    for (int64_t at = 0; at < g->size; at++)
        m->r[at] = 1.0 / a;
    for (int i = 0; i < n; i++) {
        m->s->wall[0][rg_grid_at(g, 0, i, 0)] = e(0, edge[0], mid[i]);
        m->s->wall[0][rg_grid_at(g, n, i, 0)] = e(0, edge[n], mid[i]);
        m->s->wall[1][rg_grid_at(g, i, 0, 0)] = e(1, mid[i], edge[0]);
        m->s->wall[1][rg_grid_at(g, i, n, 0)] = e(1, mid[i], edge[n]);
    }
}

/* Relative maximum norms; the last row and column of cells are left out. */
static void errors(const rig *m, example *e, double out[2])
{
    const rg_grid *g = m->g;
    const int n = g->axis[0].n;
    const double *edge = g->axis[0].edge, *mid = g->axis[0].centre;
    double u = 0.0, p = 0.0, size_u = 0.0, size_p = 0.0;

    for (int j = 0; j < n - 1; j++)
        for (int i = 0; i < n - 1; i++) {
            const int64_t at = rg_grid_at(g, i, j, 0);
            const double exact[] = {e(0, edge[i], mid[j]), e(1, mid[i], edge[j])};
            for (int c = 0; c < 2; c++) {
                u = fmax(u, fabs(rg_darcy_velocity(m->d)[c][at] - exact[c]));
                size_u = fmax(size_u, fabs(exact[c]));
            }
            p = fmax(p, fabs(rg_darcy_pressure(m->d)[at] - e(2, mid[i], mid[j])));
            size_p = fmax(size_p, fabs(e(2, mid[i], mid[j])));
        }
    out[0] = u / size_u;
    out[1] = p / size_p;
}

static double entry(const char *grid, double eps, int s, const char *quantity)
{
    example *e = strcmp(grid, "square") == 0 ? example_1 : example_2;
    const int n = e == example_1 ? 40 : strcmp(grid, "1/40") == 0 ? 20 : 40;
    double *r[RG_AXES] = {NULL, NULL, NULL}, out[2] = {NAN, NAN};
    rig m = make(n, e == example_1 ? 0.0 : 0.5, eps, s);

    fill(&m, e, e == example_1 ? 1.0 : 0.05);
    r[0] = m.r;
    if (CHECK(rg_darcy_set(m.d, r, NULL) == RG_OK)
        && CHECK(rg_darcy_solve(m.d, m.q, m.f, NULL) == RG_OK))
        errors(&m, e, out);
    drop(&m);
    return quantity[0] == 'v' ? out[0] : out[1];
}

/* Every line of a table: grid,eps,iteration,quantity,printed,reproduced.  The gate is `reproduced`
 * to 1 percent, but for the two entries that contain rounding of a direct solve for U. */
static void check_table(const char *file, bool square)
{
    FILE *in = fopen(file, "r");
    char line[256], grid[16], quantity[16], printed[16];
    double eps, reproduced;
    int s, n = 0;

    if (!CHECK(in != NULL)) return;
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "%15[^,],%lf,%d,%15[^,],%15[^,],%lf", grid, &eps, &s, quantity, printed,
                   &reproduced)
            != 6)
            continue;
        const double ours = entry(square ? "square" : grid, eps, s, quantity);
        if (!CHECK_NEAR(ours, reproduced, 1e-2 * reproduced))
            printf("%s, eps = %g, s = %d, %s\n", grid, eps, s, quantity);
        n++;
    }
    fclose(in);
    CHECK(n >= 8);
}

static void table_5_1(void)
{
    check_table("tests/tables/srm-pdae-5.1.csv", true);
}

static void table_5_2(void)
{
    check_table("tests/tables/srm-pdae-5.2.csv", true);
}

static void table_5_3(void)
{
    check_table("tests/tables/srm-pdae-5.3.csv", false);
}

/* P_s - P falls by eps/(eps + lambda_1) in every iteration, lambda_1 the smallest eigenvalue of the
 * cells: 4/h^2 sin(pi h/2)^2. */
static void iteration_contracts_as_predicted(void)
{
    const double eps = 0.5, h = 1.0 / 20.0, lambda = 4.0 / (h * h) * pow(sin(0.5 * PI * h), 2);
    double error[3], *r[RG_AXES] = {NULL, NULL, NULL};

    for (int s = 1; s <= 3; s++) {
        rig m = make(20, 0.0, eps, s), exact = make(20, 0.0, 1e-9, 4);
        rig *both[] = {&m, &exact};
        for (int k = 0; k < 2; k++) {
            fill(both[k], example_1, 1.0);
            for (int64_t at = 0; at < m.g->size; at++)
                both[k]->f[0][at] = both[k]->f[1][at] = 0.0; /* the first mode alone */
            r[0] = both[k]->r;
            CHECK(rg_darcy_set(both[k]->d, r, NULL) == RG_OK);
            CHECK(rg_darcy_solve(both[k]->d, both[k]->q, both[k]->f, NULL) == RG_OK);
        }
        const int64_t at = rg_grid_at(m.g, 3, 5, 0);
        error[s - 1] = fabs(rg_darcy_pressure(m.d)[at] - rg_darcy_pressure(exact.d)[at]);
        drop(&m);
        drop(&exact);
    }
    CHECK_NEAR(error[1] / error[0], eps / (eps + lambda), 1e-6);
    CHECK_NEAR(error[2] / error[1], eps / (eps + lambda), 1e-4);
}

/* Injection of c = 1 in one corner, production in the other, dispersion; pore volumes to 0.8. */
static void five_spot(double M, rg_carry carry, const double *expected)
{
    enum { N = 40 };
    static const double at_time[] = {0.5, 0.6, 0.7, 0.8};
    rig m = make(N, 0.0, 0.0, 0);
    rg_grid *g = m.g;
    const double h2 = 1.0 / (N * N);
    const int64_t in = rg_grid_at(g, 0, 0, 0), out = rg_grid_at(g, N - 1, N - 1, 0);
    double *c = rg_grid_array(g), *old = rg_grid_array(g), *rate = rg_grid_array(g),
           *flux = rg_grid_array(g), *D[4], *r[RG_AXES] = {m.r, NULL, NULL};
    rg_scalar_space space = {.grid = g, .given = rg_grid_array(g)};
    double t = 0.0, produced = 0.0, through[2];
    double *coefficient[3] = {rg_grid_array(g), rg_grid_array(g), rg_grid_array(g)};

    for (int64_t at = 0; at < g->size; at++) {
        coefficient[1][at] = 0.01;
        coefficient[2][at] = 0.001;
    }
    for (int k = 0; k < 4; k++)
        D[k] = rg_grid_array(g);
    m.q[in] = 1.0 / h2;
    m.q[out] = -1.0 / h2;
    for (int next = 0, step = 0; next < 4; step++) {
        if (M != 1.0 || step == 0) {
            for (int64_t at = 0; at < g->size; at++)
                m.r[at] = pow(1.0 - c[at] + pow(M, 0.25) * c[at], -4.0);
            if (!CHECK(rg_darcy_set(m.d, r, NULL) == RG_OK)) break;
            if (!CHECK(rg_darcy_solve(m.d, m.q, NULL, NULL) == RG_OK)) break;
            if (step == 0) {
                const double *p = rg_darcy_pressure(m.d);
                CHECK_NEAR(p[in] - p[out], 4.7743121760, 2e-9);
            }
        }
        double *const *u = rg_darcy_velocity(m.d), most = 0.0;
        for (int d = 0; d < 2; d++)
            rg_scalar_dispersion(g, d, u, coefficient, D + 2 * d);
        for (int64_t at = 0; at < g->size; at++)
            most = fmax(most, fmax(D[0][at], D[3][at]));
        double k = fmin(0.5 * h2, 0.2 * h2 / most);
        if (t + k > at_time[next]) k = at_time[next] - t;
        const rg_scalar_terms terms = {.u = u, .w = 1.0, .carry = carry, .D = D};
        memcpy(old, c, (size_t)g->size * sizeof *c);
        for (int stage = 0; stage < 2; stage++) {
            rg_scalar_fill(&space, c);
            memset(rate, 0, (size_t)g->size * sizeof *rate);
            rg_scalar_rate(&space, &terms, c, flux, rate, through);
            rate[in] += 1.0 / h2;
            rate[out] -= c[out] / h2;
            produced += 0.5 * k * c[out];
            for (int64_t at = 0; at < g->size; at++)
                c[at] = stage == 0 ? c[at] + k * rate[at] : 0.5 * (old[at] + c[at] + k * rate[at]);
        }
        t += k;
        if (t < at_time[next] - 1e-12) continue;
        double sum = 0.0;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                sum += h2 * c[rg_grid_at(g, i, j, 0)];
        CHECK_NEAR(c[out], expected[2 * next], 6e-5);
        CHECK_NEAR(sum, expected[2 * next + 1], 6e-5);
        CHECK_NEAR(sum, t - produced, 1e-12); /* mass balance */
        next++;
    }
    double *list[] = {c,    old,  rate, flux,           space.given,    D[0],
                      D[1], D[2], D[3], coefficient[0], coefficient[1], coefficient[2]};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        rg_free(m.ctx, list[k]);
    drop(&m);
}

static void five_spot_of_equal_viscosities(void)
{
    static const double limited[] = {0.0007, 0.5000, 0.0268, 0.5991,
                                     0.1605, 0.6909, 0.3712, 0.7644};
    static const double upwind[] = {0.0066, 0.4998, 0.0555, 0.5973, 0.1844, 0.6859, 0.3605, 0.7588};

    five_spot(1.0, RG_CARRY_TVD, limited);
    five_spot(1.0, RG_CARRY_UPWIND, upwind);
}

/* Not converged on this grid: a regression of this very scheme. */
static void five_spot_of_viscosity_41(void)
{
    static const double limited[] = {0.2237, 0.4977, 0.6861, 0.5426,
                                     0.7564, 0.5700, 0.7909, 0.5924};

    five_spot(41.0, RG_CARRY_TVD, limited);
}

int main(void)
{
    static const test_case cases[] = {
        {"table 5.1",                        table_5_1                       },
        {"table 5.2",                        table_5_2                       },
        {"table 5.3",                        table_5_3                       },
        {"iteration contracts as predicted", iteration_contracts_as_predicted},
        {"five-spot of equal viscosities",   five_spot_of_equal_viscosities  },
        {"five-spot of viscosity 41",        five_spot_of_viscosity_41       },
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
