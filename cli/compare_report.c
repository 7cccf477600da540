/* The comparison as a table, as CSV and as JSON. */
#include "compare.h"

#include <math.h>
#include <string.h>

void compare_write_help(FILE *to)
{
    fputs("regula compare pendulum.rg --methods radau,srm:step=1e-3,baumgarte:gamma=10\n\n"
          "regula compare FILE --methods A,B:NAME=VALUE,... [OPTION ...]\n\n"
          "The same problem by several methods, side by side: largest error, drift off the\n"
          "constraints, steps, evaluations, time.  Options of one method follow it, with ':'\n"
          "between them; those of 'regula solve' hold for all.  Errors are against the exact\n"
          "solution of the model, or against a run with the tolerance 1e-11: of radau, or, for\n"
          "boundary values, of collocation or the transfer.  There steps are mesh intervals, or\n"
          "the steps of all sweeps.\n\n"
          "  --methods LIST   what to compare\n"
          "  --csv FILE       the table as CSV; '-': standard output\n"
          "  --json           the table as JSON\n"
          "  --set, --from, --to, and the options of the methods: as for 'regula solve'\n",
          to);
}

enum { NAME_WIDTH = 8 };

static int most_levels(const comparison *c)
{
    int most = 0;

    for (int k = 0; k < c->n_rows; k++)
        if (c->row[k].n_levels > most) most = c->row[k].n_levels;
    return most;
}

static void write_level(char *buffer, size_t size, int level)
{
    if (level == 0)
        snprintf(buffer, size, "g");
    else if (level == 1)
        snprintf(buffer, size, "dg/dt");
    else
        snprintf(buffer, size, "d%dg/dt%d", level, level);
}

static void write_short(FILE *to, int width, double value)
{
    if (isfinite(value))
        fprintf(to, "  %*.*g", width, 3, value);
    else
        fprintf(to, "  %*s", width, "-");
}

void compare_write_table(const comparison *c, FILE *to)
{
    const int levels = most_levels(c);
    int width = 6;
    char name[32];

    for (int k = 0; k < c->n_rows; k++)
        if ((int)strlen(c->row[k].text) > width) width = (int)strlen(c->row[k].text);
    if (rg_problem_title(c->problem)[0] != '\0') fprintf(to, "%s\n", rg_problem_title(c->problem));
    if (c->has_reference)
        fprintf(to, "errors against a run of %s with the tolerance 1e-11\n\n", c->reference);
    else
        fprintf(to, "errors against %s\n\n",
                c->has_exact ? "the exact solution"
                             : "nothing: no exact solution, and no run with a tight tolerance");
    fprintf(to, "%-*s  %9s %-*s", width, "method", "error", NAME_WIDTH, "in");
    for (int k = 0; k < levels; k++) {
        write_level(name, sizeof name, k);
        fprintf(to, "  %9s", name);
    }
    fprintf(to, "  %8s  %11s  %9s\n", "steps", "evaluations", "seconds");
    for (int k = 0; k < c->n_rows; k++) {
        const compare_row *r = &c->row[k];
        fprintf(to, "%-*s", width, r->text);
        write_short(to, 9, r->error);
        snprintf(name, sizeof name, "-");
        if (r->worst >= 0) rg_problem_name(c->problem, r->worst, name, sizeof name);
        fprintf(to, " %-*s", NAME_WIDTH, name);
        for (int level = 0; level < levels; level++)
            write_short(to, 9, level < r->n_levels ? r->drift[level] : NAN);
        fprintf(to, "  %8lld  %11lld", (long long)r->stats.steps, (long long)r->stats.evaluations);
        fprintf(to, "  %9.2g\n", r->stats.seconds);
    }
    for (int k = 0; k < c->n_rows; k++)
        if (!c->row[k].is_done) fprintf(to, "\n%s failed: %s\n", c->row[k].text, c->row[k].message);
}

static void write_real(FILE *to, double value, const char *missing)
{
    if (isfinite(value))
        fprintf(to, "%.17g", value);
    else
        fputs(missing, to);
}

void compare_write_csv(const comparison *c, FILE *to)
{
    const int levels = most_levels(c);
    char name[32];

    fputs("method,status,t,error", to);
    for (int k = 0; k < levels; k++) {
        write_level(name, sizeof name, k);
        fprintf(to, ",drift(%s)", name);
    }
    fputs(",steps,rejected,evaluations,jacobians,factorizations,seconds\n", to);
    for (int k = 0; k < c->n_rows; k++) {
        const compare_row *r = &c->row[k];
        fprintf(to, "%s,%s,", r->text, r->is_done ? "ok" : "failed");
        write_real(to, r->t, "");
        fputs(",", to);
        write_real(to, r->error, "");
        for (int level = 0; level < levels; level++) {
            fputs(",", to);
            write_real(to, level < r->n_levels ? r->drift[level] : NAN, "");
        }
        fprintf(to, ",%lld,%lld,%lld,%lld,%lld,%.17g\n", (long long)r->stats.steps,
                (long long)r->stats.rejected, (long long)r->stats.evaluations,
                (long long)r->stats.jacobians, (long long)r->stats.factorizations,
                r->stats.seconds);
    }
}

static void write_text(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') putc('\\', to);
        if ((unsigned char)*text >= 0x20) putc(*text, to);
    }
    putc('"', to);
}

static void write_row(const comparison *c, const compare_row *r, FILE *to)
{
    char name[256];
    bool is_first = true;

    fputs("{\"method\": ", to);
    write_text(to, r->text);
    fprintf(to, ", \"status\": \"%s\", \"message\": ", r->is_done ? "ok" : "failed");
    write_text(to, r->message);
    fputs(", \"t\": ", to);
    write_real(to, r->t, "null");
    fputs(", \"errors\": {", to);
    for (int64_t i = 0; i < c->n; i++) {
        if (isnan(r->errors[i])) continue;
        rg_problem_name(c->problem, i, name, sizeof name);
        if (!is_first) fputs(", ", to);
        is_first = false;
        write_text(to, name);
        fputs(": ", to);
        write_real(to, r->errors[i], "null");
    }
    fputs("}, \"drift\": [", to);
    for (int k = 0; k < r->n_levels; k++) {
        if (k > 0) fputs(", ", to);
        write_real(to, r->drift[k], "null");
    }
    fprintf(to,
            "], \"steps\": %lld, \"rejected\": %lld, \"evaluations\": %lld, \"seconds\": %.17g}",
            (long long)r->stats.steps, (long long)r->stats.rejected,
            (long long)r->stats.evaluations, r->stats.seconds);
}

void compare_write_json(const comparison *c, FILE *to)
{
    fputs("{\"regula\": \"" RG_VERSION "\", \"model\": ", to);
    write_text(to, c->model);
    fprintf(to, ", \"against\": \"%s\"",
            c->has_exact       ? "exact"
            : c->has_reference ? "reference"
                               : "nothing");
    if (c->has_reference) fprintf(to, ", \"reference\": \"%s\"", c->reference);
    fputs(", \"rows\": [", to);
    for (int k = 0; k < c->n_rows; k++) {
        if (k > 0) fputs(", ", to);
        write_row(c, &c->row[k], to);
    }
    fputs("]}\n", to);
}
