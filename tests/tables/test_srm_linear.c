/* Tables 5.3 to 5.7 of Ascher, Lin (1993): sequential regularization of linear problems of index 2.
 *
 * ex: largest error of a component of x;  ey: of By;  drift: |C x + r|;  exg, eyg: maxima over the
 * mesh points 1 .. N. h = 0.001, t_f = 1.  The mesh point at the singular time is moved by h/2, as
 * the method does it; "t = .5" is that point. Table 5.5 was printed for a mesh of which all points
 * lie h/2 later (found by trying): `mesh = shift`. */
#include "tables/srm_run.h"

static const double times[] = {0.001, 0.1, 0.3, 0.5, 1.0};
static const double half[] = {0.5};
static const char *const at_times[] = {"ex", "ey", "drift"}, *const overall[] = {"exg", "eyg"};

/* Examples 2 and 3: x = (e^-t, sin t), B y = (0, (1 - 2t) y) = (0, cos t) */
static void measure_2(double t, const double *y, const double *yp, double *out)
{
    (void)yp;
    out[0] = fmax(fabs(y[0] - exp(-t)), fabs(y[1] - sin(t)));
    out[1] = fabs((1.0 - 2.0 * t) * y[2] - cos(t));
    out[2] = fabs((1.0 - 2.0 * t) * (y[0] + y[1] - exp(-t) - sin(t)));
}

/* Example 4: x1 = x2 = y = e^t, B = (t - .5, t^2 - .25) */
static void measure_4(double t, const double *y, const double *yp, double *out)
{
    (void)yp;
    out[0] = fmax(fabs(y[0] - exp(t)), fabs(y[1] - exp(t)));
    out[1] = fmax(fabs(t - 0.5), fabs(t * t - 0.25)) * fabs(y[2] - exp(t));
}

static void test_5_3(void)
{
    const srm_case c = {"examples/srm/srm-singular.rg",
                        "variant=linear-by scheme=backward-euler eps=0.1 step=0.001 y0=start",
                        at_times,
                        3,
                        measure_2,
                        5,
                        times,
                        0.001};
    table_run runs[3];

    for (int s = 1; s <= 3; s++)
        srm_run(&c, "backward Euler", s, &runs[s - 1]);
    table_compare("tests/tables/srm-linear-5.3.csv", 3, runs);
}

static void test_5_4(void)
{
    const srm_case c = {"examples/srm/srm-singular.rg",
                        "variant=linear-by scheme=forward-euler eps=0.1 step=0.001 y0=start",
                        at_times,
                        3,
                        measure_2,
                        5,
                        times,
                        0.001};
    table_run runs[3];

    for (int s = 1; s <= 3; s++)
        srm_run(&c, "forward Euler", s, &runs[s - 1]);
    table_compare("tests/tables/srm-linear-5.4.csv", 3, runs);
}

static const struct {
    const char *method, *scheme, *name, *alpha1;
} rates[] = {
    {"backward Euler", "backward-euler", "0", "0"    },
    {"backward Euler", "backward-euler", "h", "0.001"},
    {"backward Euler", "backward-euler", "1", "1"    },
    {"forward Euler",  "forward-euler",  "0", "0"    },
    {"forward Euler",  "forward-euler",  "h", "0.001"},
    {"forward Euler",  "forward-euler",  "1", "1"    },
};
enum { N_RATES = sizeof rates / sizeof *rates };

static void test_5_5(void)
{
    char options[256], row[N_RATES][64];
    table_run runs[N_RATES];

    for (int k = 0; k < N_RATES; k++) {
        snprintf(
            options, sizeof options,
            "variant=linear-by-rate scheme=%s eps=0.1 step=0.001 mesh=shift y0=start alpha1=%s",
            rates[k].scheme, rates[k].alpha1);
        snprintf(row[k], sizeof row[k], "%s (%s 1)", rates[k].method, rates[k].name);
        const srm_case c = {
            "examples/srm/srm-singular.rg", options, at_times, 2, measure_2, 1, half, 0.001};
        srm_run(&c, row[k], 3, &runs[k]);
    }
    table_compare("tests/tables/srm-linear-5.5.csv", N_RATES, runs);
}

static void test_5_6(void)
{
    static const char *const y0[2] = {"zero", "start"};
    char options[256], row[2 * N_RATES][64];
    table_run runs[2 * N_RATES];

    for (int k = 0; k < 2 * N_RATES; k++) {
        const int r = k % N_RATES, y = k / N_RATES;
        snprintf(options, sizeof options,
                 "variant=linear-by-rate scheme=%s eps=0.1 step=0.001 y0=%s alpha1=%s",
                 rates[r].scheme, y0[y], rates[r].alpha1);
        snprintf(row[k], sizeof row[k], "%s (%s 1) y0=%d", rates[r].method, rates[r].name, y);
        const srm_case c = {
            "examples/srm/srm-singular-b.rg", options, overall, 2, measure_2, 0, NULL, 0.001};
        srm_run(&c, row[k], 3, &runs[k]);
    }
    table_compare("tests/tables/srm-linear-5.6.csv", 2 * N_RATES, runs);
}

static void test_5_7(void)
{
    static const char *const rows[6] = {"SRM eps=1e-1",        "SRM eps=1e-3",
                                        "SRM eps=1e-5",        "Park-Chiou eps=1e-1",
                                        "Park-Chiou eps=1e-3", "Park-Chiou eps=1e-5"};
    char options[256];
    table_run runs[6];

    for (int k = 0; k < 6; k++) {
        snprintf(options, sizeof options, "%s scheme=backward-euler step=0.001 y0=start %s",
                 k < 3 ? "variant=linear-by" : "method=park-chiou", strstr(rows[k], "eps="));
        const srm_case c = {
            "examples/srm/srm-smooth-y.rg", options, overall, 2, measure_4, 0, NULL, 0.001};
        srm_run(&c, rows[k], k < 3 ? 4 : 1, &runs[k]);
    }
    table_compare("tests/tables/srm-linear-5.7.csv", 6, runs);
}

int main(void)
{
    static const test_case cases[] = {
        {"table 5.3", test_5_3},
        {"table 5.4", test_5_4},
        {"table 5.5", test_5_5},
        {"table 5.6", test_5_6},
        {"table 5.7", test_5_7}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
