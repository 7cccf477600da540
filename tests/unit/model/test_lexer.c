/* Tokens of a text: kinds, places, and what is no token. */
#include "support/test.h"

#include "model/lexer.h"
#include "model/unicode.h"

#include <stdio.h>
#include <string.h>

/* Kinds of all tokens, a '|' before each that starts a line. */
static const char *kinds(const char *text, int32_t length)
{
    static char out[256];
    char copy[256] = {0};
    size_t n = 0;

    memcpy(copy, text, (size_t)length);
    const rg_source source = {.text = copy, .length = length};
    rg_lexer lexer = rg_lexer_start(&source);
    for (rg_token t = rg_lexer_next(&lexer); t.kind != RG_TOKEN_EOF && n < sizeof out - 3;
         t = rg_lexer_next(&lexer)) {
        if (t.is_first) out[n++] = '|';
        out[n++] = t.kind;
    }
    out[n] = '\0';
    return out;
}

#define KINDS(text) kinds(text, (int32_t)(sizeof(text) - 1))

/* Texts of all tokens, separated by blanks. */
static const char *texts(const char *text)
{
    static char out[256];
    char copy[256];
    size_t n = 0;

    snprintf(copy, sizeof copy, "%s", text);
    const rg_source source = {.text = copy, .length = (int32_t)strlen(copy)};
    rg_lexer lexer = rg_lexer_start(&source);
    for (rg_token t = rg_lexer_next(&lexer); t.kind != RG_TOKEN_EOF; t = rg_lexer_next(&lexer)) {
        const int length = t.span.end - t.span.start;
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s", n > 0 ? " " : "", length,
                              copy + t.span.start);
    }
    if (n == 0) out[0] = '\0';
    return out;
}

static void test_operators(void)
{
    CHECK_TEXT(KINDS("()[]{},;=~+-*/^< >'"), "()[]{},;=~+-*/^<>'");
    CHECK_TEXT(KINDS("<= >= == != .. and or not"), "lge!.aon");
    CHECK_TEXT(KINDS("x<-1 a=-1 a>=-b"), "N<-0N=-0Ng-N");
    CHECK_TEXT(KINDS("android nota _or or_"), "NNNN");
}

static void test_numbers(void)
{
    CHECK_TEXT(texts(".5 1. 1e-3 .5E+1 1.e3 12"), ".5 1. 1e-3 .5E+1 1.e3 12");
    CHECK_TEXT(KINDS(".5 1. 1e-3 .5E+1 1.e3 12"), "000000");
    CHECK_TEXT(texts("1..N"), "1 .. N");
    CHECK_TEXT(texts("0...5"), "0 .. .5");
    CHECK_TEXT(texts("1.5..2.5"), "1.5 .. 2.5");
    CHECK_TEXT(texts("1. .. 2"), "1. .. 2");
    CHECK_TEXT(texts("2x 1e 1e+ 3ee2"), "2 x 1 e 1 e + 3 ee2");
    CHECK_TEXT(KINDS("x^."), "N^?");
}

static void test_lines(void)
{
    CHECK_TEXT(KINDS("a\nb\r\nc\rd # e f\n\n  g"), "N|N|N|N|N");
    CHECK_TEXT(KINDS("a\tb\f c"), "NNN");
    CHECK_TEXT(KINDS("# only a comment \xff"), "");
    CHECK_TEXT(KINDS("\xEF\xBB\xBF"
                     "x"),
               "N");
    CHECK_TEXT(KINDS("x\xEF\xBB\xBF"), "N?");
}

static void test_strings(void)
{
    CHECK_TEXT(KINDS("\"a # b\" x"), "\"N");
    CHECK_TEXT(texts("\"a\\\" x"), "\"a\\\" x");
    CHECK_TEXT(KINDS("\"open\nx"), "?|N");
    CHECK_TEXT(KINDS("\"open"), "?");
    CHECK_TEXT(KINDS("\"a\xff"
                     "b\" x"),
               "?N");
    CHECK_TEXT(KINDS("\"a\0b\" x"), "?N");
}

static void test_letters(void)
{
    CHECK_TEXT(KINDS("\xCE\xBB "            /* lambda */
                     "\xC3\xA9t\xC3\xA9 "   /* ete with accents */
                     "x\xE2\x82\x81 "       /* subscript 1 */
                     "\xE2\x84\x8F "        /* h bar */
                     "\xF0\x9D\x94\xB8 "    /* double-struck A */
                     "\xD0\xB6\xE6\xB0\xB4" /* Cyrillic, Han */
                     ),
               "NNNNNN");
    CHECK_TEXT(texts("\xCE\xBB'"), "\xCE\xBB '");
}

static void test_no_letters(void)
{
    CHECK_TEXT(KINDS("x\xC2\xA0y"), "N?N");                    /* no-break space */
    CHECK_TEXT(KINDS("a\xE2\x89\xA4 b\xE2\x88\x92 "), "N?N?"); /* <=, minus */
    CHECK_TEXT(KINDS("a\xC3\x97 b\xC2\xB7 c\xC2\xB2"), "N?N?N?");
    CHECK_TEXT(KINDS("x\xE2\x80\x99 \xE2\x80\xA6"), "N??");
    CHECK_TEXT(KINDS("\xE2\x82\x81x"), "?N"); /* a subscript does not start a name */
    CHECK_TEXT(KINDS("\xF0\x9F\x98\x80"), "?");
    CHECK_TEXT(KINDS("a\0b"), "N?N");
    CHECK_TEXT(KINDS("\x01\x7f$@\\`?"), "???????");
    CHECK_TEXT(KINDS(":= && || ** => // /* ~="), "????????");
}

static void test_broken_utf8(void)
{
    static const char *const broken[] = {
        "\x80",         "\xC3",     "\xC0\x80",         "\xC1\xBF",         "\xE0\x80\x80",
        "\xED\xA0\x80", "\xE2\x89", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80",
        "\xFF",         "\xC3(",    "\xE2\x28\xA1",
    };
    uint32_t code;

    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        CHECK_INT(rg_utf8_decode(broken[k], (int32_t)strlen(broken[k]), &code), 0);
    }
    CHECK_INT(rg_utf8_decode("", 0, &code), 0);
    CHECK(rg_utf8_decode("\xF4\x8F\xBF\xBF", 4, &code) == 4 && code == 0x10FFFF);
    CHECK(rg_utf8_decode("\xC2\x80", 2, &code) == 2 && code == 0x80);
    CHECK(rg_utf8_decode("\xE0\xA0\x80", 3, &code) == 3 && code == 0x800);
    CHECK_TEXT(KINDS("a\xC3"), "N?");
}

static void test_spelling(void)
{
    CHECK_TEXT(rg_ascii_spelling(0x2264), "<=");
    CHECK_TEXT(rg_ascii_spelling(0x2212), "-");
    CHECK_TEXT(rg_ascii_spelling(0x2019), "'");
    CHECK(rg_ascii_spelling(0x3BB) == NULL);
    for (uint32_t code = 0x80; code < 0x3000; code++) { /* what has another spelling is no letter */
        if (rg_ascii_spelling(code) != NULL) CHECK(!rg_is_letter(code, false));
        if (rg_is_blank(code)) CHECK(!rg_is_letter(code, false));
    }
}

static void test_words(void)
{
    static char text[] = "half-explicit-2b- c";
    const rg_source source = {.text = text, .length = (int32_t)strlen(text)};
    rg_lexer lexer = rg_lexer_start(&source);
    rg_token token = rg_lexer_next(&lexer);

    CHECK_INT(token.span.end, 4);
    rg_lexer_extend_word(&lexer, &token);
    CHECK_INT(token.span.end, 16);
    CHECK_INT(rg_lexer_next(&lexer).kind, '-');
}

static const test_case cases[] = {
    {"operators",   test_operators  },
    {"numbers",     test_numbers    },
    {"lines",       test_lines      },
    {"strings",     test_strings    },
    {"letters",     test_letters    },
    {"no letters",  test_no_letters },
    {"broken utf8", test_broken_utf8},
    {"spelling",    test_spelling   },
    {"words",       test_words      },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
