/* Factors with the pivots of KLU beside KLU's own: new values, solutions, transposed ones; what is
 * singular or undefined. */
#include "linalg/sparse_lu.h"
#include "support/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 120 };

typedef struct {
    int n, parts; /* parts of a number: 2 where it is complex */
    int start[MOST + 1], row[MOST * MOST];
    double value[2 * MOST * MOST];
    klu_common common;
    klu_symbolic *order;
    klu_numeric *factors;
    rg_sparse_lu lu;
} sample;

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A cycle over `size` unknowns after the other, entries in other places with `density`, the rows
 * moved by one; where `is_upper`, nothing below the blocks. */
static void lay_pattern(sample *s, int size, double density, bool is_upper, unsigned *seed)
{
    int count = 0;

    for (int j = 0; j < s->n; j++) {
        const int first = j - j % size, last = first + size < s->n ? first + size : s->n;
        const int next = j + 1 < last ? j + 1 : first;
        s->start[j] = count;
        for (int i = 0; i < s->n; i++) {
            const bool is_needed = i == j || i == next;
            if (is_needed || ((!is_upper || i < last) && fabs(noise(seed)) < density))
                s->row[count++] = (i + 1) % s->n;
        }
    }
    s->start[s->n] = count;
}

/* Values of sizes 10^-span .. 10^span, those that hold a column large */
static void fill(sample *s, double span, unsigned *seed)
{
    for (int j = 0; j < s->n; j++)
        for (int p = s->start[j]; p < s->start[j + 1]; p++)
            for (int k = 0; k < s->parts; k++)
                s->value[s->parts * p + k] =
                    noise(seed) * pow(10.0, span * noise(seed))
                    + (s->row[p] == (j + 1) % s->n ? 4.0 * (1.0 - 2.0 * k) : 0.0);
}

static bool factor(sample *s)
{
    const bool is_complex = s->parts == 2;

    klu_defaults(&s->common);
    s->common.scale = 2;
    s->order = klu_analyze(s->n, s->start, s->row, &s->common);
    if (!CHECK(s->order != NULL)) return false;
    s->factors =
        (is_complex ? klu_z_factor : klu_factor)(s->start, s->row, s->value, s->order, &s->common);
    return CHECK(s->factors != NULL)
           && CHECK_INT(
               rg_sparse_lu_take(s->lu.ctx, s->order, s->factors, is_complex, &s->common, &s->lu),
               RG_OK);
}

static void forget(sample *s)
{
    if (s->parts == 2)
        klu_z_free_numeric(&s->factors, &s->common);
    else
        klu_free_numeric(&s->factors, &s->common);
    klu_free_symbolic(&s->order, &s->common);
}

/* The largest difference of two solutions beside the largest number in them */
static double apart(const double *a, const double *b, int count)
{
    double worst = 0.0, size = DBL_MIN;

    for (int i = 0; i < count; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return worst / size;
}

static double difference(sample *s, bool is_transposed)
{
    double a[2 * MOST], b[2 * MOST];

    for (int i = 0; i < s->parts * s->n; i++)
        a[i] = b[i] = (i * 7) % 11 - 5.0;
    if (is_transposed) {
        rg_sparse_lu_solve_transposed(&s->lu, a);
        klu_tsolve(s->order, s->factors, s->n, 1, b, &s->common);
    } else {
        rg_sparse_lu_solve(&s->lu, a);
        (s->parts == 2 ? klu_z_solve : klu_solve)(s->order, s->factors, s->n, 1, b, &s->common);
    }
    return apart(a, b, s->parts * s->n);
}

/* First with the factors as they come, then with new values in them. */
static void check_solutions(sample *s, double span, unsigned *seed)
{
    fill(s, span, seed);
    if (!factor(s)) return;
    for (int turn = 0; turn < 3; turn++) {
        if (turn > 0) {
            for (int p = 0; p < s->parts * s->start[s->n]; p++)
                s->value[p] *= 1.0 + 0.2 * noise(seed);
            CHECK(rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value));
            (s->parts == 2 ? klu_z_refactor : klu_refactor)(s->start, s->row, s->value, s->order,
                                                            s->factors, &s->common);
        }
        CHECK(difference(s, false) < 1e-12);
        if (s->parts == 1) CHECK(difference(s, true) < 1e-12);
    }
    forget(s);
}

/* Real and complex values with the pivots of a real matrix, which may be gone. */
static void check_shared(sample *s)
{
    unsigned seed = 7u;

    for (int k = 0; k < 6; k++) {
        const int parts = 1 + k % 2;
        rg_sparse_lu first = {.ctx = s->lu.ctx};
        s->n = 10 + 15 * k;
        s->parts = 1;
        lay_pattern(s, 15, 0.04, k < 3, &seed);
        fill(s, 0.0, &seed);
        if (!factor(s)) return;
        forget(s);
        first.pivots = rg_pivots_use(s->lu.pivots);
        rg_sparse_lu_forget(&s->lu);
        s->parts = parts;
        fill(s, 0.0, &seed);
        CHECK_INT(rg_sparse_lu_share(first.pivots, parts == 2, &s->lu), RG_OK);
        rg_pivots_release(&first.pivots);
        CHECK(!s->lu.is_there);
        CHECK(rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value));
        double a[2 * MOST], b[2 * MOST];
        for (int i = 0; i < s->parts * s->n; i++)
            a[i] = b[i] = (i * 7) % 11 - 5.0;
        rg_sparse_lu_solve(&s->lu, a);
        if (!factor(s)) return;
        rg_sparse_lu_solve(&s->lu, b);
        CHECK(apart(a, b, s->parts * s->n) < 1e-11);
        forget(s);
    }
}

static void with_sample(void (*check)(sample *s))
{
    rg_context *ctx = NULL;
    sample *s = calloc(1, sizeof *s);

    if (!CHECK(s != NULL) || !CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    s->lu.ctx = ctx;
    check(s);
    rg_sparse_lu_clear(&s->lu);
    rg_context_destroy(&ctx);
    free(s);
}

static void check_shapes(sample *s)
{
    const int sizes[] = {1, 2, 7, 40, MOST}; /* of the diagonal blocks */
    unsigned seed = 11u;

    for (int k = 0; k < 40; k++) { /* other pivots in the same memory, more and fewer of them */
        s->parts = 1 + k % 2;
        s->n = k < 4 ? 1 : 3 + (k * 29) % (MOST - 2);
        lay_pattern(s, sizes[k % 5], k % 3 * 0.04, k % 4 < 2, &seed);
        check_solutions(s, k % 3 * 0.5, &seed);
    }
}

static void test_shared(void)
{
    with_sample(check_shared);
}

static void test_shapes(void)
{
    with_sample(check_shapes);
}

/* A pivot that becomes zero leaves no factors; a NaN shows in the solution. */
static void check_bad(sample *s)
{
    unsigned seed = 5u;

    for (s->parts = 1; s->parts <= 2; s->parts++) {
        double b[2 * MOST] = {1.0, 1.0};
        s->n = 30;
        lay_pattern(s, 10, 0.1, true, &seed);
        fill(s, 0.0, &seed);
        if (!factor(s)) return;
        const size_t bytes = (size_t)s->parts * (size_t)s->start[s->n] * sizeof(double);
        double *const kept = malloc(bytes);
        if (!CHECK(kept != NULL)) return;
        memcpy(kept, s->value, bytes);
        s->value[0] = NAN;
        CHECK(rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value));
        for (int i = 0; i < s->n; i++)
            b[s->parts * i] = 1.0;
        rg_sparse_lu_solve(&s->lu, b);
        double sum = 0.0;
        for (int i = 0; i < s->parts * s->n; i++)
            sum += b[i];
        CHECK(isnan(sum));
        memcpy(s->value, kept, bytes); /* nothing of it stays */
        CHECK(rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value));
        CHECK(difference(s, false) < 1e-12);
        memset(s->value, 0, bytes);
        CHECK(!rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value));
        CHECK(!s->lu.is_there);
        memcpy(s->value, kept, bytes); /* nothing of that stays either */
        CHECK(rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value));
        CHECK(difference(s, false) < 1e-12);
        rg_sparse_lu_forget(&s->lu);
        CHECK(!s->lu.is_there);
        CHECK(!rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value)); /* no pivots */
        free(kept);
        forget(s);
    }
}

static void test_bad(void)
{
    with_sample(check_bad);
}

/* Values of 1e120 and 1e-120 in rows of their own: no scale is needed for old pivots. */
static void check_units(sample *s)
{
    unsigned seed = 3u;

    for (s->parts = 1; s->parts <= 2; s->parts++) {
        double a[2 * MOST], b[2 * MOST], unit[MOST];
        s->n = 60;
        lay_pattern(s, 20, 0.05, true, &seed);
        fill(s, 0.0, &seed);
        if (!factor(s)) return;
        for (int i = 0; i < s->parts * s->n; i++)
            a[i] = b[i] = (i * 7) % 11 - 5.0;
        rg_sparse_lu_solve(&s->lu, a);
        for (int i = 0; i < s->n; i++)
            unit[i] = ldexp(1.0, (i * 331) % 801 - 400);
        for (int p = 0; p < s->parts * s->start[s->n]; p++)
            s->value[p] *= unit[s->row[p / s->parts]];
        for (int i = 0; i < s->parts * s->n; i++)
            b[i] *= unit[i / s->parts];
        CHECK(rg_sparse_lu_renew(&s->lu, s->start, s->row, s->value));
        rg_sparse_lu_solve(&s->lu, b);
        CHECK(apart(a, b, s->parts * s->n) < 1e-12);
        forget(s);
    }
}

static void test_units(void)
{
    with_sample(check_units);
}

static const test_case cases[] = {
    {"shapes", test_shapes},
    {"shared", test_shared},
    {"bad",    test_bad   },
    {"units",  test_units },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
