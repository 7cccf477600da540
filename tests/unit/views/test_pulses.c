/* Pulses of functions of time: which are found, with their places; what is smooth has none. */
#include "support/test.h"
#include "views/pulses.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    const char *f;
    int count;
    double from, to; /* the first one lies within */
} example;

static const example examples[] = {
    {"sin(10*t) + sqrt(2 - cos(30*t)^2)",         0,  0.0,  0.0 },
    {"y*sin(10*t)/sqrt(y^2 + sin(30*t)^2)",       0,  0.0,  0.0 },
    {"sin(1000*t)",                               0,  0.0,  0.0 },
    {"exp(-((t - 0.4)/0.01)^2)",                  1,  0.34, 0.46},
    {"y*exp(-((t - 0.4)/0.001)^2) + sin(10*t)",   1,  0.38, 0.42},
    {"exp(-((t - 0.4)/0.2)^2)",                   0,  0.0,  0.0 },
    {"1 + tanh((t - 0.4)*110)",                   1,  0.31, 0.49},
    {"1/(1 + ((t - 0.4)/0.005)^2)",               1,  0.17, 0.63},
    {"exp(-((t - 0.4)/0.05)^2)",                  1,  0.1,  0.7 },
    {"exp(-1000*sin(50*pi*t)^2)",                 51, 0.0,  0.01},
    {"exp(70*(t - 1))",                           1,  0.75, 1.0 },
    {"exp(-t/1e-5)",                              1,  0.0,  1e-3}, /* of a few cells, 5e-4 each */
    {"exp(-t/1e-6)",                              1,  0.0,  5e-4},
    {"sin(10*t)/(2 + y*exp(-((t - 0.7)*200)^2))", 1,  0.64, 0.76},
};

/* No sample of the interval meets them, only flanks of steps are seen; these are pulses of their
 * own, with the narrow one in the middle cut out.  Around 0.3 no part is short enough for
 * 1/(t - 0.3)^2 or sqrt(|t - 0.3|), and that is no pulse; jumps hide nothing that is beside
 * them. */
static const example narrow[] = {
    {"1/cosh((t - 0.40013)/1e-6)^2",                   5, 0.39,   0.41  },
    {"sqrt(exp(-2*((t - 0.40013)/1e-7)^2))",           1, 0.4000, 0.4003},
    {"2^(-((t - 0.40013)/1e-7)^2)",                    1, 0.4000, 0.4003},
    {"tanh((t - 0.40013)/1e-7)",                       3, 0.39,   0.41  },
    {"exp(-abs(t - 0.40013)/1e-6)",                    1, 0.4000, 0.4003},
    {"erf((t - 0.40013)/1e-6) + sin(10*t)",            1, 0.39,   0.41  },
    {"exp(-((mod(t, 0.5) - 0.10013)/1e-6)^2)",         2, 0.1,    0.1003},
    {"if(t < 0.5, exp(-((t - 0.40013)/1e-6)^2), 0)",   1, 0.4,    0.4003},
    {"y*exp(-((t - 0.40013)/1e-6)^2) + 1/(t - 0.3)^2", 2, 0.2,    0.4003},
    {"sqrt(abs(t - 0.3)) + sin(30*t)",                 0, 0.0,    0.0   },
    {"exp(-1e6*(cos(2*pi*t) - 0.3)^2)*sin(t)",         2, 0.1,    0.3   },
};

static void check_examples(size_t count, const example *list_of)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < count; k++) {
        const example *e = &list_of[k];
        char text[200];
        rg_problem *p = NULL;
        rg_pulse *list = NULL;
        int64_t n = -1;
        snprintf(text, sizeof text, "var y = 1\ny' = %s\nover t = 0 .. 1\n", e->f);
        if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
            && CHECK(rg_pulses_find(p, 0.0, 1.0, &list, &n) == RG_OK)) {
            if (!CHECK_INT(n, e->count)) printf("  %s\n", e->f);
            if (n > 0 && e->count > 0 && !CHECK(list[0].from >= e->from && list[0].to <= e->to))
                printf("  %s: %g .. %g\n", e->f, list[0].from, list[0].to);
        }
        if (p != NULL) rg_free(p->ctx, list);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

static void test_examples(void)
{
    check_examples(sizeof examples / sizeof *examples, examples);
}

static void test_narrow(void)
{
    check_examples(sizeof narrow / sizeof *narrow, narrow);
}

/* The width is that of one flank or of both, where |f'| is above a quarter of its largest value:
 * for exp(-x^2), x = t/s, 2 x exp(-x^2) is so for 0.109 < |x| < 1.61.  Cells of the search are
 * 5e-4; no sample meets the last ones, and the tails of the bell are 0 from 27 s on. */
static void test_widths(void)
{
    static const double widths[] = {2e-4, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10};
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        char text[200];
        rg_problem *p = NULL;
        rg_pulse *list = NULL;
        int64_t n = -1;
        snprintf(text, sizeof text, "var y = 1\ny' = exp(-((t - 0.40013)/%g)^2)\nover t = 0 .. 1\n",
                 widths[k]);
        if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
            && CHECK(rg_pulses_find(p, 0.0, 1.0, &list, &n) == RG_OK) && CHECK(n > 0)) {
            double narrowest = INFINITY;
            for (int64_t i = 0; i < n; i++)
                if (list[i].from < 0.40013 && list[i].to > 0.40013) narrowest = list[i].width;
            if (!CHECK(narrowest > 1.4 * widths[k] && narrowest < 3.3 * widths[k]))
                printf("  %g: %g\n", widths[k], narrowest);
        }
        if (p != NULL) rg_free(p->ctx, list);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

static void listen(int level, const char *text, void *user)
{
    (void)level;
    (void)sscanf(text, "pulses of functions of time: looked for in %d cells", (int *)user);
}

/* No more cells than the functions need: the search is paid by every run.  caraxis, whose run is a
 * short one, took 1.7 times as long with all cells. */
static void test_cells(void)
{
    static const struct {
        const char *f;
        int cells;
    } looks[] = {
        {"sin(2*t)",                          0   },
        {"sqrt(1 - (0.1*sin(30*t))^2)",       200 },
        {"0.1*sin(40*pi*t)",                  800 },
        {"exp(-((t - 0.4)/0.001)^2)",         2000},
        {"exp(-1000*sin(50*pi*t)^2)",         2000},
        {"exp(3*sin(6*t) - 3 - y)*sin(10*t)", 2000},
    };
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof looks / sizeof *looks; k++) {
        char text[200];
        rg_problem *p = NULL;
        rg_pulse *list = NULL;
        int64_t n;
        int cells = -1;
        snprintf(text, sizeof text, "var y = 1\ny' = %s\nover t = 0 .. 1\n", looks[k].f);
        if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) continue;
        rg_context_set_log(ctx, listen, 3, &cells);
        CHECK(rg_pulses_find(p, 0.0, 1.0, &list, &n) == RG_OK);
        rg_context_set_log(ctx, NULL, 0, NULL);
        if (!CHECK_INT(cells, looks[k].cells)) printf("  %s\n", looks[k].f);
        rg_free(ctx, list);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* Turns part a pulse, and steps in it are as long as its own width allows: the flank of exp(-30 t),
 * above a quarter of its largest slope, is ln 4/30 long. */
static void test_turns(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_pulse *list = NULL;
    int64_t n = -1;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx,
                               "var y = 1\ny' = -y + exp(-30*t) + exp(2*cos(20*t) - y)\n"
                               "over t = 0 .. 1\n",
                               &p)
          == RG_OK);
    if (CHECK(rg_pulses_find(p, 0.0, 1.0, &list, &n) == RG_OK) && CHECK_INT(n, 7)) {
        for (int k = 1; k < n; k++)
            CHECK_NEAR(list[k].from, 0.15708 * k, 1e-3);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(list[k].width, 0.0462, 1e-3);
        CHECK(list[0].to == list[1].from && list[1].to == list[2].from);
        CHECK(list[3].from == list[3].to);
    }
    rg_free(p->ctx, list);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"examples", test_examples},
        {"cells",    test_cells   },
        {"narrow",   test_narrow  },
        {"widths",   test_widths  },
        {"turns",    test_turns   },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
