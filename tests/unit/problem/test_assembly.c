/* Residuals and Jacobians put together from blocks of equations. */
#include "hand_model.h"
#include "problem/assembly.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbering ------------------------------------------------------------------------------- */

typedef struct {
    int32_t rows[LEVELS][UNKNOWNS], columns[ORDERS][UNKNOWNS];
    const int32_t *row[LEVELS], *column[ORDERS];
    rg_assembly_spec spec;
} numbering;

typedef bool wish(int level, int equation);

/* Columns in a mixed order, so that not everything is affine. */
static void number(numbering *s, int levels, wish *is_wanted, bool is_mixed)
{
    *s = (numbering){
        .spec = {.n_levels = levels, .n_orders = levels + 1}
    };
    for (int l = 0; l < levels; l++) {
        s->row[l] = s->rows[l];
        for (int e = 0; e < UNKNOWNS; e++)
            s->rows[l][e] = is_wanted(l, e) ? (int32_t)s->spec.n_rows++ : -1;
    }
    for (int o = 0; o <= levels; o++) {
        s->column[o] = s->columns[o];
        for (int v = 0; v < UNKNOWNS; v++)
            s->columns[o][v] = is_mixed ? v * (levels + 1) + o : o * UNKNOWNS + v;
    }
    s->spec.n_columns = (int64_t)UNKNOWNS * (levels + 1);
    s->spec.row = s->row;
    s->spec.column = s->column;
}

static bool want_all(int level, int equation)
{
    return level >= 0 && equation >= 0;
}

static bool want_some(int level, int equation)
{
    if (level == 0) return equation != 3 && equation != N + 1;
    return (equation + level) % 3 == 0 || equation < 4;
}

/* Unknown v is A sin(B t + C): any derivative is known. */
static void fill(const numbering *s, double t, double *z)
{
    for (int v = 0; v < UNKNOWNS; v++)
        for (int o = 0; o < s->spec.n_orders; o++) {
            const double A = 0.5 + 0.03 * v, B = 0.7 + 0.05 * (v % 4), C = 0.3 * v;
            z[s->columns[o][v]] = A * pow(B, o) * sin(B * t + C + o * acos(0.0));
        }
}

/* ---- checks ---------------------------------------------------------------------------------- */

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    numbering s;
    rg_assembly *a;
    rg_assembly_work *w;
    double z[ORDERS * UNKNOWNS], F[LEVELS * UNKNOWNS];
} fixture;

static void open_fixture(fixture *f, int levels, wish *is_wanted, bool is_mixed)
{
    memset(f, 0, sizeof *f);
    rg_context_create(&f->ctx);
    f->p = make_problem(f->ctx);
    number(&f->s, levels, is_wanted, is_mixed);
    CHECK_INT(rg_assembly_create(f->p, &f->s.spec, true, &f->a), RG_OK);
    CHECK_INT(rg_assembly_work_create(f->a, &f->w), RG_OK);
    fill(&f->s, 0.4, f->z);
}

static void close_fixture(fixture *f)
{
    rg_assembly_work_destroy(&f->w);
    rg_assembly_destroy(&f->a);
    rg_problem_destroy(&f->p);
    rg_context_destroy(&f->ctx);
}

static void check_pattern(const rg_pattern *p)
{
    bool is_sorted = p->start[0] == 0;
    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t k = p->start[j]; k + 1 < p->start[j + 1]; k++)
            is_sorted = is_sorted && p->row[k] < p->row[k + 1];
    CHECK(is_sorted);
}

/* All of J against differences of F, the zeros outside the pattern included. */
static void check_jacobian(fixture *f)
{
    const rg_pattern *p = rg_assembly_pattern(f->a);
    const int64_t n = f->s.spec.n_rows;
    double *J = calloc((size_t)p->start[p->n_columns] + 1, sizeof *J);
    double *column = calloc((size_t)n, sizeof *column), *ahead = calloc((size_t)n, sizeof *ahead);
    double *again = calloc((size_t)n, sizeof *again), worst = 0;

    check_pattern(p);
    CHECK_INT(rg_assembly_jacobian(f->a, f->w, 0.4, f->z, f->F, J), RG_OK);
    CHECK_INT(rg_assembly_residual(f->a, f->w, 0.4, f->z, again), RG_OK);
    CHECK(memcmp(again, f->F, (size_t)n * sizeof *again) == 0);
    for (int64_t j = 0; j < p->n_columns; j++) {
        const double h = 1e-6, middle = f->z[j];
        f->z[j] = middle + h;
        rg_assembly_residual(f->a, f->w, 0.4, f->z, ahead);
        f->z[j] = middle - h;
        rg_assembly_residual(f->a, f->w, 0.4, f->z, column);
        f->z[j] = middle;
        for (int64_t i = 0; i < n; i++)
            column[i] = (ahead[i] - column[i]) / (2 * h);
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            column[p->row[k]] -= J[k];
        for (int64_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(column[i]) / (1 + fabs(ahead[i])));
    }
    CHECK_NEAR(worst, 0, 2e-7);
    free(J);
    free(column);
    free(ahead);
    free(again);
}

/* Level l+1 is the time derivative of level l along z(t). */
static void check_levels(fixture *f)
{
    double ahead[LEVELS * UNKNOWNS], back[LEVELS * UNKNOWNS];
    const double h = 1e-5;

    rg_assembly_residual(f->a, f->w, 0.4, f->z, f->F);
    fill(&f->s, 0.4 + h, f->z);
    rg_assembly_residual(f->a, f->w, 0.4 + h, f->z, ahead);
    fill(&f->s, 0.4 - h, f->z);
    rg_assembly_residual(f->a, f->w, 0.4 - h, f->z, back);
    fill(&f->s, 0.4, f->z);
    for (int l = 0; l + 1 < f->s.spec.n_levels; l++)
        for (int e = 0; e < UNKNOWNS; e++) {
            const int32_t r = f->s.rows[l][e], next = f->s.rows[l + 1][e];
            if (r < 0 || next < 0) continue;
            CHECK_NEAR(f->F[next], (ahead[r] - back[r]) / (2 * h), 2e-7 * (1 + fabs(f->F[next])));
        }
}

/* F against the formulas above, written in C. */
static void check_values(fixture *f)
{
    const double *z = f->z, t = 0.4;
    const int32_t(*c)[UNKNOWNS] = f->s.columns;
    double T = 0;

    rg_assembly_residual(f->a, f->w, t, z, f->F);
    for (int i = 0; i < N; i++) {
        const double u = z[c[0][i]], v = z[c[0][N + i]], w = z[c[0][2 * N]];
        double S = 0;
        for (int j = 0; j < M; j++) {
            const double uj = z[c[0][j]];
            const double Q = (z[c[0][N + j]] + z[c[0][N + j + 1]]) * u;
            S += coefficient(i * M + j) * uj * uj * v + exp(-Q) * uj;
        }
        T += 3 * u * z[c[1][N + i]];
        const double first =
            z[c[1][i]] - coefficient(i) * (z[c[0][left_of(i)]] - u) * w + v * v * sin(t);
        const double second = z[c[1][N + i]] * (1 + u * u) - (i + 1) * w * S - cos(S);
        if (f->s.rows[0][i] >= 0) CHECK_NEAR(f->F[f->s.rows[0][i]], first, 1e-13);
        if (f->s.rows[0][N + i] >= 0) CHECK_NEAR(f->F[f->s.rows[0][N + i]], second, 1e-12);
    }
    CHECK_NEAR(f->F[f->s.rows[0][2 * N]], z[c[0][2 * N]] - T, 1e-12);
}

static void test_all_rows(void)
{
    for (int levels = 1; levels <= LEVELS; levels++) {
        fixture f;
        open_fixture(&f, levels, want_all, levels % 2 == 0);
        check_values(&f);
        check_jacobian(&f);
        check_levels(&f);
        close_fixture(&f);
    }
}

static void test_some_rows(void)
{
    for (int levels = 1; levels <= LEVELS; levels++) {
        fixture f;
        open_fixture(&f, levels, want_some, levels % 2 == 1);
        check_values(&f);
        check_jacobian(&f);
        check_levels(&f);
        close_fixture(&f);
    }
}

static bool want_higher_only(int level, int equation)
{
    return level == 1 && equation % 2 == 0;
}

static void test_one_level(void)
{
    fixture f;
    open_fixture(&f, 2, want_higher_only, false);
    check_jacobian(&f);
    close_fixture(&f);
}

static void test_missing_column(void)
{
    fixture f;
    rg_assembly *a = NULL;

    open_fixture(&f, 1, want_all, false);
    f.s.columns[1][N + 2] = -1;
    CHECK_INT(rg_assembly_create(f.p, &f.s.spec, true, &a), RG_ERR_ARGUMENT);
    CHECK(a == NULL && rg_last_error(f.ctx)->message[0] != '\0');
    CHECK(rg_last_error(f.ctx)->remedy[0] != '\0');
    f.s.spec.n_orders = 1;
    CHECK_INT(rg_assembly_create(f.p, &f.s.spec, false, &a), RG_ERR_ARGUMENT);
    close_fixture(&f);
}

static void test_not_finite(void)
{
    fixture f;
    open_fixture(&f, 1, want_all, false);
    f.z[2] = INFINITY;
    CHECK_INT(rg_assembly_residual(f.a, f.w, 0, f.z, f.F), RG_RETRY);
    f.z[2] = NAN;
    CHECK_INT(rg_assembly_residual(f.a, f.w, 0, f.z, f.F), RG_RETRY);
    close_fixture(&f);
}

/* ---- the n-th allocation fails --------------------------------------------------------------- */

static void test_allocation(void)
{
    int n = 0;
    for (rg_status status = RG_ERR_MEMORY; status != RG_OK && n < 100000; n += 1 + n / 40) {
        int left = 10000000;
        rg_context *ctx = NULL;
        rg_assembly *a = NULL;
        rg_assembly_work *w = NULL;
        numbering s;
        rg_context_create_with(fault_exhausted, &left, &ctx);
        rg_problem *p = make_problem(ctx);
        number(&s, 2, want_some, true);
        left = n;
        status = rg_assembly_create(p, &s.spec, true, &a);
        if (status == RG_OK) status = rg_assembly_work_create(a, &w);
        if (status == RG_OK) status = rg_assembly_work_keep(a, w);
        left = 10000000;
        if (status != RG_OK) {
            CHECK_INT(status, RG_ERR_MEMORY);
            CHECK(rg_last_error(ctx)->message[0] != '\0');
        }
        rg_assembly_work_destroy(&w);
        rg_assembly_destroy(&a);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
    CHECK(n > 50 && n < 100000);
}

/* The array of the workspace, where constants stay, against one that is filled anew; at several
 * points. */
static void test_kept(void)
{
    fixture f;
    const double *kept;

    open_fixture(&f, LEVELS, want_some, true);
    const rg_pattern *p = rg_assembly_pattern(f.a);
    const size_t nonzeros = (size_t)p->start[p->n_columns];
    double *J = calloc(nonzeros, sizeof *J);
    CHECK_INT(rg_assembly_work_keep(f.a, f.w), RG_OK);
    for (int k = 0; k < 3; k++) {
        fill(&f.s, 0.4 + k, f.z);
        CHECK_INT(rg_assembly_jacobian_kept(f.a, f.w, 0.4 + k, f.z, NULL, &kept), RG_OK);
        CHECK_INT(rg_assembly_jacobian(f.a, f.w, 0.4 + k, f.z, NULL, J), RG_OK);
        CHECK(memcmp(kept, J, nonzeros * sizeof *J) == 0);
    }
    free(J);
    close_fixture(&f);
}

/* Rows with derivatives in b and c only; sums are not looked at. */
static void test_linear_there(void)
{
    static const struct {
        const char *row;
        bool is_linear;
    } rows[] = {
        {"sin(a)*b + a^2*c = exp(a)*t", true },
        {"b + c = a",                   true },
        {"a*b + c^2 = 0",               false},
        {"a + b*c = 0",                 false},
        {"if(b > 0, a, 2*a)*c = 0",     false},
    };
    static const int32_t same[] = {0, 1, 2}, none[] = {0, -1, -1};
    static const int32_t *const row[] = {none}, *const column[] = {same};
    static const uint8_t wanted[] = {0, 1, 1};

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const rg_assembly_spec spec = {1, 1, 3, row, 1, column};
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        rg_assembly *a = NULL;
        char text[128];
        rg_context_create(&ctx);
        snprintf(text, sizeof text, "var a, b, c\n%s\na = t\nc = 0\nover t = 0 .. 1\n",
                 rows[k].row);
        CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
        if (CHECK_INT(rg_assembly_create_part(p, &spec, wanted, &a), RG_OK)
            && !CHECK(rg_assembly_is_linear_there(a) == rows[k].is_linear))
            printf("    %s\n", rows[k].row);
        rg_assembly_destroy(&a);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

static const test_case cases[] = {
    {"all rows, levels 0 to 3",  test_all_rows      },
    {"some rows, levels 0 to 3", test_some_rows     },
    {"one level",                test_one_level     },
    {"missing column",           test_missing_column},
    {"not finite",               test_not_finite    },
    {"kept Jacobian",            test_kept          },
    {"linear in some columns",   test_linear_there  },
    {"allocation failures",      test_allocation    },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
