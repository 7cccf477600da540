/* Switches in units from 1e-12 to 1e12, at 1, 50 and 1000 Hz, from t0 = 0, 86400, 1e6 and 1.6e9 s:
 * every row is that of the same model in units of one, at 1 Hz and from t = 0.
 *
 * x = V xi, i = I iota, t = t0 + T tau.  Where t has fewer digits than the tolerance asks for, or
 * its rounding moves values by 1e8 atol, a model is left out; what is left of values, and of those
 * that follow from slopes, is allowed. */
#include "base/options.h"
#include "base/random.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 47, FINE = 20, COLUMNS = 4, RUNS = 800 };
static const double LENGTH = 2.3; /* periods */
static const double PI = 3.14159265358979323846;

typedef struct {
    const char *name, *units; /* per unknown: V or I */
    bool has_slopes;          /* an unknown follows from slopes, in a branch */
    const char *text;         /* s = sin(2 pi tau), c = cos(2 pi tau) */
} shape;

static const shape shapes[] = {
    {"half wave",  "VI",   true,  "var u = 0, i ~ 0\nT*u' = V*i/I - 0.3*u\n0 = min(i/I, u/V - s)\n"    },
    {"clamp",      "VI",   true,  "var u = 0, i ~ 0\nT*u' = 2*V*s - u - V*i/I\n0 = min(i/I, 1 - u/V)\n"},
    {"wall",       "VI",   true,
     "var x = 0.5*V, i ~ 0\nT*x' = 1.5*V*c - 0.2*x + V*i/I\n0 = min(i/I, x/V)\n"                       },
    {"absolute",   "V",    false, "var x = 0.3*V\nT*x' = V*c - abs(x)\n"                               },
    {"positive",   "VI",   false, "var x = 0, y\nT*x' = max(y, 0)*(V/I) - 0.5*x\ny = I*s\n"            },
    {"saturation", "V",    false, "var x = 0\nT*x' = min(max(3*V*s - x, -V), V)\n"                     },
    {"relay",      "VI",   false, "var x = 0, r\nT*x' = r*V/I - x\nr = if(s > x/V, I, -I)\n"           },
    {"friction",   "V",    false, "var v = 0\nT*v' = 1.7*V*s - V*sign(v)\n"                            },
    {"diode",      "VI",   false,
     "var u = 0, i\nT*u' = V*c - V*i/I\ni = if(u > 0.2*V, 4*I*(u/V - 0.2), 0.1*I*u/V - 0.02*I)\n"      },
    {"bridge",     "VI",   false, "var u = 0, i\nT*u' = V*i/I - 0.3*u\ni = 8*I*max(abs(s) - u/V, 0)\n" },
    {"two valves", "VVII", false,
     "var u = 0, q = 0, i, k\nT*u' = V*i/I - 0.3*u\nT*q' = V*k/I - 0.2*q\n"
     "i = 5*I*max(s - u/V, 0)\nk = 3*I*max(u/V - q/V - 0.1, 0)\n"                                      }
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct {
    double V, I, f, t0, tol;
} setting;

static rg_context *ctx;
static double reference[SHAPES][ROWS * FINE][COLUMNS]; /* at finer times; NaN: not yet known */

static rg_problem *model_of(const shape *m, const setting *at)
{
    rg_problem *p = NULL;
    char text[900];

    snprintf(text, sizeof text,
             "param V = %.17g, I = %.17g, T = %.17g, a = %.17g\nlet s = sin(2*pi*((t - a)/T))\n"
             "let c = cos(2*pi*((t - a)/T))\n%sover t = %.17g .. %.17g\n",
             at->V, at->I, 1.0 / at->f, at->t0, m->text, at->t0, at->t0 + LENGTH / at->f);
    CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
    return p;
}

/* Values in units of one at `rows` times; the estimate, or NaN where the run stops. */
static double run(const shape *m, const setting *at, int rows, double (*values)[COLUMNS])
{
    static double times[ROWS * FINE];
    rg_problem *p = model_of(m, at);
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double estimate = NAN;

    for (int i = 0; i < rows; i++)
        times[i] = at->t0 + LENGTH / at->f * (i + 1.0) / rows;
    times[rows - 1] = at->t0 + LENGTH / at->f;
    o.rtol = o.atol = at->tol;
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .estimate = 1, .may_repeat = 1, .n_times = rows, .times = times};
    if (rg_solve_request(p, times[rows - 1], &o, &request, &s) == RG_OK)
        estimate = rg_solution_estimate(s);
    for (int64_t k = 0; k < rg_solution_rows(s) && k < rows && !isnan(estimate); k++) {
        double y[8] = {0.0};
        rg_solution_values(s, k, y);
        for (size_t j = 0; j < strlen(m->units); j++)
            values[k][j] = y[j] / (m->units[j] == 'V' ? at->V : at->I);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return estimate;
}

/* The largest difference but for rows at jumps, by size: of unknowns between 100 atol and 1, which
 * have no unit of their own, by atol/rtol. */
static double compare(int which, const setting *now, double (*values)[COLUMNS])
{
    double worst = 0.0;

    for (size_t j = 0; j < strlen(shapes[which].units); j++) {
        const double unit = shapes[which].units[j] == 'V' ? now->V : now->I;
        const double part = unit >= 10.0 * now->tol ? fmin(unit, 1.0) : 1.0;
        for (int k = 0; k < ROWS; k++) {
            const int at = k * FINE + FINE - 1, next = at + (k < ROWS - 1);
            const double b = reference[which][at][j];
            const double jump = fabs(reference[which][at - 1][j] - reference[which][next][j]);
            const double off = part * fabs(values[k][j] - b) / (1.0 + part * fabs(b));
            if (!(jump > 0.3) && !(off <= worst)) worst = off;
        }
    }
    return worst;
}

static void try(int which, const setting *at)
{
    const shape *m = &shapes[which];
    const setting one = {1.0, 1.0, 1.0, 0.0, 1e-10};
    const double digits = 2.2e-16 * at->t0 * 2.0 * PI * at->f;
    const double allowed = 10.0 * digits + (m->has_slopes ? 50.0 * sqrt(digits) : 0.0);
    double values[ROWS][COLUMNS];

    if (reference[which][0][0] == 0.0) CHECK(!isnan(run(m, &one, ROWS * FINE, reference[which])));
    const double estimate = run(m, at, ROWS, values);
    const double worst = isnan(estimate) ? NAN : compare(which, at, values);
    const double limit = fmin(fmax(10.0 * estimate, 3.0 * at->tol), 300.0 * at->tol) + allowed;
    if (!CHECK(worst <= limit))
        printf("    %s: V %g, I %g, %g Hz, t0 %g, tol %g: %.3g, estimate %.3g%s\n", m->name, at->V,
               at->I, at->f, at->t0, at->tol, worst, estimate,
               isnan(estimate) ? rg_last_error(ctx)->message : "");
}

static double draw(uint64_t run, uint64_t what, int n)
{
    return floor(n * rg_random(run, what));
}

static void test_units(void)
{
    static const double begins[] = {0.0, 86400.0, 1e6, 1.6e9}, rates[] = {1.0, 50.0, 1e3};
    int number = 0;

    for (uint64_t k = 0; k < RUNS; k++) {
        const setting at = {pow(10.0, 3.0 * draw(k, 0, 9) - 12.0),
                            pow(10.0, 3.0 * draw(k, 1, 9) - 12.0), rates[(int)draw(k, 2, 3)],
                            begins[(int)draw(k, 3, 4)], pow(10.0, -3.0 - draw(k, 4, 6))};
        const double digits = 2.2e-16 * at.t0 * 2.0 * PI * at.f;
        if (digits > fmin(0.03, 1e8 / fmax(at.V, at.I)) * at.tol || !test_takes(number++)) continue;
        try((int)draw(k, 5, SHAPES), &at);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"units", test_units}
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
