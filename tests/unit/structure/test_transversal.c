/* Transversal, offsets, block form and diagnosis against brute force on small random matrices. */
#include "structure/signature.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 6, NONE = -1 };

typedef struct { /* a dense signature matrix and its sparse form */
    int n_rows, n_columns;
    int sigma[MOST][MOST];
    rg_signature s;
    int64_t start[MOST + 1];
    int32_t column[MOST * MOST];
    int8_t order[MOST * MOST];
} matrix;

static unsigned random_state = 12345;
static int draw(int n)
{
    random_state = random_state * 1103515245u + 12345u;
    return (int)(random_state >> 16) % n;
}

static void make_sparse(matrix *a)
{
    int count = 0;
    for (int i = 0; i < a->n_rows; i++) {
        for (int j = 0; j < a->n_columns; j++) {
            if (a->sigma[i][j] == NONE) continue;
            a->column[count] = j;
            a->order[count++] = (int8_t)a->sigma[i][j];
        }
        a->start[i + 1] = count;
    }
    a->start[0] = 0;
    a->s = (rg_signature){a->n_rows, a->n_columns, a->start, a->column, a->order};
}

static void make_random(matrix *a, int n_rows, int n_columns)
{
    const int percent = 20 + draw(60), top = 1 + draw(4);
    a->n_rows = n_rows;
    a->n_columns = n_columns;
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < n_columns; j++)
            a->sigma[i][j] = draw(100) < percent ? draw(top) : NONE;
    make_sparse(a);
}

/* Largest value of a complete transversal from row i on; NONE: there is none. */
static int best_value(const matrix *a, int i, unsigned used)
{
    int best = NONE;
    if (i == a->n_rows) return 0;
    for (int j = 0; j < a->n_columns; j++) {
        if ((used >> j & 1u) || a->sigma[i][j] == NONE) continue;
        const int rest = best_value(a, i + 1, used | 1u << j);
        if (rest != NONE && rest + a->sigma[i][j] > best) best = rest + a->sigma[i][j];
    }
    return best;
}

/* Largest number of matched pairs with some rows and columns left out. */
static int most_pairs(const matrix *a, int i, unsigned used, int row_out)
{
    if (i == a->n_rows) return 0;
    int best = most_pairs(a, i + 1, used, row_out);
    for (int j = 0; j < a->n_columns && i != row_out; j++) {
        if ((used >> j & 1u) || a->sigma[i][j] == NONE) continue;
        const int pairs = 1 + most_pairs(a, i + 1, used | 1u << j, row_out);
        if (pairs > best) best = pairs;
    }
    return best;
}

/* Pryce's fixed point: d_j = max (sigma_ij + c_i), c_i = d_j - sigma_ij on the transversal, from c
 * = 0. */
static void smallest_offsets(const matrix *a, const rg_transversal *t, int *c, int *d)
{
    memset(c, 0, MOST * sizeof *c);
    for (int pass = 0; pass < 100; pass++) {
        memset(d, 0, MOST * sizeof *d);
        for (int i = 0; i < a->n_rows; i++)
            for (int j = 0; j < a->n_columns; j++)
                if (a->sigma[i][j] != NONE && a->sigma[i][j] + c[i] > d[j])
                    d[j] = a->sigma[i][j] + c[i];
        for (int i = 0; i < a->n_rows; i++)
            c[i] = d[t->column_of_row[i]] - a->sigma[i][t->column_of_row[i]];
    }
}

static void check_blocks(const matrix *a, const rg_transversal *t)
{
    int seen_rows = 0, seen_columns = 0;
    CHECK(t->block_start[0] == 0 && t->block_start[t->n_blocks] == t->n);
    for (int b = 0; b < t->n_blocks; b++)
        for (int64_t k = t->block_start[b]; k < t->block_start[b + 1]; k++) {
            CHECK(t->block_of_row[t->row_order[k]] == b);
            CHECK(t->block_of_column[t->column_order[k]] == b);
            seen_rows |= 1 << t->row_order[k];
            seen_columns |= 1 << t->column_order[k];
        }
    CHECK(seen_rows == (1 << t->n) - 1 && seen_columns == (1 << t->n) - 1);
    for (int i = 0; i < a->n_rows; i++)
        for (int j = 0; j < a->n_columns; j++)
            if (a->sigma[i][j] != NONE && t->d[j] - t->c[i] == a->sigma[i][j])
                CHECK(t->block_of_column[j] <= t->block_of_row[i]);
}

/* Blocks are strong components: reach by Warshall's closure, and with it the index of every
 * unknown. */
static void check_reach(const matrix *a, const rg_transversal *t)
{
    bool needs[MOST][MOST] = {{false}};
    const int n = a->n_rows;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            needs[i][t->row_of_column[j]] =
                a->sigma[i][j] != NONE && t->d[j] - t->c[i] == a->sigma[i][j];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (needs[i][k] && needs[k][j]) needs[i][j] = true;
    for (int i = 0; i < n; i++) {
        int reach = 0;
        for (int k = 0; k < n; k++) {
            if (needs[i][k] && t->c[k] > reach) reach = t->c[k];
            CHECK((t->block_of_row[i] == t->block_of_row[k])
                  == (i == k || (needs[i][k] && needs[k][i])));
        }
        const int lag = reach - t->d[t->column_of_row[i]];
        CHECK(t->variable_index[t->column_of_row[i]] == 1 + (lag > 0 ? lag : 0));
    }
}

static void check_complete(const matrix *a, const rg_transversal *t, int value)
{
    int c[MOST], d[MOST], found = 0;
    for (int i = 0; i < a->n_rows; i++) {
        const int j = t->column_of_row[i];
        CHECK(j >= 0 && a->sigma[i][j] != NONE && t->row_of_column[j] == i);
        found += a->sigma[i][j];
    }
    CHECK(found == value && t->dof == value);
    smallest_offsets(a, t, c, d);
    for (int i = 0; i < a->n_rows; i++)
        CHECK(t->c[i] == c[i] && t->d[i] == d[i]);
    check_blocks(a, t);
    check_reach(a, t);
}

static void check_explained(rg_context *ctx, const matrix *a, const rg_transversal *t)
{
    uint8_t is_free[MOST], is_competing[MOST];
    const int pairs = most_pairs(a, 0, 0, NONE);
    CHECK(t->n_matched == pairs);
    CHECK(rg_explain_incomplete(ctx, &a->s, t, is_free, is_competing) == RG_OK);
    for (int i = 0; i < a->n_rows; i++) /* competing: some largest matching does without it */
        CHECK(is_competing[i] == (most_pairs(a, 0, 0, i) == pairs));
    for (int j = 0; j < a->n_columns; j++)
        CHECK(is_free[j] == (most_pairs(a, 0, 1u << j, NONE) == pairs));
}

static void test_random(void)
{
    rg_context *ctx = NULL;
    int n_complete = 0, n_incomplete = 0;
    CHECK(rg_context_create(&ctx) == RG_OK);
    for (int trial = 0; trial < 3000; trial++) {
        matrix a;
        rg_transversal *t = NULL;
        const int n = 1 + draw(MOST);
        make_random(&a, n, draw(4) == 0 ? 1 + draw(MOST) : n);
        CHECK(rg_transversal_create(ctx, &a.s, &t) == RG_OK);
        const int value = a.n_rows == a.n_columns ? best_value(&a, 0, 0) : NONE;
        if (value != NONE)
            check_complete(&a, t, value), n_complete++;
        else
            check_explained(ctx, &a, t), n_incomplete++;
        rg_transversal_destroy(ctx, &t);
    }
    CHECK(n_complete > 300 && n_incomplete > 300);
    rg_context_destroy(&ctx);
}

/* Pendulum, unknowns p q u v lambda: offsets and index by hand. */
static void test_pendulum(void)
{
    static const int sigma[5][5] = {
        {1,    NONE, 0,    NONE, NONE},
        {NONE, 1,    NONE, 0,    NONE},
        {0,    NONE, 1,    NONE, 0   },
        {NONE, 0,    NONE, 1,    0   },
        {0,    0,    NONE, NONE, NONE}
    };
    static const int c[5] = {1, 1, 0, 0, 2}, d[5] = {2, 2, 1, 1, 0}, index[5] = {1, 1, 2, 2, 3};
    matrix a = {.n_rows = 5, .n_columns = 5};
    rg_context *ctx = NULL;
    rg_transversal *t = NULL;
    for (int i = 0; i < 5; i++)
        memcpy(a.sigma[i], sigma[i], sizeof sigma[i]);
    make_sparse(&a);
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_transversal_create(ctx, &a.s, &t) == RG_OK);
    CHECK(t->structural_index == 3 && t->dof == 2 && t->n_blocks == 1);
    for (int i = 0; i < 5; i++)
        CHECK(t->c[i] == c[i] && t->d[i] == d[i] && t->variable_index[i] == index[i]);
    rg_transversal_destroy(ctx, &t);
    rg_context_destroy(&ctx);
}

/* x_1 = f, x_k' = x_{k+1}: index n, found in one sweep of the offsets. */
static void test_long_chain(void)
{
    enum { N = 20000 };
    rg_context *ctx = NULL;
    rg_transversal *t = NULL;
    CHECK(rg_context_create(&ctx) == RG_OK);
    int64_t *start = malloc((N + 1) * sizeof *start);
    int32_t *column = malloc(2 * N * sizeof *column);
    int8_t *order = malloc(2 * N);
    start[0] = 0;
    for (int i = 0, e = 0; i < N; i++) {
        if (i > 0) column[e] = i - 1, order[e++] = 1;
        column[e] = i, order[e++] = 0;
        start[i + 1] = e;
    }
    const rg_signature s = {N, N, start, column, order};
    CHECK(rg_transversal_create(ctx, &s, &t) == RG_OK);
    CHECK(t->structural_index == N && t->dof == 0 && t->n_blocks == N);
    CHECK(t->c[0] == N - 1 && t->variable_index[N - 1] == N && t->variable_index[0] == 1);
    rg_transversal_destroy(ctx, &t);
    free(start), free(column), free(order);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"random",     test_random    },
    {"pendulum",   test_pendulum  },
    {"long chain", test_long_chain}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
