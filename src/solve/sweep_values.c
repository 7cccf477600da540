/* The values that a swept parameter takes: a list, an even or geometric range, or random numbers.
 *
 * Random numbers are the same on every machine: they are made of a counter-based generator
 * (base/random.h) by sums, products, quotients and square roots alone, which IEEE 754 fixes to the
 * last bit; the logarithm that a normal distribution needs is written out here for that reason.
 * Every number depends on the seed, its list and its place alone. */
#include "base/random.h"
#include "solve/sweep_plan.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    const char *name, *spec;
} spec_text;

static rg_status refuse(const spec_text *t, const char *what)
{
    rg_fail(t->ctx, RG_ERR_ARGUMENT, "'--over %s=%.200s': %s", t->name, t->spec, what);
    return rg_remedy(t->ctx,
                     "write %s=1,2,3 or %s=A..B:N or %s=A..B:N:log or "
                     "%s=normal(MEAN,STD):N or %s=uniform(A,B):N",
                     t->name, t->name, t->name, t->name, t->name);
}

/* A number between two places of the text, blanks around it. */
static bool read_number(const char *from, const char *to, double *out)
{
    char text[64];

    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    if (to == from || (size_t)(to - from) >= sizeof text) return false;
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = '\0';
    return rg_parse_real(text, out);
}

/* ":N" with a whole number, up to the end or the next colon; what follows into *rest. */
static bool read_count(const char *at, int64_t *count, const char **rest)
{
    double n;

    if (*at != ':') return false;
    const char *end = at + 1 + strcspn(at + 1, ":");
    if (!read_number(at + 1, end, &n) || n != floor(n) || n < 1 || n > RG_SWEEP_VALUES)
        return false;
    *count = (int64_t)n;
    *rest = end;
    return true;
}

static rg_status get_memory(rg_context *ctx, int64_t count, double **out)
{
    *out = rg_alloc(ctx, (size_t)count, sizeof **out);
    return *out != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* ---- lists and ranges ------------------------------------------------------------------------ */

static rg_status read_list(const spec_text *t, int64_t *count, double **out)
{
    *count = 1;
    for (const char *c = t->spec; *c != '\0'; c++)
        *count += *c == ',';
    RG_TRY(get_memory(t->ctx, *count, out));
    const char *at = t->spec;
    for (int64_t k = 0; k < *count; k++) {
        const char *end = at + strcspn(at, ",");
        if (!read_number(at, end, &(*out)[k]))
            return refuse(t, "there is something else than numbers in the list");
        at = end + 1;
    }
    return RG_OK;
}

/* 15 digits: 0.1 + 0.2 is written, and meant, as 0.3. */
static double rounded(double value)
{
    char text[40];
    double neat;

    snprintf(text, sizeof text, "%.14e", value);
    for (char *c = text; *c != '\0'; c++) /* whatever the locale writes for the point */
        if (strchr("0123456789+-e", *c) == NULL) *c = '.';
    return rg_parse_real(text, &neat) ? neat : value;
}

/* v_k = A + (B - A) k/(N - 1), or A (B/A)^(k/(N-1)); the ends exactly. */
static rg_status read_range(const spec_text *t, const char *dots, int64_t *count, double **out)
{
    const char *colon = strchr(dots, ':'), *rest;
    double a, b;

    if (colon == NULL) return refuse(t, "a range needs a number of values, as in 0..1:11");
    if (!read_number(t->spec, dots, &a) || !read_number(dots + 2, colon, &b))
        return refuse(t, "the ends of the range are not numbers");
    if (!read_count(colon, count, &rest))
        return refuse(t, "the number of values is not a whole number from 1 to 1e8");
    const bool is_log = strcmp(rest, ":log") == 0;
    if (*rest != '\0' && !is_log) return refuse(t, "only ':log' may follow the number of values");
    if (is_log && !(a * b > 0.0))
        return refuse(t, "a geometric range needs ends of the same sign, other than 0");
    if (*count == 1 && a != b) return refuse(t, "one value has not got two different ends");
    RG_TRY(get_memory(t->ctx, *count, out));
    for (int64_t k = 0; k < *count; k++) {
        const double s = *count > 1 ? (double)k / (double)(*count - 1) : 0.0;
        (*out)[k] = rounded(is_log ? a * pow(b / a, s) : a + (b - a) * s);
    }
    (*out)[0] = a;
    (*out)[*count - 1] = b;
    return RG_OK;
}

/* ---- random numbers -------------------------------------------------------------------------- */

/* log x for 0 < x < 1:  x = m 2^e, sqrt(1/2) <= m < sqrt(2), s = (m - 1)/(m + 1),
 *
 *     log x = e log 2 + 2 (s + s^3/3 + s^5/5 + ...),      |s| < 0.172:
 *
 * thirteen terms reach rounding. */
static double plain_log(double x)
{
    const double log_2 = 0.69314718055994530942, half_root = 0.70710678118654752440;
    int e;
    double m = frexp(x, &e), sum = 0.0;

    if (m < half_root) {
        m *= 2.0;
        e--;
    }
    const double s = (m - 1.0) / (m + 1.0), q = s * s;
    for (int k = 12; k >= 0; k--) {
        const double term = q * sum;
        sum = term + 1.0 / (2.0 * k + 1.0);
    }
    const double small = 2.0 * s * sum, large = e * log_2;
    return large + small;
}

/* Marsaglia's polar method: (u, v) uniform in the unit disk, q = u^2 + v^2,
 *
 *     u sqrt(-2 log(q)/q)     is normal with mean 0 and variance 1.
 *
 * The tries of number k have places of their own; that all of them lie outside has the
 * probability 0.21^64. */
static double normal(uint64_t seed, uint64_t k)
{
    enum { TRIES = 64 };

    for (uint64_t i = 0; i < TRIES; i++) {
        const uint64_t place = 2 * (TRIES * k + i);
        const double u = 2.0 * rg_random(seed, place) - 1.0;
        const double v = 2.0 * rg_random(seed, place + 1) - 1.0;
        const double uu = u * u, vv = v * v, q = uu + vv;
        if (q > 0.0 && q < 1.0) return u * sqrt(-2.0 * plain_log(q) / q);
    }
    return 0.0;
}

/* Every list has a sequence of its own. */
static uint64_t stream_seed(uint64_t seed, int stream)
{
    return seed + (uint64_t)stream * 0x9e3779b97f4a7c15ULL;
}

static rg_status read_random(const spec_text *t, uint64_t seed, int stream, int64_t *count,
                             double **out)
{
    const bool is_normal = strncmp(t->spec, "normal", 6) == 0;
    const char *open = strchr(t->spec, '('), *comma = strchr(open, ','), *close = strchr(open, ')');
    const char *rest;
    double a, b;

    if (comma == NULL || close == NULL || comma > close || !read_number(open + 1, comma, &a)
        || !read_number(comma + 1, close, &b))
        return refuse(t, "two numbers with a comma between them belong into the brackets");
    if (!read_count(close + 1, count, &rest) || *rest != '\0')
        return refuse(t, "the number of values, ':N', is missing or no whole number from 1 to 1e8");
    if (is_normal && b < 0.0) return refuse(t, "the standard deviation is negative");
    if (!is_normal && a > b) return refuse(t, "the ends are in the wrong order");
    RG_TRY(get_memory(t->ctx, *count, out));
    seed = stream_seed(seed, stream);
    for (int64_t k = 0; k < *count; k++) {
        const double width = is_normal ? b : b - a;
        const double x = is_normal ? normal(seed, (uint64_t)k) : rg_random(seed, (uint64_t)k);
        const double moved = width * x;
        (*out)[k] = a + moved;
    }
    return RG_OK;
}

rg_status rg_sweep_values(rg_context *ctx, const char *name, const char *spec, uint64_t seed,
                          int stream, int64_t *count, double **out, bool *is_random)
{
    const spec_text t = {ctx, name, spec};
    const char *dots = strstr(spec, "..");

    *out = NULL;
    *is_random = strncmp(spec, "normal(", 7) == 0 || strncmp(spec, "uniform(", 8) == 0;
    if (*is_random) return read_random(&t, seed, stream, count, out);
    return dots != NULL ? read_range(&t, dots, count, out) : read_list(&t, count, out);
}
