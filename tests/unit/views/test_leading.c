/* The system Jacobian: the same from all views of a model, and what singular values and pivots say
 * of it. */
#include "support/test.h"

#include "ivp/passage/rank.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>

static rg_context *ctx;

static const char *const models[] = {
    "examples/ivp/pendulum.rg",      "examples/ivp/pendulum-second-order.rg",
    "examples/ivp/caraxis.rg",       "examples/ivp/andrews.rg",
    "examples/ivp/knife-edge.rg",    "examples/ivp/pendulum-ggl.rg",
    "examples/ivp/slider-crank.rg",  "examples/ivp/bricard-reduced.rg",
    "examples/singular/four-bar.rg",
};

typedef struct {
    rg_system *s;
    double *y, *yp, *Jy, *Jyp;
} view;

static bool open_view(rg_problem *p, const rg_analysis *a, rg_view_kind kind, view *v)
{
    rg_system_work *w = NULL;

    if (!CHECK_INT(rg_system_create(p, a, kind, &v->s), RG_OK)) return false;
    const size_t n = (size_t)rg_system_size(v->s);
    const rg_pattern *pattern = rg_system_pattern(v->s);
    const size_t entries = (size_t)pattern->start[n] + 1;
    v->y = calloc(n, sizeof *v->y);
    v->yp = calloc(n, sizeof *v->yp);
    v->Jy = calloc(entries, sizeof *v->Jy);
    v->Jyp = calloc(entries, sizeof *v->Jyp);
    for (int64_t j = 0; j < p->n; j++) /* some values, the same in every view */
        for (int r = 0; r < 4; r++) {
            const int64_t state = rg_system_state(v->s, j, r);
            const int64_t below = r > 0 ? rg_system_state(v->s, j, r - 1) : -1;
            const double value = r == 0 ? 0.4 + 0.1 * (double)((j * 7) % 5) : 0.0;
            if (state >= 0) v->y[state] = value;
            if (below >= 0 && state < 0) v->yp[below] = value;
        }
    const bool ok =
        CHECK_INT(rg_system_work_create(v->s, &w), RG_OK)
        && CHECK_INT(rg_system_jacobian(v->s, w, p->a, v->y, v->yp, v->Jy, v->Jyp), RG_OK);
    rg_system_work_destroy(&w);
    return ok;
}

static void close_view(view *v)
{
    free(v->y);
    free(v->yp);
    free(v->Jy);
    free(v->Jyp);
    rg_system_destroy(&v->s);
}

/* The smallest singular value of the core with the scales of r, or the smallest pivot beside it. */
static double by_svd(const rg_passage_rank *r)
{
    const rg_core *c = &r->core;
    const size_t n = (size_t)c->pattern.n_columns;
    double least = INFINITY, *A = calloc(n * n + 1, sizeof *A), *s = calloc(n + 1, sizeof *s);

    for (int64_t k = 0; k < c->n_single; k++)
        least = fmin(least, fabs(r->A[c->single[k]] * r->inverse[c->single[k]]));
    for (size_t j = 0; j < n; j++)
        for (int64_t e = c->pattern.start[j]; e < c->pattern.start[j + 1]; e++)
            A[j * n + (size_t)c->pattern.row[e]] = r->A[c->entry[e]] * r->inverse[c->entry[e]];
    if (n > 0 && CHECK_INT(rg_svd(ctx, (int64_t)n, (int64_t)n, A, s, NULL, NULL), RG_OK))
        least = fmin(least, s[n - 1]);
    free(A);
    free(s);
    return least;
}

static void check_rank(const rg_leading *l, const double *A)
{
    rg_passage_rank *r = NULL;
    double s = 0.0;

    if (!CHECK_INT(rg_passage_rank_create(ctx, l, &r), RG_OK)) return;
    for (int k = 0; k < 20; k++) { /* the iteration goes on from call to call */
        for (int64_t e = 0; e < r->entries; e++)
            r->A[e] = A[e];
        s = rg_passage_rank_measure(r);
    }
    const double wanted = by_svd(r);
    if (wanted > 1e-12) CHECK(fabs(s - wanted) <= 0.1 * wanted);
    for (int64_t e = 0; e < r->entries; e++)
        r->before[e] = 1.5 * A[e];
    if (wanted > 1e-12)
        CHECK(fabs(rg_passage_rank_change(r) - 0.5) < 1e-6); /* A^-1 (A - 1.5 A) = -0.5 I */
    rg_passage_rank_destroy(&r);
}

static void check_pair(const view *a, const view *b, bool checks_rank)
{
    rg_leading *l = NULL;

    if (!CHECK_INT(rg_leading_create(a->s, b->s, 0, &l), RG_OK)) return;
    const int64_t entries = l->pattern.start[l->pattern.n_columns];
    double *A = calloc((size_t)entries + 1, sizeof *A), *B = calloc((size_t)entries + 1, sizeof *B);
    rg_leading_values(l, 0, a->Jy, a->Jyp, A);
    rg_leading_values(l, 1, b->Jy, b->Jyp, B);
    CHECK(entries >= l->pattern.n_columns);
    for (int64_t e = 0; e < entries; e++)
        CHECK(fabs(A[e] - B[e]) <= 1e-12 * (1.0 + fabs(A[e])));
    if (checks_rank) check_rank(l, A);
    free(A);
    free(B);
    rg_leading_destroy(&l);
}

static void test_views(void)
{
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        rg_problem *p = NULL;
        const rg_analysis *a;
        view v[3] = {{0}, {0}, {0}};
        if (CHECK_INT(rg_problem_from_file(ctx, models[k], &p), RG_OK)
            && CHECK_INT(rg_analysis_get(p, &a), RG_OK) && open_view(p, a, RG_VIEW_DIRECT, &v[0])
            && open_view(p, a, RG_VIEW_REDUCED, &v[1])
            && open_view(p, a, RG_VIEW_STABILIZED, &v[2])) {
            check_pair(&v[0], &v[2], true);
            check_pair(&v[1], &v[2], false);
        }
        for (int e = 0; e < 3; e++)
            close_view(&v[e]);
        rg_problem_destroy(&p);
    }
}

/* x1 and x2 are singletons, (3, 4) is the core. */
static void test_core(void)
{
    int64_t start[] = {0, 1, 3, 6, 8};
    int32_t row[] = {0, 0, 1, 1, 2, 3, 2, 3};
    const rg_pattern p = {4, 4, start, row};
    rg_core c;

    if (!CHECK_INT(rg_core_init(ctx, &p, &c), RG_OK)) return;
    CHECK_INT(c.n_single, 2);
    CHECK_INT(c.pattern.n_columns, 2);
    CHECK_INT(c.pattern.start[2], 4);
    for (int e = 0; e < 4; e++)
        CHECK_INT(c.entry[e], 4 + e);
    rg_core_clear(ctx, &c);
}

static const test_case cases[] = {
    {"views", test_views},
    {"core",  test_core }
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int failed = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return failed;
}
