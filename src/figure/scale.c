/* Ranges of axes and their marks: round numbers, and powers of ten on logarithmic axes. */
#include "figure/scale.h"

#include "base/base.h"
#include "figure/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double rg_round_step(double length, double wanted)
{
    const double power = pow(10.0, floor(log10(length / wanted))), part = length / wanted / power;

    return power * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

/* Digits that tell two marks apart: 4, more where the values are large beside their distance. */
static int digits_of(double value, double step)
{
    const double ratio = fabs(value) / step;
    const int wanted = ratio > 1.0 ? 1 + (int)ceil(log10(ratio)) : 1;

    return wanted < 4 ? 4 : wanted > 15 ? 15 : wanted;
}

void rg_mark_text(double value, double step, char *text, size_t size)
{
    if (fabs(value) < RG_SAME * step) value = 0.0;
    snprintf(text, size, "%.*g", digits_of(value, step), value);
    for (char *c = text; *c != '\0'; c++) /* whatever the locale says */
        if (*c == ',') *c = '.';
}

static void add_mark(rg_scale *s, double value, double step)
{
    const double unit = pow(10.0, s->power);

    if (s->n == RG_MARKS) return;
    s->at[s->n] = value;
    rg_mark_text(value / unit, step / unit, s->text[s->n++], RG_MARK_TEXT);
}

/* Numbers with many noughts are written without a common power of ten. */
static int common_power(const rg_scale *s)
{
    const int power = (int)floor(log10(fmax(fabs(s->low), fabs(s->high))));

    return power >= -3 && power < 6 ? 0 : power;
}

static void mark_linear(rg_scale *s, int wanted)
{
    const double length = s->high - s->low, step = rg_round_step(length, wanted);
    const double first = ceil(s->low / step - RG_SAME);

    s->power = common_power(s);
    for (int k = 0; first * step + k * step <= s->high + RG_SAME * length; k++) {
        if (k == RG_MARKS) return;
        add_mark(s, (first + k) * step, step);
    }
}

/* Powers of ten, every so many of them; within two decades also 2 and 5 times these. */
static void mark_log(rg_scale *s, int wanted)
{
    const double decades = log10(s->high) - log10(s->low);
    const int every = decades > wanted ? (int)ceil(decades / wanted) : 1;
    const int first = (int)floor(log10(s->low) + RG_SAME),
              last = (int)ceil(log10(s->high) - RG_SAME);

    for (int k = first; k <= last; k++)
        for (int factor = 1; factor < 10; factor++) {
            const double value = factor * pow(10.0, k);
            const bool is_round =
                decades > 2.0 ? factor == 1 : factor == 1 || factor == 2 || factor == 5;
            if (value < s->low * (1.0 - RG_SAME) || value > s->high * (1.0 + RG_SAME)) continue;
            if (!(factor == 1 ? k % every == 0 : is_round)) continue;
            add_mark(s, value, value);
            if ((int)decades > 4) snprintf(s->text[s->n - 1], RG_MARK_TEXT, "1e%d", k);
        }
}

void rg_scale_power(const rg_scale *s, char *text, size_t size)
{
    text[0] = '\0';
    if (s->power != 0) snprintf(text, size, "1e%d", s->power);
}

static void widen(double *low, double *high)
{
    const double size = fmax(fabs(*low), fabs(*high));

    if (*high - *low > fmax(RG_SAME * size, RG_FIGURE_LEAST)) return;
    const double middle = 0.5 * *low + 0.5 * *high,
                 half = size > RG_FIGURE_LEAST ? 0.5 * size : 1.0;
    *low = middle - half;
    *high = middle + half;
}

/* Whole decades, once there is more than one; within one a margin. */
static void round_decades(rg_scale *s, double margin)
{
    if (!(s->high / s->low > 1.0 + RG_SAME)) {
        s->low /= 2.0;
        s->high *= 2.0;
    }
    if (log10(s->high) - log10(s->low) < 1.0) {
        const double factor = pow(s->high / s->low, margin);
        s->low /= factor;
        s->high *= factor;
        return;
    }
    s->low = pow(10.0, floor(log10(s->low) + RG_SAME));
    s->high = pow(10.0, ceil(log10(s->high) - RG_SAME));
}

rg_scale rg_scale_make(double low, double high, bool is_log, double margin, int wanted)
{
    rg_scale s = {.low = low, .high = high, .is_log = is_log};

    if (!(low <= high)) {
        s.low = is_log ? 1.0 : 0.0;
        s.high = is_log ? 10.0 : 1.0;
    }
    if (is_log) {
        if (margin > 0.0) round_decades(&s, margin);
        if (!(s.low < s.high)) s.high = 10.0 * s.low;
        mark_log(&s, wanted);
        return s;
    }
    widen(&s.low, &s.high);
    const double extra = margin * (s.high - s.low);
    s.low -= extra;
    s.high += extra;
    mark_linear(&s, wanted);
    return s;
}

double rg_scale_part(const rg_scale *s, double value)
{
    if (s->is_log) return (log(value) - log(s->low)) / (log(s->high) - log(s->low));
    return (value - s->low) / (s->high - s->low);
}

static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                     "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};

static void append(char *out, size_t size, const char *text)
{
    const size_t used = strlen(out);

    if (used + strlen(text) < size) memcpy(out + used, text, strlen(text) + 1);
}

static void append_power(char *out, size_t size, const char *digits)
{
    if (*digits == '-') append(out, size, "\u207b");
    digits += *digits == '-' || *digits == '+';
    while (*digits == '0' && digits[1] != '\0')
        digits++;
    for (; *digits >= '0' && *digits <= '9'; digits++)
        append(out, size, raised[*digits - '0']);
}

void rg_mark_typeset(const char *text, char *out, size_t size)
{
    const char *e = strchr(text, 'e');
    char front[2 * RG_MARK_TEXT] = "";

    out[0] = '\0';
    if (*text == '-') append(out, size, "\u2212");
    text += *text == '-';
    const size_t length = e != NULL ? (size_t)(e - text) : strlen(text);
    memcpy(front, text, length < sizeof front ? length : sizeof front - 1);
    if (e == NULL || strcmp(front, "1") != 0) append(out, size, front);
    if (e == NULL) return;
    if (strcmp(front, "1") != 0) append(out, size, "\u00b7");
    append(out, size, "10");
    append_power(out, size, e + 1);
}
