/* Sparse collocation equations: the same corrections, solutions and answers to changes as the
 * condensed ones. */
#include "support/test.h"

#include "bvp/collocation/condensed.h"
#include "bvp/collocation/large.h"
#include "bvp/collocation/newton.h"
#include "bvp/form_large.h"
#include "bvp/guess.h"
#include "linalg/sparse_impl.h"
#include "structure/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Index 3, second order, conditions at both ends and on a multiplier; index 0, orders 1 and 3,
 * conditions at three points. */
static const char circles[] =
    "param M = 16\nvar p[i=1..M] ~ cos(t), q[i=1..M] ~ sin(t), l[i=1..M] ~ 1\n"
    "for i = 1..M { p[i]'' = -p[i]*l[i] + 0.5*t*q[i] + if(i == 1, 0, q[i-1] - q[i]) }\n"
    "for i = 1..M { q[i]'' = -q[i]*l[i] - 0.5*t*p[i] }\nfor i = 1..M { p[i]^2 + q[i]^2 = 1 }\n"
    "over t = 0 .. 1\nfor i = 1..M { boundary q[i](0) = 0 }\n"
    "for i = 1..M-1 { boundary q[i](1) = sin(1 - 1/12) }\nboundary l[M](1) = 0.5625\n";
static const char orders[] =
    "param M = 18\nvar u[i=1..M] ~ 0, v[i=1..M] ~ 1\n"
    "for i = 1..M { u[i]''' = -u[i]*v[i] + if(i == 1, 0, u[i-1]) }\n"
    "for i = 1..M { v[i]' = u[i]' - v[i]^2 + if(i == M, 0, v[i+1]) }\nover t = 0 .. 1\n"
    "for i = 1..M { boundary u[i](0) = 1 }\nfor i = 1..M { boundary u[i](0.5) + u[i]'(1) = 2 }\n"
    "for i = 1..M { boundary u[i](1) = 2 }\nfor i = 1..M { boundary v[i](1) = v[i](0) - 0.2 }\n";

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    rg_guess *guess;
} parts;

static bool open_parts(const char *text, parts *q)
{
    const rg_analysis *a;

    memset(q, 0, sizeof *q);
    return CHECK_INT(rg_context_create(&q->ctx), RG_OK)
           && CHECK_INT(rg_problem_from_text(q->ctx, text, &q->p), RG_OK)
           && CHECK_INT(rg_analysis_get(q->p, &a), RG_OK)
           && CHECK_INT(rg_bvp_form_create(q->p, a, &q->f), RG_OK)
           && CHECK_INT(rg_bvp_conditions_create(q->f, 0.0, 1.0, &q->c), RG_OK)
           && CHECK_INT(rg_guess_create(q->f, 0.0, 1.0, "", &q->guess), RG_OK);
}

static void close_parts(parts *q)
{
    rg_guess_destroy(&q->guess);
    rg_bvp_conditions_destroy(&q->c);
    rg_bvp_form_destroy(&q->f);
    rg_problem_destroy(&q->p);
    rg_context_destroy(&q->ctx);
}

static rg_curve *start(const parts *q, rg_rule_kind kind, int stages)
{
    static const double mesh[] = {0.0, 0.2, 0.5, 0.6, 1.0};
    const rg_profile guess = {rg_guess_profile, q->guess};
    rg_curve *it = NULL;
    rg_rule rule;

    rg_rule_init(kind, stages, &rule);
    CHECK_INT(rg_curve_create(q->ctx, &rule, q->f->n, q->f->nx, 4, mesh, q->c->n_points,
                              q->c->point, &it),
              RG_OK);
    CHECK_INT(rg_profile_fill(it, q->f, &guess), RG_OK);
    return it;
}

static double difference(int64_t count, const double *a, const double *b)
{
    double worst = 0.0;

    for (int64_t k = 0; k < count; k++)
        worst = fmax(worst, fabs(a[k] - b[k]) / (1.0 + fabs(b[k])));
    return worst;
}

/* The first correction, from the same iterate. */
static void check_correction(parts *q, rg_rule_kind kind, int stages)
{
    rg_curve *it = start(q, kind, stages), *d[2] = {NULL, NULL};
    rg_stats stats = {0};

    for (int k = 0; k < 2; k++) {
        rg_implicit *l = NULL;
        q->f->is_large = k == 0;
        d[k] = start(q, kind, stages);
        if (!CHECK_INT(rg_implicit_create(q->f, q->c, it, &stats, &l), RG_OK)) continue;
        CHECK_INT(rg_implicit_correct(l, it, true, d[k]), RG_OK);
        rg_implicit_destroy(&l);
    }
    q->f->is_large = true;
    CHECK(difference(5 * it->nx, d[0]->x, d[1]->x) < 1e-9);
    CHECK(difference(4 * stages * it->nx, d[0]->Xp, d[1]->Xp) < 1e-9);
    CHECK(difference(4 * stages * it->n, d[0]->w, d[1]->w) < 1e-9);
    CHECK(difference(it->n_nodes * it->n, d[0]->wn, d[1]->wn) < 1e-9);
    rg_curve_destroy(&it);
    rg_curve_destroy(&d[0]);
    rg_curve_destroy(&d[1]);
}

/* Newton's method to the end; the answer to changes of all conditions is at most the sum of those
 * to each, and not much less than the largest. */
static void check_solution(parts *q)
{
    rg_curve *it[2] = {NULL, NULL};
    rg_stats stats = {0};
    rg_newton_outcome outcome[2] = {{0}, {0}};
    double *natural = calloc(2 * (size_t)q->f->nz, sizeof *natural);
    const rg_newton_control control = {.floor = 1.0, .tol = 1e-11, .most = 30};

    for (int k = 0; k < 2; k++) {
        q->f->is_large = true;
        it[k] = start(q, RG_RULE_GAUSS, 3);
        q->f->is_large = k == 0;
        outcome[k].natural = natural; /* asks for the noise, too */
        CHECK_INT(rg_collocate(q->f, q->c, &control, it[k], &stats, &outcome[k]), RG_OK);
    }
    q->f->is_large = true;
    CHECK(difference(5 * it[0]->nx, it[0]->x, it[1]->x) < 1e-9);
    CHECK(difference(12 * it[0]->n, it[0]->w, it[1]->w) < 1e-8);
    CHECK(outcome[0].conditioning <= q->f->nx * outcome[1].conditioning);
    CHECK(outcome[0].conditioning >= 0.1 * outcome[1].conditioning);
    CHECK(outcome[0].noise <= 100 * outcome[1].noise && outcome[0].noise > 0);
    free(natural);
    rg_curve_destroy(&it[0]);
    rg_curve_destroy(&it[1]);
}

static void check_model(const char *text)
{
    parts q;

    if (open_parts(text, &q) && CHECK(q.f->is_large)) {
        check_correction(&q, RG_RULE_GAUSS, 3);
        check_correction(&q, RG_RULE_RADAU, 2);
        check_correction(&q, RG_RULE_LOBATTO, 4);
        check_solution(&q);
    }
    close_parts(&q);
}

static void test_circles(void)
{
    check_model(circles);
}

static void test_orders(void)
{
    check_model(orders);
}

/* w from x, by sparse and by full factors. */
static void test_unknowns(void)
{
    parts q;
    double x[128], xp[128], w[2][64];

    if (open_parts(circles, &q) && CHECK(q.f->Fw != NULL)) {
        CHECK_INT(rg_guess_profile(q.guess, 0.3, x, xp, w[0]), RG_OK);
        memcpy(w[1], w[0], sizeof w[0]);
        w[0][3] += 0.2;
        CHECK_INT(rg_bvp_form_solve(q.f, 0.3, x, w[0], NULL, NULL), RG_OK);
        rg_form_large_clear(q.f);
        q.f->Fw = NULL;
        q.f->step = NULL;
        double *work = rg_alloc(q.ctx, rg_bvp_form_work(q.f) + 1, sizeof *work);
        int pivot[64];
        CHECK_INT(rg_bvp_form_solve(q.f, 0.3, x, w[1], work, pivot), RG_OK);
        CHECK(difference(q.f->n, w[0], w[1]) < 1e-11);
        rg_free(q.ctx, work);
    }
    close_parts(&q);
}

#ifndef RG_NO_GPL /* the chain needs UMFPACK */
/* Entries of the factors per row, the multiplications, and the bytes that KLU took for its own,
 * those that it gave up too, of a chain with states and adjoints. */
static void weigh_chain(int cells, double *entries, double *work, double *room)
{
    char text[700];
    parts q;

    *entries = *work = *room = INFINITY;
    snprintf(text, sizeof text,
             "param M = %d\nvar x[i=1..M], p[i=1..M]\nover t = 0 .. 1\nfor i = 1..M {\n"
             "x[i]' = if(i == 1, 0, x[i-1]) - 2*x[i] + if(i == M, 0, x[i+1]) - p[i]\n"
             "p[i]' = -x[i] - if(i == 1, 0, p[i-1]) + 2*p[i] - if(i == M, 0, p[i+1])\n"
             "boundary x[i](0) = sin(pi*i/(M + 1))\nboundary p[i](1) = 0\n}\n",
             cells);
    if (open_parts(text, &q) && CHECK(q.f->is_large)) {
        rg_curve *it = start(&q, RG_RULE_GAUSS, 4), *d = start(&q, RG_RULE_GAUSS, 4);
        rg_stats stats = {0};
        rg_large *l = NULL;
        if (CHECK_INT(rg_large_create(q.f, q.c, it, &stats, &l), RG_OK)) {
            CHECK_INT(rg_large_correct(l, it, true, d), RG_OK);
            rg_sparse_work(l->matrix, work, entries);
            *entries /= (double)l->size;
            *work /= (double)l->size;
            *room = (double)l->matrix->common.mempeak / (double)l->size;
            rg_large_destroy(&l);
        }
        rg_curve_destroy(&it);
        rg_curve_destroy(&d);
    }
    close_parts(&q);
}

/* Time and memory of long chains are linear in the number of their cells, and so is the room for
 * factors that are given up (5 times as much per row where they are finished first). */
static void test_chain(void)
{
    double entries[2], work[2], room[2];

    weigh_chain(30, &entries[0], &work[0], &room[0]);
    weigh_chain(80, &entries[1], &work[1], &room[1]);
    if (!CHECK(entries[1] <= 1.3 * entries[0]) || !CHECK(work[1] <= 1.5 * work[0])
        || !CHECK(room[1] <= 2.0 * room[0]))
        printf("    per row: %g and %g entries, %g and %g multiplications, %g and %g bytes\n",
               entries[0], entries[1], work[0], work[1], room[0], room[1]);
}
#endif

static const test_case cases[] = {
#ifndef RG_NO_GPL
    {"long chain", test_chain   },
#endif
    {"circles",    test_circles },
    {"orders",     test_orders  },
    {"unknowns",   test_unknowns}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
