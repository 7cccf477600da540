/* Options by name, and the table behind them. */
#include "base/base.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static rg_context *ctx;

static rg_status set(rg_options *o, const char *name, const char *text)
{
    if (o != NULL) o->ctx = ctx;
    const rg_status status = rg_options_set(o, name, text);
    if (o != NULL) o->ctx = NULL; /* as in rg_options_default() */
    return status;
}

static void test_defaults(void)
{
    const rg_options o = rg_options_default();
    CHECK_TEXT(o.method, "auto");
    CHECK_TEXT(o.formulation, "auto");
    CHECK_NEAR(o.rtol, 1e-6, 0);
    CHECK_NEAR(o.atol, 1e-6, 0);
    CHECK_INT(o.max_steps, 10000000);
    CHECK_NEAR(o.step + o.h_first + o.h_max + o.stages + o.max_newton, 0, 0);
}

static void test_set(void)
{
    rg_options o = rg_options_default();
    CHECK_INT(set(&o, "rtol", "1e-8"), RG_OK);
    CHECK_NEAR(o.rtol, 1e-8, 0);
    CHECK_NEAR(o.atol, 1e-6, 0);
    CHECK_INT(set(&o, "tol", "1e-4"), RG_OK);
    CHECK_NEAR(o.rtol, 1e-4, 0);
    CHECK_NEAR(o.atol, 1e-4, 0);
    CHECK_INT(set(&o, "max-steps", "5e9"), RG_OK);
    CHECK_INT(o.max_steps, 5000000000);
    CHECK_INT(set(&o, "max_steps", "7"), RG_OK);
    CHECK_INT(o.max_steps, 7);
    CHECK_INT(set(&o, "stages", "3"), RG_OK);
    CHECK_INT(o.stages, 3);
    CHECK_INT(set(&o, "method", "half-explicit"), RG_OK);
    CHECK_TEXT(o.method, "half-explicit");
    CHECK_INT(set(&o, "formulation", "direct"), RG_OK);
    CHECK_TEXT(o.formulation, "direct");
}

/* atol of single unknowns: items of a list add up, a number is for all others, tol scales what the
 * model has given. */
static void test_scales(void)
{
    rg_options o = rg_options_default();
    char text[64], name[64];
    double value = 0.0;

    CHECK(!o.atol_is_given && !o.atol_is_auto);
    CHECK_INT(set(&o, "atol", "x=1e-12, c[1,2]=1e-9"), RG_OK);
    CHECK_NEAR(o.atol, 1e-6, 0);
    CHECK(!o.atol_is_given);
    CHECK_INT(set(&o, "atol", "1e-8,x'=0"), RG_OK);
    CHECK_NEAR(o.atol, 1e-8, 0);
    CHECK(o.atol_is_given);
    rg_options_get(&o, "atol", text, sizeof text);
    CHECK_TEXT(text, "1e-08,x=1e-12,c[1,2]=1e-9,x'=0");
    const char *list = o.atol_names;
    CHECK(rg_scales_next(&list, name, sizeof name, &value));
    CHECK_TEXT(name, "x");
    CHECK(rg_scales_next(&list, name, sizeof name, &value));
    CHECK_TEXT(name, "c[1,2]");
    CHECK_NEAR(value, 1e-9, 0);
    CHECK(rg_scales_next(&list, name, sizeof name, &value));
    CHECK_TEXT(name, "x'");
    CHECK(!rg_scales_next(&list, name, sizeof name, &value));
    CHECK_INT(set(&o, "atol", "auto"), RG_OK);
    CHECK(o.atol_is_auto);
    CHECK_INT(set(&o, "atol", "1e-9"), RG_OK);
    CHECK(!o.atol_is_auto);

    o = rg_options_default();
    CHECK_INT(rg_options_assign_model(ctx, &o, "atol", "x=1e-12"), RG_OK);
    CHECK_INT(rg_options_assign_model(ctx, &o, "rtol", "1e-4"), RG_OK);
    CHECK_INT(set(&o, "tol", "1e-6"), RG_OK);
    CHECK(rg_options_has_model_atol(&o));
    CHECK_NEAR(o.atol_factor, 1e-2, 1e-14);
    CHECK_INT(set(&o, "atol", "y=1"), RG_OK); /* in place of what the model said */
    CHECK_TEXT(o.atol_names, "y=1");
}

/* A refused value leaves the options as they were, and says what to do. */
static void test_refused(void)
{
    static const char *const bad[][2] = {
        {"rtol",         "0"                                     },
        {"rtol",         "2"                                     },
        {"atol",         "-1"                                    },
        {"atol",         ""                                      },
        {"atol",         "x"                                     },
        {"atol",         "x="                                    },
        {"atol",         "=1"                                    },
        {"atol",         "x=-1"                                  },
        {"atol",         "x=1e-9,"                               },
        {"atol",         "1e-9,x=y"                              },
        {"tol",          "small"                                 },
        {"stages",       "2.5"                                   },
        {"stages",       ""                                      },
        {"max_steps",    "0"                                     },
        {"max_newton",   "1e30"                                  },
        {"formulation",  "reduced-by-hand"                       },
        {"method",       "Radau!"                                },
        {"method",       ""                                      },
        {"method",       "a-name-of-more-than-thirty-one-letters"},
        {"colour",       "red"                                   },
        {"formulation",  "or"                                    },
        {"formulation",  "direct, ggl"                           },
        {"native",       ""                                      },
        {"accept_doubt", "yes"                                   },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        rg_options o = rg_options_default();
        const rg_options before = rg_options_default();
        CHECK_INT(set(&o, bad[k][0], bad[k][1]), RG_ERR_ARGUMENT);
        CHECK(memcmp(&o, &before, sizeof o) == 0);
        CHECK_INT(rg_error_count(ctx), 1);
        CHECK(rg_last_error(ctx)->message[0] != '\0' && rg_last_error(ctx)->remedy[0] != '\0');
    }
}

static void test_messages(void)
{
    rg_options o = rg_options_default();
    set(&o, "max-step", "3");
    CHECK_TEXT(rg_last_error(ctx)->message, "unknown option 'max-step'");
    CHECK_TEXT(rg_last_error(ctx)->remedy, "did you mean 'max_steps'?");
    set(&o, "rtol", "x");
    CHECK_TEXT(rg_last_error(ctx)->message, "rtol = 'x' is not accepted");
    CHECK_TEXT(rg_last_error(ctx)->remedy, "give a real number, 1e-14 to less than 1");
    set(&o, "formulation", "x");
    CHECK_TEXT(rg_last_error(ctx)->remedy, "give auto, direct, ggl or projected");
    CHECK_INT(set(NULL, "rtol", "1"), RG_ERR_ARGUMENT);
    CHECK_INT(set(&o, NULL, "1"), RG_ERR_ARGUMENT);
    CHECK_INT(rg_options_set(&o, "rtol", "1e-3"), RG_ERR_ARGUMENT); /* no context */
}

/* Every row: alphabetical, described, and its default is accepted by its own check. */
static void test_table(void)
{
    CHECK(rg_option_count() >= 11);
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info row = rg_option_at(k);
        rg_options o = rg_options_default();
        const rg_options before = o;
        CHECK(row.text[0] != '\0' && row.range[0] != '\0' && row.kind[0] != '\0');
        CHECK_INT(set(&o, row.name, row.value), RG_OK);
        CHECK(o.atol_is_given == (strcmp(row.name, "atol") == 0));
        CHECK(o.rtol_is_given == (strcmp(row.name, "rtol") == 0 || strcmp(row.name, "tol") == 0));
        o.atol_is_given = o.rtol_is_given = false; /* the same value, but now the user's */
        CHECK(memcmp(&o, &before, sizeof o) == 0);
        if (k > 0) CHECK(strcmp(rg_option_at(k - 1).name, row.name) < 0);
    }
}

/* What was set comes back as a text, shortened like by snprintf. */
static void test_get(void)
{
    rg_options *o = NULL;
    char text[32] = "kept";

    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info row = rg_option_at(k);
        double expected = NAN, found = NAN;
        CHECK(rg_options_get(o, row.name, text, sizeof text) < (int)sizeof text);
        if (rg_parse_real(row.value, &expected))
            CHECK(rg_parse_real(text, &found) && found == expected);
        else
            CHECK_TEXT(text, row.value);
    }
    static const char *const given[][3] = {
        {"eps",          "1e-3",     "0.001"   },
        {"alpha2",       "0",        "0"       },
        {"iterations",   "3",        "3"       },
        {"accept-doubt", "on",       "on"      },
        {"max-steps",    "12",       "12"      },
        {"nodes",        "lobatto",  "lobatto" },
        {"continue",     "eps=1..0", "eps=1..0"},
        {"eps",          "auto",     "auto"    },
        {"tol",          "1e-9",     "1e-09"   },
    };
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        CHECK_INT(rg_options_set(o, given[k][0], given[k][1]), RG_OK);
        CHECK_INT(rg_options_get(o, given[k][0], text, sizeof text), (int)strlen(given[k][2]));
        CHECK_TEXT(text, given[k][2]);
    }
    CHECK_INT(rg_options_get(o, "nodes", text, 4), 7);
    CHECK_TEXT(text, "lob");
    CHECK_INT(rg_options_get(o, "nodes", NULL, 0), 7);
    CHECK(rg_options_get(o, "colour", text, sizeof text) < 0);
    CHECK(rg_options_get(NULL, "nodes", text, sizeof text) < 0);
    CHECK_TEXT(text, "lob");
    rg_options_destroy(&o);
    CHECK(o == NULL);
    rg_options_destroy(&o);
    rg_options_destroy(NULL);
}

static void test_copy(void)
{
    rg_options *o = NULL, *copy = NULL;
    char text[32];

    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "stages", "4"), RG_OK);
    CHECK_INT(rg_options_copy(o, &copy), RG_OK);
    CHECK_INT(rg_options_set(o, "stages", "5"), RG_OK);
    CHECK_INT(rg_options_get(copy, "stages", text, sizeof text), 1);
    CHECK_TEXT(text, "4");
    rg_options_destroy(&o);
    CHECK_INT(rg_options_set(copy, "stages", "x"), RG_ERR_ARGUMENT);
    CHECK_TEXT(rg_last_error(ctx)->message, "stages = 'x' is not accepted");
    rg_options_destroy(&copy);
    CHECK_INT(rg_options_create(NULL, &o), RG_ERR_ARGUMENT);
    CHECK_INT(rg_options_create(ctx, NULL), RG_ERR_ARGUMENT);
    CHECK_INT(rg_options_copy(NULL, &o), RG_ERR_ARGUMENT);
}

/* A solve line: its atol keeps its proportion, its step belongs to its method. */
static void test_model(void)
{
    rg_options o = rg_options_default();
    char names[64];

    CHECK_INT(rg_options_assign_model(ctx, &o, "rtol", "1e-6"), RG_OK);
    CHECK_INT(rg_options_assign_model(ctx, &o, "atol", "1e-14"), RG_OK);
    CHECK_INT(rg_options_assign_model(ctx, &o, "step", "0.1"), RG_OK);
    CHECK_INT(rg_options_assign_model(ctx, &o, "stages", "3"), RG_OK);
    CHECK_INT(set(&o, "tol", "1e-4"), RG_OK);
    CHECK_NEAR(o.rtol, 1e-4, 0);
    CHECK_NEAR(o.atol, 1e-12, 1e-27);
    CHECK_INT(set(&o, "stages", "3"), RG_OK);
    rg_options_drop_model(&o, true, names, sizeof names);
    CHECK_TEXT(names, "");
    rg_options_drop_model(&o, false, names, sizeof names);
    CHECK_TEXT(names, "step");
    CHECK_NEAR(o.step, 0, 0);
    CHECK_INT(o.stages, 3);
    CHECK_NEAR(o.atol, 1e-12, 1e-27);
    CHECK_INT(set(&o, "atol", "1e-3"), RG_OK);
    CHECK_INT(set(&o, "tol", "1e-5"), RG_OK);
    CHECK_NEAR(o.atol, 1e-5, 0);
}

static const test_case cases[] = {
    {"defaults", test_defaults},
    {"set",      test_set     },
    {"refused",  test_refused },
    {"scales",   test_scales  },
    {"messages", test_messages},
    {"table",    test_table   },
    {"get",      test_get     },
    {"copy",     test_copy    },
    {"model",    test_model   },
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
