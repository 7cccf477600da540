/* Start values do not depend on the units of unknowns, equations and time.
 *
 * Models in capital letters, solved with x = A X and t = T s: A of every unknown 1e-15 to 1e15 by
 * chance, T seconds to days, every equation times 1e-9 to 1e9; with their guesses and without. */
#include "base/random.h"
#include "newton/consistent.h"
#include "support/test.h"
#include "support/text.h"

#include <math.h>
#include <stdio.h>

enum { UNKNOWNS = 5, EQUATIONS = 5, DRAWS = 60, TEXT = 4096 };

typedef struct {
    const char *name, *value; /* value: "= 1" or "~ 1", NULL: none */
    const char *slope;        /* the same of its derivative */
    bool is_optional;         /* the guess may be left out */
    double X, DX;             /* the right ones; NaN: not looked at */
} unknown;

typedef struct {
    unknown unknowns[UNKNOWNS];
    const char *equations[EQUATIONS];
} model;

static const model MODELS[] = {
    {{{"P", "~ 0.8", "~ 0", false, 0.8, 0},
      {"Q", "= -0.6", "~ 0", false, -0.6, 0},
      {"L", "~ 1", NULL, true, 0.6, NAN}},
     {"DDP + L*P", "DDQ + L*Q + 1", "P^2 + Q^2 - 1"}                                   },
    {{{"U", "= 0", NULL, false, 0, 2},
      {"I", "~ 1", NULL, true, 2, NAN},
      {"D", "~ 1", NULL, true, 1, NAN}},
     {"0.5*DU - I + D", "I + U - 2*cos(s)", "D - exp(4*U)"}                            },
    {{{"X", "= 1", NULL, false, 1, 0},
      {"Y", "~ 0.5", NULL, false, 0.5, -0.5},
      {"Z", "~ 3", NULL, true, 1, NAN},
      {"W", NULL, NULL, true, 2, NAN}},
     {"DX + X - X*Z", "DY + Y", "Z - X^2", "2*W - 3*X - Z"}                            },
    {{{"X", "~ 2", NULL, false, 1, 0}, /* moves: X = 1, Y = 0 is nearest on the circle */
      {"Y", "~ 0", NULL, false, 0, 1},
      {"Z", "~ 0", NULL, true, 1, NAN}},
     {"DX + X - X*Z", "DY + 2*Y - Y*Z - 1", "X^2 + Y^2 - 1"}                           },
    {{{"A", "= 1", NULL, false, 1, 0}, /* dg/dB is 0 at the start, its derivative is not */
      {"B", "= 0", NULL, false, 0, 1},
      {"U", "~ 0", NULL, false, 0, -1},
      {"V", "~ 1", NULL, false, 1, 0},
      {"L", "~ 0", NULL, true, 2, NAN}},
     {"DA - U", "DB - V", "DU + cos(s) + (L - 2)*A", "DV + (L - 2)*B", "A^2 + B^2 - 1"}},
    {{{"X", "= 0", NULL, false, 0, 2}, /* index 4: third derivatives in days are of 1e-15 */
      {"Y", "= 1", NULL, false, 1, 2},
      {"Z", "= 2", NULL, false, 2, 1},
      {"L", "~ 0", NULL, true, 1, NAN}},
     {"DX - Y - Y^3", "DY - Z", "DZ - L", "X - 2*s - 4*s^2 - 14*s^3/3"}                },
    {{{"X", "~ 1", NULL, false, 1,
       0.5099137931034483}, /* L beside its value in its own unit: it is determined */
      {"V", "~ -0.4", NULL, false, -0.4, -0.12064014083316656},
      {"L", "~ 0", NULL, true, -0.5, NAN}},
     {"DV + 0.16*V + 0.22*tanh(X*X) - 0.036*(1 + 0.3*sin(V))*(L + 0.3*L^3)",
      "-0.1*cos(s + 1)*(DV + 0.16*V + 0.22*tanh(X*X) - 0.036*(1 + 0.3*sin(V))*(L + 0.3*L^3)) + (DX "
      "- 0.08*X*V/(1 + V^2) + L + 0.3*L^3)",
      "-0.09*cos(s + 2)*(DV + 0.16*V + 0.22*tanh(X*X) - 0.036*(1 + 0.3*sin(V))*(L + 0.3*L^3)) - "
      "0.05*cos(s + 3)*(DX - 0.08*X*V/(1 + V^2) + L + 0.3*L^3) + X + 0.2*sin(V) - "
      "0.9221163315382699 - 0.4876904074969594*s"}                                     },
};

static double power(uint64_t seed, uint64_t k, double most)
{
    return pow(10.0, floor((2.0 * most + 1.0) * rg_random(seed, k)) - most);
}

static void write_model(const model *m, const double *A, double T, uint64_t seed, bool is_bare,
                        char *text)
{
    text[0] = 0;
    text_put(text, TEXT, "param T = %.17g\nlet s = t/T\n", T);

    for (int j = 0; j < UNKNOWNS && m->unknowns[j].name != NULL; j++) {
        const unknown *x = &m->unknowns[j];
        const bool has_value = x->value != NULL && !(is_bare && x->is_optional);
        text_put(text, TEXT, "param a%d = %.17g\n", j, A[j]);
        if (has_value)
            text_put(text, TEXT, "var x%d %c a%d*(%s)\n", j, x->value[0], j, x->value + 2);
        else
            text_put(text, TEXT, "var x%d\n", j);
        if (x->slope != NULL)
            text_put(text, TEXT, "var x%d' %c a%d/T*(%s)\n", j, x->slope[0], j, x->slope + 2);
        text_put(text, TEXT, "let %s = x%d/a%d\nlet D%s = x%d'*T/a%d\nlet DD%s = x%d''*T^2/a%d\n",
                 x->name, j, j, x->name, j, j, x->name, j, j);
    }
    for (int i = 0; i < EQUATIONS && m->equations[i] != NULL; i++)
        text_put(text, TEXT, "%.17g*(%s) = 0\n", power(seed, 100 + (uint64_t)i, 9.0),
                 m->equations[i]);
    text_put(text, TEXT, "over t = 0 .. %.17g\n", 4.0 * T);
}

static bool check_values(const model *m, const double *A, double T, const rg_consistent *c)
{
    bool is_right = true;

    for (int j = 0; j < UNKNOWNS && m->unknowns[j].name != NULL; j++) {
        const unknown *x = &m->unknowns[j];
        is_right = is_right && CHECK_NEAR(c->value[0][j] / A[j], x->X, 1e-9);
        if (!isnan(x->DX))
            is_right = is_right && CHECK_NEAR(c->value[1][j] * T / A[j], x->DX, 1e-9);
    }
    return is_right;
}

static void check_model(const model *m, uint64_t seed, bool is_bare)
{
    static const double times[] = {1.0, 1e3, 1e6, 1.0 / 86400.0};
    const double T = times[seed % 4];
    char text[TEXT];
    double A[UNKNOWNS];
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    rg_consistent *c = NULL;

    for (int j = 0; j < UNKNOWNS; j++)
        A[j] = seed == 0 ? 1.0 : power(seed, (uint64_t)j, 15.0);
    write_model(m, A, T, seed, is_bare, text);
    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status == RG_OK) status = rg_analysis_get(p, &a);
    if (status == RG_OK) status = rg_consistent_create(p, a, 0, &c);
    if (!CHECK_INT(status, RG_OK) || !check_values(m, A, T, c))
        printf("%s\n%s\n", status == RG_OK ? "" : rg_last_error(ctx)->message, text);
    rg_consistent_destroy(ctx, &c);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_all(void)
{
    for (size_t m = 0; m < sizeof MODELS / sizeof *MODELS; m++)
        for (uint64_t seed = 0; seed < DRAWS; seed++) {
            if (!test_takes((int)(seed + m))) continue;
            check_model(&MODELS[m], seed, false);
            check_model(&MODELS[m], seed, true);
        }
}

/* An array whose elements have units of their own: in units, X_1 = X_2 = 1,
 *
 *     X_1' = X_2 - 0.8 Z,   X_2' = -X_1 + 0.1 Z,   0 = 0.8 X_1 - 0.1 X_2 - 0.7 - 0.3 s,
 *
 * differentiated:  0.9 - 0.65 Z = 0.3. */
static void test_array(void)
{
    static const char text[] = "param T = 86400, a[i=1..2] = (1e-12, 8e11), b = 6e-12\n"
                               "var x[i=1..2] = a[i]\n"
                               "var z[i=1..1]\n"
                               "T*x[1]'/a[1] = x[2]/a[2] - 0.8*z[1]/b\n"
                               "T*x[2]'/a[2] = -x[1]/a[1] + 0.1*z[1]/b\n"
                               "0 = 0.8*x[1]/a[1] - 0.1*x[2]/a[2] - 0.7 - 0.3*t/T\n"
                               "over t = 0 .. 4*T\n";
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    rg_consistent *c = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status == RG_OK) status = rg_analysis_get(p, &a);
    if (status == RG_OK) status = rg_consistent_create(p, a, 0, &c);
    if (CHECK_INT(status, RG_OK)) {
        const double Z = 0.6 / 0.65;
        CHECK_NEAR(c->value[0][2] / 6e-12, Z, 1e-9);
        CHECK_NEAR(c->value[0][0] / 1e-12, 1.0, 1e-12);
        CHECK_NEAR(c->value[1][0] * 86400.0 / 1e-12, 1.0 - 0.8 * Z, 1e-9);
        CHECK_NEAR(c->value[1][1] * 86400.0 / 8e11, -1.0 + 0.1 * Z, 1e-9);
    }
    rg_consistent_destroy(ctx, &c);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Point masses on rods of 1e-3 to 1e3, all values given to the last digit, only the last one moves:
 * the rounding of its velocity is in those that are 0. */
static void write_chain(uint64_t draw, char *text)
{
    enum { N = 4 };
    const double unit = pow(10.0, 6.0 * rg_random(draw, 0) - 3.0);
    double x = 0.0, y = 0.0;
    int used = snprintf(text, TEXT, "param x0 = 0, y0 = 0\n");

    for (uint64_t i = 1; i <= N; i++) {
        const double l = unit * (0.3 + rg_random(draw, i));
        const double angle = 6.0 * rg_random(draw, 10 + i), speed = i == N ? 0.3 * unit : 0.0;
        x += l * sin(angle);
        y -= l * cos(angle);
        used += snprintf(text + used, (size_t)(TEXT - used),
                         "param l%d = %.17g, m%d = %.3g\n"
                         "var x%d = %.17g, y%d = %.17g, u%d = %.17g, v%d = %.17g, f%d\n",
                         (int)i, l, (int)i, 0.5 + rg_random(draw, 20 + i), (int)i, x, (int)i, y,
                         (int)i, speed * cos(angle), (int)i, speed * sin(angle), (int)i);
    }
    for (int i = 1; i <= N; i++) {
        used += snprintf(text + used, (size_t)(TEXT - used),
                         "x%d' = u%d\ny%d' = v%d\n(x%d - x%d)^2 + (y%d - y%d)^2 = l%d^2\n", i, i, i,
                         i, i, i - 1, i, i - 1, i);
        for (int c = 0; c < 2; c++) {
            const char q = "xy"[c];
            const char *weight = c == 0 ? "0" : "-9.81";
            used +=
                snprintf(text + used, (size_t)(TEXT - used), "m%d*%c%d' = %s - f%d*(%c%d - %c%d)",
                         i, "uv"[c], i, weight, i, q, i, q, i - 1);
            if (i < N)
                used += snprintf(text + used, (size_t)(TEXT - used), " + f%d*(%c%d - %c%d)", i + 1,
                                 q, i + 1, q, i);
            used += snprintf(text + used, (size_t)(TEXT - used), "\n");
        }
    }
    snprintf(text + used, (size_t)(TEXT - used), "over t = 0 .. 30\n");
}

static void test_chains(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (uint64_t draw = 1; draw <= 400; draw++) {
        char text[TEXT];
        rg_problem *p = NULL;
        write_chain(draw, text);
        rg_status status = rg_problem_from_text(ctx, text, &p);
        if (status == RG_OK) status = rg_make_consistent(p, NULL);
        if (!CHECK_INT(status, RG_OK)) printf("%s%s\n", text, rg_last_error(ctx)->message);
        rg_problem_destroy(&p);
        rg_clear_error(ctx);
    }
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"units",  test_all   },
        {"array",  test_array },
        {"chains", test_chains},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
