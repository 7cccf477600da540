#include "problem/assembly.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a model made by hand ----------------------------------------------------------------------
 *
 * Unknowns u[i], v[i], i = 0..N-1, and w.  With c_i, d_k numbers, all indices modulo N:
 *
 *     u_i' - c_i (u_{i-1} - u_i) w + v_i^2 sin(t) = 0
 *     v_i' (1 + u_i^2) - (i+1) w S_i - cos(S_i) = 0
 *     w - T = 0
 *     S_i = sum_{j<M} d_k u_j^2 v_i + sum_{j<M} exp(-Q_k) u_j,    k = i M + j
 *     Q_k = sum_{l<2} v_{j+l} u_i,    T = sum_j 3 u_j v_j' */
enum { N = 7, M = 3, UNKNOWNS = 2 * N + 1, LEVELS = 4, ORDERS = LEVELS + 1 };

static bool is_out; /* the hand-made model ran out of memory */

static void *take(rg_context *ctx, size_t count, size_t size)
{
    void *p = rg_alloc(ctx, count, size);
    if (p == NULL) is_out = true;
    return p;
}

static rg_body *new_body(rg_context *ctx, int64_t count, int outputs, int slots, int data, int sums)
{
    rg_body *b = take(ctx, 1, sizeof *b);
    if (b == NULL) return NULL;
    b->count = count;
    b->outputs = take(ctx, (size_t)outputs, sizeof *b->outputs);
    b->slots = take(ctx, (size_t)slots + 1, sizeof *b->slots);
    b->data = take(ctx, (size_t)data + 1, sizeof *b->data);
    b->sums = take(ctx, (size_t)sums + 1, sizeof *b->sums);
    if (rg_graph_create(ctx, &b->graph) != RG_OK) is_out = true;
    if (is_out) {
        rg_body_destroy(ctx, &b);
        return NULL;
    }
    b->n_outputs = outputs;
    b->n_slots = slots;
    b->n_data = data;
    b->n_sums = sums;
    for (int k = 0; k < slots; k++)
        b->slots[k].point = -1;
    return b;
}

static rg_map list_map(rg_context *ctx, int64_t n, int64_t (*at)(int64_t))
{
    rg_map map = {0, 0, take(ctx, (size_t)n, sizeof(int32_t))};
    for (int64_t k = 0; k < n && map.list != NULL; k++)
        map.list[k] = (int32_t)at(k);
    return map;
}

static void add_part(rg_context *ctx, rg_body *b, int s, rg_body *part)
{
    rg_sum *sum = &b->sums[s];
    if (sum->parts == NULL) sum->parts = take(ctx, 4, sizeof(rg_body *));
    if (sum->parts == NULL)
        rg_body_destroy(ctx, &part);
    else
        sum->parts[sum->n_parts++] = part;
}

static int64_t left_of(int64_t i)
{
    return (i + N - 1) % N;
}
static int64_t by_m(int64_t k)
{
    return k / M;
}
static int64_t u_of_j(int64_t k)
{
    return k % M;
}
static int64_t v_of_i(int64_t k)
{
    return N + k / M;
}
static int64_t u_of_i2(int64_t q)
{
    return q / 2 / M;
}
static int64_t v_shifted(int64_t q)
{
    return N + (q / 2 % M + q % 2) % N;
}
static int64_t by_2(int64_t q)
{
    return q / 2;
}

static rg_graph *g;
static rg_node mul(rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_MUL, a, b);
}
static rg_node add(rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_ADD, a, b);
}
static rg_node sub(rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_SUB, a, b);
}
static rg_node fn(rg_op op, rg_node a)
{
    return rg_graph_unary(g, op, a);
}
static rg_node var(int slot, int order)
{
    return rg_graph_var(g, slot, order);
}
static rg_node num(double x)
{
    return rg_graph_const(g, x);
}

static double coefficient(int64_t k)
{
    return 0.3 + 0.1 * (double)(k % 5);
}

static void set_data(rg_context *ctx, rg_body *b, int slot, int64_t n)
{
    b->data[slot].values = take(ctx, (size_t)n, sizeof(double));
    b->data[slot].map = (rg_map){0, 1, NULL};
    for (int64_t k = 0; k < n && b->data[slot].values; k++)
        b->data[slot].values[k] = coefficient(k);
}

/* Q_k: v_{j+l} u_i */
static rg_body *nested_part(rg_context *ctx)
{
    rg_body *b = new_body(ctx, (int64_t)N * M * 2, 1, 2, 0, 0);
    if (b == NULL) return NULL;
    g = b->graph;
    b->slots[0].map = list_map(ctx, b->count, v_shifted);
    b->slots[1].map = list_map(ctx, b->count, u_of_i2);
    b->outer = list_map(ctx, b->count, by_2);
    b->outputs[0] = mul(var(0, 0), var(1, 0));
    return b;
}

static rg_body *first_part(rg_context *ctx)
{
    rg_body *b = new_body(ctx, (int64_t)N * M, 1, 2, 1, 0);
    if (b == NULL) return NULL;
    g = b->graph;
    b->slots[0].map = list_map(ctx, b->count, u_of_j);
    b->slots[1].map = list_map(ctx, b->count, v_of_i);
    b->outer = list_map(ctx, b->count, by_m);
    set_data(ctx, b, 0, b->count);
    b->outputs[0] = mul(rg_graph_data(g, 0), mul(mul(var(0, 0), var(0, 0)), var(1, 0)));
    return b;
}

static rg_body *second_part(rg_context *ctx)
{
    rg_body *b = new_body(ctx, (int64_t)N * M, 1, 1, 0, 1);
    if (b == NULL) return NULL;
    rg_body *nested = nested_part(ctx);
    if (nested != NULL) add_part(ctx, b, 0, nested);
    g = b->graph;
    b->slots[0].map = list_map(ctx, b->count, u_of_j);
    b->outer = list_map(ctx, b->count, by_m);
    b->outputs[0] = mul(fn(RG_OP_EXP, fn(RG_OP_NEG, rg_graph_sum(g, 0, 0))), var(0, 0));
    return b;
}

static rg_body *loop_body(rg_context *ctx)
{
    rg_body *b = new_body(ctx, N, 2, 4, 2, 1);
    if (b == NULL) return NULL;
    rg_body *parts[2] = {first_part(ctx), second_part(ctx)};
    for (int k = 0; k < 2; k++)
        if (parts[k] != NULL) add_part(ctx, b, 0, parts[k]);
    g = b->graph;
    b->slots[0].map = (rg_map){0, 1, NULL};
    b->slots[1].map = list_map(ctx, N, left_of);
    b->slots[2].map = (rg_map){N, 1, NULL};
    b->slots[3].map = (rg_map){2 * N, 0, NULL};
    b->data[0].map = (rg_map){1, 1, NULL}; /* the number i+1 */
    b->n_loops = 1;
    set_data(ctx, b, 1, N);
    const rg_node flux = mul(rg_graph_data(g, 1), sub(var(1, 0), var(0, 0)));
    const rg_node source = mul(mul(var(2, 0), var(2, 0)), fn(RG_OP_SIN, rg_graph_time(g)));
    const rg_node S = rg_graph_sum(g, 0, 0);
    b->outputs[0] = add(sub(var(0, 1), mul(flux, var(3, 0))), source);
    b->outputs[1] = sub(sub(mul(var(2, 1), add(num(1), mul(var(0, 0), var(0, 0)))),
                            mul(mul(rg_graph_data(g, 0), var(3, 0)), S)),
                        fn(RG_OP_COS, S));
    return b;
}

static rg_body *scalar_body(rg_context *ctx)
{
    rg_body *b = new_body(ctx, 1, 1, 1, 0, 1);
    if (b == NULL) return NULL;
    rg_body *part = new_body(ctx, N, 1, 2, 0, 0);
    if (part != NULL) {
        g = part->graph;
        part->slots[0].map = (rg_map){0, 1, NULL};
        part->slots[1].map = (rg_map){N, 1, NULL};
        part->outputs[0] = mul(num(3), mul(var(0, 0), var(1, 1)));
        add_part(ctx, b, 0, part);
    }
    g = b->graph;
    b->slots[0].map = (rg_map){2 * N, 0, NULL};
    b->outputs[0] = sub(var(0, 0), rg_graph_sum(g, 0, 0));
    return b;
}

static rg_problem *make_problem(rg_context *ctx)
{
    is_out = false;
    rg_problem *p = take(ctx, 1, sizeof *p);
    if (p == NULL) return NULL;
    p->ctx = ctx;
    p->n = p->n_rows = UNKNOWNS;
    p->blocks = take(ctx, 2, sizeof *p->blocks);
    if (p->blocks != NULL) {
        p->n_blocks = 2;
        p->blocks[0].body = loop_body(ctx);
        p->blocks[1].body = scalar_body(ctx);
        p->blocks[1].first_row = 2 * N;
    }
    for (int k = 0; k < p->n_blocks; k++)
        if (p->blocks[k].body == NULL) is_out = true;
    return p;
}

/* ---- numbering --------------------------------------------------------------------------------- */

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

/* ---- checks ------------------------------------------------------------------------------------ */

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

/* ---- callbacks --------------------------------------------------------------------------------- */

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

/* ---- the n-th allocation fails ----------------------------------------------------------------- */

static void *failing_realloc(void *pointer, size_t size, void *user)
{
    int *left = user;
    if (size == 0) {
        free(pointer);
        return NULL;
    }
    if (*left == 0) return NULL;
    (*left)--;
    return realloc(pointer, size);
}

static void test_allocation(void)
{
    int n = 0;
    for (rg_status status = RG_ERR_MEMORY; status != RG_OK && n < 100000; n += 1 + n / 40) {
        int left = 10000000;
        rg_context *ctx = NULL;
        rg_assembly *a = NULL;
        rg_assembly_work *w = NULL;
        numbering s;
        rg_context_create_with(failing_realloc, &left, &ctx);
        rg_problem *p = make_problem(ctx);
        number(&s, 2, want_some, true);
        left = n;
        status = rg_assembly_create(p, &s.spec, true, &a);
        if (status == RG_OK) status = rg_assembly_work_create(a, &w);
        left = 10000000;
        if (status != RG_OK) {
            CHECK_INT(status, RG_ERR_MEMORY);
            CHECK(w == NULL && rg_last_error(ctx)->message[0] != '\0');
        }
        rg_assembly_work_destroy(&w);
        rg_assembly_destroy(&a);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
    CHECK(n > 50 && n < 100000);
}

static const test_case cases[] = {
    {"all rows, levels 0 to 3",  test_all_rows            },
    {"some rows, levels 0 to 3", test_some_rows           },
    {"one level",                test_one_level           },
    {"missing column",           test_missing_column      },
    {"not finite",               test_not_finite          },
    {"callback with Jacobian",   test_callback_jacobian   },
    {"callback differences",     test_callback_differences},
    {"callback answers",         test_callback_answers    },
    {"mass matrix",              test_mass                },
    {"allocation failures",      test_allocation          },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
