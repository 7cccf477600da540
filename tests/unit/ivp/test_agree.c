/* Two runs, and what they say about the way through singular positions. */
#include "support/test.h"

#include "ivp/passage/passage.h"

static bool agree(double margin, double margin_2, int64_t passed, int64_t passed_2,
                  double difference)
{
    rg_passage a = {.margin = margin, .n_passed = passed};
    rg_passage b = {.margin = margin_2, .n_passed = passed_2, .t_margin = 2.5};
    rg_integrator first = {.supervisor = &a.supervisor}, second = {.supervisor = &b.supervisor};
    char text[256] = "";
    const bool do_agree = rg_passage_agree(&first, &second, difference, text, sizeof text);

    CHECK(do_agree == (text[0] == '\0'));
    return do_agree;
}

/* The error of the second run is at most about its distance from the first one: is zero within it?
 * */
static void test_margins(void)
{
    CHECK(agree(3e-6, 3.1e-6, 1, 1, 1e-4));
    CHECK(agree(-3e-6, -3.1e-6, 0, 0, 1e-4));
    CHECK(!agree(-1e-6, 1e-6, 1, 1, 1e-4)); /* one turned back */
    CHECK(!agree(5e-6, 2e-6, 1, 1, 1e-4));  /* the true one may be 0 */
    CHECK(agree(5e-6, 4e-6, 1, 1, 1e-4));
    CHECK(agree(0.5, 0.2, 1, 1, 1e-4)); /* fast: no decision at all */
    CHECK(agree(0.0, 1e-6, 1, 1, 1e-4));
}

/* A place more, at the end of a run, is no other way as long as the ends are close together. */
static void test_counts(void)
{
    CHECK(agree(0.5, 0.5, 3, 4, 1e-3));
    CHECK(!agree(0.5, 0.5, 3, 4, 0.5));
    CHECK(agree(0.5, 0.5, 4, 4, 0.5));
}

static void test_unwatched(void)
{
    rg_integrator first = {0}, second = {0};
    char text[8] = "";

    CHECK(rg_passage_agree(&first, &second, 1.0, text, sizeof text));
    CHECK(!rg_passage_is_doubtful(&first));
}

static const test_case cases[] = {
    {"margins",   test_margins  },
    {"counts",    test_counts   },
    {"unwatched", test_unwatched}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
