/* Model text -> problem: counts, names, values of the residuals against formulas written out here,
 * messages. */
#include "model/ast.h"
#include "problem/assembly.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;

static rg_status compile(const char *text, rg_problem **out)
{
    rg_source *source = NULL;
    rg_model *model = NULL;

    *out = NULL;
    rg_clear_error(ctx);
    rg_status status = rg_source_from_text(ctx, "model.rg", text, &source);
    if (status == RG_OK) status = rg_model_parse(ctx, &source, &model);
    if (status == RG_OK) status = rg_model_compile(ctx, &model, 0, NULL, out);
    rg_model_destroy(ctx, &model);
    rg_source_destroy(ctx, &source);
    return status;
}

static rg_problem *must_compile(const char *text)
{
    rg_problem *p;

    const rg_status status = compile(text, &p);
    CHECK(status == RG_OK);
    if (status != RG_OK) rg_error_print(rg_last_error(ctx), stderr);
    return p;
}

static void check_error(const char *text, int line, int column, const char *part)
{
    rg_problem *p;

    CHECK(compile(text, &p) < 0);
    CHECK(p == NULL);
    const rg_error *e = rg_last_error(ctx);
    if (e->line != line || e->column != column || strstr(e->message, part) == NULL)
        printf("  got %d:%d %s\n", e->line, e->column, e->message);
    CHECK(e->line == line);
    CHECK(e->column == column);
    CHECK(strstr(e->message, part) != NULL);
    CHECK(e->remedy[0] != '\0');
}

/* Residuals of all equations (level 0) at order-0 values y and first derivatives yp. */
static void residuals(const rg_problem *p, double t, const double *y, const double *yp, double *F)
{
    int32_t *row = calloc((size_t)p->n_rows + 1, sizeof *row);
    int32_t *low = calloc((size_t)p->n + 1, sizeof *low);
    int32_t *high = calloc((size_t)p->n + 1, sizeof *high);
    double *z = calloc(2 * (size_t)p->n + 1, sizeof *z);
    rg_assembly *a = NULL;
    rg_assembly_work *w = NULL;

    for (int64_t i = 0; i < p->n_rows; i++)
        row[i] = (int32_t)i;
    for (int64_t j = 0; j < p->n; j++) {
        low[j] = (int32_t)j;
        high[j] = (int32_t)(p->n + j);
        z[j] = y[j];
        z[p->n + j] = yp[j];
    }
    const int32_t *rows[] = {row}, *columns[] = {low, high};
    const rg_assembly_spec spec = {1, 2, 2 * p->n, rows, p->n_rows, columns};
    CHECK(rg_assembly_create(p, &spec, false, &a) == RG_OK);
    CHECK(rg_assembly_work_create(a, &w) == RG_OK);
    CHECK(rg_assembly_residual(a, w, t, z, F) == RG_OK);
    rg_assembly_work_destroy(&w);
    rg_assembly_destroy(&a);
    free(row);
    free(low);
    free(high);
    free(z);
}

static void test_pendulum(void)
{
    rg_problem *p = must_compile("param m = 2, l = 1, g = 9.81\n"
                                 "var p = 1, q = 0, u ~ 0, v = 0\n"
                                 "var lambda\n"
                                 "p' = u\nq' = v\nm*u' = -p*lambda\nm*v' = -q*lambda - m*g\n"
                                 "0 = p^2 + q^2 - l^2\nover t = 0 .. 10\n");
    const double y[] = {0.3, -0.7, 1.1, 0.2, 5.0}, yp[] = {0.5, 0.25, -3.0, 2.0, 0.0};
    double F[5];

    CHECK(p->n == 5 && p->n_rows == 5 && p->max_order == 1);
    CHECK(p->start[0].kind[0] == RG_START_KEPT && p->start[0].value[0] == 1.0);
    CHECK(p->start[0].kind[2] == RG_START_GUESS && p->start[0].kind[4] == RG_START_NONE);
    residuals(p, 0.0, y, yp, F);
    CHECK_NEAR(F[0], 0.5 - 1.1, 1e-15);
    CHECK_NEAR(F[1], 0.25 - 0.2, 1e-15);
    CHECK_NEAR(F[2], 2.0 * -3.0 + 0.3 * 5.0, 1e-14);
    CHECK_NEAR(F[3], 2.0 * 2.0 - 0.7 * 5.0 + 2.0 * 9.81, 1e-13);
    CHECK_NEAR(F[4], -(0.09 + 0.49 - 1.0), 1e-15);
    rg_problem_destroy(&p);
}

/* Arrays, let with indices, nested sums, conditions on indices, array parameters, (expr)'. */
static void test_arrays(void)
{
    rg_problem *p = must_compile("param N = 4\n"
                                 "param A[i=1..2,j=1..2] = (1,2,3,4), w[i=1..N] = i^2\n"
                                 "var u[i=0..N] = if(i == 0, 1, 0), v[i=1..N], s ~ 2\n"
                                 "let m[i=1..N] = u[i] - u[i-1]\n"
                                 "let tot = sum(i=1..N, u[i])\n"
                                 "for i = 1..N { v[i] = m[i] + sum(j=1..i, w[j]*u[j]) + "
                                 "sum(j=1..N, if(j==i, 0, (u[i]-u[j])^2))\n"
                                 "  u[i]' = v[i] + if(i == 1, 7, u[i-1]*t) }\n"
                                 "u[0]' = A[1,2]*u[0] + tot\n"
                                 "s' = sum(i=1..2, sum(j=1..2, A[i,j]*u[i]*u[j])) + (u[1]*t)'\n"
                                 "over t = 0 .. 5\n");
    enum { N = 4 };
    double y[10], yp[10], F[10], sum = 0.0;
    const double t = 0.8, *u = y, *v = y + 4; /* v[1] is y[5] */

    for (int k = 0; k < 10; k++) {
        y[k] = sin(1.0 + k);
        yp[k] = cos(2.0 * k);
    }
    CHECK(p->n == 10 && p->n_rows == 10);
    residuals(p, t, y, yp, F);
    for (int i = 1; i <= N; i++)
        sum += u[i];
    CHECK_NEAR(F[0], yp[0] - (2.0 * u[0] + sum), 1e-14);
    const double quadratic = 1 * u[1] * u[1] + 2 * u[1] * u[2] + 3 * u[2] * u[1] + 4 * u[2] * u[2];
    CHECK_NEAR(F[1], yp[9] - quadratic - (yp[1] * t + u[1]), 1e-14);
    for (int64_t r = 2; r < 10; r++) { /* rows of the `for`, whatever their order */
        int block, output;
        int64_t k;
        rg_row_place(p, r, &block, &output, &k);
        const rg_data *loop = &p->blocks[block].body->data[0];
        const int i = (int)loop->values[rg_map_at(&loop->map, k)];
        double expected = u[i] - u[i - 1];
        for (int j = 1; j <= i; j++)
            expected += j * j * u[j];
        for (int j = 1; j <= N; j++)
            expected += (u[i] - u[j]) * (u[i] - u[j]);
        if (output == 0)
            CHECK_NEAR(F[r], v[i] - expected, 1e-13);
        else
            CHECK_NEAR(F[r], yp[i] - v[i] - (i == 1 ? 7.0 : u[i - 1] * t), 1e-14);
    }
    CHECK(p->start[0].value[0] == 1.0 && p->start[0].value[3] == 0.0);
    rg_problem_destroy(&p);
}

/* Sums of indices and parameters are numbers, one per iteration around them. */
static void test_plain_sums(void)
{
    rg_problem *p = must_compile("param N = 3, w[i=1..N] = i^2\nvar u[i=1..N], x\n"
                                 "for i = 1..N { u[i]' = sum(j=i..N, 10*w[j]) }\n"
                                 "x' = sum(i=1..N, j=1..2, i*j)\nover t = 0 .. 1\n");
    const double y[4] = {0}, yp[4] = {0};
    double F[4] = {0};

    residuals(p, 0.0, y, yp, F);
    CHECK_NEAR(fabs(F[0]), 18.0, 1e-12);
    CHECK_NEAR(fabs(F[1]), 140.0, 1e-12);
    CHECK_NEAR(fabs(F[2]), 130.0, 1e-12);
    CHECK_NEAR(fabs(F[3]), 90.0, 1e-12);
    rg_problem_destroy(&p);
}

static void test_names(void)
{
    rg_problem *p =
        must_compile("var c[i=1..2, j=0..2], λ = 1\n"
                     "for i = 1..2, j = 0..2 { c[i,j]'' = -c[i,j]*λ }\nλ' = 1\n"
                     "over t = 1 .. 0\n"
                     "for i = 1..2 { output d[i, 2*i] = c[i,0] + t }\noutput c[2,1]', λ\n");
    char name[32];

    rg_variable_name(p, 4, 2, name, sizeof name);
    CHECK_TEXT(name, "c[2,1]''");
    rg_variable_name(p, 6, 0, name, sizeof name);
    CHECK_TEXT(name, "λ");
    CHECK(p->n_columns == 4);
    rg_output_name(p, 1, name, sizeof name); /* in the order of the text */
    CHECK_TEXT(name, "d[2,4]");
    rg_output_name(p, 2, name, sizeof name);
    CHECK_TEXT(name, "c[2,1]'");
    rg_output_name(p, 3, name, sizeof name);
    CHECK_TEXT(name, "λ");
    CHECK(rg_problem_find(p, "c[2,1]") == 4);
    CHECK(rg_problem_find(p, "c[3,1]") == -1);
    CHECK(p->families[0].order == 2 && p->max_order == 2);
    rg_problem_destroy(&p);
}

/* A chain of functions that doubles each time must not cost 2^60 nodes. */
static void test_doubling(void)
{
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "fun f0(x) = x + sin(x)\n");

    for (int k = 1; k < 60; k++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "fun f%d(x) = f%d(x)*f%d(x)/2 + f%d(x+1)\n", k, k - 1, k - 1,
                                 k > 1 ? k - 2 : 0);
    snprintf(text + used, sizeof text - used, "var y = 0.1\ny' = f59(y)\nover t = 0 .. 1\n");
    rg_problem *p = must_compile(text);
    CHECK(p != NULL && rg_graph_size(p->blocks[0].body->graph) < 20000);
    rg_problem_destroy(&p);
}

/* Functions that call each other, each nested deeply: an error, never an overflow of the stack. */
static void test_nesting(void)
{
    enum { FUNCTIONS = 300, DEPTH = 90 };
    char *text = malloc(FUNCTIONS * (5 * DEPTH + 64));
    size_t used = (size_t)sprintf(text, "var x = 1\nfun f0(a) = a\n");

    for (int k = 1; k < FUNCTIONS; k++) {
        used += (size_t)sprintf(text + used, "fun f%d(a) = ", k);
        for (int i = 0; i < DEPTH; i++)
            used += (size_t)sprintf(text + used, "sin(");
        used += (size_t)sprintf(text + used, "f%d(a)", k - 1);
        for (int i = 0; i < DEPTH; i++)
            text[used++] = ')';
        text[used++] = '\n';
    }
    sprintf(text + used, "x' = f%d(x)\nover t = 0 .. 1\n", FUNCTIONS - 1);
    rg_problem *p;
    CHECK(compile(text, &p) == RG_ERR_SYNTAX);
    CHECK(strstr(rg_last_error(ctx)->message, "nested more than") != NULL);
    free(text);
}

/* x_dot for x': what the remedy says. */
static void test_dotted(void)
{
    static const char *const rows[][2] = {
        {"x_dot",  ": x'"       },
        {"xdot",   ": x'"       },
        {"dx",     ": x'"       },
        {"x_ddot", ": x''"      },
        {"dt",     "'t'"        },
        {"z_dot",  "'var z_dot'"},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[80];
        rg_problem *p;
        snprintf(text, sizeof text, "var x = 1\n%s = -x\nover t = 0 .. 1\n", rows[k][0]);
        CHECK(compile(text, &p) == RG_ERR_SYNTAX);
        CHECK(strstr(rg_last_error(ctx)->remedy, rows[k][1]) != NULL);
    }
}

static void test_errors(void)
{
    check_error("var x = 1\nx' = y\nover t = 0 .. 1\n", 2, 6, "'y' is not declared");
    check_error("var x = 1\nx' = x\n", 3, 1, "interval");
    check_error("var x = 1, x = 2\nx' = x\nover t = 0 .. 1\n", 1, 12, "already an unknown");
    check_error("param N = 3\nvar u[i=1..N]\nfor i = 1..N { u[i]' = u[i+1] }\nover t = 0 .. 1\n", 3,
                26, "no element 4");
    check_error("param N = 2.5\nvar u[i=1..N]\nfor i = 1..2 { u[i]' = 1 }\nover t = 0 .. 1\n", 2, 7,
                "whole");
    check_error("var u[i=1..2]\nfor i = 1..2.5 { u[i]' = 1 }\nover t = 0 .. 1\n", 2, 12,
                "the bound 2.5 of a range is not a whole number");
    check_error("var u[i=1..2]\nfor i = 0.5..2 { u[i]' = 1 }\nover t = 0 .. 1\n", 2, 9, "whole");
    check_error("var x\nx' = sum(i=1..3/2, i)\nover t = 0 .. 1\n", 2, 15, "1.5");
    check_error("var x\nx' = sum(i=1..1e15, i)\nover t = 0 .. 1\n", 2, 15, "1e+15");
    check_error("var x = 1\nx' = x(0)\nover t = 0 .. 1\n", 2, 6, "not a function");
    check_error("fun f(a) = g(a)\nfun g(a) = a\nvar x\nx' = f(1)\nover t = 0 .. 1\n", 1, 12,
                "before its declaration");
    check_error("var x\nx' = sin(1, 2)\nover t = 0 .. 1\n", 2, 6, "takes 1 argument");
    check_error("var t = 1\nt' = 1\nover t = 0 .. 1\n", 3, 6, "already an unknown");
    check_error("param a = b\nparam b = 1\nvar x\nx' = a\nover t = 0 .. 1\n", 1, 11, "before");
    check_error("var x\nx' = 1\nover t = 0 .. 1\nboundary x = 1\n", 4, 10, "point");
    check_error("var x\nx' = 1\nover t = 0 .. 1\nboundary x(2) = 1\n", 4, 12, "outside");
    check_error("var i\nfor i = 1..2 { i' = 1 }\nover t = 0 .. 1\n", 2, 5, "loop index");
    check_error("var x\nx' = 1\nover t = 0 .. 1\nsolve tol = 7 \n", 4, 7, "tol");
    check_error("var x[i=1..1e12]\nx[1]' = 1\nover t = 0 .. 1\n", 1, 5, "elements");
}

static void test_rebuild(void)
{
    rg_problem *p = must_compile("param N = 3, a = 2*N\nvar u[i=1..N] = a\n"
                                 "for i = 1..N { u[i]' = a }\nover t = 0 .. N\n");

    CHECK(rg_problem_set_parameter(p, "N", 5.0) == RG_OK);
    CHECK(p->n == 5 && p->b == 5.0 && p->start[0].value[4] == 10.0);
    CHECK(rg_problem_set_parameter(p, "N", 0.5) < 0);
    CHECK(p->n == 5);
    CHECK(rg_problem_set_parameter(p, "a", 1.0) == RG_OK);
    CHECK(p->n == 5 && p->start[0].value[0] == 1.0);
    CHECK(rg_problem_set_parameter(p, "nothing", 1.0) == RG_ERR_ARGUMENT);
    rg_problem_destroy(&p);
}

static void test_conditions(void)
{
    rg_problem *p =
        must_compile("param L ~ 3\nvar y ~ sin(x), z\ny' = z\nz' = -L*y\nover x = 0 .. 1\n"
                     "boundary y(0) = 0, z(start) = 1\nboundary y(end) + z'(0.5) = 2*L\n");

    CHECK(p->is_boundary && p->n == 3 && p->n_rows == 3 && p->n_points == 3);
    CHECK(p->families[0].is_constant);
    rg_problem_destroy(&p);
    p = must_compile(
        "var y, z\ny' = z\nz' = -y\nover x = 2 .. 3\nboundary y(2) = 4\nboundary 1 = z(start)\n");
    CHECK(!p->is_boundary && p->start[0].kind[0] == RG_START_KEPT);
    CHECK(p->start[0].value[0] == 4.0 && p->start[0].value[1] == 1.0);
    CHECK(!p->has_start_conditions);
    rg_problem_destroy(&p);
    p = must_compile("var y, z ~ 1\ny' = z\nz' = -y\nover x = 0 .. 3\n"
                     "boundary y(0)^2 + z(0)^2 = 4\nboundary y(0) = 3*z(0)\n");
    CHECK(!p->is_boundary && p->has_start_conditions);
    double value;
    CHECK(rg_make_consistent(p, NULL) == RG_OK);
    rg_problem_start(p, 0, 0, &value);
    CHECK_NEAR(value, 3.0 * sqrt(0.4), 1e-14);
    rg_problem_start(p, 1, 0, &value);
    CHECK_NEAR(value, sqrt(0.4), 1e-14);
    rg_problem_destroy(&p);
}

/* floor, ceil, heaviside; unknowns in functions; the residual is x' minus the value. */
static void test_functions(void)
{
    static const struct {
        const char *text;
        double x, value;
    } list[] = {
        {"floor(x)",     2.7,   2 },
        {"floor(x)",     -0.3,  -1},
        {"floor(x)",     -4,    -4},
        {"floor(x)",     1e-20, 0 },
        {"ceil(x)",      2.2,   3 },
        {"ceil(x)",      -2.2,  -2},
        {"ceil(x)",      5,     5 },
        {"heaviside(x)", -1e-9, 0 },
        {"heaviside(x)", 0,     1 },
        {"heaviside(x)", 3,     1 },
        {"f(2)",         3,     6 },
    };
    char text[128];

    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const double yp = 0;
        double F = 0;
        snprintf(text, sizeof text, "var x = 1\nfun f(a) = a*x\nx' = %s\nover t = 0 .. 1\n",
                 list[k].text);
        rg_problem *p = must_compile(text);
        if (p != NULL) residuals(p, 0.0, &list[k].x, &yp, &F);
        CHECK(F == -list[k].value);
        rg_problem_destroy(&p);
    }
    check_error("var x = 1\nfun f(a) = a*z\nx' = f(2)\nover t = 0 .. 1\n", 2, 14, "'z'");
}

/* min and max over ranges; shorter ranges of a loop repeat their last term. */
static void test_extrema(void)
{
    rg_problem *p = must_compile("param N = 3, a[i=1..N] = (4, 2, 9), top = max(i=1..N, a[i])\n"
                                 "var u[i=1..N], x\n"
                                 "for i = 1..N { u[i]' = max(j=1..i, u[j]) + min(j=i..N, a[j]) }\n"
                                 "x' = min(i=1..N, j=1..2, u[i]*j) + top\nover t = 0 .. 1\n");
    const double y[4] = {-1, 5, 2, 0}, yp[4] = {0};
    double F[4] = {0};

    if (p != NULL) residuals(p, 0.0, y, yp, F);
    CHECK_NEAR(F[0], -(-2 + 9), 1e-15); /* equations outside of loops come first */
    CHECK_NEAR(F[1], -(-1 + 2), 1e-15);
    CHECK_NEAR(F[2], -(5 + 2), 1e-15);
    CHECK_NEAR(F[3], -(5 + 9), 1e-15);
    rg_problem_destroy(&p);
    check_error("var x = 1\nx' = max(i=3..2, i*x)\nover t = 0 .. 1\n", 2, 10, "is empty");
    check_error("var x = 1\nx' = max(i=1..20000, i*x)\nover t = 0 .. 1\n", 2, 10, "at most 10000");
    check_error("var x = 1\nx' = min(i=1..2)\nover t = 0 .. 1\n", 2, 16, "no expression");
}

/* start u[i] = ...: single elements and derivatives, kept and guessed. */
static void test_start(void)
{
    rg_problem *p = must_compile("param N = 4\nvar u[i=0..N], x\n"
                                 "for i = 1..N-1 {\n  u[i]' = u[i-1]\n  start u[i] = 10*i + t\n}\n"
                                 "for i = 2..3 { start u[i]' ~ i }\n"
                                 "u[0] = 1; u[N] = 2\nx'' = -x\nstart x = 1, x' ~ 0.5\n"
                                 "over t = 2 .. 3\n");
    if (p != NULL) {
        const int8_t none = RG_START_NONE, kept = RG_START_KEPT, guess = RG_START_GUESS;
        const double u[] = {0, 12, 22, 32, 0};
        for (int k = 0; k < 5; k++) {
            CHECK(p->start[0].kind[k] == (k > 0 && k < 4 ? kept : none));
            CHECK(p->start[0].value[k] == u[k]);
            CHECK(p->start[1].kind[k] == (k == 2 || k == 3 ? guess : none));
        }
        CHECK(p->start[1].value[3] == 3);
        CHECK(p->start[0].kind[5] == kept && p->start[1].kind[5] == guess);
        CHECK(p->start[1].value[5] == 0.5);
    }
    rg_problem_destroy(&p);
    check_error("var u[i=1..3] = 1\nstart u[2] = 3\nfor i = 1..3 { u[i]' = 0 }\nover t = 0 .. 1", 2,
                7, "'u[2]' has a start value already");
    check_error("var x\nstart y = 3\nx' = 0\nover t = 0 .. 1", 2, 7, "'start' is for unknowns");
    check_error("var u[i=1..3]\nstart u[4] = 3\nfor i = 1..3 { u[i]' = 0 }\nover t = 0 .. 1", 2, 9,
                "has no element 4");
    check_error("var x\nstart x(0) = 3\nx' = 0\nover t = 0 .. 1", 2, 8, "without a point");
    check_error("var x\nstart x\nx' = 0\nover t = 0 .. 1", 2, 8, "expected '=' or '~'");
    check_error("var x\nstart x = 1/0\nx' = 0\nover t = 0 .. 1", 2, 11, "not a finite number");
}

static const test_case cases[] = {
    {"pendulum",   test_pendulum  },
    {"arrays",     test_arrays    },
    {"names",      test_names     },
    {"sums",       test_plain_sums},
    {"doubling",   test_doubling  },
    {"nesting",    test_nesting   },
    {"dotted",     test_dotted    },
    {"errors",     test_errors    },
    {"rebuild",    test_rebuild   },
    {"start",      test_start     },
    {"functions",  test_functions },
    {"extrema",    test_extrema   },
    {"conditions", test_conditions},
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
