/* Tables 6.1 to 6.4 of Ascher, Lin (1995): sequential regularization of nonlinear problems of index
 * 2 and 3.
 *
 * Heun's method, h = 0.001, y_0 = 0.  ex: largest error of a component of x;  drift: |g|;  index 3:
 * eq, ev errors of positions and velocities, pdrift |g|, vdrift |G v|.  Baumgarte's method with
 * gamma = 1/h.  Table 6.5 is in test_slider_crank.c. */
#include "tables/srm_run.h"

static const double three[] = {0.1, 0.5, 1.0}, five[] = {0.1, 0.3, 0.5, 0.7, 1.0};
static const char *const index2[] = {"ex", "drift"}, *const index3[] = {"eq", "ev", "pdrift",
                                                                        "vdrift"};

static void measure_1(double t, const double *y, const double *yp, double *out)
{
    (void)yp;
    out[0] = fmax(fabs(y[0] - exp(-t)), fabs(y[1] - sin(t)));
    out[1] = fabs(y[0] * y[0] + y[1] * y[1] - exp(-2.0 * t) - sin(t) * sin(t)) / 2.0;
}

static void measure_2(double t, const double *y, const double *yp, double *out)
{
    const double a = t - 0.5, b = t * t - 0.25;

    (void)yp;
    out[0] = fmax(fabs(y[0] - a), fabs(y[1] - b));
    out[1] = fabs(y[0] * y[0] + y[1] * y[1] - a * a - b * b) / 2.0;
}

static void measure_3(double t, const double *y, const double *yp, double *out)
{
    (void)yp;
    out[0] = fmax(fabs(y[0] - 1.0 + 2.0 * t), fabs(y[1] - sin(t)));
    out[1] = fabs(y[0] * y[0] + y[0] * (y[1] - sin(t) - 1.0 + 2.0 * t));
}

static void measure_4(double t, const double *y, const double *yp, double *out)
{
    const double a = y[0], b = y[1], u = yp[0], v = yp[1];

    out[0] = fmax(fabs(a - sin(t)), fabs(b + 2.0 * sin(t)));
    out[1] = fmax(fabs(u - cos(t)), fabs(v + 2.0 * cos(t)));
    out[2] = fabs(sin(a) + sin(a + b));
    out[3] = fabs((cos(a) + cos(a + b)) * u + cos(a + b) * v);
}

typedef struct {
    const char *row, *options;
    int first, last; /* iterations */
} table_row;

static void run_table(const char *path, const char *model, measure_fn *measure, int n_quantities,
                      const char *const *quantities, int n_times, const double *times, int n_rows,
                      const table_row *rows)
{
    char options[256];
    table_run runs[24];
    int n = 0;

    for (int k = 0; k < n_rows; k++)
        for (int s = rows[k].first; s <= rows[k].last; s++) {
            snprintf(options, sizeof options, "scheme=heun step=0.001 y0=zero %s", rows[k].options);
            const srm_case c = {model,   options, quantities, n_quantities,
                                measure, n_times, times,      0.001};
            srm_run(&c, rows[k].row, s, &runs[n++]);
        }
    table_compare(path, n, runs);
}

#define N_ROWS(rows) ((int)(sizeof(rows) / sizeof *(rows)))

static void test_6_1(void)
{
    static const table_row rows[] = {
        {"alpha1=1 E=I",        "method=srm variant=basic alpha1=1 E=identity eps=1e-8",  1, 1},
        {"alpha1=1 E=(GB)^T",   "method=srm variant=basic alpha1=1 E=transpose eps=1e-8", 1, 1},
        {"alpha1=1 E=(GB)^-1",  "method=srm variant=basic alpha1=1 E=inverse eps=1e-8",   1, 1},
        {"Baumgarte gamma=1/h", "method=baumgarte gamma=1000",                            1, 1},
        {"alpha1=0 E=I",        "method=srm variant=simple eps=5e-3",                     1, 4},
        {"alpha1=0 E=(GB)^T",   "method=srm variant=basic E=transpose eps=5e-3",          1, 4},
        {"alpha1=0 E=(GB)^-1",  "method=srm variant=basic E=inverse eps=5e-3",            1, 4},
    };

    run_table("tests/tables/srm-nonlinear-6.1.csv", "examples/ivp/srm-nonlinear.rg", measure_1, 2,
              index2, 3, three, N_ROWS(rows), rows);
}

static void test_6_2(void)
{
    static const table_row rows[] = {
        {"alpha1=0 (3.2)",                "variant=singular eps=1e-3",                              1, 4},
        {"Baumgarte gamma=1/h",           "method=baumgarte gamma=1000",                            1, 1},
        {"alpha1=1 E=(GB)^-1 alpha2=1/h", "variant=basic alpha1=1 alpha2=1000 E=inverse eps=1e-10",
         1,                                                                                            1},
    };

    run_table("tests/tables/srm-nonlinear-6.2.csv", "examples/srm/srm-bounded.rg", measure_2, 2,
              index2, 5, five, N_ROWS(rows), rows);
}

static void test_6_3(void)
{
    static const table_row rows[] = {
        {"alpha1=0 (3.2)",      "variant=singular eps=1e-3",   3, 3},
        {"Baumgarte gamma=1/h", "method=baumgarte gamma=1000", 1, 1},
    };

    run_table("tests/tables/srm-nonlinear-6.3.csv", "examples/srm/srm-unbounded.rg", measure_3, 2,
              index2, 5, five, N_ROWS(rows), rows);
}

static void test_6_4(void)
{
    static const table_row rows[] = {
        {"E=I", "method=srm variant=multibody E=identity eps=5e-3", 1, 3}
    };

    run_table("tests/tables/srm-nonlinear-6.4.csv", "examples/ivp/robot-two-link.rg", measure_4, 4,
              index3, 3, three, N_ROWS(rows), rows);
}

int main(void)
{
    static const test_case cases[] = {
        {"table 6.1", test_6_1},
        {"table 6.2", test_6_2},
        {"table 6.3", test_6_3},
        {"table 6.4", test_6_4}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
