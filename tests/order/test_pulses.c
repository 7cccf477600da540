/* Smooth pulses of 1/100 of the interval and less, which steps have grown past when they come: as a
 * force, a coefficient, an algebraic unknown, under a constraint, in arrays and sums, one behind
 * the other, in both directions and far from t = 0.  Errors against exact solutions. */
#include "base/options.h"
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;

/* f and its integral F */
typedef struct {
    const char *f, *F;
} shape;

static const shape shapes[] = {
    {"exp(-((t - c)/w)^2)",   "0.5*sqrt(pi)*w*(1 + erf((t - c)/w))"},
    {"1/cosh((t - c)/w)^2",   "w*(1 + tanh((t - c)/w))"            },
    {"1/(1 + ((t - c)/w)^2)", "w*atan((t - c)/w)"                  },
};

/* With f and F in front. */
static const char *const models[] = {
    /* a force */
    "fun f(t) = %s\nfun F(t) = %s\nvar x = 0\nx' = a*f(t)\nexact x = a*(F(t) - F(t0))\n",
    /* a coefficient of something that is 0 before it, and of something at rest */
    "fun f(t) = %s\nfun F(t) = %s\nvar x = 1\nx' = -a*f(t)*(x - 2)\n"
    "exact x = 2 - exp(-a*(F(t) - F(t0)))\n",
    /* an algebraic unknown */
    "fun f(t) = %s\nfun F(t) = %s\nvar x = 0, y\nx' = y\ny = a*f(t)\nexact x = a*(F(t) - F(t0))\n"
    "exact y = a*f(t)\n",
    /* beside something large and smooth */
    "fun f(t) = %s\nfun F(t) = %s\nvar x = 0\nx' = a*f(t) + 30/T*cos(2*(t - t0)/T)\n"
    "exact x = a*(F(t) - F(t0)) + 15*sin(2*(t - t0)/T)\n",
    /* a constraint */
    "fun f(t) = %s\nfun F(t) = %s\nvar x, y\nx' = y\nx = a*(F(t) - F(t0))\n"
    "exact x = a*(F(t) - F(t0))\n",
};

typedef struct {
    double start, end; /* of the interval */
    double part;       /* where in it the pulse is */
    double width;      /* part of the interval: half of the pulse */
} place;

static const place places[] = {
    {0.0,   100.0,           0.373,  0.004},
    {0.0,   1.0,             0.6173, 0.003},
    {0.0,   1e-6,            0.81,   0.001},
    {5.0,   -5.0,            0.42,   0.004},
    {1.6e9, 1.6e9 + 86400.0, 0.55,   0.003},
};

static double worst_error(const char *text, double tol, double *allowed)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};
    double a, b, worst = INFINITY;

    o.rtol = o.atol = tol;
    if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) {
        printf("%s\n%s\n", rg_last_error(ctx)->message, text);
        return worst;
    }
    rg_problem_interval(p, &a, &b);
    if (rg_solve_request(p, b, &o, &request, &s) == RG_OK) {
        worst = 0.0;
        for (int64_t k = 0; k < rg_problem_size(p); k++) {
            const double e = rg_solution_error(s, k);
            if (!isnan(e)) worst = fmax(worst, e);
        }
        *allowed = fmax(*allowed, 10.0 * rg_solution_estimate(s));
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return worst;
}

static void test_one(void)
{
    int good = 0, all = 0;

    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
            for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
                const place *at = &places[k];
                const double T = at->end - at->start, w = fabs(at->width * T);
                char text[2048], rest[512];
                snprintf(text, sizeof text,
                         "param t0 = %.17g, T = %.17g, c = t0 + %g*T, w = %.17g, a = 1/w\n",
                         at->start, T, at->part, w);
                snprintf(rest, sizeof rest, models[i], shapes[j].f, shapes[j].F);
                snprintf(text + strlen(text), sizeof text - strlen(text),
                         "%sover t = %.17g .. %.17g\n", rest, at->start, at->end);
                /* rounding of t = 1.6e9 is 1e-7 of a second, the pulse is steep */
                double allowed = 30e-6;
                const double e = worst_error(text, 1e-6, &allowed);
                all++;
                good += e <= allowed;
                if (!CHECK(e <= allowed))
                    printf("error %.2g, allowed %.2g:\n%s\n", e, allowed, text);
            }
    printf("%d of %d pulses found\n", good, all);
}

/* The same of any width: no sample meets them, and a wider piece of the interval, in which the
 * search found them, does not lengthen their steps. */
static void test_narrow(void)
{
    static const shape narrow[] = {
        {"exp(-((t - c)/w)^2)",         "sqrt(pi)/2*erf((t - c)/w)"                    },
        {"1/cosh((t - c)/w)^2",         "tanh((t - c)/w)"                              },
        {"1/(1 + ((t - c)/w)^2)",       "atan((t - c)/w)"                              },
        {"sqrt(exp(-2*((t - c)/w)^2))", "sqrt(pi)/2*erf((t - c)/w)"                    },
        {"2^(-((t - c)/w)^2)",          "sqrt(pi/log(2))/2*erf(sqrt(log(2))*(t - c)/w)"},
    };

    for (size_t j = 0; j < sizeof narrow / sizeof *narrow; j++)
        for (int k = 0; k <= 24; k++) {
            char text[1024];
            double allowed = 30e-6;
            if (!test_takes((int)j + k)) continue;
            snprintf(text, sizeof text,
                     "param c = 0.437, w = %.10g\nvar x = 0\nx' = %s/w\nfun F(t) = %s\n"
                     "exact x = F(t) - F(%d)\nover t = %d .. %d\n",
                     pow(10.0, -2.0 - 0.25 * k), narrow[j].f, narrow[j].F, k % 2, k % 2, 1 - k % 2);
            const double e = worst_error(text, 1e-6, &allowed);
            if (!CHECK(e <= allowed)) printf("error %.2g, allowed %.2g:\n%s\n", e, allowed, text);
        }
}

static const char *const trains[] = {
    /* one per element, and a sum of them */
    "var u[i=1..9] = 0, s = 0\nfor i = 1..9 { u[i]' = exp(-((t - 10*i - 1.7)/0.3)^2) }\n"
    "s' = sum(i=1..9, exp(-((t - 10*i - 1.7)/0.3)^2))\nover t = 0 .. 100\n"
    "exact s = sum(i=1..9, 0.15*sqrt(pi)*(1 + erf((t - 10*i - 1.7)/0.3)))\n"
    "for i = 1..9 { exact u[i] = 0.15*sqrt(pi)*(1 + erf((t - 10*i - 1.7)/0.3)) }\n",
    /* again and again */
    "var x = 0\nx' = exp(-((mod(t, 10) - 5)/0.2)^2)\nover t = 0 .. 100\n"
    "exact x = 0.2*sqrt(pi)*(floor(t/10) + 0.5*(1 + erf((mod(t, 10) - 5)/0.2)))\n",
    /* behind a switch, and while something slides */
    "var x = 0, v = 1, z = 0\nx' = v\nv' = if(t < 50, 0, -sign(v))\n"
    "z' = exp(-((t - 73.1)/0.4)^2)\nover t = 0 .. 100\n"
    "exact z = 0.2*sqrt(pi)*(1 + erf((t - 73.1)/0.4))\n",
};

static void test_trains(void)
{
    for (size_t k = 0; k < sizeof trains / sizeof *trains; k++) {
        double allowed = 30e-6;
        const double e = worst_error(trains[k], 1e-6, &allowed);
        if (!CHECK(e <= allowed)) printf("error %.2g:\n%s\n", e, trains[k]);
    }
}

/* The pieces of a table are no pulses: the number of the piece jumps from node to node. */
static void test_tables(void)
{
    static const char *const kinds[] = {"smooth repeat", "smooth hold", "monotone repeat",
                                        "monotone hold", "linear repeat"};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char text[512];
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        rg_stats stats = {0};
        snprintf(text, sizeof text,
                 "table f(t) = (0, 5, 6, 2, 14, 12, 24, 5) %s\nvar x = 18\nx' = -0.2*(x - f(t))\n"
                 "over t = 0 .. 24\n",
                 kinds[k]);
        if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0)
            && CHECK(rg_solve(p, 24.0, NULL, &s) >= 0))
            stats = rg_solution_stats(s);
        if (!CHECK(stats.steps > 0 && stats.steps < 60))
            printf("%s: %lld steps\n", kinds[k], (long long)stats.steps);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
}

/* Where a state reaches c: f(x) with x = t, as a slope, a coefficient, beside an algebraic unknown,
 * in arrays and sums.  %s: shape, its integral. */
static const char *const of_states[] = {
    "fun f(t) = %s\nfun F(t) = %s\nvar x = t0, y = 0\nx' = 1\ny' = a*f(x)\n"
    "exact y = a*(F(t) - F(t0))\n",
    "fun f(t) = %s\nfun F(t) = %s\nvar x = t0, y = 1\nx' = 1\ny' = -a*f(x)*(y - 2)\n"
    "exact y = 2 - exp(-a*(F(t) - F(t0)))\n",
    "fun f(t) = %s\nfun F(t) = %s\nvar x = t0, y = 0, z\nx' = 1\nz = x\ny' = a*f(z)\n"
    "exact y = a*(F(t) - F(t0))\n",
    "fun f(t) = %s\nfun F(t) = %s\nvar x[i=1..3] = t0, y[i=1..3] = 0, s = 0\n"
    "for i = 1..3 {\nx[i]' = i/2\ny[i]' = a*f(x[i])\nexact y[i] = 2*a/i*(F(t0 + i/2*(t - t0)) - "
    "F(t0))\n}\n"
    "s' = sum(i=1..3, a*f(x[i]))\nexact s = sum(i=1..3, 2*a/i*(F(t0 + i/2*(t - t0)) - F(t0)))\n",
};

static const shape state_shapes[] = {
    {"exp(-((t - c)/w)^2)",                             "0.5*sqrt(pi)*w*(1 + erf((t - c)/w))"},
    {"1/(1 + ((t - c)/w)^2)",                           "w*atan((t - c)/w)"                  },
    {"exp(-log(1 + ((t - c)/w)^2))",                    "w*atan((t - c)/w)"                  },
    {"1/cosh((t - c)/w)^2",                             "w*tanh((t - c)/w)"                  },
    {"cosh((t - c)/w)^(-2)",                            "w*tanh((t - c)/w)"                  },
    {"4/(exp((t - c)/w) + exp((c - t)/w))^2",           "w*tanh((t - c)/w)"                  },
    {"1/(1 + exp(2*(t - c)/w))/(1 + exp(2*(c - t)/w))", "w*tanh((t - c)/w)/4"                },
    {"1/exp(((t - c)/w)^2)",                            "0.5*sqrt(pi)*w*(1 + erf((t - c)/w))"},
    {"0.5*(tanh((t - c)/w) - tanh((t - c)/w - 3))",
     "0.5*w*(log(1 + exp(-2*abs((t - c)/w))) + abs((t - c)/w) - log(1 + exp(-2*abs((t - c)/w - 3)))"
     " - abs((t - c)/w - 3))"                                                                },
};

/* Was it solved?  One of the two runs may pass over a pulse: then that is told. */
static bool check_state(size_t i, size_t j, const place *at, double tol)
{
    const double T = at->end - at->start, w = fabs(at->width * T);
    char text[2048], rest[1024];
    double allowed = 100.0 * tol;

    snprintf(text, sizeof text, "param t0 = %.17g, T = %.17g, c = t0 + %g*T, w = %.17g, a = 1/w\n",
             at->start, T, at->part, w);
    snprintf(rest, sizeof rest, of_states[i], state_shapes[j].f, state_shapes[j].F);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%sover t = %.17g .. %.17g\n", rest,
             at->start, at->end);
    const double e = worst_error(text, tol, &allowed);
    if (!CHECK(e <= allowed || isinf(e)))
        printf("tol %g: error %.2g, allowed %.2g:\n%s\n", tol, e, allowed, text);
    return e <= allowed;
}

static void test_states(void)
{
    static const place at[] = {
        {0.0, 1.0,       0.4,   1e-2},
        {0.0, 1.0,       0.373, 1e-3},
        {0.0, 1000.0,    0.31,  1e-4},
        {1e4, 1e4 + 1.0, 0.4,   1e-3},
        {0.0, 1.0,       0.57,  1e-4},
    };
    static const double tols[] = {1e-3, 1e-4, 1e-6, 1e-8};
    int good = 0, all = 0;

    for (size_t i = 0; i < sizeof of_states / sizeof *of_states; i++)
        for (size_t j = 0; j < sizeof state_shapes / sizeof *state_shapes; j++)
            for (size_t k = 0; k < sizeof at / sizeof *at; k++)
                for (size_t m = 0; m < sizeof tols / sizeof *tols; m++, all++)
                    good += check_state(i, j, &at[k], tols[m]);
    printf("%d of %d pulses of states found, the others told\n", good, all);
    CHECK(good >= 0.95 * all);
}

/* u' = exp(a (sin(t) - u)), a rectifier without load: with v = exp(a (u - 1)) and
 * v' = a exp(a (sin(t) - 1)).  Steps had grown past the maxima of sin: 7e-4 off at 1e-8. */
static double rectified(double a, double start, double end)
{
    const int n = 100000;
    const double h = end / n;
    double sum = exp(-a) + exp(a * (sin(end) - 1.0));

    for (int k = 1; k < n; k++)
        sum += (k % 2 ? 4.0 : 2.0) * exp(a * (sin(k * h) - 1.0));
    return 1.0 + log(exp(a * (start - 1.0)) + a * sum * h / 3.0) / a;
}

static void test_rectifiers(void)
{
    static const char *const forms[] = {
        "var u = %g\nu' = exp(%g*(sin(t) - u))\n",
        "var u = %g, s\nu' = exp(%g*(s - u))\ns = sin(t)\n",
        "var u = %g, d, i\ni = exp(%g*d)\nsin(t) = d + u\nu' = i\n",
        "var u = %g, i[k=1..2], s[k=1..2]\nfor k = 1..2 { i[k] = exp(%g*sum(l=1..2, s[l] - u/2)) "
        "}\n"
        "for k = 1..2 { s[k] = sin(t)/2 }\nu' = sum(k=1..2, i[k])/2\n",
    };
    static const double as[] = {30, 100, 300, 1000}, starts[] = {0.0, 0.8, 0.95, 1.02};
    static const double tols[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-8};

    for (int k = 0; k < 640; k++) {
        const double a = as[k / 40 % 4], start = starts[k / 10 % 4], end = k / 5 % 2 ? 14.0 : 40.0;
        const double tol = tols[k % 5];
        char text[400], rest[64];
        if (!test_takes(k)) continue;
        snprintf(text, sizeof text, forms[k / 160], start, a);
        snprintf(rest, sizeof rest, "output u\nover t = 0 .. %g\n", end);
        strcat(text, rest);
        const rows_result r = rows_solve(ctx, text, 2, "tol=%g", tol);
        const double e = r.n_rows == 2 ? fabs(r.row[1][0] - rectified(a, start, end)) : NAN;
        if (!CHECK(r.status == RG_OK) || !CHECK(e <= fmax(10.0 * r.estimate, 30.0 * tol)))
            printf("%g: error %g, estimate %g\n%s", tol, e, r.estimate, text);
    }
}

/* Envelope detectors, C u' = I (exp(a (m - u)) - 1) - u/R: 0 <= u < 2 for all m below 2.  Steps
 * whose Jacobian was that of a prediction in which the diode conducts ended at u = 6000: it took
 * away their error, and Newton's corrections with it.  Of 300 runs 5 were wrong, 3 stopped. */
static void test_detectors(void)
{
    static const double as[] = {10, 20, 40}, tols[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    uint64_t seed = 7;
    int vague = 0;

    for (int k = 0; k < 60; k++) {
        double draw[6];
        char text[300];
        for (int i = 0; i < 6; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[i] = (double)(seed >> 11) / 9007199254740992.0;
        }
        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "var u = 0, m\nm = (1 + %.3f*sin(%.3f*t))*cos(%.3f*t)\n"
                 "%.3g*u' = %.3g*(exp(%g*(m - u)) - 1) - %.3f*u\noutput u\nover t = 0 .. 10\n",
                 0.2 + 0.7 * draw[0], 0.3 + 0.7 * draw[1], 5.0 + 15.0 * draw[2],
                 0.05 * pow(20.0, draw[3]), 1e-4 * pow(100.0, draw[4]), as[k % 3],
                 0.1 + 0.9 * draw[5]);
        const rows_result exact = rows_solve(ctx, text, 41, "tol=1e-10");
        for (size_t j = 0; j < sizeof tols / sizeof *tols; j++) {
            const rows_result r = rows_solve(ctx, text, 41, "tol=%g", tols[j]);
            double e = r.n_rows == 41 ? 0.0 : NAN;
            for (int i = 0; i < r.n_rows; i++)
                e = fmax(e, fabs(r.row[i][0] - exact.row[i][0]));
            vague += r.estimate > 0.3;
            if (!CHECK(exact.status == RG_OK) || !CHECK(r.status == RG_OK)
                || !CHECK(e <= fmax(10.0 * r.estimate, 30.0 * tols[j])))
                printf("%g: error %g, estimate %g\n%s", tols[j], e, r.estimate, text);
        }
    }
    if (!CHECK(vague <= 1)) printf("%d estimates of no digit\n", vague);
}

/* Switches of pulses at several levels have the same value at all times but few.  Those that seem
 * to be proportional are one switch: with the zeros of the first, which had none, x was 0 for
 * 2 w sqrt(log 2), with an estimate of 3e-7. */
static void test_switched(void)
{
    for (int k = 0; k < 3 * 8; k++) {
        const double w = 1e-3 * (1 + k % 3), c = 0.1 + 0.11 * (k / 3);
        char text[300];
        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "var y = 0, x = 0, z = 0\nfun e(c) = exp(-((t - c)/%g)^2)\n"
                 "y' = abs(e(%g) - 2)\nx' = if(e(%g) > 0.5, 1, 0)\n"
                 "z' = if(e(0.05) > 0.5, 1, 0)\nover t = 0 .. 1\noutput x, z\n",
                 w, c, c);
        const rows_result r = rows_solve(ctx, text, 2, "tol=1e-6");
        for (int i = 0; i < 2; i++) {
            const double e = r.n_rows == 2 ? fabs(r.row[1][i] - 2.0 * w * sqrt(log(2.0))) : NAN;
            if (!CHECK(e <= 1e-9)) printf("error %g, estimate %g\n%s", e, r.estimate, text);
        }
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"one pulse",        test_one       },
        {"narrow pulses",    test_narrow    },
        {"trains",           test_trains    },
        {"tables",           test_tables    },
        {"pulses of states", test_states    },
        {"rectifiers",       test_rectifiers},
        {"detectors",        test_detectors },
        {"switched pulses",  test_switched  },
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
