/* Random models with switches whose solutions are known: smooth functions r_i(t) are chosen, and
 * every equation has the same switches in the unknowns u_i on one side and in r_i on the other,
 *
 *     u_i' + k u_i + a S(u) = r_i' + k r_i + a S(r),     u_i + b S(u) = r_i + b S(r),
 *
 * S of abs, min, max, sign and if, also inside each other; index 0, 1 and 2, kinks in the
 * constraint included; in random units of the unknowns and of time, from random start times, with
 * scalars and with one array.  Switches of the unknowns and of time end within the error of each
 * other.  Every row of every unknown is compared, and the estimate must be true. */
#include "draw.h"
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"
#include "support/text.h"

#include <math.h>
#include <stdio.h>

enum { MODELS = 100, TEXT = 8192, MOST = 5 };
static const double TOLERANCES[] = {1e-4, 1e-6, 1e-8}, LIMIT = 100.0;
static rg_context *ctx;
static uint64_t state;
static char text[TEXT];

typedef struct {
    int index, n_states, n; /* differential unknowns, all of them */
    bool is_array;
    double T, t0, unit[MOST], size[MOST], rate[MOST], phase[MOST], shift[MOST];
} model;

typedef struct { /* a linear function of two unknowns, and what is switched by it */
    int kind, own, other;
    double factor, part, zero, high, low;
} atom;

#define put(...) text_put(text, sizeof text, __VA_ARGS__)

static double number(double low, double high)
{
    return draw_uniform(&state, low, high);
}

static int whole(int low, int high)
{
    return draw_whole(&state, low, high);
}

static atom draw_atom(int own, int other, bool jumps, double most)
{
    return (atom){.kind = whole(0, jumps ? 8 : 5),
                  .own = own,
                  .other = other,
                  .factor = number(0.1, most),
                  .part = whole(0, 1) == 0 ? 0.0 : number(-0.3, 0.3),
                  .zero = number(-0.8, 0.8),
                  .high = number(0.1, 0.5),
                  .low = number(-0.5, -0.1)};
}

/* side: u or r */
static void put_atom(const atom *a, char side)
{
    char l[64];

    snprintf(l, sizeof l, "(%c%d + (%g)*%c%d - (%g))", side, a->own, a->part, side, a->other,
             a->zero);
    put(" + %g*", a->factor);
    switch (a->kind) {
    case 0:
        put("abs(%s)", l);
        break;
    case 1:
        put("min(%s, %g)", l, a->high);
        break;
    case 2:
        put("max(%s, %g)", l, a->low);
        break;
    case 3:
        put("max(min(%s, %g), %g)", l, a->high, a->low);
        break;
    case 4:
        put("abs(max(%s, %g) - %g)", l, a->low, a->high);
        break;
    case 5:
        put("if(%s > 0, %s, 0.3*%s)", l, l, l);
        break;
    case 6:
        put("sign(%s)", l);
        break;
    case 7:
        put("if(%s > %g, 0.7, -0.2)", l, a->high);
        break;
    default:
        put("if(%s > %g and %s < 5, 0.6, -0.1)", l, a->low, l);
    }
}

static model draw_model(void)
{
    static const double times[] = {1, 1, 1e-6, 1e-3, 1e3, 86400};
    static const double starts[] = {0, 0, 0, 1, 1e3, 1e6};
    model m = {.index = whole(0, 2), .is_array = whole(0, 2) == 0, .T = times[whole(0, 5)]};
    const bool has_units = whole(0, 2) == 0;

    m.t0 = m.T * starts[whole(0, 5)];
    m.n_states = m.index == 2 ? 2 : whole(1, 2);
    m.n = m.n_states + (m.index == 0 ? 0 : m.index == 1 ? whole(1, 3) : 1);
    for (int i = 0; i < m.n; i++) {
        m.unit[i] = has_units ? pow(10.0, 3.0 * whole(-3, 3)) : 1.0;
        m.size[i] = number(0.5, 2);
        m.rate[i] = number(0.5, 4);
        m.phase[i] = number(0, 3);
        m.shift[i] = number(-0.5, 0.5);
    }
    return m;
}

static void name(const model *m, int i, char to[16])
{
    if (m->is_array)
        snprintf(to, 16, "x[%d]", i + 1);
    else
        snprintf(to, 16, "x%d", i);
}

static void put_unknowns(const model *m)
{
    char x[16];

    if (m->is_array) put("var x[i=1..%d]\n", m->n);
    for (int i = 0; i < m->n; i++) {
        const double start = m->unit[i] * (m->size[i] * sin(m->phase[i]) + m->shift[i]);
        name(m, i, x);
        put("%s %s %c %.17g\n", m->is_array ? "start" : "var", x, i < m->n_states ? '=' : '~',
            start);
        put("let u%d = %s/%g, a%d = %g*(t - %.17g)/%g + %g, r%d = %g*sin(a%d) + (%g)\n", i, x,
            m->unit[i], i, m->rate[i], m->t0, m->T, m->phase[i], i, m->size[i], i, m->shift[i]);
    }
}

/* Both sides of an equation: factors of unknowns, and what is switched. */
static void put_sides(const model *m, const double *factor, const atom *atoms, int n_atoms,
                      int slope)
{
    for (int k = 0; k < 2; k++) {
        const char side = k == 0 ? 'u' : 'r';
        char x[16];
        if (slope >= 0) name(m, slope, x);
        if (slope >= 0 && k == 0) put("%g*%s'/%g", m->T, x, m->unit[slope]);
        if (slope >= 0 && k == 1) put("%.17g*cos(a%d)", m->size[slope] * m->rate[slope], slope);
        if (slope < 0) put("0");
        for (int i = 0; i < m->n; i++)
            if (factor[i] != 0.0) put(" + (%g)*%c%d", factor[i], side, i);
        for (int i = 0; i < n_atoms; i++)
            put_atom(&atoms[i], side);
        put(k == 0 ? " = " : "\n");
    }
}

/* Friction by signs has the right sign, kinks are weaker than what they stand beside. */
static void put_equations(const model *m)
{
    for (int i = 0; i < m->n; i++) {
        double factor[MOST] = {0};
        atom atoms[2];
        int n_atoms = whole(i < m->n_states ? 0 : 1, 2);
        const bool is_constraint = m->index == 2 && i == m->n_states;
        const bool is_state = i < m->n_states;

        if (is_constraint) {
            factor[0] = 1.0;
            factor[1] = number(-0.8, 0.8);
            atoms[0] = draw_atom(0, 0, false, 0.3);
            atoms[1] = draw_atom(1, 1, false, 0.5);
            atoms[0].part = atoms[1].part = 0.0;
        } else {
            factor[i] = is_state ? number(0.2, 1.5) : 1.0;
            if (!is_state && m->n - m->n_states > 1)
                factor[m->n_states + (i + 1 - m->n_states) % (m->n - m->n_states)] =
                    number(-0.3, 0.3);
            if (m->index == 2) factor[m->n_states] = i == 0 ? 1.0 : number(-0.3, 0.3);
            const int last = m->index == 2 ? m->n_states - 1 : m->n - 1;
            for (int k = 0; k < n_atoms; k++)
                atoms[k] = draw_atom(is_state || whole(0, 1) == 0 ? i : 0, whole(0, last), is_state,
                                     is_state ? 1.2 : 0.45);
        }
        put_sides(m, factor, atoms, n_atoms, is_state ? i : -1);
    }
}

static void put_rest(const model *m)
{
    put("output ");
    for (int i = 0; i < m->n; i++)
        put("%su%d, r%d", i > 0 ? ", " : "", i, i);
    put("\nover t = %.17g .. %.17g\n", m->t0, m->t0 + m->T * number(3, 10));
}

/* |u - r|/(1 + |r|) in all rows. */
static double worst_of(const model *m, const rows_result *r)
{
    double worst = 0.0;

    for (int k = 0; k < r->n_rows; k++)
        for (int i = 0; i < m->n; i++) {
            const double exact = r->row[k][2 * i + 1], e = r->row[k][2 * i] - exact;
            if (!(fabs(e) / (1.0 + fabs(exact)) <= worst)) worst = fabs(e) / (1.0 + fabs(exact));
        }
    return worst;
}

static void test_twins(void)
{
    for (int seed = 0; seed < MODELS; seed++) {
        state = (uint64_t)seed;
        text[0] = '\0';
        const model m = draw_model();
        put_unknowns(&m);
        put_equations(&m);
        put_rest(&m);
        for (size_t k = 0; k < sizeof TOLERANCES / sizeof *TOLERANCES; k++) {
            const double tol = TOLERANCES[k];
            if (!test_takes(3 * seed + (int)k)) continue;
            const rows_result r = rows_solve(ctx, text, 31, "tol=%g", tol);
            const double worst = r.status == RG_OK ? worst_of(&m, &r) : NAN;
            if (!CHECK(r.status == RG_OK)
                || !CHECK(worst <= LIMIT * tol && worst <= 10.0 * r.estimate))
                printf("model %d, %g: error %.2g, estimate %.2g; %s\n%s", seed, tol, worst,
                       r.estimate, r.message, text);
        }
    }
}

/* Switches of an unknown and of time that are a little apart, index 3 by a method with drift in
 * its velocities: the multiplier behind them is that of a trial step that is not too short. */
static void test_multipliers(void)
{
    static const char pendulum[] =
        "var x = 0.08415280011572968, x' = -1.4575653425290513, y = 2.062417781340252, z ~ 1.1\n"
        "start y' = 0.7597779988631795\n"
        "let X = 0.59*sin(3.32*t + 2.41) - 0.31, Y = 1.96*sin(1.77*t + 1.35) + 0.15\n"
        "let Z = 1.54*sin(3.11*t + 0.83) - 0.02\n"
        "x'' + 0.3*x + 0.53*min(x + 0.58, 0.11) + z = -6.503216*sin(3.32*t + 2.41) + 0.3*X"
        " + 0.53*min(X + 0.58, 0.11) + Z\n"
        "y'' + 1.17*y + 0.89*if(y > 0.45, 0.7, -0.2) - 0.01*z = -6.140484*sin(1.77*t + 1.35)"
        " + 1.17*Y + 0.89*if(Y > 0.45, 0.7, -0.2) - 0.01*Z\n"
        "x - 0.55*y = X - 0.55*Y\noutput x, X, y, Y, z, Z\nover t = 0 .. 6.88\n";
    const model m = {.n = 3};

    for (int k = 0; k < 4; k++) {
        const double tol = pow(10.0, -4.0 - k);
        const rows_result r = rows_solve(ctx, pendulum, 31, "tol=%g method=half-explicit", tol);
        const double worst = r.status == RG_OK ? worst_of(&m, &r) : NAN;
        if (!CHECK(r.status == RG_OK) || !CHECK(worst <= LIMIT * tol && worst <= 10 * r.estimate))
            printf("%g: error %.2g, estimate %.2g; %s\n", tol, worst, r.estimate, r.message);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"twins",       test_twins      },
        {"multipliers", test_multipliers},
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
