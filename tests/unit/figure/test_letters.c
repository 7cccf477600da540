/* Letters of pictures without a font: every printable character has strokes within its box, no two
 * of them the same. */
#include "figure/canvas.h"
#include "support/test.h"

#include <string.h>

static void test_all(void)
{
    for (char c = ' ' + 1; c <= '~'; c++) {
        const char *s = rg_letter(c);
        CHECK(strlen(s) >= 4);
        for (; *s != '\0'; s += *s == '/' ? 1 : 2)
            if (*s != '/') CHECK(s[0] >= '0' && s[0] <= '4' && s[1] >= '0' && s[1] <= '9');
        for (char d = ' ' + 1; d < c; d++)
            CHECK(strcmp(rg_letter(c), rg_letter(d)) != 0 || (c == 'O' && d == '0'));
    }
    CHECK(rg_letter(' ')[0] == '\0');
    CHECK(strlen(rg_letter((char)0xC3)) >= 4);
}

int main(void)
{
    static const test_case cases[] = {
        {"all", test_all}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
