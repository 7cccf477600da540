/* Output times: --at T1,T2,... or --points N. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double points_limit = 1e7;

static int compare_up(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int compare_down(const void *a, const void *b)
{
    return compare_up(b, a);
}

static bool get_memory(size_t count, double **times, rg_error *error)
{
    *times = malloc(count * sizeof **times);
    if (*times != NULL) return true;
    cli_mistake(error, "ask for fewer times", "out of memory");
    error->code = RG_ERR_MEMORY;
    return false;
}

/* t_k = a + k (b - a)/(N - 1), k = 0 .. N-1, the last one exactly b. */
static bool spread_points(const char *text, double a, double b, int64_t *count, double **times,
                          rg_error *error)
{
    double n;

    if (!rg_parse_real(text, &n) || n != floor(n) || n < 2 || n > points_limit)
        return cli_mistake(error, "give a whole number from 2 to 1e7",
                           "'--points %s' is not accepted", text);
    *count = (int64_t)n;
    if (!get_memory((size_t)*count, times, error)) return false;
    for (int64_t k = 0; k < *count; k++)
        (*times)[k] = a + (b - a) * ((double)k / (n - 1));
    (*times)[*count - 1] = b;
    return true;
}

static bool read_time(char *text, double a, double b, double *t, rg_error *error)
{
    const double low = a < b ? a : b, high = a < b ? b : a;

    if (!rg_parse_real(text, t))
        return cli_mistake(error, "write numbers with commas between them, as in --at 0,0.5,1",
                           "'%s' in --at is not a number", text);
    if (*t < low || *t > high)
        return cli_mistake(error, "choose times inside, or move the interval with --from and --to",
                           "--at %s lies outside the interval %.10g .. %.10g", text, a, b);
    return true;
}

static bool read_list(const char *text, double a, double b, int64_t *count, double **times,
                      rg_error *error)
{
    const size_t length = strlen(text);
    char *copy = malloc(length + 1);
    size_t most = 1;
    bool ok = true;

    for (const char *c = text; *c != '\0'; c++)
        most += *c == ',';
    if (copy == NULL) return cli_mistake(error, "free memory", "out of memory");
    memcpy(copy, text, length + 1);
    ok = get_memory(most, times, error);
    for (char *word = copy; ok && word != NULL;) {
        char *next = strchr(word, ',');
        if (next != NULL) *next++ = '\0';
        ok = read_time(word, a, b, &(*times)[(*count)++], error);
        word = next;
    }
    free(copy);
    if (ok) qsort(*times, (size_t)*count, sizeof **times, a < b ? compare_up : compare_down);
    return ok;
}

bool cli_times(const cli_args *args, const rg_problem *p, int64_t *count, double **times,
               rg_error *error)
{
    double a, b;

    *count = 0;
    *times = NULL;
    rg_problem_interval(p, &a, &b);
    if (args->points != NULL) return spread_points(args->points, a, b, count, times, error);
    if (args->at != NULL) return read_list(args->at, a, b, count, times, error);
    return true;
}
