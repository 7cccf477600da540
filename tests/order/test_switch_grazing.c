/* Switches that are touched less deep than the tolerance, or just missed, by x = sin(t + phi) at
 * the level 1 - d, d of both signs.  An x that is off by e makes a touch that is none, or misses
 * one, for a time up to sqrt(8 e): no run may be so far off without an estimate that says so.
 *
 *     test_switch_grazing [-v]      prints every run */
#include "base/options.h"
#include "regula.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;
static bool is_verbose;

typedef struct {
    double d, tol, phi;
    double t, exact; /* of unknown `unknown` at t */
    int unknown;
    const char *method, *name;
    double most;      /* what a touch may change */
    bool may_be_told; /* the switch jumps */
} trial;

typedef struct {
    int runs, hidden, large, needless;
    int refused, told;
} tally;

static bool says_near(const rg_solution *s)
{
    bool is_so = false;

    for (int k = 0; k < rg_solution_warning_count(s); k++)
        is_so = is_so || strstr(rg_solution_warning(s, k), "of its edge") != NULL;
    return is_so;
}

static void judge(const trial *c, const rg_solution *s, tally *n)
{
    double y[8] = {NAN};

    if (!CHECK(rg_solution_eval(s, c->t, y, NULL) == RG_OK)) return;
    const double error = fabs(y[c->unknown] - c->exact) / (1.0 + fabs(c->exact));
    const double estimate = rg_solution_estimate(s);
    /* an error of x shifts the crossings by 1/slope */
    const double shift = c->d >= 10.0 * c->tol ? 30.0 * c->tol / sqrt(2.0 * c->d) : 0.0;
    const bool is_told = says_near(s);
    const bool is_wrong = error > 10.0 * fmax(estimate, c->tol) + shift;
    n->hidden += is_wrong;
    n->told += is_told;
    n->large += estimate > 100.0 * fmax(c->most, error);
    n->needless += is_told && (!c->may_be_told || fabs(c->d) > 10.0 * c->tol);
    if (is_verbose || is_wrong)
        printf("    %s, %s: phi %.3f d %g tol %g: %.3g off, estimate %.3g%s%s\n", c->name,
               c->method, c->phi, c->d, c->tol, error, estimate, is_wrong ? ", WRONG" : "",
               is_told ? ", told" : "");
}

static void run(const trial *c, const char *text, tally *n)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    o.rtol = o.atol = c->tol;
    snprintf(o.method, sizeof o.method, "%s", c->method);
    if (!options_has_method(c->method)) return;
    n->runs++;
    if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) return;
    const double times[] = {c->t, 4.0};
    const rg_status status = rg_solve_rows(p, 4.0, &o, RG_KEEP_ROWS, 2, times, 1, &s);
    if (status == RG_OK)
        judge(c, s, n);
    else /* the two runs differ by more than the values */
        CHECK(status == RG_ERR_CONVERGENCE && fabs(c->d) < 10.0 * c->tol);
    n->refused += status != RG_OK;
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void tell(const tally *n, int most_refused)
{
    printf("%d runs: %d told, %d refused; %d hidden, %d too large, %d needless\n", n->runs, n->told,
           n->refused, n->hidden, n->large, n->needless);
    CHECK(n->hidden == 0 && n->large == 0 && n->needless == 0);
    CHECK(n->refused <= most_refused);
}

typedef void test_model_fn(trial *c, int way, char *text, size_t size);

/* All depths, phases and tolerances. */
static void sweep(test_model_fn *model, int ways, int most_refused)
{
    tally n = {0};
    int member = 0;

    for (int way = 0; way < ways; way++)
        for (int depth = 0; depth < 18; depth++)
            for (int shift = 0; shift < 12; shift++)
                for (int k = 3; k <= 8; k++) {
                    const double size = pow(10.0, -3.0 - 0.5 * (depth % 9));
                    trial c = {.d = depth < 9 ? size : -size,
                               .tol = pow(10.0, -k),
                               .phi = 0.13 * shift - 0.3,
                               .t = 3.2,
                               .unknown = 1,
                               .most = sqrt(8.0) * pow(10.0, -0.5 * k),
                               .method = "radau",
                               .may_be_told = true};
                    char text[500];
                    if (!test_takes(member++)) continue;
                    model(&c, way, text, sizeof text);
                    run(&c, text, &n);
                }
    tell(&n, most_refused);
}

/* y' = if(x > 1 - d, 1, 0): the time above. */
static void write_time(trial *c, int way, char *text, size_t size)
{
    static const char *const forms[] = {"x' = cos(t + %.17g)", "x'' = -x",
                                        "x' = w\nw = cos(t + %.17g)"};
    static const char *const methods[] = {"radau", "radau", "radau", "bdf", "rosenbrock", "radau"};
    const int form = way % 3;
    char equation[100];

    c->method = methods[way];
    c->name = "time above";
    c->exact = 1.0 + (c->d > 0.0 ? 2.0 * acos(1.0 - c->d) : 0.0);
    snprintf(equation, sizeof equation, forms[form], c->phi);
    snprintf(text, size,
             "var x = %.17g%s%.17g, y = 1%s\n%s\ny' = %s(x > %.17g%s\nover t = 0 .. 4\n",
             sin(c->phi), form == 1 ? ", x' = " : " + 0*", cos(c->phi), form == 2 ? ", w ~ 0" : "",
             equation, way < 5 ? "if" : "if(if", 1.0 - c->d,
             way < 5 ? ", 1, 0)" : ", 1, 0) > 0.5, 1, 0)");
}

static void test_time(void)
{
    sweep(write_time, 6, 20);
}

/* An algebraic unknown, in a row at the top. */
static void write_row(trial *c, int way, char *text, size_t size)
{
    (void)way;
    c->name = "row";
    c->most = 0.5;
    c->t = acos(0.0) - c->phi;
    c->exact = c->d > 0.0 ? 2.0 : 1.0;
    snprintf(text, size,
             "var x = %.17g, x' = %.17g, y ~ 1\nx'' = -x\ny = if(x > %.17g, 2, 1)\n"
             "over t = 0 .. 4\n",
             sin(c->phi), cos(c->phi), 1.0 - c->d);
}

static void test_row(void)
{
    sweep(write_row, 1, 1000);
}

/* x'' = -x + if(x > 1 - d, F, 0): behind the touch x is another one.  F = 3 leads away, up to the
 * end of the run; F = -50 back, soon. */
static void write_force(trial *c, int way, char *text, size_t size)
{
    const double force = way == 0 ? 3.0 : -50.0, level = 1.0 - c->d, t = 1.4;

    c->name = way == 0 ? "away" : "back";
    c->unknown = 0;
    if (way == 0) c->most = 1.0;
    c->t = acos(0.0) - c->phi + t; /* t behind the top */
    c->exact = cos(t);
    if (c->d > 0.0) {
        const double before = acos(level), v = sin(before), past = before + t;
        const double stay = 2.0 * atan2(v, level - force);
        if (way == 0)
            c->exact = force + (level - force) * cos(past) + v * sin(past);
        else
            c->exact = cos(t + 2.0 * before - stay);
    }
    snprintf(text, size,
             "var x = %.17g, x' = %.17g\nx'' = -x + if(x > %.17g, %g, 0)\nover t = 0 .. 4\n",
             sin(c->phi), cos(c->phi), level, force);
}

static void test_force(void)
{
    sweep(write_force, 2, 1000);
}

/* Branches that join: nothing to tell. */
static void write_kink(trial *c, int way, char *text, size_t size)
{
    static const char *const forms[] = {"max(x, L)", "if(x > L, x, L)", "abs(x - L) + L",
                                        "if(x > L, sin(2*(x - L)), x - L)"};

    c->name = forms[way];
    c->may_be_told = false;
    c->exact = NAN; /* as good as ever */
    snprintf(text, size,
             "param L = %.17g\nvar x = %.17g, x' = %.17g, y = 1\nx'' = -x\ny' = %s\n"
             "over t = 0 .. 4\n",
             1.0 - c->d, sin(c->phi), cos(c->phi), forms[way]);
}

static void test_kinks(void)
{
    sweep(write_kink, 4, 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"time above", test_time },
        {"rows",       test_row  },
        {"forces",     test_force},
        {"kinks",      test_kinks},
    };

    is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
