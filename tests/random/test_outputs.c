/* Random models with known solutions whose outputs are not linear in the unknowns: logarithms,
 * quotients, roots, derivatives, differences of nearly equal unknowns, min, max and abs, in several
 * units.  Behind every output stands the same one of the known solution.  At every row
 *
 *     |P - truth| / (1 + |truth|) <= 10 estimate
 *
 * for a run that is said to be right, also where an unknown falls far below its atol, and an error
 * above 100 tol is told by a warning. */
#include "base/options.h"
#include "base/random.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MODELS = 100, TIMES = 21, PARTS = 3, OUTPUTS = 6, TEXT = 8192, LENGTH = 256 };
static const double TOLS[] = {1e-4, 1e-6, 1e-8};
static rg_context *ctx;
static uint64_t seed, drawn;
static char text[TEXT];

typedef struct { /* an unknown, its solution and its derivative over its size */
    char name[8], exact[LENGTH], slope[LENGTH], twin[LENGTH]; /* "": none nearly equal */
    double unit;
    bool is_positive, has_slope;
} part;

static double between(double low, double high)
{
    return low + (high - low) * rg_random(seed, drawn++);
}

static int choose(int n)
{
    return (int)(n * rg_random(seed, drawn++)) % n;
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
}

/* x = U exp(-k s), and one that is nearly equal */
static void put_decay(part *p)
{
    const double k = between(1, seed % 4 == 0 ? 12 : 6);

    put("var %s = %.4g\n%s' = -%.4g*%s/T\n", p->name, p->unit, p->name, k, p->name);
    put("var w%s = %.4g\nw%s' = -%.8g*w%s/T\n", p->name, p->unit, p->name, 1.0001 * k, p->name);
    snprintf(p->exact, LENGTH, "exp(-%.4g*t/T)", k);
    snprintf(p->slope, LENGTH, "-%.4g*exp(-%.4g*t/T)", k, k);
    snprintf(p->twin, LENGTH, "exp(-%.8g*t/T)", 1.0001 * k);
}

/* x = U cos(w s) */
static void put_wave(part *p)
{
    const double w = between(0.5, 4);

    p->is_positive = false;
    put("var %s = %.4g, v%s = 0\n", p->name, p->unit, p->name);
    put("%s' = %.4g*v%s/T\nv%s' = -%.4g*%s/T\n", p->name, w, p->name, p->name, w, p->name);
    snprintf(p->exact, LENGTH, "cos(%.4g*t/T)", w);
    snprintf(p->slope, LENGTH, "-%.4g*sin(%.4g*t/T)", w, w);
}

/* x (1 + g) = U, g = c exp(r s): algebraic */
static void put_hyperbola(part *p)
{
    const double c = between(0.1, 2), r = between(1, seed % 4 == 0 ? 12 : 6);

    p->has_slope = false;
    put("var g%s = %.4g, %s\n", p->name, c, p->name);
    put("g%s' = %.4g*g%s/T\n%s*(1 + g%s) = %.4g\n", p->name, r, p->name, p->name, p->name, p->unit);
    snprintf(p->exact, LENGTH, "1/(1 + %.4g*exp(%.4g*t/T))", c, r);
}

/* x = U cos(w s), which x follows quickly */
static void put_follower(part *p)
{
    const double w = between(0.5, 3), rate = between(50, 5000);

    p->is_positive = false;
    put("var %s = %.4g\n", p->name, p->unit);
    put("%s' = (-%.4g*(%s - %.4g*cos(%.4g*t/T)) - %.4g*%.4g*sin(%.4g*t/T))/T\n", p->name, rate,
        p->name, p->unit, w, w, p->unit, w);
    snprintf(p->exact, LENGTH, "cos(%.4g*t/T)", w);
    snprintf(p->slope, LENGTH, "-%.4g*sin(%.4g*t/T)", w, w);
}

/* x = U/(1 + c exp(-r s)) */
static void put_logistic(part *p)
{
    const double c = pow(10.0, between(0, 5)), r = between(1, 4);

    put("var %s = %.17g\n%s' = %.4g*%s*(1 - %s/%.4g)/T\n", p->name, p->unit / (1 + c), p->name, r,
        p->name, p->name, p->unit);
    snprintf(p->exact, LENGTH, "1/(1 + %.17g*exp(-%.4g*t/T))", c, r);
    p->has_slope = false;
}

static void put_part(part *p, int k)
{
    static void (*const make[])(part *) = {put_decay, put_wave, put_hyperbola, put_follower,
                                           put_logistic};
    static const double units[] = {1.0, 1.0, 1e-9, 1e-3, 1e6};

    *p = (part){.unit = units[choose(5)], .is_positive = true, .has_slope = true};
    snprintf(p->name, sizeof p->name, "x%d", k);
    make[choose(5)](p);
}

/* An output k of the unknowns, with x and y in place of them over their sizes. */
static void put_output(int k, const part *a, const part *b)
{
    const int kind = choose(8);
    char x[2][LENGTH + 4], y[2][LENGTH + 4];

    snprintf(x[0], LENGTH + 4, "(%s/%.4g)", a->name, a->unit);
    snprintf(x[1], LENGTH + 4, "(%s)", a->exact);
    snprintf(y[0], LENGTH + 4, "(%s/%.4g)", b->name, b->unit);
    snprintf(y[1], LENGTH + 4, "(%s)", b->exact);
    for (int i = 0; i < 2; i++) {
        put("%s%s%d = ", i > 0 ? ", " : "output ", i > 0 ? "truth" : "P", k);
        if (kind == 0 && a->is_positive)
            put("log10(%s)", x[i]);
        else if (kind == 1 && b->is_positive)
            put("%s/%s", x[i], y[i]);
        else if (kind == 2 && a->is_positive)
            put("1/%s", x[i]);
        else if (kind == 3 && a->has_slope)
            put(i == 0 ? "T*%s'/%.4g" : "%s + 0*%.4g", i == 0 ? a->name : a->slope, a->unit);
        else if (kind == 4 && a->is_positive)
            put("sqrt(%s)", x[i]);
        else if (kind == 5)
            put("min(%s, %s)", x[i], y[i]);
        else if (kind == 6 && a->twin[0] != '\0' && i == 0)
            put("1e4*(%s - w%s)/%.4g", a->name, a->name, a->unit);
        else if (kind == 6 && a->twin[0] != '\0')
            put("1e4*(%s - %s)", a->exact, a->twin);
        else
            put("abs(%s)*%s", x[i], y[i]);
    }
    put("\n");
}

static void make_model(void)
{
    static const double times[] = {1.0, 1e-3, 1e4};
    part parts[PARTS];

    drawn = 0;
    text[0] = '\0';
    put("param T = %g\nover t = 0 .. %g*T\n", times[choose(3)], round(between(3, 9)));
    for (int k = 0; k < PARTS; k++)
        put_part(&parts[k], k);
    for (int k = 0; k < OUTPUTS; k++)
        put_output(k, &parts[choose(PARTS)], &parts[choose(PARTS)]);
}

typedef struct {
    rg_status status;
    double error, estimate;
    int column, warnings;
} result;

static result run(double tol)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    result r = {RG_ERR_ARGUMENT, 0.0, NAN, -1, 0};
    double times[TIMES], a, b, row[2 * OUTPUTS];

    o.rtol = o.atol = tol;
    if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) {
        printf("%s\n%s", rg_last_error(ctx)->message, text);
        return r;
    }
    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < TIMES; k++)
        times[k] = k == TIMES - 1 ? b : a + (b - a) * k / (TIMES - 1);
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = TIMES, .times = times, .estimate = 1};
    r.status = rg_solve_request(p, b, &o, &request, &s);
    if (r.status != RG_OK)
        printf("seed %d, tol %g: %s\n", (int)seed, tol, rg_last_error(ctx)->message);
    if (r.status == RG_OK) r.estimate = rg_solution_estimate(s);
    if (r.status == RG_OK) r.warnings = rg_solution_warning_count(s);
    for (int64_t k = 0; k < TIMES && r.status == RG_OK; k++) {
        CHECK(rg_solution_values(s, k, row) == RG_OK);
        for (int i = 0; i < OUTPUTS; i++) {
            const double truth = row[2 * i + 1];
            const double e = fabs(row[2 * i] - truth) / (1.0 + fabs(truth));
            if (e <= r.error) continue;
            r.error = e; /* also where it is not finite */
            r.column = i;
        }
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return r;
}

static void test_all(void)
{
    int failed = 0, far = 0, count = 0;

    for (seed = 1; seed <= MODELS; seed++)
        for (size_t i = 0; i < sizeof TOLS / sizeof *TOLS; i++) {
            make_model();
            const result r = run(TOLS[i]);
            count++;
            failed += r.status != RG_OK;
            if (r.status != RG_OK) continue;
            far += r.error > 100.0 * TOLS[i];
            if (!CHECK(r.error <= 10.0 * r.estimate
                       && (r.error <= 100.0 * TOLS[i] || r.warnings > 0)))
                printf("seed %d, tol %g: P%d is off by %.2g, estimate %.2g\n", (int)seed, TOLS[i],
                       r.column, r.error, r.estimate);
        }
    printf("%d runs: %d failed, %d off by more than 100 tol, which is told\n", count, failed, far);
    CHECK(50 * failed <= count && 12 * far <= count); /* of the last, slopes of stiff unknowns */
}

int main(void)
{
    static const test_case cases[] = {
        {"outputs", test_all},
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
