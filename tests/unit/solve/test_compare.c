/* Methods side by side through the public interface. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char pendulum[] = "title \"a pendulum\"\n"
                               "var p = 1, q = 0, u = 0, v = 0\nvar lambda\n"
                               "p' = u\nq' = v\nu' = -p*lambda\nv' = -q*lambda - 1\n"
                               "0 = p^2 + q^2 - 1\n"
                               "over t = 0 .. 0.5\n"
                               "solve method = srm, variant = multibody\n";

static rg_context *ctx;
static rg_problem *problem;
static rg_comparison *comparison;

static bool load(const char *text)
{
    return CHECK(rg_context_create(&ctx) == RG_OK)
           && CHECK(rg_problem_from_text(ctx, text, &problem) == RG_OK);
}

static void unload(void)
{
    rg_comparison_destroy(&comparison);
    rg_problem_destroy(&problem);
    rg_context_destroy(&ctx);
}

static rg_compare_row row_of(int k)
{
    rg_compare_row row = {.worst = -2};

    CHECK(rg_comparison_row(comparison, k, &row) == RG_OK);
    return row;
}

/* Errors against a run with a tight tolerance; the row without options is the least accurate. */
static void test_reference(void)
{
    if (load(pendulum)
        && CHECK(rg_compare(problem, 0.5, NULL, "radau:tol=1e-9,radau:tol=1e-3", &comparison)
                 == RG_OK)
        && CHECK_INT(rg_comparison_count(comparison), 2)) {
        const rg_compare_row fine = row_of(0), coarse = row_of(1);
        CHECK_TEXT(rg_comparison_against(comparison), "radau");
        CHECK_TEXT(fine.text, "radau:tol=1e-9");
        CHECK_TEXT(fine.method, "radau");
        CHECK_INT(fine.status, RG_OK);
        CHECK_TEXT(fine.message, "");
        CHECK_NEAR(fine.t, 0.5, 0);
        CHECK(fine.error < 1e-7 && coarse.error > 10 * fine.error);
        CHECK(fine.stats.steps > 0 && fine.stats.evaluations > coarse.stats.evaluations);
        CHECK(fine.n_levels > 0 && fine.drift[0] < 1e-9);
        CHECK(fine.worst >= 0 && fine.worst < 5);
        CHECK_NEAR(rg_comparison_error(comparison, 0, fine.worst), fine.error, 0);
        for (int i = 0; i < 5; i++)
            CHECK(rg_comparison_error(comparison, 1, i) <= coarse.error);
        CHECK(isnan(rg_comparison_error(comparison, 0, 5)));
        CHECK(isnan(rg_comparison_error(comparison, 2, 0)));
    }
    unload();
}

/* Options of all rows; the exact solution; a method that fails is a row. */
static void test_exact(void)
{
    rg_options *o = NULL;

    if (load("var x = 1\nx' = -x\nover t = 0 .. 1\nexact x = exp(-t)\n")
        && CHECK(rg_options_create(ctx, &o) == RG_OK)
        && CHECK(rg_options_set(o, "tol", "1e-10") == RG_OK)
        && CHECK(rg_compare(problem, 1, o, "radau,,radau:max_steps=1,radau:stages=3", &comparison)
                 == RG_OK)
        && CHECK_INT(rg_comparison_count(comparison), 3)) {
        CHECK_TEXT(rg_comparison_against(comparison), "exact");
        CHECK(row_of(0).error < 1e-8);
        CHECK_INT(row_of(0).worst, 0);
        CHECK_INT(row_of(1).status, RG_ERR_CONVERGENCE);
        CHECK(row_of(1).message[0] != '\0');
        CHECK_INT(row_of(2).status, RG_OK);
        CHECK_INT(rg_last_error(ctx)->code, RG_OK);
    }
    rg_options_destroy(&o);
    unload();
}

/* The list is read before the first run. */
static void test_mistakes(void)
{
    static const char *const lists[] = {
        "", ",", "radau,srm:eps", "radau:epss=1", "radau:tol=-1", "radau:tol", ":tol=1"};
    rg_compare_row row = {.worst = -2};

    if (load(pendulum)) {
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
            CHECK_INT(rg_compare(problem, 0.5, NULL, lists[k], &comparison), RG_ERR_ARGUMENT);
            CHECK(comparison == NULL);
            CHECK(rg_last_error(ctx)->message[0] != '\0' && rg_last_error(ctx)->remedy[0] != '\0');
        }
        CHECK_INT(rg_compare(problem, 0.5, NULL, NULL, &comparison), RG_ERR_ARGUMENT);
        CHECK_INT(rg_compare(problem, 0.5, NULL, "radau", NULL), RG_ERR_ARGUMENT);
        CHECK_INT(rg_compare(NULL, 0.5, NULL, "radau", &comparison), RG_ERR_ARGUMENT);
        char text[200] = "radau";
        for (int k = 0; k < 20; k++)
            strcat(text, ":tol=1e");
        CHECK_INT(rg_compare(problem, 0.5, NULL, text, &comparison), RG_ERR_ARGUMENT);
        CHECK_INT(rg_compare(problem, 0.5, NULL, "radau:tol=1e-4,no-method", &comparison),
                  RG_ERR_ARGUMENT); /* found by its run: the row before it stays */
        if (CHECK(comparison != NULL)) {
            CHECK_INT(rg_comparison_count(comparison), 1);
            CHECK_INT(rg_comparison_row(comparison, 1, &row), RG_ERR_ARGUMENT);
            CHECK_INT(row.worst, -2);
        }
    }
    unload();
}

static void read_file(const char *path, char *buffer, size_t size)
{
    FILE *file = fopen(path, "r");

    buffer[0] = '\0';
    if (file == NULL) return;
    buffer[fread(buffer, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* A complete table has its name, one that was ended early stays in PATH.part. */
static void test_csv(void)
{
    char folder[] = "/tmp/regula-compare-XXXXXX", path[64], part[80], text[1024];

    if (!CHECK(mkdtemp(folder) != NULL)) return;
    snprintf(path, sizeof path, "%s/table.csv", folder);
    snprintf(part, sizeof part, "%s.part", path);
    if (load("var x = 1\nx' = -x\nover t = 0 .. 1\n")) {
        CHECK_INT(rg_compare(problem, 1, NULL, "radau", &comparison), RG_OK);
        CHECK_INT(rg_comparison_write_csv(comparison, path), RG_OK);
        read_file(path, text, sizeof text);
        CHECK(strstr(text, "method,status,t,error,steps,rejected,evaluations,jacobians,"
                           "factorizations,seconds\nradau,ok,1,")
              == text);
        CHECK(access(part, F_OK) != 0);
        rg_comparison_destroy(&comparison);
        CHECK_INT(rg_compare(problem, 1, NULL, "radau:stages=3,no-method", &comparison),
                  RG_ERR_ARGUMENT);
        CHECK_INT(rg_comparison_write_csv(comparison, path), RG_STOPPED);
        read_file(part, text, sizeof text);
        CHECK(strstr(text, "\nradau:stages=3,ok,1,") != NULL);
        read_file(path, text, sizeof text);
        CHECK(strstr(text, "\nradau,ok,1,") != NULL);
        CHECK_INT(rg_comparison_write_csv(comparison, "/nonexistent/x.csv"), RG_ERR_IO);
    }
    unload();
    unlink(path);
    unlink(part);
    rmdir(folder);
}

static void test_reports(void)
{
    char *text = NULL;

    if (load(pendulum)
        && CHECK(rg_compare(problem, 0.5, NULL, "radau:tol=1e-5", &comparison) == RG_OK)) {
        CHECK_INT(rg_report_comparison_text(comparison, &text), RG_OK);
        CHECK(strstr(text, "a pendulum\nerrors against a run of radau with the tolerance 1e-11\n\n")
              == text);
        rg_free_text(&text);
        CHECK_INT(rg_report_comparison_json_text("m.rg", comparison, &text), RG_OK);
        CHECK(strstr(text, "{\"regula\": \"" RG_VERSION "\", \"model\": \"m.rg\", \"against\": "
                           "\"reference\", \"reference\": \"radau\", \"rows\": [{\"method\": "
                           "\"radau:tol=1e-5\", \"status\": \"ok\", \"message\": \"\", \"t\": 0.5, "
                           "\"errors\": {\"p\": ")
              == text);
        rg_free_text(&text);
        CHECK_INT(rg_report_comparison_text(NULL, &text), RG_ERR_ARGUMENT);
        CHECK_INT(rg_report_comparison_json_text(NULL, comparison, &text), RG_ERR_ARGUMENT);
    }
    unload();
}

static const test_case cases[] = {
    {"reference", test_reference},
    {"exact",     test_exact    },
    {"mistakes",  test_mistakes },
    {"csv",       test_csv      },
    {"reports",   test_reports  },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
