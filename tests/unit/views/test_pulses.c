/* Pulses of functions of time: which are found, with their places; what is smooth has none. */
#include "support/test.h"
#include "views/pulses.h"

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
    {"sin(10*t)/(2 + y*exp(-((t - 0.7)*200)^2))", 1,  0.64, 0.76},
};

static void test_examples(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const example *e = &examples[k];
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

/* The width is that of both flanks, where |f'| is above a quarter of its largest value: for
 * exp(-x^2), x = t/s, 2 x exp(-x^2) is so for 0.109 < |x| < 1.61.  Cells of the search are 5e-4. */
static void test_widths(void)
{
    static const double widths[] = {2e-4, 1e-4};
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        char text[200];
        rg_problem *p = NULL;
        rg_pulse *list = NULL;
        int64_t n = -1;
        snprintf(text, sizeof text, "var y = 1\ny' = exp(-((t - 0.4)/%g)^2)\nover t = 0 .. 1\n",
                 widths[k]);
        if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
            && CHECK(rg_pulses_find(p, 0.0, 1.0, &list, &n) == RG_OK) && CHECK_INT(n, 1)
            && !CHECK_NEAR(list[0].width, 3.0 * widths[k], 8e-5))
            printf("  %g: %g\n", widths[k], list[0].width);
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
        {"widths",   test_widths  },
        {"turns",    test_turns   },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
