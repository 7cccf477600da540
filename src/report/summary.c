/* `regula solve`: the result for the eye. */
#include "report/report.h"

#include "report/tuning.h"
#include "solution/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 8 }; /* at least */
enum { RG_SINGULAR_SHOWN = 5, RG_EVENTS_SHOWN = 10 };

static int name_width(const rg_solution *s, int64_t shown)
{
    char name[128];
    int width = NAME_WIDTH;

    for (int64_t k = 0; k < shown; k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        if (rg_name_width(name) > width) width = rg_name_width(name);
    }
    return width;
}

/* One line: what was decided and done. */
static void write_decision(const rg_solution *s, FILE *to)
{
    char time[40], seconds[40];

    fprintf(to, "%s, index %d: ", s->method, s->grid != NULL ? s->grid->index : s->structure.index);
    if (s->has_mesh) {
        rg_write_count(to, s->stats.steps, "interval");
        fputs(", the last of ", to);
        rg_write_count(to, s->stats.rejected + 1, s->stats.rejected > 0 ? "meshe" : "mesh");
        fprintf(to, ", %s s\n", rg_short_text(s->stats.seconds, 2, seconds));
    } else if (s->grid != NULL && s->grid->is_steady) {
        fprintf(to, "one solve, %s s\n", rg_short_text(s->stats.seconds, 2, seconds));
    } else {
        rg_write_count(to, s->stats.steps, "step");
        fprintf(to, " and %lld rejected to %s = %s, %s s\n", (long long)s->stats.rejected,
                rg_problem_time_name(s->problem), rg_short_text(s->t_last, 10, time),
                rg_short_text(s->stats.seconds, 2, seconds));
    }
    if (s->detail[0] != '\0') fprintf(to, "%s\n", s->detail);
    if (s->theory[0] != '\0' && rg_log_wanted(s->problem->ctx, 2)) fprintf(to, "%s\n", s->theory);
}

static bool is_same(const rg_singular *a, const rg_singular *b)
{
    return a->lost == b->lost && strcmp(a->constraints, b->constraints) == 0;
}

/* The first few of the places like number k. */
static void write_places(const rg_solution *s, int64_t k, FILE *to)
{
    char time[40];
    int shown = 0;

    for (int64_t e = k; e < s->n_singular; e++) {
        if (!is_same(&s->singular[e], &s->singular[k])) continue;
        if (shown == RG_SINGULAR_SHOWN) {
            fputs(", ...", to);
            return;
        }
        fprintf(to, "%s%s", shown++ == 0 ? " at " : ", ",
                rg_short_text(s->singular[e].t, 10, time));
    }
}

static void write_lost(const rg_singular *p, FILE *to)
{
    const bool is_one = strchr(p->constraints, ',') == NULL;

    if (p->constraints[0] == '\0') return;
    if (is_one)
        fprintf(to, "  there the constraint Jacobian is singular in %s\n", p->constraints);
    else
        fprintf(to, "  there %d of these constraints depend%s on the others: %s\n", p->lost,
                p->lost == 1 ? "s" : "", p->constraints);
}

/* Singular places that were passed, with the constraints that lose rank there: one
 * paragraph for those that are alike. */
static void write_singular(const rg_solution *s, FILE *to)
{
    for (int64_t k = 0; k < s->n_singular; k++) {
        int64_t first = 0, count = 0;
        while (!is_same(&s->singular[first], &s->singular[k]))
            first++;
        if (first < k) continue;
        for (int64_t e = k; e < s->n_singular; e++)
            if (is_same(&s->singular[e], &s->singular[k])) count++;
        fputs(k == 0 ? "\npassed " : "passed ", to);
        rg_write_count(to, count, "singular place");
        write_places(s, k, to);
        fputs("\n", to);
        write_lost(&s->singular[k], to);
    }
}

/* Up to ten events, and why the run ended. */
static void write_events(const rg_solution *s, FILE *to)
{
    char time[40];

    if (s->n_events_total > 0) {
        fputs("\n", to);
        rg_write_count(to, s->n_events_total, "event");
        fputs("\n", to);
    }
    for (int64_t k = 0; k < s->n_events && k < RG_EVENTS_SHOWN; k++) {
        const rg_event *e = &s->problem->events[s->events[k].event];
        fprintf(to, "  %s = %-16s line %d%s%s\n", rg_problem_time_name(s->problem),
                rg_short_text(s->events[k].t, 10, time), e->line, e->name[0] != '\0' ? ": " : "",
                e->name);
    }
    if (s->n_events_total > RG_EVENTS_SHOWN)
        fprintf(to, "  ... and %lld more\n", (long long)(s->n_events_total - RG_EVENTS_SHOWN));
    if (s->message[0] != '\0') fprintf(to, "\n%s\n", s->message);
}

static void write_values(const rg_solution *s, FILE *to)
{
    const int64_t count = rg_solution_columns(s);
    const int64_t shown = count < RG_TABLE_LIMIT ? count : RG_TABLE_LIMIT;
    const int width = name_width(s, shown);
    char name[128], number[40];

    if (rg_columns_eval(s->columns, s->t_last, s->last, s->value) != RG_OK) return;
    fputs("\n", to);
    for (int64_t k = 0; k < shown; k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        rg_write_name(to, name, width);
        fprintf(to, "%s\n", rg_short_text(s->value[k], 10, number));
    }
    if (shown < count) fprintf(to, "  ... and %lld more\n", (long long)(count - shown));
}

static void write_errors(const rg_solution *s, FILE *to)
{
    const int64_t shown = s->n_exact < RG_TABLE_LIMIT ? s->n_exact : RG_TABLE_LIMIT;
    char name[128], number[40];

    if (shown > 0) fputs("\nlargest error against the exact solution\n", to);
    for (int64_t k = 0; k < shown; k++) {
        rg_exact_name(s, k, name, sizeof name);
        rg_write_name(to, name, NAME_WIDTH);
        fprintf(to, "%s\n", rg_short_text(s->largest_error[k], 3, number));
    }
    if (shown < s->n_exact) fprintf(to, "  ... and %lld more\n", (long long)(s->n_exact - shown));
}

/* g, dg/dt, d2g/dt2, ... */
static void write_drift(const rg_solution *s, FILE *to)
{
    char number[40];

    if (s->n_levels == 0) return;
    fputs("\nlargest constraint residual: ", to);
    for (int k = 0; k < s->n_levels; k++) {
        if (k > 0) fputs(", ", to);
        if (k == 0)
            fputs("g ", to);
        else if (k == 1)
            fputs("dg/dt ", to);
        else
            fprintf(to, "d%dg/dt%d ", k, k);
        fputs(isnan(s->drift[k]) ? "not computed" : rg_short_text(s->drift[k], 3, number), to);
    }
    fputs("\n", to);
}

static void write_estimate(const rg_solution *s, FILE *to)
{
    char error[40], ratio[40];

    if (isnan(s->estimate)) return;
    fprintf(to, "\nestimated error %s: %s, relative to ",
            s->problem->is_boundary ? "over the interval" : "over the run",
            rg_short_text(s->estimate, 1, error));
    if (s->grid != NULL && s->written == NULL)
        fputs("max(1, |value|)\n", to);
    else if (isnan(s->estimate_ratio))
        fputs("atol/rtol + |value| of each unknown\n", to);
    else if (s->estimate_ratio < -1)
        fputs("atol/rtol + |value|, and to the size of small outputs\n", to);
    else if (s->estimate_ratio < 0)
        fputs("the size of each unknown\n", to);
    else if (s->estimate_ratio > 0)
        fprintf(to, "%s + |value|\n", rg_short_text(s->estimate_ratio, 3, ratio));
    else
        fputs("|value|\n", to);
}

/* Rows are the steps: what lies between them is worth less. */
static void write_between(const rg_solution *s, FILE *to)
{
    const rg_between *b = &s->between;
    char off[40];

    if (!(b->off > RG_BETWEEN_OFF)) return;
    fprintf(to,
            "\nrows are the steps: '%s' interpolated between them is off by up to %s tolerances; "
            "--points %d\ngives rows as good as steps\n",
            b->name, rg_short_text(b->off, 2, off),
            (int)fmin(1e6, 10.0 * ceil(0.1 * fmax(b->points, 100.0)) + 1.0));
}

void rg_write_summary(const rg_solution *s, FILE *to)
{
    const rg_problem *p = s->problem;

    if (rg_problem_title(p)[0] != '\0') fprintf(to, "%s\n", rg_problem_title(p));
    write_decision(s, to);
    if (s->run != NULL && s->run->study->turning != NULL) rg_write_turning(s->run, to);
    write_values(s, to);
    write_errors(s, to);
    if (s->grid != NULL) {
        fputs("\n", to);
        rg_write_grid_summary(s->grid, to);
    }
    write_drift(s, to);
    write_singular(s, to);
    write_events(s, to);
    write_estimate(s, to);
    write_between(s, to);
    if (rg_solution_warning_count(s) > 0) fputs("\n", to);
    for (int k = 0; k < rg_solution_warning_count(s); k++) {
        const char *text = rg_solution_warning(s, k);
        fprintf(to, "%s%s\n", strncmp(text, "note: ", 6) == 0 ? "" : "warning: ", text);
    }
}
