/* Matchings of rows and columns, largest ones and those with large entries. */
#include "linalg/matching.h"
#include "support/test.h"

#include <stdlib.h>

static rg_context *ctx;

/* Every column has a row of its own, and an entry there. */
static int count_matched(int n, const int *start, const int *row, const int *place)
{
    int matched = 0, *used = calloc((size_t)n, sizeof *used);

    if (!CHECK(used != NULL)) return -1;
    for (int j = 0; j < n; j++) {
        if (place[j] < 0) continue;
        CHECK(place[j] >= start[j] && place[j] < start[j + 1]);
        CHECK_INT(used[row[place[j]]]++, 0);
        matched++;
    }
    free(used);
    return matched;
}

/* Large entries stand on a hidden permutation: these are found, whatever the other entries are. */
static void test_permutation(void)
{
    enum { N = 50 };
    int start[N + 1], row[3 * N], place[N];
    double size[3 * N];

    for (int j = 0; j < N; j++) {
        const int hidden = (7 * j + 3) % N;
        start[j] = 3 * j;
        for (int k = 0; k < 3; k++) {
            row[3 * j + k] = (hidden + 11 * (k + 1)) % N;
            size[3 * j + k] = 0.5;
        }
        row[3 * j + 1] = hidden;
        size[3 * j + 1] = 100.0;
    }
    start[N] = 3 * N;
    CHECK_INT(rg_match_rows(ctx, N, start, row, size, place), RG_OK);
    CHECK_INT(count_matched(N, start, row, place), N);
    for (int j = 0; j < N; j++)
        CHECK_INT(row[place[j]], (7 * j + 3) % N);
}

/* Parts of the largest entry of their rows, column by column:  .95 of row 0 is as good as the
 * largest and column 0 takes it, .85 is not, and row 1 has to do. */
static void test_near_largest(void)
{
    const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    int place[2];

    for (int k = 0; k < 2; k++) {
        const double size[] = {k == 0 ? 19.0 : 17.0, 5.0, 20.0, 10.0};
        CHECK_INT(rg_match_rows(ctx, 2, start, row, size, place), RG_OK);
        CHECK_INT(row[place[0]], k);
    }
}

/* Column 1 takes row 0.  What is left for column 0 is .05 of row 2, which waits: a path then gives
 * it .85 of row 0, and column 2 keeps its .6 of row 2. */
static void test_large_enough(void)
{
    const int start[] = {0, 2, 5, 7}, row[] = {0, 2, 0, 1, 2, 1, 2};
    const double size[] = {0.85, 0.05, 1.0, 1.0, 1.0, 0.5, 0.6};
    int place[3];

    CHECK_INT(rg_match_rows(ctx, 3, start, row, size, place), RG_OK);
    for (int j = 0; j < 3; j++)
        CHECK_INT(row[place[j]], j);
}

/* Only one complete matching exists, the off-diagonal one, and greedy choices block it: augmenting
 * paths. */
static void test_paths(void)
{
    enum { N = 40 };
    int start[N + 1], row[2 * N], place[N];
    double size[2 * N];
    int count = 0;

    for (int j = 0; j < N; j++) { /* column j: rows j and j+1, the last one only row 0 */
        start[j] = count;
        if (j < N - 1) {
            row[count] = j;
            size[count++] = 10.0;
            row[count] = j + 1;
            size[count++] = 1.0;
        } else {
            row[count] = 0;
            size[count++] = 1.0;
        }
    }
    start[N] = count;
    CHECK_INT(rg_match_rows(ctx, N, start, row, size, place), RG_OK);
    CHECK_INT(count_matched(N, start, row, place), N);
}

/* Structurally singular: as many as there are. */
static void test_singular(void)
{
    const int start[] = {0, 1, 2, 3}, row[] = {1, 1, 2};
    const double size[] = {1.0, 2.0, 0.0};
    int place[3];

    CHECK_INT(rg_match_rows(ctx, 3, start, row, size, place), RG_OK);
    CHECK_INT(count_matched(3, start, row, place), 2);
}

/* Half of the columns want row 0, and all but one search in vain through the chain of the others: a
 * search of its own for each would visit N^2/4 columns. */
static void test_deficient(void)
{
    enum { N = 20000 };
    int *start = malloc((N + 1) * sizeof *start), *row = malloc(2 * N * sizeof *row),
        *place = malloc(N * sizeof *place), count = 0;
    double *size = malloc(2 * N * sizeof *size);

    if (CHECK(start != NULL && row != NULL && place != NULL && size != NULL)) {
        for (int j = 0; j < N; j++) {
            start[j] = count;
            size[count] = 1.0;
            row[count++] = j < N / 2 ? j : 0;
            if (j >= N / 2) continue;
            size[count] = 0.5;
            row[count++] = j + 1;
        }
        start[N] = count;
        CHECK_INT(rg_match_rows(ctx, N, start, row, size, place), RG_OK);
        CHECK_INT(count_matched(N, start, row, place), N / 2 + 1);
    }
    free(start);
    free(row);
    free(place);
    free(size);
}

static const test_case cases[] = {
    {"permutation",  test_permutation },
    {"near largest", test_near_largest},
    {"large enough", test_large_enough},
    {"paths",        test_paths       },
    {"singular",     test_singular    },
    {"deficient",    test_deficient   },
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
