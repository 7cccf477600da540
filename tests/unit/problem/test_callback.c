/* Problems from C functions: residual, mass matrix, Jacobians, patterns, failures of callbacks. */
#include "problem/assembly.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_pattern(const rg_pattern *p)
{
    bool is_sorted = p->start[0] == 0;
    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t k = p->start[j]; k + 1 < p->start[j + 1]; k++)
            is_sorted = is_sorted && p->row[k] < p->row[k + 1];
    CHECK(is_sorted);
}

enum { CHAIN = 6 };

typedef struct {
    int calls, answer; /* answer: what to return */
} chain;

/* F_i = y_i' (2 + y_i) - y_{i-1} y_i + sin(t) y_{i+1}, ends left out */
static int chain_residual(double t, const double *y, const double *yp, double *F, void *user)
{
    chain *c = user;
    c->calls++;
    for (int i = 0; i < CHAIN; i++) {
        F[i] = yp[i] * (2 + y[i]);
        if (i > 0) F[i] -= y[i - 1] * y[i];
        if (i + 1 < CHAIN) F[i] += sin(t) * y[i + 1];
    }
    return c->answer;
}

static double chain_element(double t, const double *y, const double *yp, double shift, int i, int j)
{
    if (i == j) return yp[i] + shift * (2 + y[i]) - (i > 0 ? y[i - 1] : 0.0);
    if (j == i - 1) return -y[i];
    return j == i + 1 ? sin(t) : 0.0;
}

static int chain_jacobian(double t, const double *y, const double *yp, double shift, double *J,
                          void *user)
{
    (void)user;
    for (int j = 0; j < CHAIN; j++)
        for (int i = 0; i < CHAIN; i++)
            J[j * CHAIN + i] = chain_element(t, y, yp, shift, i, j);
    return 0;
}

typedef struct {
    rg_context *ctx;
    rg_problem p;
    chain user;
    int32_t row[CHAIN], column[2][CHAIN];
    const int32_t *rows[1], *columns[2];
    rg_assembly_spec spec;
    int64_t start[CHAIN + 1], pattern_row[3 * CHAIN];
    double y[CHAIN], yp[CHAIN], z[2 * CHAIN];
    rg_assembly *a;
    rg_assembly_work *w;
} callback_fixture;

static void open_callback(callback_fixture *f)
{
    memset(f, 0, sizeof *f);
    rg_context_create(&f->ctx);
    f->p.ctx = f->ctx;
    f->p.n = f->p.n_rows = CHAIN;
    f->p.user = &f->user;
    for (int k = 0; k < CHAIN; k++) {
        f->row[k] = CHAIN - 1 - k;
        f->column[0][k] = 2 * k;
        f->column[1][k] = 2 * k + 1;
        f->y[k] = f->z[2 * k] = 0.5 + 0.1 * k;
        f->yp[k] = f->z[2 * k + 1] = 1 - 0.2 * k;
    }
    f->rows[0] = f->row;
    f->columns[0] = f->column[0];
    f->columns[1] = f->column[1];
    f->spec = (rg_assembly_spec){1, 2, 2 * CHAIN, f->rows, CHAIN, f->columns};
}

static void tridiagonal(callback_fixture *f)
{
    int64_t n = 0;
    for (int j = 0; j < CHAIN; j++) {
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CHAIN) f->pattern_row[n++] = i;
        f->start[j + 1] = n;
    }
    f->p.pattern_start = f->start;
    f->p.pattern_row = f->pattern_row;
}

static void close_callback(callback_fixture *f)
{
    rg_assembly_work_destroy(&f->w);
    rg_assembly_destroy(&f->a);
    rg_context_destroy(&f->ctx);
}

static void check_callback(callback_fixture *f, double tol, int64_t nonzeros)
{
    double F[CHAIN], G[CHAIN], J[2 * CHAIN * CHAIN], full[CHAIN][2 * CHAIN] = {{0}};

    CHECK_INT(rg_assembly_create(&f->p, &f->spec, true, &f->a), RG_OK);
    CHECK_INT(rg_assembly_work_create(f->a, &f->w), RG_OK);
    const rg_pattern *p = rg_assembly_pattern(f->a);
    check_pattern(p);
    CHECK_INT(p->start[2 * CHAIN], nonzeros);
    f->user.calls = 0;
    CHECK_INT(rg_assembly_jacobian(f->a, f->w, 0.3, f->z, F, J), RG_OK);
    chain_residual(0.3, f->y, f->yp, G, &f->user);
    for (int64_t j = 0; j < 2 * CHAIN; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            full[p->row[k]][j] = J[k];
    for (int i = 0; i < CHAIN; i++) {
        CHECK_NEAR(F[f->row[i]], G[i], 1e-15);
        for (int j = 0; j < CHAIN; j++) {
            const double A = chain_element(0.3, f->y, f->yp, 0, i, j);
            const double B = chain_element(0.3, f->y, f->yp, 1, i, j) - A;
            CHECK_NEAR(full[f->row[i]][2 * j], A, tol);
            CHECK_NEAR(full[f->row[i]][2 * j + 1], B, tol);
        }
    }
}

static void test_callback_jacobian(void)
{
    callback_fixture f;
    open_callback(&f);
    f.p.residual = chain_residual;
    f.p.jacobian = chain_jacobian;
    check_callback(&f, 1e-15, 2 * CHAIN * CHAIN);
    close_callback(&f);
}

static void test_callback_differences(void)
{
    callback_fixture f;
    open_callback(&f);
    f.p.residual = chain_residual;
    check_callback(&f, 1e-6, 2 * CHAIN * CHAIN);
    CHECK_INT(f.user.calls, 1 + 2 * CHAIN + 1);
    close_callback(&f);

    open_callback(&f);
    f.p.residual = chain_residual;
    tridiagonal(&f);
    check_callback(&f, 1e-6, 2 * (3 * CHAIN - 2));
    CHECK_INT(f.user.calls, 1 + 2 * 3 + 1); /* three groups of columns */
    close_callback(&f);
}

static void test_callback_answers(void)
{
    callback_fixture f;
    double F[CHAIN];
    open_callback(&f);
    f.p.residual = chain_residual;
    CHECK_INT(rg_assembly_create(&f.p, &f.spec, false, &f.a), RG_OK);
    CHECK_INT(rg_assembly_work_create(f.a, &f.w), RG_OK);
    CHECK(rg_assembly_pattern(f.a) == NULL);
    f.user.answer = 1;
    CHECK_INT(rg_assembly_residual(f.a, f.w, 0, f.z, F), RG_RETRY);
    f.user.answer = -3;
    CHECK_INT(rg_assembly_residual(f.a, f.w, 0, f.z, F), RG_ERR_CALLBACK);
    CHECK(rg_last_error(f.ctx)->remedy[0] != '\0');
    close_callback(&f);
}

static int swap_rhs(double t, const double *y, double *out, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < CHAIN; i++)
        out[i] = y[(i + 1) % CHAIN] * y[i];
    return 0;
}

/* M y' = f: F = M y' - f, dF/dy' = M exactly. */
static void test_mass(void)
{
    callback_fixture f;
    double mass[CHAIN * CHAIN] = {0}, F[CHAIN], J[2 * CHAIN * CHAIN];

    open_callback(&f);
    for (int i = 0; i + 1 < CHAIN; i++)
        mass[i * CHAIN + i] = 2 + i; /* the last one is algebraic */
    mass[1 * CHAIN + 0] = 5;
    f.column[1][CHAIN - 1] = -1;
    f.p.rhs = swap_rhs;
    f.p.mass = mass;
    CHECK_INT(rg_assembly_create(&f.p, &f.spec, true, &f.a), RG_OK);
    CHECK_INT(rg_assembly_work_create(f.a, &f.w), RG_OK);
    CHECK_INT(rg_assembly_jacobian(f.a, f.w, 0, f.z, F, J), RG_OK);
    const rg_pattern *p = rg_assembly_pattern(f.a);
    CHECK_INT(p->start[4] - p->start[3], 2); /* y_1': rows 0 and 1 */
    CHECK_NEAR(F[f.row[0]], 2 * f.yp[0] + 5 * f.yp[1] - f.y[0] * f.y[1], 1e-14);
    CHECK_NEAR(F[f.row[CHAIN - 1]], -f.y[0] * f.y[CHAIN - 1], 1e-14);
    CHECK_NEAR(J[p->start[3]], 3, 0); /* row of equation 1 comes first */
    CHECK_NEAR(J[p->start[3] + 1], 5, 0);
    close_callback(&f);
}

/* ---- the n-th allocation fails --------------------------------------------------------------- */

static void test_allocation(void)
{
    int n = 0;
    for (rg_status status = RG_ERR_MEMORY; status != RG_OK && n < 1000; n++) {
        callback_fixture f;
        int left = 1000;
        open_callback(&f);
        rg_context_destroy(&f.ctx);
        rg_context_create_with(fault_exhausted, &left, &f.ctx);
        f.p.ctx = f.ctx;
        f.p.residual = n % 2 ? chain_residual : NULL;
        f.p.rhs = n % 2 ? NULL : swap_rhs;
        tridiagonal(&f);
        left = n / 2;
        status = rg_assembly_create(&f.p, &f.spec, true, &f.a);
        if (status == RG_OK) status = rg_assembly_work_create(f.a, &f.w);
        left = 1000;
        CHECK(status == RG_OK || (status == RG_ERR_MEMORY && f.w == NULL));
        close_callback(&f);
    }
    CHECK(n > 20 && n < 1000);
}

static const test_case cases[] = {
    {"allocation failures",    test_allocation          },
    {"callback with Jacobian", test_callback_jacobian   },
    {"callback differences",   test_callback_differences},
    {"callback answers",       test_callback_answers    },
    {"mass matrix",            test_mass                },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
