/* Scales: marks are round and inside, constant and extreme ranges have a length, texts tell marks
 * apart. */
#include "figure/scale.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static void check_marks(double low, double high, bool is_log, int least)
{
    const rg_scale s = rg_scale_make(low, high, is_log, 0.05, 6);

    CHECK(s.low < s.high);
    CHECK(s.low <= low && s.high >= high);
    CHECK(s.n >= least && s.n <= RG_MARKS / 2);
    for (int k = 0; k < s.n; k++) {
        CHECK(rg_scale_part(&s, s.at[k]) > -1e-6 && rg_scale_part(&s, s.at[k]) < 1.0 + 1e-6);
        CHECK(s.text[k][0] != '\0');
        if (k > 0) CHECK(s.at[k] > s.at[k - 1] && strcmp(s.text[k], s.text[k - 1]) != 0);
    }
}

static void test_ranges(void)
{
    static const double ends[][2] = {
        {0,      1          },
        {-1,     1          },
        {0.3,    0.30001    },
        {1e6,    1e6 + 1e-3 },
        {-1e-12, 3e-12      },
        {1e280,  5e285      },
        {-5e285, 5e285      },
        {1e-280, 2e-280     },
        {123456, 123789     },
        {3,      3          },
        {0,      0          },
        {-7,     -7         },
        {1e-300, 1e-300     },
        {1.0,    1.0 + 1e-15}
    };

    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        check_marks(ends[k][0], ends[k][1], false, 2);
    check_marks(1e-8, 3.0, true, 4);
    check_marks(2.0, 7.0, true, 1);
    check_marks(1.0, 1.0, true, 1);
    check_marks(3.0, 3.0, true, 1);
    check_marks(1e-250, 1e250, true, 4);
}

/* Rounding noise on a constant is no line of its own; a change above it is. */
static void test_flat(void)
{
    const rg_scale noise = rg_scale_make(5.0, 5.0 + 1e-12, false, 0.0, 5),
                   change = rg_scale_make(5.0, 5.0 + 1e-6, false, 0.0, 5);

    CHECK(noise.high - noise.low > 1.0);
    CHECK(change.high - change.low < 1e-5);
}

static void check_typeset(const char *text, const char *wanted)
{
    char out[64];

    rg_mark_typeset(text, out, sizeof out);
    CHECK_TEXT(out, wanted);
}

static void test_texts(void)
{
    const rg_scale s = rg_scale_make(0.0, 3e-7, false, 0.0, 4);
    char power[RG_MARK_TEXT];

    check_typeset("-2.5e-07", "\u22122.5\u00b710\u207b\u2077");
    check_typeset("1e+12", "10\u00b9\u00b2");
    check_typeset("0.5", "0.5");
    rg_scale_power(&s, power, sizeof power);
    CHECK_TEXT(power, "1e-7");
    CHECK_TEXT(s.text[s.n - 1], "3");
}

/* Nothing to show: there is an axis all the same. */
static void test_empty(void)
{
    const rg_scale s = rg_scale_make(INFINITY, -INFINITY, false, 0.05, 5);

    CHECK(s.low < s.high && s.n > 1);
}

int main(void)
{
    static const test_case cases[] = {
        {"ranges", test_ranges},
        {"flat",   test_flat  },
        {"texts",  test_texts },
        {"empty",  test_empty }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
