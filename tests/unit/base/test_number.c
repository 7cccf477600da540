/* Numbers from text and into text, to the last bit and in every locale. */
#include "base/base.h"
#include "support/test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double parse(const char *text)
{
    double value = -99;
    CHECK(rg_parse_real(text, &value));
    return value;
}

static bool is_refused(const char *text)
{
    double value = -99;
    return !rg_parse_real(text, &value) && value == -99;
}

static void test_forms(void)
{
    CHECK_NEAR(parse("0"), 0, 0);
    CHECK_NEAR(parse("1."), 1, 0);
    CHECK_NEAR(parse(".5"), 0.5, 0);
    CHECK_NEAR(parse(".5E+1"), 5, 0);
    CHECK_NEAR(parse("1e-3"), 1e-3, 0);
    CHECK_NEAR(parse("-12.25"), -12.25, 0);
    CHECK_NEAR(parse("+7"), 7, 0);
    CHECK_NEAR(parse("0001.500"), 1.5, 0);
    CHECK(signbit(parse("-0")));
}

static void test_refused(void)
{
    static const char *const texts[] = {"",     ".",     "-",      "e5",     "1e",   "1e+",  "1 ",
                                        " 1",   "0x1",   "inf",    "nan",    "1,5",  "1..2", "--1",
                                        "1e5x", "1e1.5", "1e9999", "-1e309", "1_000"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (!CHECK(is_refused(texts[k]))) CHECK_TEXT(texts[k], "refused");
}

/* Random bit patterns, printed with 17 digits and read back; strtod in the "C" locale is the other
 * route. */
static void test_round_trip(void)
{
    uint64_t state = 12345;
    for (int k = 0; k < 4000; k++) {
        char text[40], buffer[32];
        double x;
        state = state * 6364136223846793005u + 1442695040888963407u;
        memcpy(&x, &state, sizeof x);
        if (!isfinite(x)) continue;
        snprintf(text, sizeof text, "%.17g", x);
        if (!CHECK(parse(text) == x)) return;
        snprintf(text, sizeof text, "%.9g", x);
        if (!CHECK(parse(text) == strtod(text, NULL))) return;
        if (!CHECK(parse(rg_real_text(x, buffer)) == x)) return;
        if (!CHECK(parse(rg_real_digits(x, buffer)) == x)) return;
    }
}

/* Long texts round correctly: 1 + 2^-53 lies halfway; a digit far behind it decides. */
static void test_long_texts(void)
{
    char text[3000] = "1.00000000000000011102230246251565404236316680908203125";
    CHECK(parse(text) == 1.0);
    memset(text + strlen(text), '0', 2000);
    strcpy(text + 2050, "1");
    CHECK(parse(text) == 1.0 + DBL_EPSILON);
    memset(text, '0', 2500);
    strcpy(text + 2500, "e-2");
    text[0] = '1'; /* 1e2499 * 1e-2 */
    CHECK(is_refused(text));
    strcpy(text + 2500, "e-2499");
    CHECK(parse(text) == 1.0);
    memset(text, '0', 400);
    text[0] = '.';
    strcpy(text + 400, "25e400");
    CHECK(parse(text) == 2.5);
}

static void test_limits(void)
{
    CHECK(parse("1.7976931348623157e308") == DBL_MAX);
    CHECK(is_refused("1.7976931348623159e308"));
    CHECK(parse("4.9406564584124654e-324") > 0);
    CHECK(parse("1e-999999999999999999999") == 0);
    CHECK(is_refused("1e999999999999999999999"));
    CHECK(parse("0e999999999999999999999") == 0);
}

static void test_shortest(void)
{
    char buffer[32];
    CHECK_TEXT(rg_real_text(0.1, buffer), "0.1");
    CHECK_TEXT(rg_real_text(1e-6, buffer), "1e-06");
    CHECK_TEXT(rg_real_text(3, buffer), "3");
    CHECK_TEXT(rg_real_text(10, buffer), "10");
    CHECK_TEXT(rg_real_text(-1200, buffer), "-1200");
    CHECK_TEXT(rg_real_text(1e6, buffer), "1e+06");
    CHECK_TEXT(rg_real_text(-1.0 / 3, buffer), "-0.3333333333333333");
    CHECK_TEXT(rg_real_text(123456, buffer), "123456");
    CHECK_TEXT(rg_real_text(NAN, buffer), "nan");
    CHECK_TEXT(rg_real_text(-INFINITY, buffer), "-inf");
    CHECK_TEXT(rg_real_digits(0.1, buffer), "0.10000000000000001");
}

/* The same under a locale with a decimal comma, where the machine has one. */
static void test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t k = 0; k < 4 && found == NULL; k++)
        found = setlocale(LC_ALL, names[k]);
    char buffer[32];
    CHECK_NEAR(parse("1.5"), 1.5, 0);
    CHECK(is_refused("1,5"));
    CHECK_TEXT(rg_real_text(1.5, buffer), "1.5");
    CHECK_TEXT(rg_real_digits(0.1, buffer), "0.10000000000000001");
    setlocale(LC_ALL, "C");
}

static const test_case cases[] = {
    {"forms",      test_forms     },
    {"refused",    test_refused   },
    {"round trip", test_round_trip},
    {"long texts", test_long_texts},
    {"limits",     test_limits    },
    {"shortest",   test_shortest  },
    {"locale",     test_locale    },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
