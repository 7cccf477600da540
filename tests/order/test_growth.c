/* Unknowns that grow by themselves from values far below atol/rtol: alone, together, in arrays,
 * through algebraic unknowns, in other units and from other start times.  A run is right, also at
 * coarse tolerances, or ends with a failure. */
#include "regula.h"
#include "support/options.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;

enum { ROWS = 31 };
static const char *const TOLS[] = {"1e-2", "1e-3", "1e-4", "1e-6", "1e-8"};

typedef rows_result result;

/* The largest value of a column. */
static double size_of(const result *r, int column)
{
    double size = 0.0;

    for (int k = 0; k < r->n_rows; k++)
        size = fmax(size, fabs(r->row[k][column]));
    return size;
}

static result solve(const char *text, const char *tol, const char *atol, const char *method)
{
    return rows_solve(ctx, text, ROWS,
                      atol != NULL ? "method=%s tol=%s atol=%s" : "method=%s tol=%s", method, tol,
                      atol);
}

typedef struct {
    const char *text, *method;
    int n; /* unknowns */
} model;

/* Errors over all rows, beside the largest value of each unknown. */
static void check_right(const model *m)
{
    const result exact = solve(m->text, "1e-11", "auto", "radau");

    if (!CHECK_INT(exact.status, RG_OK)) printf("%s: %s\n", m->text, rg_last_error(ctx)->message);
    for (size_t i = 0; i < sizeof TOLS / sizeof *TOLS; i++) {
        if (!test_takes((int)i)) continue;
        const result r = solve(m->text, TOLS[i], NULL, m->method);
        double tol, e = 0.0;
        sscanf(TOLS[i], "%lf", &tol);
        bool ok = CHECK(r.status == RG_OK || (tol >= 1e-3 && r.status == RG_ERR_CONVERGENCE));
        if (r.status == RG_ERR_CONVERGENCE && ok) continue;
        for (int k = 0; ok && k < ROWS; k++)
            for (int j = 0; j < m->n; j++)
                e = fmax(e, fabs(r.row[k][j] - exact.row[k][j]) / size_of(&exact, j));
        ok = ok && CHECK(e <= 100.0 * tol) && CHECK(e <= fmax(tol, 10.0 * r.estimate));
        if (!ok)
            printf("    %s\n    %s at %s: error %.2g, estimate %.2g%s\n", m->text, m->method,
                   TOLS[i], e, r.estimate, r.status != RG_OK ? rg_last_error(ctx)->message : "");
    }
}

static void test_growth(void)
{
    static const model models[] = {
        {"var y = 1\nlet s = t - 0.5\ny' = y*s/(s^2 + 1e-10)\nover t = 0 .. 1\n",               "auto",       1},
        {"var y = 1\nlet s = t - 0.5\ny' = y*s/(s^2 + 1e-10)\nover t = 0 .. 1\n",               "radau",      1},
        {"var y = 10\nlet s = (t - 500)/1e3\n1e3*y' = y*s/(s^2 + 1e-10)\nover t = 0 .. 1000\n",
         "radau",                                                                                             1},
        {"var y = 1\nlet s = t - 10000.5\ny' = y*s/(s^2 + 1e-10)\nover t = 10000 .. 10001\n",
         "radau",                                                                                             1},
        {"var y = 1, s = -1\ns' = 2\ny' = 2*y*s/(s^2 + 1e-9)\nover t = 0 .. 1\n",               "radau",      2},
        {"var y[i = 1..3] = i\nfor i = 1..3 {\ny[i]' = y[i]*(t - i/4)/((t - i/4)^2 + 1e-9)\n}\n"
         "over t = 0 .. 1\n",                                                          "radau",      3},
        {"var x = 1e-7\nx' = x*(1 - x)\nover t = 0 .. 30\n",                                    "auto",       1},
        {"var x = 1e-7\nx' = x*(1 - x)\nover t = 0 .. 30\n",                                    "radau",      1},
        {"var x = 1e-7, z\nx' = z\nz = x*(1 - x)\nover t = 0 .. 30\n",                          "radau",      2},
        {"var x[i = 1..3] = 10^(-5 - i)\nfor i = 1..3 {\nx[i]' = x[i]*(1 - x[i])\n}\n"
         "over t = 0 .. 30\n",                                                         "radau",      3},
        {"var x = 1e-7\nx' = 86400*x*(1 - x)\nover t = 0 .. 3.5e-4\n",                          "radau",      1},
        {"var x = 1e-9, x' = 0\nx'' = x\nover t = 0 .. 22\n",                                   "radau",      1},
        {"var S = 1, E = 0, I = 1e-8, R = 0\nS' = -0.5*S*I\nE' = 0.5*S*I - 0.2*E\n"
         "I' = 0.2*E - 0.1*I\nR' = 0.1*I\nover t = 0 .. 400\n",                        "auto",       4},
        {"var S = 1, E = 0, I = 1e-8, R = 0\nS' = -0.5*S*I\nE' = 0.5*S*I - 0.2*E\n"
         "I' = 0.2*E - 0.1*I\nR' = 0.1*I\nover t = 0 .. 400\n",                        "radau",      4},
        {"var a = 20, b = 20\na' = a*(1 - b)\nb' = b*(a - 1)\nover t = 0 .. 24\n",              "radau",      2},
        {"var a = 20, b = 20\na' = a*(1 - b)\nb' = b*(a - 1)\nover t = 0 .. 24\n",              "rosenbrock", 2},
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        check_right(&models[k]);
}

/* What others move does not grow by itself: no second run. */
static void test_others(void)
{
    static const model models[] = {
        {"var x = 1, v = 0\nx' = v\nv' = -x\nover t = 0 .. 40\n",                                 "radau", 2},
        {"var x = 1, y, z = 0\nx' = -0.1*x\ny = sin(20*t)\nz' = 30*max(y - 0.95, 0)\nover t = 0 .. "
         "3\n",                                                                          "radau", 3},
        {"var a = 1, b = 0, c = 0\na' = -a\nb' = a - b\nc' = b\nover t = 0 .. 9\n",               "radau", 3},
        {"var p = 1, q = 0, u = 0, v = 0, l\np' = u\nq' = v\nu' = -l*p\nv' = -l*q - 9.81\n"
         "p^2 + q^2 = 1\nover t = 0 .. 3\n",                                             "radau", 5},
        {"var u[i = 0..20]\nstart u[5] = 0\nfor i = 1..4 {\nstart u[i] = 0\n}\nfor i = 6..19 {\n"
         "start u[i] = 0\n}\nu[0] = 1\nu[20] = 1\nfor i = 1..19 {\n"
         "u[i]' = 100*(u[i-1] - 2*u[i] + u[i+1])\n}\nover t = 0 .. 3\n",                 "radau", 1},
 /* at rest on a switch: 0 = sign(0) says nothing of what is beside it */
        {"var x = 1, w\nw = -sign(x) + 0.5*x\nx' = w\nover t = 0 .. 11\n",                        "auto",  2},
        {"var x = 1, w\nw = -sign(x) + 0.5*x\nx' = w\nover t = 0 .. 11\n",                        "gauss", 2},
        {"var x = 1, v = 0, w\nx' = v\nv' = w\nw = -2*sign(x) - sign(v)\nover t = 0 .. 10\n",
         "auto",                                                                                           3},
        {"var a = 1, b = 0.3, u\nu = -sign(a + 0.5*b*abs(b))\na' = b\nb' = u\nover t = 0 .. 6\n",
         "auto",                                                                                           3},
 /* lifted by a source that is off at both ends */
        {"var v = 0, w = 0\nv' = if(t > 1 and t < 2, 1, 0) - v\nw' = v - w\nover t = 0 .. 3\n",
         "auto",                                                                                           2},
        {"var v = 0, w = 0\nv' = max(sin(3*t), 0)*if(t > 5, 0, 1) - v\nw' = v - 2*w\nover t = 0 .. "
         "9\n",                                                                          "auto",  2},
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (size_t i = 1; i < 4; i++) {
            if (!test_takes((int)(i + k))) continue;
            const result r = solve(models[k].text, TOLS[i], NULL, models[k].method);
            if (!CHECK_INT(r.status, RG_OK) || !CHECK(!r.is_repeated))
                printf("    %s at %s\n", models[k].text, TOLS[i]);
        }
}

/* What decays far below atol, and is moved again by what is there for a while: none of it has grown
 * by itself, with any atol.  Nor has an oscillator whose states are 0 at events, at other times. */
static void test_moved(void)
{
    static const char *const methods[] = {"radau", "gauss",         "dopri",
                                          "sdirk", "extrapolation", "rosenbrock"};
    static const char *const models[] = {
        "var c = 0\nc' = -c + if(t < 1, 1, 0)\nover t = 0 .. 30\n",
        "var c = 1\nc' = -3*c + if(mod(t, 10) > 9, 1, 0)\nover t = 0 .. 35\n",
        "var c = 1\nc' = -3*c + exp(-10*(t - 20)^2)\nover t = 0 .. 40\n",
        "table d(x) = (0, 0, 20, 0, 21, 1, 22, 0, 40, 0) linear\nvar c = 1\nc' = -3*c + d(t)\n"
        "over t = 0 .. 40\n",
        "var c = 1, s = 0\ns' = if(t > 20 and t < 21, 1, 0) - s\nc' = -3*c + max(s - 0.5, 0)\n"
        "over t = 0 .. 40\n",
        "var x = 1, v = 0\nx' = v\nv' = -x\nwhen x < 0 { v = v }\nover t = 0 .. 10\n",
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (size_t i = 1; i < 4; i++) {
                if (!test_takes((int)(i + m + k))) continue;
                const result r = solve(models[k], TOLS[i], NULL, methods[m]);
                const result given = solve(models[k], TOLS[i], TOLS[i], methods[m]);
                if (!CHECK(r.status == RG_OK && !r.is_repeated) || !CHECK_INT(given.status, RG_OK))
                    printf("    %s    %s at %s: %s\n", models[k], methods[m], TOLS[i],
                           rg_last_error(ctx)->message);
            }
}

/* y decays to values that no step sees and comes back: methods that damp what grows stay near 0, in
 * both runs of the estimate.  Every one is right, or says that it is not. */
static void test_missed(void)
{
    static const char *const methods[] = {"auto",  "radau",         "gauss",      "lobatto3c",
                                          "sdirk", "extrapolation", "rosenbrock", "bdf"};
    static const struct {
        const char *text;
        double end;
    } models[] = {
        {"var x = 1\nx' = -25*sin(t)*x\nover t = 0 .. 2*pi\n",                                  1.0},
        {"var x = 1, y\nx' = -25*sin(t)*x\ny = x^2\nover t = 0 .. 2*pi\n",                      1.0},
        {"var x = 1, z\nx' = z\nz = -25*sin(t)*x\nover t = 0 .. 2*pi\n",                        1.0},
        {"var x = 1\nx' = -40e3*sin(1e3*t)*x\nover t = 0 .. 2e-3*pi\n",                         1.0},
        {"var x = 1\nx' = -25*sin(t - 1e5)*x\nover t = 1e5 .. 1e5 + 2*pi\n",                    1.0},
        {"var x = 1e9\nx' = -25*sin(t)*x\nover t = 0 .. 2*pi\n",                                1e9},
        {"var x = 1\nx' = -25*sin(t)*x\nover t = 0 .. 8*pi\n",                                  1.0},
        {"var x = 1\nx' = -100*sin(t)*x\nover t = 0 .. 2*pi\n",                                 1.0},
        {"var x[i = 1..3] = 1\nfor i = 1..3 {\nx[i]' = -(10 + 8*i)*sin(t)*x[i]\n}\n"
         "over t = 0 .. 2*pi\n",                                                       1.0},
        {"var x = 1, s = 0, c = 1\nx' = -25*s*x\ns' = c\nc' = -s\nover t = 0 .. 2*pi\n",        1.0},
        {"var x = 1\nstate a = -40\nx' = a*x\nevery 1 { a = -a }\nover t = 0 .. 2\noutput x\n",
         1.0                                                                                       },
        {"var x = 1, w = 0\nx' = -25*sin(t)*x - 3*w\nw' = -25*sin(t)*w + 3*x\n"
         "over t = 0 .. 2*pi\n",                                                       1.0},
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (size_t i = 1; i < sizeof TOLS / sizeof *TOLS; i++) {
                if (!test_takes((int)(i + m + k)) || !options_has_method(methods[m])) continue;
                const result r = solve(models[k].text, TOLS[i], NULL, methods[m]);
                const double x = fabs(r.row[ROWS - 1][0]), e = fabs(x - models[k].end) / (1.0 + x);
                if (r.status == RG_ERR_CONVERGENCE) continue;
                if (!CHECK(r.status == RG_OK && e <= 10.0 * r.estimate))
                    printf("    %s    %s at %s: error %.2g, estimate %.2g\n", models[k].text,
                           methods[m], TOLS[i], e, r.estimate);
            }
}

/* Rows beside those of a run with a small tolerance.  A rise that is over when the next step ends;
 * unknowns that begin at 0 and grow with one that does not, so that every run has a smaller first
 * value of theirs. */
static void test_rows(void)
{
    static const char *const methods[] = {"radau",         "gauss",      "dopri", "sdirk",
                                          "extrapolation", "rosenbrock", "bdf"};
    static const struct {
        const char *text;
        int n;
        bool is_solved; /* by all methods */
    } models[] = {
        {"var x = 0.5\nx' = x*(4.955*sin(0.3877*t) - 0.1689*x)\nover t = 0 .. 60\n", 1, false},
        {"var T = 1e6, I = 0, V = 3.68e-6\nT' = 1e4 - 0.01*T - 2e-7*T*V\n"
         "I' = 2e-7*T*V - 0.67*I\nV' = 55*I - 3.3*V\nover t = 0 .. 60\n",   3, true },
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        const result exact = solve(models[k].text, "1e-11", "auto", "radau");
        CHECK_INT(exact.status, RG_OK);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (size_t i = 1; i < sizeof TOLS / sizeof *TOLS; i++) {
                double e = 0.0;
                if (!options_has_method(methods[m])) continue;
                const result r = solve(models[k].text, TOLS[i], NULL, methods[m]);
                bool ok = CHECK(r.status == RG_OK
                                || (r.status == RG_ERR_CONVERGENCE && !models[k].is_solved));
                if (r.status == RG_ERR_CONVERGENCE && ok) continue;
                for (int row = 0; ok && row < ROWS; row++)
                    for (int j = 0; j < models[k].n; j++)
                        e = fmax(e, fabs(r.row[row][j] - exact.row[row][j])
                                        / (1.0 + fabs(exact.row[row][j])));
                if (!ok || !CHECK(e <= 10.0 * r.estimate))
                    printf("    %s    %s at %s: error %.2g, estimate %.2g %s\n", models[k].text,
                           methods[m], TOLS[i], e, r.estimate,
                           r.status != RG_OK ? rg_last_error(ctx)->message : "");
            }
    }
}

/* The run is repeated, and right; what only decays is left alone. */
static void test_missed_right(void)
{
    static const char *const methods[] = {"auto", "radau", "rosenbrock", "bdf"};

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        if (!options_has_method(methods[m])) continue;
        for (size_t i = 1; i < sizeof TOLS / sizeof *TOLS; i++)
            CHECK_INT(solve("var x = 1\nx' = -25*sin(t)*x\nover t = 0 .. 2*pi\n", TOLS[i], NULL,
                            methods[m])
                          .status,
                      RG_OK);
    }
    const result r = solve("var x = 1\nx' = -x\nover t = 0 .. 1000\n", "1e-6", NULL, "radau");
    CHECK_INT(r.status, RG_OK);
    CHECK(!r.is_repeated);
}

/* A laser whose losses are switched: light comes back from what is emitted by chance, far below
 * atol, and faster than steps of the resting state are.  n at the end: LSODA. */
static void test_source(void)
{
    static const char *const methods[] = {"radau", "sdirk", "rosenbrock", "bdf"};
    const char *text = "state q = 50\nvar n = 0.1, p = 1e-10\nn' = 5.4621 - n - 2*n*p\n"
                       "p' = 52.5474*p*(n - q) + 1e-12*n\nevery 5 { q = 52 - q }\n"
                       "over t = 0 .. 24.9388\n";

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t i = 1; i < sizeof TOLS / sizeof *TOLS; i++) {
            if (!options_has_method(methods[m])) continue;
            const result r = solve(text, TOLS[i], NULL, methods[m]);
            const double e = fabs(r.row[ROWS - 1][1] - 5.43726434) / 6.4;
            if (r.status == RG_ERR_CONVERGENCE) continue;
            if (!CHECK(r.status == RG_OK && e <= fmax(10.0 * r.estimate, 1e-8)))
                printf("    %s at %s: error %.2g, estimate %.2g\n", methods[m], TOLS[i], e,
                       r.estimate);
        }
}

/* A row in the flame: the repetition has no digit there, and the first run, which had its errors
 * grown, would be off as much with an estimate of 2e-13. */
static void test_lost(void)
{
    const char *text = "var y = 1.21e-5\ny' = y^2 - y^3\nover t = 0 .. 2/1.21e-5\n";
    const result exact = solve(text, "1e-11", "auto", "radau");

    if (!options_has_method("bdf")) return;
    const result r = solve(text, "1e-5", NULL, "bdf");
    double e = 0.0;
    for (int row = 0; row < ROWS; row++)
        e = fmax(e, fabs(r.row[row][0] - exact.row[row][0]));
    CHECK(r.status == RG_ERR_CONVERGENCE || e <= 10.0 * r.estimate);
}

/* With an atol of the user's the run is his: told, and refused where no digit is left. */
static void test_given(void)
{
    const char *text = "var x = 1e-7\nx' = x*(1 - x)\nover t = 0 .. 30\n";

    CHECK(solve(text, "1e-4", "1e-4", "radau").status != RG_OK);
    CHECK_INT(solve(text, "1e-4", "1e-13", "radau").status, RG_OK);
}

/* v is rounding while the source is off: 5e-28 at the start. */
static void test_lifted(void)
{
    const char *text =
        "var u, v, w = 0, p, q, z, j, b = -1.385e-4, c, d\n1.4e5*j' = v\nb = 3.28e-7*q\n"
        "c = 8.92e-7*(w - v)'\nu - w = -1.62*u\n"
        "0 = 1.01e-3*max(0, min(1, min((t - 2.589)/0.3835, (4.027 - t)/0.9588))) - (z - u)/3.91e5"
        " + 2.62*d\n0 = j - (w - v)/4.07e5 - c\n0 = (w - v)/4.07e5 + c - d\n"
        "0 = p/1.83e5 - (q - p)/2.08e5\n0 = b' + (q - p)/2.08e5\n0 = (z - u)/3.91e5\n"
        "over t = 0 .. 4.65\n";

    CHECK_INT(solve(text, "1e-4", "1e-5", "radau").status, RG_OK);
    CHECK_INT(solve(text, "1e-5", "1e-5", "radau").status, RG_OK);
}

int main(void)
{
    static const test_case cases[] = {
        {"growth from small values", test_growth      },
        {"what others move",         test_others      },
        {"... or moved for a while", test_moved       },
        {"growth that is damped",    test_missed      },
        {"... and what comes of it", test_missed_right},
        {"... in all rows",          test_rows        },
        {"a flame",                  test_lost        },
        {"a weak source",            test_source      },
        {"a given atol",             test_given       },
        {"lifted by a source",       test_lifted      },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int failed = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return failed;
}
