/* Numbers as text, the same under every locale. */
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Halfway cases of a double have at most 767 significant digits; digits beyond them only tell
 * whether the value lies above such a case, and a final '1' keeps that. */
enum { DIGITS_MAX = 780, EXPONENT_MAX = 1000000 };

typedef struct {                /* value = digits * 10^exponent */
    char text[DIGITS_MAX + 32]; /* digits without leading zeros, later the exponent too */
    int n_digits;
    bool lost; /* a digit other than 0 was dropped */
    int64_t exponent;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void take_digit(decimal *d, char c, bool is_fraction)
{
    if (d->n_digits < DIGITS_MAX) {
        if (d->n_digits > 0 || c != '0') d->text[d->n_digits++] = c;
        if (is_fraction) d->exponent--;
    } else {
        if (c != '0') d->lost = true;
        if (!is_fraction) d->exponent++;
    }
}

/* mantissa: DIGITS [ '.' [ DIGITS ] ] | '.' DIGITS */
static const char *read_mantissa(const char *s, decimal *d)
{
    int n = 0;
    for (; is_digit(*s); s++, n = 1)
        take_digit(d, *s, false);
    if (*s == '.')
        for (s++; is_digit(*s); s++, n = 1)
            take_digit(d, *s, true);
    return n > 0 ? s : NULL;
}

/* exponent: [ ('e' | 'E') [ '+' | '-' ] DIGITS ] */
static const char *read_exponent(const char *s, decimal *d)
{
    if (*s != 'e' && *s != 'E') return s;
    s++;
    const int sign = *s == '-' ? -1 : 1;
    if (*s == '+' || *s == '-') s++;
    if (!is_digit(*s)) return NULL;
    int64_t e = 0;
    for (; is_digit(*s); s++)
        if (e < INT64_MAX / 100) e = 10 * e + (*s - '0');
    d->exponent += sign * e;
    return s;
}

/* strtod sees digits and an exponent only, never the point that a locale may spell otherwise. */
static double decimal_value(decimal *d)
{
    if (d->n_digits == 0) return 0.0;
    if (d->lost) {
        d->text[d->n_digits++] = '1';
        d->exponent--;
    }
    if (d->exponent > EXPONENT_MAX) d->exponent = EXPONENT_MAX;
    if (d->exponent < -EXPONENT_MAX) d->exponent = -EXPONENT_MAX;
    snprintf(d->text + d->n_digits, sizeof d->text - (size_t)d->n_digits, "e%d", (int)d->exponent);
    return strtod(d->text, NULL);
}

/* number: [ '+' | '-' ] mantissa exponent */
bool rg_parse_real(const char *text, double *value)
{
    decimal d = {.n_digits = 0};

    if (text == NULL || value == NULL) return false;
    const bool is_negative = *text == '-';

    if (*text == '+' || *text == '-') text++;
    text = read_mantissa(text, &d);
    if (text != NULL) text = read_exponent(text, &d);
    if (text == NULL || *text != '\0') return false;
    const double size = decimal_value(&d);
    if (!isfinite(size)) return false;
    *value = is_negative ? -size : size;
    return true;
}

/* A locale may write the point as another character, of one or more bytes. */
static void restore_point(char *s)
{
    const size_t before = strspn(s, "+-0123456789eEinfa");
    if (s[before] == '\0') return;
    const size_t point = strcspn(s + before, "0123456789");
    memmove(s + before + 1, s + before + point, strlen(s + before + point) + 1);
    s[before] = '.';
}

static void print_digits(double value, int digits, char buffer[32])
{
    snprintf(buffer, 32, "%.*g", digits, value);
    restore_point(buffer);
}

/* At least 6 digits, so that 10 is not written 1e+01. */
const char *rg_real_text(double value, char buffer[32])
{
    for (int digits = 6; digits <= 17; digits++) {
        double back;
        print_digits(value, digits, buffer);
        if (!isfinite(value) || (rg_parse_real(buffer, &back) && back == value)) break;
    }
    return buffer;
}

const char *rg_real_digits(double value, char buffer[32])
{
    print_digits(value, 17, buffer);
    return buffer;
}
