/* Errors and remedies: what is kept, cut off, cleared and printed. */
#include "base/base.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static char printed[4096];

static const char *print(const rg_error *error)
{
    FILE *to = fmemopen(printed, sizeof printed, "w");
    rg_error_print(error, to);
    fclose(to);
    return printed;
}

/* The error that points at bytes [start, end) of a text named "m.rg", as printed. */
static const char *print_at(const char *text, int32_t start, int32_t end)
{
    rg_context *ctx = NULL;
    rg_source *source = NULL;

    memset(printed, 0, sizeof printed);
    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return "";
    CHECK_INT(rg_source_from_text(ctx, "m.rg", text, &source), RG_OK);
    rg_fail(ctx, RG_ERR_SYNTAX, "wrong");
    CHECK_INT(rg_fail_at(ctx, source, (rg_span){start, end}), RG_ERR_SYNTAX);
    print(rg_last_error(ctx));
    rg_source_destroy(ctx, &source);
    rg_context_destroy(&ctx);
    return printed;
}

static void test_layout(void)
{
    const char *text = "a\nb\nc\nvar lambda\nd\n";
    CHECK_TEXT(print_at(text, 10, 16), "m.rg:4:5: error: wrong\n"
                                       "    4 | var lambda\n"
                                       "      |     ^~~~~~\n");
    CHECK_TEXT(print_at(text, 10, 11), "m.rg:4:5: error: wrong\n"
                                       "    4 | var lambda\n"
                                       "      |     ^\n");
}

static void test_edges(void)
{
    /* a span over several lines is marked on its first; an empty one and the end of the text have a
     * place */
    CHECK_TEXT(print_at("ab(\ncd", 2, 6), "m.rg:1:3: error: wrong\n    1 | ab(\n      |   ^\n");
    CHECK_TEXT(print_at("ab\n", 2, 2), "m.rg:1:3: error: wrong\n    1 | ab\n      |   ^\n");
    CHECK_TEXT(print_at("ab\n", 3, 3), "m.rg:2:1: error: wrong\n    2 | \n      | ^\n");
    CHECK_TEXT(print_at("", 0, 0), "m.rg:1:1: error: wrong\n    1 | \n      | ^\n");
    CHECK_TEXT(print_at("ab\r\ncd\r\n", 0, 4), "m.rg:1:1: error: wrong\n    1 | ab\n      | ^~\n");
    CHECK_TEXT(print_at("ab", -5, 99), "m.rg:1:1: error: wrong\n    1 | ab\n      | ^~\n");
}

static void test_utf8_and_tabs(void)
{
    /* the marker counts characters, not bytes: 2 bytes for each Greek letter */
    CHECK_TEXT(print_at("\xCE\xBB\xCE\xBC = \xCE\xBD\xCE\xBE + 1", 7, 11),
               "m.rg:1:6: error: wrong\n"
               "    1 | \xCE\xBB\xCE\xBC = \xCE\xBD\xCE\xBE + 1\n"
               "      |      ^~\n");
    CHECK_TEXT(print_at("\tx = y", 5, 6), "m.rg:1:6: error: wrong\n"
                                          "    1 | \tx = y\n"
                                          "      | \t    ^\n");
    /* a wide character takes two columns; an invalid byte is shown as '?' and counts as one */
    CHECK_TEXT(print_at("\xE4\xB8\xAD = y", 6, 7), "m.rg:1:5: error: wrong\n"
                                                   "    1 | \xE4\xB8\xAD = y\n"
                                                   "      |      ^\n");
    CHECK_TEXT(print_at("\xFF\x1B = y", 5, 6), "m.rg:1:6: error: wrong\n"
                                               "    1 | ?? = y\n"
                                               "      |      ^\n");
}

/* Of a line that is too long, the part around the place is kept. */
static void test_long_line(void)
{
    char text[2001];
    memset(text, 'a', 2000);
    text[2000] = '\0';
    memcpy(text + 1500, "HERE", 4);
    const char *lines = print_at(text, 1500, 1504);
    CHECK(strncmp(lines, "m.rg:1:1501: error: wrong\n", 26) == 0);
    const char *here = strstr(lines, "HERE"), *mark = strstr(lines, "^~~~\n");
    if (!CHECK(here != NULL && mark != NULL)) return;
    const char *first = strstr(lines, " | ") + 3, *second = strstr(first, " | ") + 3;
    CHECK_INT(here - first - 2, mark - second); /* the mark of the cut has 3 bytes, 1 column */
}

static void test_without_place(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    memset(printed, 0, sizeof printed);
    CHECK_TEXT(print(rg_last_error(ctx)), ""); /* nothing failed */
    CHECK(isnan(rg_last_error(ctx)->t));
    rg_fail(ctx, RG_ERR_CONVERGENCE, "step %g too small", 1e-20);
    CHECK_INT(rg_remedy(ctx, "try %s", "tol = 1e-4"), RG_ERR_CONVERGENCE);
    CHECK_TEXT(print(rg_last_error(ctx)),
               "error: step 1e-20 too small\n  remedy: try tol = 1e-4\n");
    CHECK_INT(rg_fail_time(ctx, 0.1), RG_ERR_CONVERGENCE);
    CHECK_TEXT(print(rg_last_error(ctx)),
               "error: step 1e-20 too small\n  at t = 0.1\n  remedy: try tol = 1e-4\n");
    rg_clear_error(ctx);
    rg_fail(ctx, RG_ERR_CONVERGENCE, "stopped at s = 0.3333333333: x = 2"); /* the time is told */
    rg_remedy(ctx, "try");
    rg_fail_time(ctx, 1.0 / 3);
    CHECK(strstr(print(rg_last_error(ctx)), "x = 2\n  remedy: try\n") != NULL);
    rg_context_destroy(&ctx);
}

static void test_list(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    CHECK_INT(rg_error_count(ctx), 0);
    for (int k = 0; k < 30; k++) {
        CHECK_INT(rg_fail(ctx, RG_ERR_SYNTAX, "error %d", k), RG_ERR_SYNTAX);
        rg_remedy(ctx, "remedy %d", k);
    }
    CHECK_INT(rg_error_count(ctx), 20);
    CHECK_TEXT(rg_last_error(ctx)->message, "error 0");
    CHECK_TEXT(rg_error_at(ctx, 19)->message, "error 19");
    CHECK_TEXT(rg_error_at(ctx, 19)->remedy, "remedy 19"); /* not that of a dropped one */
    CHECK_INT(rg_fail(ctx, RG_ERR_MEMORY, "memory"), RG_ERR_MEMORY);
    CHECK_TEXT(rg_last_error(ctx)->message, "error 0");
    rg_clear_error(ctx);
    CHECK_INT(rg_error_count(ctx), 0);
    CHECK_INT(rg_last_error(ctx)->code, RG_OK);
    CHECK_TEXT(rg_last_error(ctx)->remedy, "");
    rg_context_destroy(&ctx);
}

/* A text that does not fit ends with a whole character. */
static void test_cut_text(void)
{
    rg_context *ctx = NULL;
    char text[1001];

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    for (int k = 0; k < 500; k++)
        memcpy(text + 2 * k, "\xCE\xBB", 2);
    text[1000] = '\0';
    rg_fail(ctx, RG_ERR_SYNTAX, "%s", text);
    CHECK_INT((long long)strlen(rg_last_error(ctx)->message), 510);
    rg_fail(ctx, RG_ERR_SYNTAX, "x%s", text);
    CHECK_INT((long long)strlen(rg_error_at(ctx, 1)->message), 511);
    rg_context_destroy(&ctx);
}

static void test_interrupt(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    CHECK(!rg_interrupted(ctx));
    rg_context_interrupt(ctx);
    CHECK(rg_interrupted(ctx));
    rg_clear_error(ctx);
    CHECK(rg_interrupted(ctx)); /* until somebody reports it */
    rg_fail(ctx, RG_ERR_INTERRUPTED, "interrupted");
    CHECK(!rg_interrupted(ctx));
    rg_context_destroy(&ctx);
}

/* Of what failed before, where something may have: the next failure is the first one anyway. */
static void test_again(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    const rg_error none = *rg_last_error(ctx);
    CHECK_INT(rg_fail_again(ctx, &none), RG_OK);
    CHECK_INT(rg_error_count(ctx), 0);
    rg_fail(ctx, RG_ERR_CONVERGENCE, "lost");
    CHECK_INT(rg_last_error(ctx)->code, RG_ERR_CONVERGENCE);
    const rg_error one = *rg_last_error(ctx);
    rg_clear_error(ctx);
    CHECK_INT(rg_fail_again(ctx, &one), RG_ERR_CONVERGENCE);
    CHECK_TEXT(rg_last_error(ctx)->message, "lost");
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"layout",        test_layout       },
    {"edges",         test_edges        },
    {"utf8 and tabs", test_utf8_and_tabs},
    {"long line",     test_long_line    },
    {"without place", test_without_place},
    {"list",          test_list         },
    {"cut text",      test_cut_text     },
    {"interrupt",     test_interrupt    },
    {"again",         test_again        },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
