/* What the transfer says about its answer: constants and bound of Theorem 5.1, dichotomy, warnings.
 * */
#include "bvp/transfer/transfer.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;
static rg_problem *problem;
static rg_transfer *transfer;

static bool starts(const char *text, const char *scheme, double tol)
{
    const rg_analysis *a;
    rg_options o = rg_options_default();
    rg_status status = rg_context_create(&ctx);

    o.rtol = o.atol = tol;
    strcpy(o.scheme, scheme);
    if (status == RG_OK) status = rg_problem_from_text(ctx, text, &problem);
    if (status == RG_OK) status = rg_analysis_get(problem, &a);
    if (status == RG_OK) status = rg_transfer_create(problem, a, problem->b, &o, &transfer);
    if (status == RG_OK) status = rg_transfer_run(transfer);
    if (status != RG_OK) printf("    %s\n", rg_last_error(ctx)->message);
    return CHECK_INT(status, RG_OK);
}

static void stop(void)
{
    rg_transfer_destroy(&transfer);
    rg_problem_destroy(&problem);
    rg_context_destroy(&ctx);
}

/* y' = y, y(1) = e:  G(t, s) = -e^(t - s) for t < s, A = G = 1. */
static void test_scalar(void)
{
    rg_transfer_bound b;

    if (starts("var y\ny' = y\nover t = 0 .. 1\nboundary y(1) = exp(1)\n", "gauss", 1e-6)
        && CHECK_INT(rg_transfer_bound_find(transfer, &b), RG_OK)) {
        CHECK(b.is_valid);
        CHECK_NEAR(b.kappa_2, 1, 1e-12);
        CHECK_NEAR(b.kappa_3, 1, 1e-12);
        CHECK_NEAR(b.kappa_4, 0, 1e-12);
        CHECK_NEAR(b.kappa_5, 0, 1e-12);
        CHECK_NEAR(b.gamma, 3, 1e-5);
        CHECK_NEAR(b.size, exp(1), 1e-8);
    }
    stop();
    if (starts("var y\ny' = -y\nover t = 0 .. 2\nboundary y(2) = 1\n", "gauss", 1e-6)
        && CHECK_INT(rg_transfer_bound_find(transfer, &b), RG_OK))
        CHECK_NEAR(b.kappa_2, 2 * exp(2), 1e-6); /* L e^2: from the wrong end */
    stop();
}

/* y1' = 3 y1, y2' = -3 y2, y1 + y2 given at 0, y1 - y2 at 1:  u_0 ~ (e^-3t, e^3t) and
 * u_1 ~ (e^3(1-t), -e^-3(1-t)) with an angle of cosine c between them,
 * cond(U)^2 = (1 + |c|)/(1 - |c|).  The condition told is the largest over the times asked for. */
static void test_condition(void)
{
    double most = 0.0, y[2];

    if (starts("var y1, y2\ny1' = 3*y1\ny2' = -3*y2\nover t = 0 .. 1\n"
               "boundary y1(0) + y2(0) = 1\nboundary y1(1) - y2(1) = 1\n",
               "gauss", 1e-8))
        for (int k = 0; k <= 40; k++) {
            const double t = k / 40.0, a = exp(-3 * t), b = exp(3 * (1 - t));
            const double c = (a * b - 1 / (a * b)) / hypot(a, 1 / a) / hypot(b, 1 / b);
            CHECK_INT(rg_transfer_eval(transfer, t, y, NULL), RG_OK);
            most = fmax(most, sqrt((1 + fabs(c)) / (1 - fabs(c))));
            const double told = rg_transfer_facts(transfer).condition;
            CHECK(told <= 1.0001 * most && told >= 0.94 * most);
        }
    stop();
}

static const char turning[] =
    "var y1, y2\ncos(t)*y1' + sin(t)*y2' - sin(t)*y1 + cos(t)*y2 = -cos(t)*y1 - sin(t)*y2\n"
    "-sin(t)*y1 + cos(t)*y2 = 1\nover t = 0 .. 3\nboundary y1(3) = cos(3)*exp(-3) - sin(3)\n";

/* P = c c^T with c = (cos t, sin t):  |P'|_F = sqrt(2).  The bound covers the error, and not by
 * more than 1e6. */
static void turns(const char *scheme)
{
    rg_transfer_bound b;
    double worst = 0;

    if (starts(turning, scheme, 1e-8) && CHECK_INT(rg_transfer_bound_find(transfer, &b), RG_OK)) {
        CHECK(b.is_valid);
        CHECK_NEAR(b.kappa_5, sqrt(2), 1e-4);
        for (double t = 0; t <= 3; t += 0.05) {
            double y[2];
            if (!CHECK_INT(rg_transfer_eval(transfer, t, y, NULL), RG_OK)) break;
            worst = fmax(worst, fabs(y[0] - cos(t) * exp(-t) + sin(t)));
            worst = fmax(worst, fabs(y[1] - sin(t) * exp(-t) - cos(t)));
        }
        CHECK(worst <= b.bound * fmax(1, b.size));
        CHECK(b.bound <= 1e6 * (worst + 1e-15));
    }
    stop();
}

static void test_turning(void)
{
    turns("gauss");
    turns("radau");
}

static const char pair[] = "var y\ny'' = 100*(y - t)\nover t = 0 .. 2\n";

static rg_transfer_report facts_of(const char *model, const char *conditions)
{
    char text[512];
    rg_transfer_report f = {0};

    snprintf(text, sizeof text, "%s%s", model, conditions);
    if (starts(text, "gauss", 1e-8)) f = rg_transfer_facts(transfer);
    stop();
    return f;
}

/* One solution grows, one decays; two conditions at the end cannot hold the decaying one. */
static void test_dichotomy(void)
{
    rg_transfer_report f = facts_of(pair, "boundary y(0) = 1\nboundary y(2) = 0\n");

    CHECK(f.has_dichotomy);
    CHECK_INT(f.at_start, 1);
    CHECK_INT(f.at_end, 1);
    CHECK_INT(f.up, 1);
    CHECK_INT(f.down, 1);
    CHECK_INT(f.growing, 0);
    CHECK(f.growth < 2);
    f = facts_of(pair, "boundary y(2) = 2\nboundary y'(2) = 1\n");
    CHECK_INT(f.at_end, 2);
    CHECK_INT(f.up, 1);
    CHECK_INT(f.down, 1);
    CHECK_INT(f.growing, 1);
    CHECK(f.growth > 1e8 && f.growth < 1e11);
    f = facts_of("var y\ny'' = 100*(y - t)\nover t = 2 .. 0\n", /* backwards: start at 2 */
                 "boundary y(2) = 1\nboundary y(0) = 0\n");
    CHECK_INT(f.at_start, 1);
    CHECK_INT(f.up, 1);
    f = facts_of(pair, "boundary y(0) = y(2)\nboundary y'(0) = 0\n");
    CHECK(!f.has_dichotomy);
    f = facts_of("var y\ny'' = -y\nover t = 0 .. 2\n", "boundary y(0) = 1\nboundary y(2) = 0\n");
    CHECK_INT(f.up, 0);
    CHECK_INT(f.down, 0);
}

static void ignore(int level, const char *text, void *user)
{
    (void)level;
    (void)text;
    (void)user;
}

/* The summary and the warnings of a run through the public interface: with a log of details,
 * as --verbose makes one, the constants of the theory are told, without it they are not. */
static void says(const char *text, const char *detail, const char *warning)
{
    rg_solution *s = NULL;

    if (CHECK_INT(rg_context_create(&ctx), RG_OK)
        && CHECK_INT(rg_problem_from_text(ctx, text, &problem), RG_OK)
        && CHECK(rg_solve(problem, problem->b, NULL, &s) >= 0)) {
        char summary[4096] = "";
        FILE *to = tmpfile();
        if (CHECK(to != NULL)) {
            rg_report_solution(s, to);
            rewind(to);
            summary[fread(summary, 1, sizeof summary - 1, to)] = '\0';
            CHECK(strstr(summary, "Theorem") == NULL && strstr(summary, "psi") == NULL);
            rewind(to);
            rg_context_set_log(ctx, ignore, 2, NULL);
            rg_report_solution(s, to);
            rewind(to);
            summary[fread(summary, 1, sizeof summary - 1, to)] = '\0';
            fclose(to);
        }
        if (!CHECK(strstr(summary, detail) != NULL)) printf("%s\n", summary);
        CHECK_INT(rg_solution_warning_count(s), warning != NULL);
        if (warning != NULL && !CHECK(strstr(rg_solution_warning(s, 0), warning) != NULL))
            printf("    %s\n", rg_solution_warning(s, 0));
    }
    rg_solution_destroy(&s);
    stop();
}

static void test_words(void)
{
    says("var y\ny'' = 100*(y - t)\nover t = 0 .. 2\nboundary y(2) = 2\nboundary y'(2) = 1\n"
         "solve method = transfer\n",
         "2 at the end for 1 growing",
         "the conditions fight the dichotomy: 1 solution decays from start to end, but the start "
         "has "
         "0 conditions only");
    says("var y1, y2\ny1' = -8*y1\ny2' = 8*y2\nover t = 0 .. 1\nboundary y2(0) = 1\n"
         "boundary y1(1) = 1\nsolve method = transfer\n",
         "1 at the end for 1 growing",
         "errors grow by 3e+03 because a condition at the start fixes a growing solution, and a "
         "condition at the end fixes a decaying solution");
    says("var y\ny'' = 100*(y - t)\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n"
         "solve method = transfer\n",
         "Theorem 5.1: error at most", NULL);
    says("var y\ny'' = 100*(y - t)\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n"
         "solve method = transfer, step = 0.05\n",
         "no bound: perturbations are not known with a fixed step", NULL);
    says("var y\ny' = -100*cos(t)*y\nover t = 0 .. pi\nboundary y(pi) = 1\nsolve method = "
         "transfer\n",
         "errors grow by a factor 2.2e+43", "errors grow by a factor 2e+43 on the way");
    says("var y\ny' = -23*cos(t)*y\nover t = 0 .. pi\nboundary y(pi) = 1\nsolve method = "
         "transfer\n",
         "errors in them grow", "errors grow by a factor 9e+09 on the way");
    says("var y\ny' = -12*cos(t)*y\nover t = 0 .. pi\nboundary y(pi) = 1\nsolve method = "
         "transfer\n",
         "errors in them grow", NULL);
    says("var y ~ 0\ny'' = -exp(y)\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n"
         "solve method = transfer, newton = modified\n",
         "modified Newton: psi integrated 1 time, h alone", NULL);
}

static const test_case cases[] = {
    {"condition",                     test_condition},
    {"constants of a scalar problem", test_scalar   },
    {"turning kernel",                test_turning  },
    {"dichotomy",                     test_dichotomy},
    {"summary and warnings",          test_words    },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
