/* Tables for doc/methods/irk.md, as Markdown (make orders): how simplified Newton contracts, of
 * which order the error estimate is, and what start values that do not fit do.  The command never
 * integrates such a start. */
#include "ivp/irk/irk.h"
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, MOST = 16 }; /* differential; algebraic of index 1; unknowns of index 2, 3 */
static rg_context *ctx;

typedef struct {
    const char *name, *path;
} model;
static const model models[] = {
    {"index 1",        "tests/order/rk/order-index1.rg"    },
    {"index 2",        "tests/order/rk/order-index2.rg"    },
    {"index 3",        "tests/order/rk/order-index3.rg"    },
    {"mechanical",     "tests/order/rk/order-mechanical.rg"},
    {"B(y) y' = a(y)", "examples/rk/singular-matrix.rg"    }
};
enum { MODELS = sizeof models / sizeof *models };

typedef struct { /* a step under way */
    rg_problem *problem;
    rg_solver *solver;
    rg_integrator *g;
} run;

static void fail(const char *what)
{
    fprintf(stderr, "bench_irk: %s: %s\n", what, rg_last_error(ctx)->message);
    exit(1);
}

static void finish(run *r)
{
    rg_integrator_destroy(&r->g);
    rg_solver_destroy(&r->solver);
    rg_problem_destroy(&r->problem);
}

static int kind_of(const run *r, const uint8_t *is_algebraic, int64_t k)
{
    const int index = rg_system_variable_index(r->solver->system)[k];

    return index == 1 ? (is_algebraic[k] ? 1 : 0) : index;
}

/* h > 0: fixed steps; 0: as with error control.  moved: kind of unknowns that start 1e-6 off. */
static void begin(run *r, const char *path, const rg_ivp_method *method, int stages, double h,
                  int moved)
{
    rg_options o = rg_options_default();

    memset(r, 0, sizeof *r);
    if (rg_problem_from_file(ctx, path, &r->problem) != RG_OK) fail(path);
    snprintf(o.method, sizeof o.method, "%s", method->name);
    snprintf(o.formulation, sizeof o.formulation, "direct");
    o.is_measured = true;
    if (method == &rg_sdirk_method)
        o.order = stages;
    else
        o.stages = stages;
    if (h > 0.0) o.step = h;
    o.rtol = o.atol = 1e-11;
    if (rg_solver_prepare(r->problem, &o, &r->solver) != RG_OK) fail(path);
    rg_solver *s = r->solver;
    const rg_state start = {r->problem->a, s->y, s->yp};
    if (rg_integrator_create_with(method, s->system, &s->options, &start, r->problem->b, &r->g)
        != RG_OK)
        fail(path);
    for (int64_t k = 0; k < r->g->n && moved >= 0; k++)
        if (kind_of(r, rg_irk_of(r->g)->is_algebraic, k) == moved) r->g->y[k] += 1e-6;
}

/* ---- Newton ---------------------------------------------------------------------------------- */

/* One attempt with a tight tolerance; Newton's norm has h^(k-1) for index k where is_scaled. */
static void attempt(run *r, double h, bool is_scaled)
{
    rg_irk *x = rg_irk_of(r->g);
    const int *index = rg_system_variable_index(r->g->system);

    x->pace.h = h;
    rg_pace_weights(r->g, r->g->y, NULL, x->weight);
    for (int64_t k = 0; k < r->g->n; k++)
        for (int j = 1; j < index[k] && is_scaled; j++)
            x->weight[k] *= h;
    x->rate = NAN;
    if (rg_irk_prepare(r->g) == RG_OK) rg_irk_newton(r->g);
    rg_irk_end(r->g);
}

/* cond_inf of (gamma/h) F_y' + F_y; scaled: columns of index k by h^(1-k), then rows to size 1. */
static double condition(run *r, double h, bool is_scaled)
{
    const rg_irk *x = rg_irk_of(r->g);
    const rg_pattern *p = rg_system_pattern(r->g->system);
    const int *index = rg_system_variable_index(r->g->system);
    const int64_t n = r->g->n;
    double column[MOST], row[MOST] = {0}, norm = 0.0, inverse = 0.0, sums[MOST] = {0},
                         solved[MOST] = {0};

    for (int64_t j = 0; j < n; j++) {
        column[j] = is_scaled ? pow(h, 1 - index[j]) : 1.0;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double a = fabs(x->gamma / h * x->Jyp[e] + x->Jy[e]) * column[j];
            row[p->row[e]] = fmax(row[p->row[e]], a);
            sums[p->row[e]] += a;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        if (!is_scaled) row[i] = 1.0;
        norm = fmax(norm, sums[i] / row[i]);
    }
    for (int64_t j = 0; j < n; j++) { /* column j of the inverse */
        double b[MOST] = {0};
        b[j] = row[j];
        rg_matrix_solve(x->real, b, NULL);
        for (int64_t i = 0; i < n; i++)
            solved[i] += fabs(b[i]) / column[i];
    }
    for (int64_t i = 0; i < n; i++)
        inverse = fmax(inverse, solved[i]);
    return norm * inverse;
}

static void print_newton(void)
{
    static const double steps[] = {0.1, 0.05, 0.025, 0.0125, 0.00625};

    printf("| model | h | rate | rate, h^(k-1) for index k | condition | condition, scaled |\n"
           "|---|---|---|---|---|---|\n");
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; k < 5; k++) {
            double rate[2], cond[2];
            for (int scaled = 0; scaled < 2; scaled++) {
                run r;
                begin(&r, models[m].path, &rg_radau2a_method, 3, 0.0, -1);
                attempt(&r, steps[k], scaled == 1);
                rate[scaled] = rg_irk_of(r.g)->rate;
                cond[scaled] = condition(&r, steps[k], scaled == 1);
                finish(&r);
            }
            printf("| %s | %g | %.2g | %.2g | %.1g | %.1g |\n", models[m].name, steps[k], rate[0],
                   rate[1], cond[0], cond[1]);
        }
}

/* ---- estimate -------------------------------------------------------------------------------- */

static void estimate(const char *path, const rg_ivp_method *method, int stages, double h,
                     double *size)
{
    run r;

    begin(&r, path, method, stages, 0.0, -1);
    attempt(&r, h, false);
    for (int64_t k = 0; k < r.g->n; k++)
        rg_irk_of(r.g)->weight[k] = DBL_MIN; /* accepted: not filtered twice */
    rg_irk_error(r.g);
    memset(size, 0, KINDS * sizeof *size);
    for (int64_t k = 0; k < r.g->n; k++) {
        const int kind = kind_of(&r, rg_irk_of(r.g)->is_algebraic, k);
        size[kind] = fmax(size[kind], fabs(rg_irk_of(r.g)->error[k]));
    }
    finish(&r);
}

static void print_orders(void)
{
    static const struct {
        const char *name;
        const rg_ivp_method *method;
        int stages;
    } methods[] = {
        {"gauss, 2 stages",     &rg_gauss_method,     2},
        {"gauss, 3 stages",     &rg_gauss_method,     3},
        {"radau, 2 stages",     &rg_radau2a_method,   2},
        {"radau, 3 stages",     &rg_radau2a_method,   3},
        {"lobatto3a, 3 stages", &rg_lobatto3a_method, 3},
        {"lobatto3c, 3 stages", &rg_lobatto3c_method, 3},
        {"sdirk, order 4",      &rg_sdirk_method,     4}
    };

    printf("| method | model | differential | algebraic, index 1 | index 2 | index 3 "
           "|\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (int m = 0; m < MODELS; m++) {
            double coarse[KINDS], fine[KINDS];
            const double h = 0.02;
            estimate(models[m].path, methods[i].method, methods[i].stages, h, coarse);
            estimate(models[m].path, methods[i].method, methods[i].stages, h / 2.0, fine);
            printf("| %s | %s |", methods[i].name, models[m].name);
            for (int k = 0; k < KINDS; k++)
                if (fine[k] > 1e-13)
                    printf(" %.1f |", log2(coarse[k] / fine[k]));
                else
                    printf(" - |");
            printf("\n");
        }
}

/* ---- start values ---------------------------------------------------------------------------- */

static bool take(const char *path, double h, int count, int moved, double *y)
{
    run r;
    bool is_good = true;

    begin(&r, path, &rg_radau2a_method, 3, h, moved);
    for (int k = 0; k < count; k++)
        is_good = is_good && rg_integrator_step(r.g) == RG_OK;
    memcpy(y, r.g->y, (size_t)r.g->n * sizeof *y);
    finish(&r);
    return is_good;
}

static void print_starts(void)
{
    static const char *const words[KINDS] = {"differential", "algebraic, index 1", "index 2",
                                             "index 3"};
    static const double steps[] = {0.1, 0.01};

    printf("| model | moved | h | steps | differential | algebraic, index 1 | index 2 | index 3 |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (int m = 0; m < 3; m++)
        for (int moved = 0; moved < KINDS; moved++)
            for (int k = 0; k < 4; k++) {
                double y[MOST], z[MOST], size[KINDS] = {0};
                const double h = steps[k / 2];
                const int count = k % 2 == 0 ? 1 : 10;
                bool has[KINDS] = {false};
                run r;
                begin(&r, models[m].path, &rg_radau2a_method, 3, h, -1);
                const int64_t n = r.g->n;
                const bool is_good = take(models[m].path, h, count, -1, y)
                                     && take(models[m].path, h, count, moved, z);
                for (int64_t i = 0; i < n; i++) {
                    const int kind = kind_of(&r, rg_irk_of(r.g)->is_algebraic, i);
                    has[kind] = true;
                    size[kind] = fmax(size[kind], fabs(y[i] - z[i]));
                }
                finish(&r);
                if (!has[moved]) continue;
                printf("| %s | %s | %g | %d |", models[m].name, words[moved], h, count);
                for (int i = 0; i < KINDS; i++)
                    if (!is_good)
                        printf(" fails |");
                    else if (has[i])
                        printf(" %.0e |", size[i]);
                    else
                        printf(" - |");
                printf("\n");
            }
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "newton";

    if (rg_context_create(&ctx) < 0) return 1;
    if (strcmp(what, "newton") == 0) print_newton();
    if (strcmp(what, "estimate") == 0) print_orders();
    if (strcmp(what, "start") == 0) print_starts();
    rg_context_destroy(&ctx);
    return 0;
}
