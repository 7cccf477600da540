/* Fields on a grid: the analysis for the eye, lines of a summary, the key "grid" in JSON. */
#include "report/report.h"

#include "solution/number.h"

#include <math.h>
#include <string.h>

/* "64 x 64 cells of 0.015625 x 0.015625" */
static void write_cells(const rg_grid_facts *g, FILE *to)
{
    char low[40], high[40];

    for (int d = 0; d < g->dims; d++)
        fprintf(to, "%s%lld", d > 0 ? " x " : "", (long long)g->cells[d]);
    fputs(" cells of ", to);
    for (int d = 0; d < g->dims; d++) {
        rg_short_text(g->narrowest[d], 4, low);
        rg_short_text(g->widest[d], 4, high);
        fprintf(to, "%s%s", d > 0 ? " x " : "", low);
        if (strcmp(low, high) != 0) fprintf(to, "..%s", high);
    }
    fputs("\n", to);
}

void rg_write_grid_check(const rg_facts *facts, FILE *to)
{
    const rg_grid_facts *g = &facts->grid;
    const rg_problem *p = facts->problem;
    char a[40], b[40];

    fputs("grid        ", to);
    write_cells(g, to);
    for (int k = 0; k < g->n_forms; k++)
        fprintf(to, "%s%s\n", k == 0 ? "equations   " : "            ", g->equation[k]);
    fprintf(to, "unknowns    %lld\n", (long long)g->unknowns);
    fprintf(to, "index       %d\n", g->index);
    fprintf(to, "freedom     %lld degree%s: as many start values can be chosen freely\n",
            (long long)g->dof, g->dof == 1 ? "" : "s");
    if (g->is_steady)
        fputs("interval    none: one solve\n", to);
    else
        fprintf(to, "interval    %s = %s .. %s\n", rg_problem_time_name(p),
                rg_short_text(p->a, 10, a), rg_short_text(p->b, 10, b));
    for (int k = 0; k < g->n_solvers; k++)
        fprintf(to, "%s%s\n", k == 0 ? "solvers     " : "            ", g->solver[k]);
    fprintf(to, "memory      about %s MB\n", rg_short_text(g->memory / 1e6, 3, a));
    if (!isnan(g->seconds_per_step))
        fprintf(to, "time        about %s s per step\n", rg_short_text(g->seconds_per_step, 1, a));
    if (g->trouble[0] != '\0') fprintf(to, "solve       %s\n", g->trouble);
}

static void write_texts(rg_json *j, const char *key, int n, const char (*texts)[RG_GRID_TEXT])
{
    rg_json_key(j, key);
    rg_json_open(j, '[');
    for (int k = 0; k < n; k++)
        rg_json_text(j, texts[k]);
    rg_json_close(j, ']');
}

static void write_balances(rg_json *j, const rg_grid_facts *g)
{
    rg_json_key(j, "balance");
    rg_json_open(j, '{');
    for (int k = 0; k < g->n_balances; k++) {
        const rg_grid_balance *b = &g->balance[k];
        const struct {
            const char *name;
            double value;
        } parts[] = {
            {"start",  b->start },
            {"in",     b->in    },
            {"out",    b->out   },
            {"end",    b->end   },
            {"defect", b->defect}
        };
        rg_json_key(j, b->name);
        rg_json_open(j, '{');
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            rg_json_key(j, parts[i].name);
            rg_json_real(j, parts[i].value);
        }
        rg_json_close(j, '}');
    }
    rg_json_close(j, '}');
}

/* Over the grid at the output times: largest, and in the mean square. */
void rg_write_grid_errors(rg_json *j, const rg_grid_facts *g)
{
    for (int which = 0; which < 2; which++) {
        rg_json_key(j, which == 0 ? "errors" : "errors_l2");
        rg_json_open(j, '{');
        for (int k = 0; k < g->n_errors; k++) {
            rg_json_key(j, g->error[k].name);
            rg_json_real(j, which == 0 ? g->error[k].largest : g->error[k].l2);
        }
        rg_json_close(j, '}');
    }
}

void rg_write_grid_json(rg_json *j, const rg_grid_facts *g, bool is_check)
{
    rg_json_key(j, "grid");
    rg_json_open(j, '{');
    rg_json_key(j, "cells");
    rg_json_open(j, '[');
    for (int d = 0; d < g->dims; d++)
        rg_json_integer(j, g->cells[d]);
    rg_json_close(j, ']');
    write_texts(j, "forms", g->n_forms, g->form);
    write_texts(j, "solvers", g->n_solvers, g->solver);
    rg_json_key(j, "iterations");
    rg_json_integer(j, g->iterations > 0 ? g->iterations : 0);
    rg_json_key(j, "cell_reynolds");
    rg_json_real(j, g->cell_reynolds);
    write_balances(j, g);
    if (is_check) {
        rg_json_key(j, "memory");
        rg_json_real(j, g->memory);
        rg_json_key(j, "seconds_per_step");
        rg_json_real(j, g->seconds_per_step);
    }
    rg_json_close(j, '}');
}

/* Lines of the summary of a run. */
void rg_write_grid_summary(const rg_grid_facts *g, FILE *to)
{
    char a[40], b[40];

    fputs("grid of ", to);
    write_cells(g, to);
    for (int k = 0; k < g->n_solvers; k++)
        fprintf(to, "linear systems: %s\n", g->solver[k]);
    if (!isnan(g->cell_reynolds))
        fprintf(to, "cell Reynolds number %s\n", rg_short_text(g->cell_reynolds, 3, a));
    for (int k = 0; k < g->n_balances; k++) {
        const rg_grid_balance *of = &g->balance[k];
        char c[40], d[40], e[40];
        fprintf(to, "balance of %s: %s at the start + %s in - %s out = %s at the end, defect %s\n",
                of->name, rg_short_text(of->start, 6, a), rg_short_text(of->in, 6, b),
                rg_short_text(of->out, 6, c), rg_short_text(of->end, 6, d),
                rg_short_text(of->defect, 2, e));
    }
    if (g->n_errors > 0)
        fputs("\nlargest error against the exact solution, and its mean square\n", to);
    for (int k = 0; k < g->n_errors; k++) {
        rg_write_name(to, g->error[k].name, 8);
        fprintf(to, "%s  %s\n", rg_short_text(g->error[k].largest, 3, a),
                rg_short_text(g->error[k].l2, 3, b));
    }
}
