/* The nearest known word to a misspelt one. */
#include "base/base.h"
#include "support/test.h"

#include <string.h>

static const char *nearest(const char *word)
{
    static const char *const words[] = {"sin", "cos", "sqrt", "lambda", "method", "max_steps", "x"};
    const char *found = rg_nearest_word(word, 7, words);
    return found != NULL ? found : "-";
}

static void test_edits(void)
{
    CHECK_TEXT(nearest("lamda"), "lambda");   /* missing letter */
    CHECK_TEXT(nearest("lambdaa"), "lambda"); /* one too many */
    CHECK_TEXT(nearest("methid"), "method");  /* a wrong one */
    CHECK_TEXT(nearest("mehtod"), "method");  /* two swapped */
    CHECK_TEXT(nearest("sqtr"), "sqrt");      /* a swap is one edit */
    CHECK_TEXT(nearest("Lambda"), "lambda");  /* capitals */
    CHECK_TEXT(nearest("X"), "x");
    CHECK_TEXT(nearest("max-step"), "max_steps");
}

static void test_too_far(void)
{
    CHECK_TEXT(nearest("tan"), "-"); /* short words allow one edit */
    CHECK_TEXT(nearest("y"), "-");
    CHECK_TEXT(nearest("lambdabar"), "-");
    CHECK_TEXT(nearest(""), "-");
    CHECK(rg_nearest_word("x", 0, NULL) == NULL);
}

static void test_best_wins(void)
{
    static const char *const words[] = {"stepss", "steps", "step"};
    CHECK_TEXT(rg_nearest_word("steps", 3, words), "steps");
    CHECK_TEXT(rg_nearest_word("stepx", 3, words), "steps"); /* the first of two equally near */
}

static void test_long_words(void)
{
    char word[200];
    memset(word, 'a', 199);
    word[199] = '\0';
    const char *const words[] = {word};
    CHECK(rg_nearest_word(word, 1, words) == NULL);
    CHECK(rg_nearest_word("aaaaa", 1, words) == NULL);
}

static const test_case cases[] = {
    {"edits",      test_edits     },
    {"too far",    test_too_far   },
    {"best wins",  test_best_wins },
    {"long words", test_long_words},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
