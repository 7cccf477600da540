/* The stabilized form made from the model as written, against the one written by hand. */
#include "support/test.h"
#include "views/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;

static const char first_order[] = "var p = 1, q = 0, u = 0, v = 0, lam\n"
                                  "p' = u\n0 = v - q'\nu' = -p*lam\nv' = -q*lam - 1\n"
                                  "0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";
static const char second_order[] = "var p = 1, q = 0, p' = 0, q' = 0, lam\n"
                                   "p'' = -p*lam\nq'' = -q*lam - 1\n"
                                   "0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";
static const char by_hand[] = "var p = 1, q = 0, u = 0, v = 0, lam, mu\n"
                              "p' = u - 2*p*mu\nq' = v - 2*q*mu\nu' = -p*lam\nv' = -q*lam - 1\n"
                              "0 = 2*(p*u + q*v)\n0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";

typedef struct {
    rg_problem *p;
    rg_system *s;
    rg_system_work *w;
} view;

static bool open_problem(view *v, rg_view_kind kind)
{
    const rg_analysis *a;

    return CHECK_INT(rg_analysis_get(v->p, &a), RG_OK)
           && CHECK_INT(rg_system_create(v->p, a, kind, &v->s), RG_OK)
           && CHECK_INT(rg_system_work_create(v->s, &v->w), RG_OK);
}

static bool open_text(view *v, const char *text, rg_view_kind kind)
{
    memset(v, 0, sizeof *v);
    return CHECK_INT(rg_problem_from_text(ctx, text, &v->p), RG_OK) && open_problem(v, kind);
}

static void close_view(view *v)
{
    rg_system_work_destroy(&v->w);
    rg_system_destroy(&v->s);
    rg_problem_destroy(&v->p);
}

/* Size of the hand-written forms: twice the positions, twice the constraints. */
static void test_sizes(void)
{
    static const struct {
        const char *path;
        int64_t size;
    } cases[] = {
        {"examples/ivp/pendulum.rg",              6 },
        {"examples/ivp/pendulum-second-order.rg", 6 },
        {"examples/ivp/caraxis.rg",               12},
        {"examples/ivp/andrews.rg",               26},
        {"examples/ivp/slider-crank.rg",          22},
        {"examples/ivp/knife-edge.rg",            7 },
        {"examples/ivp/pendulum-ggl.rg",          6 }
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        view v = {NULL, NULL, NULL};
        if (CHECK_INT(rg_problem_from_file(ctx, cases[k].path, &v.p), RG_OK)
            && open_problem(&v, RG_VIEW_STABILIZED)
            && !CHECK_INT(rg_system_size(v.s), cases[k].size))
            printf("%s\n", cases[k].path);
        close_view(&v);
    }
}

/* Same residuals as by hand, where each row is found under its own number. */
static void test_residuals(void)
{
    static const char *const texts[] = {first_order, second_order};
    /* p q u v lam mu of the first; the states p q lam p' q' mu of the second */
    static const int states[2][6] = {
        {0, 1, 2, 3, 4, 5},
        {0, 1, 3, 4, 2, 5}
    };
    static const int rows[6] = {3, 4, 0, 1, 2, 5};
    const double y[6] = {0.3, -0.8, 0.7, 0.2, 1.1, 0.05}, yp[6] = {0.1, 0.4, -0.6, 0.9, 0, 0};
    view hand;

    if (open_text(&hand, by_hand, RG_VIEW_DIRECT)) {
        double F[6], G[6];
        CHECK_INT(rg_system_residual(hand.s, hand.w, 0, y, yp, F), RG_OK);
        for (int k = 0; k < 2; k++) {
            view v;
            double x[6], xp[6];
            if (open_text(&v, texts[k], RG_VIEW_STABILIZED)) {
                for (int i = 0; i < 6; i++) {
                    x[states[k][i]] = y[i];
                    xp[states[k][i]] = yp[i];
                }
                x[5] = -y[5]; /* 0 = g is the residual -g */
                CHECK_INT(rg_system_size(v.s), 6);
                CHECK_INT(rg_system_residual(v.s, v.w, 0, x, xp, G), RG_OK);
                for (int i = 0; i < 6; i++) /* 0 = a - b may have the other sign */
                    CHECK_NEAR(fabs(G[rows[i]]), fabs(F[i]), 1e-14);
            }
            close_view(&v);
        }
    }
    close_view(&hand);
}

/* dF/dy and dF/dy' against central differences, at mu = 0. */
static void check_jacobian(const view *v, int n, const double *start)
{
    const rg_pattern *p = rg_system_pattern(v->s);
    const double h = 1e-6;
    double y[16], yp[16], high[16], low[16], Jy[256], Jyp[256];

    for (int i = 0; i < n; i++) {
        y[i] = start[i];
        yp[i] = 0.3 * i - 0.7;
    }
    CHECK_INT(rg_system_jacobian(v->s, v->w, 0.1, y, yp, Jy, Jyp), RG_OK);
    for (int part = 0; part < 2; part++)
        for (int j = 0; j < n; j++) {
            double *x = part == 0 ? &y[j] : &yp[j], dense[16] = {0};
            const double at = *x;
            *x = at + h;
            rg_system_residual(v->s, v->w, 0.1, y, yp, high);
            *x = at - h;
            rg_system_residual(v->s, v->w, 0.1, y, yp, low);
            *x = at;
            for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
                dense[p->row[k]] = part == 0 ? Jy[k] : Jyp[k];
            for (int i = 0; i < n; i++)
                CHECK_NEAR(dense[i], (high[i] - low[i]) / (2 * h), 1e-7);
        }
}

static void test_jacobian(void)
{
    static const char time_dependent[] =
        "var x = 0, y = 1, x' = 0, y' = 0, a, b\n"
        "x'' = -2*a*x + b\ny'' = -2*a*(y - sin(t)) - 1 + x*b\n"
        "0 = x^2 + (y - sin(t))^2 - 1\n0 = b - x*y\nover t = 0 .. 1\n";
    const double at_6[] = {0.3, -0.8, 0.7, 0.2, 1.1, 0.0},
                 at_7[] = {0.3, -0.8, 0.7, 0.2, 1.1, 0.6, 0.0};
    view v;

    if (open_text(&v, first_order, RG_VIEW_STABILIZED)) check_jacobian(&v, 6, at_6);
    close_view(&v);
    if (open_text(&v, time_dependent, RG_VIEW_STABILIZED) && CHECK_INT(rg_system_size(v.s), 7))
        check_jacobian(&v, 7, at_7);
    close_view(&v);
}

static void test_names_and_indices(void)
{
    static const int index[] = {1, 1, 1, 1, 2, 2};
    char name[80];
    view v;

    if (open_text(&v, first_order, RG_VIEW_STABILIZED)) {
        for (int i = 0; i < 6; i++)
            CHECK_INT(rg_system_variable_index(v.s)[i], index[i]);
        CHECK_INT(rg_system_state(v.s, 0, 1), 2); /* p' is u */
        CHECK_INT(rg_system_state(v.s, 1, 1), 3);
        rg_system_state_name(v.s, 5, name, sizeof name);
        CHECK_TEXT(name, "the multiplier of line 6");
        rg_system_row_name(v.s, 2, name, sizeof name);
        CHECK_TEXT(name, "the first derivative of line 6");
        rg_system_row_name(v.s, 3, name, sizeof name);
        CHECK_TEXT(name, "the stabilized derivative of p");
        rg_system_row_name(v.s, 5, name, sizeof name);
        CHECK_TEXT(name, "line 6");
        CHECK_INT(rg_system_drift_levels(v.s), 2);
    }
    close_view(&v);
}

/* Closed form at t = 10 (examples/ivp/pendulum-second-order.rg);
 * the same error as by hand, and at most its cost: steps may be fewer, of more stages, because
 * their projection counts where the orders are compared. */
static void test_solutions(void)
{
    static const double end[] = {-8.1158644619130383e-1, -5.8423235134539570e-1};
    static const char *const texts[] = {by_hand, first_order, second_order};
    double error[3];
    int64_t cost[3];

    for (int k = 0; k < 3; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        rg_options o = rg_options_default();
        double y[6];
        o.rtol = o.atol = 1e-7;
        strcpy(o.formulation, k == 0 ? "direct" : "ggl");
        if (CHECK_INT(rg_problem_from_text(ctx, texts[k], &p), RG_OK)
            && CHECK_INT(rg_solve(p, 10.0, &o, &s), RG_OK)
            && CHECK_INT(rg_solution_eval(s, 10.0, y, NULL), RG_OK)) {
            error[k] = hypot(y[0] - end[0], y[1] - end[1]);
            cost[k] = rg_solution_stats(s).evaluations;
            CHECK(error[k] < 5e-6 && error[k] < 2 * error[0] + 1e-7);
            CHECK(10 * cost[k] <= 11 * cost[0]);
            if (k > 0) CHECK(rg_solution_drift(s, 0) < 1e-14 && rg_solution_drift(s, 1) < 1e-14);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
}

/* Index 5: every level is an equation; x1 = sin(t) through a chain of integrators. */
static void test_high_index(void)
{
    static const char text[] = "var a, b, c, u\na' = b\nb' = c*2\nc' = u\n0 = a - sin(t)\n"
                               "over t = 0 .. 3\nexact u = -cos(t)/2\n";
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double y[4];

    strcpy(o.formulation, "ggl");
    if (CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
        && CHECK_INT(rg_solve(p, 3.0, &o, &s), RG_OK)
        && CHECK_INT(rg_solution_eval(s, 3.0, y, NULL), RG_OK)) {
        CHECK_NEAR(y[0], sin(3.0), 1e-12);
        CHECK_NEAR(y[3], -cos(3.0) / 2, 1e-4);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* An index that comes from combinations of equations in a loop, and a method for index 1: refused.
 */
static void test_refusals(void)
{
    static const char combined[] = "var x = 1, y\n"
                                   "for i = 1..2 { x' + y' + (2 - i)*x + (i - 1)*y = 0 }\n"
                                   "over t = 0 .. 1\n";
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    strcpy(o.formulation, "ggl");
    if (CHECK_INT(rg_problem_from_text(ctx, combined, &p), RG_OK)) {
        CHECK_INT(rg_solve(p, 1.0, &o, &s), RG_ERR_METHOD);
        CHECK(strstr(rg_last_error(ctx)->message, "combinations") != NULL);
        CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    strcpy(o.method, "bdf");
    if (CHECK_INT(rg_problem_from_text(ctx, first_order, &p), RG_OK)) {
        CHECK_INT(rg_solve(p, 1.0, &o, &s), RG_ERR_METHOD);
        CHECK(strstr(rg_last_error(ctx)->remedy, "projected") != NULL);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* The view without its hidden constraints: the same residuals and matrices, nothing else. */
static void test_bare(void)
{
    const rg_view_kind kinds[] = {RG_VIEW_DIRECT, RG_VIEW_REDUCED, RG_VIEW_STABILIZED};
    enum { MOST = 200 };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double y[MOST], yp[MOST], F[2][MOST], Jy[2][MOST], Jyp[2][MOST];
        view full, bare = {NULL, NULL, NULL};
        if (!open_text(&full, first_order, kinds[k])
            || !CHECK_INT(rg_system_create_bare(full.p, full.s->analysis, kinds[k], &bare.s), RG_OK)
            || !CHECK_INT(rg_system_work_create(bare.s, &bare.w), RG_OK)) {
            close_view(&bare);
            close_view(&full);
            continue;
        }
        const view *const views[] = {&full, &bare};
        const int64_t n = rg_system_size(full.s);
        const rg_pattern *p = rg_system_pattern(full.s);
        const size_t entries = (size_t)p->start[n];
        CHECK(entries <= MOST);
        for (int64_t i = 0; i < n; i++) {
            y[i] = 0.3 + 0.1 * (double)i;
            yp[i] = 1.0 / (double)(i + 2);
        }
        for (int v = 0; v < 2; v++) {
            const rg_system *s = views[v]->s;
            CHECK_INT(rg_system_residual(s, views[v]->w, 0.5, y, yp, F[v]), RG_OK);
            CHECK_INT(rg_system_jacobian(s, views[v]->w, 0.5, y, yp, Jy[v], Jyp[v]), RG_OK);
        }
        CHECK_INT(rg_system_size(bare.s), n);
        CHECK_INT(rg_system_pattern(bare.s)->start[n], entries);
        CHECK(memcmp(F[0], F[1], (size_t)n * sizeof *y) == 0);
        CHECK(memcmp(Jy[0], Jy[1], entries * sizeof *y) == 0);
        CHECK(memcmp(Jyp[0], Jyp[1], entries * sizeof *y) == 0);
        CHECK_INT(rg_system_projects(full.s), kinds[k] != RG_VIEW_DIRECT);
        CHECK(rg_system_drift_levels(full.s) > 0);
        CHECK(!rg_system_projects(bare.s));
        CHECK_INT(rg_system_drift_levels(bare.s), 0);
        close_view(&bare);
        close_view(&full);
    }
}

/* For another handle of the problem the compiled equations are shared, and evaluate alike; views
 * with switches, or of another kind, are made anew. */
static void test_like(void)
{
    static const char kink[] = "var x = 1\nx' = -abs(x)\nover t = 0 .. 1\n";
    static const struct {
        const char *text;
        rg_view_kind first, second;
        bool is_shared;
    } cases[] = {
        {first_order, RG_VIEW_REDUCED,    RG_VIEW_REDUCED,    true },
        {first_order, RG_VIEW_DIRECT,     RG_VIEW_DIRECT,     true },
        {first_order, RG_VIEW_REDUCED,    RG_VIEW_DIRECT,     false},
        {first_order, RG_VIEW_STABILIZED, RG_VIEW_STABILIZED, false},
        {kink,        RG_VIEW_DIRECT,     RG_VIEW_DIRECT,     false}
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double y[8] = {0.6, 0.8, 0.4, 0.3, 0.7, 0.1}, yp[8] = {0.5}, F[2][8], level[2][4];
        const rg_analysis *a;
        rg_context *other = NULL;
        view v, w = {NULL, NULL, NULL};
        if (!open_text(&v, cases[k].text, cases[k].first)) continue;
        CHECK_INT(rg_context_create(&other), RG_OK);
        CHECK_INT(rg_analysis_get(v.p, &a), RG_OK);
        CHECK_INT(rg_problem_handle(other, v.p, v.p->study, &w.p), RG_OK);
        CHECK_INT(rg_system_create_like(v.s, w.p, a, cases[k].second, &w.s), RG_OK);
        CHECK_INT(rg_system_work_create(w.s, &w.w), RG_OK);
        CHECK_INT(w.s->is_shared, cases[k].is_shared);
        CHECK(rg_system_context(w.s) == other);
        const size_t bytes = (size_t)rg_system_size(v.s) * sizeof *y;
        if (cases[k].is_shared) {
            CHECK_INT(rg_system_projects(w.s), rg_system_projects(v.s));
            CHECK_INT(rg_system_residual(v.s, v.w, 0.5, y, yp, F[0]), RG_OK);
            CHECK_INT(rg_system_residual(w.s, w.w, 0.5, y, yp, F[1]), RG_OK);
            CHECK(memcmp(F[0], F[1], bytes) == 0);
            CHECK_INT(rg_system_drift_levels(w.s), 2);
            CHECK_INT(rg_system_drift(v.s, v.w, 0.5, y, yp, level[0]), RG_OK);
            CHECK_INT(rg_system_drift(w.s, w.w, 0.5, y, yp, level[1]), RG_OK);
            CHECK(memcmp(level[0], level[1], 2 * sizeof *y) == 0);
        }
        close_view(&w);
        CHECK_INT(rg_system_residual(v.s, v.w, 0.5, y, yp, F[1]), RG_OK); /* it is still there */
        close_view(&v);
        rg_context_destroy(&other);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"sizes",             test_sizes            },
        {"bare",              test_bare             },
        {"like",              test_like             },
        {"residuals",         test_residuals        },
        {"jacobian",          test_jacobian         },
        {"names and indices", test_names_and_indices},
        {"solutions",         test_solutions        },
        {"high index",        test_high_index       },
        {"refusals",          test_refusals         }
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
