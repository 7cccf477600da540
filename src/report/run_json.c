/* `regula solve --json`, keys in the order of DESIGN section 2. */
#include "report/report.h"

#include <math.h>

static bool is_omitted(const rg_problem *p)
{
    return p->n_outputs == 0 && p->n > RG_VALUES_LIMIT;
}

static void write_values(rg_json *j, const rg_solution *s)
{
    char name[512];

    rg_json_key(j, "values");
    rg_json_open(j, '{');
    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        rg_json_key(j, name);
        rg_json_real(j, s->value[k]);
    }
    rg_json_close(j, '}');
}

static void write_end(rg_json *j, const rg_solution *s)
{
    rg_json_key(j, "t");
    rg_json_real(j, s->t_last);
    if (is_omitted(s->problem)) {
        rg_json_key(j, "omitted");
        rg_json_integer(j, rg_solution_columns(s));
    } else if (rg_columns_eval(s->columns, s->t_last, s->last, s->value) == RG_OK) {
        write_values(j, s);
    }
}

static void write_points(rg_json *j, const rg_solution *s)
{
    rg_json_key(j, "points");
    rg_json_open(j, '[');
    for (int64_t row = 0; row < s->n_rows; row++) {
        rg_json_open(j, '{');
        rg_json_key(j, "t");
        rg_json_real(j, s->time[row]);
        const double *z = rg_solution_row_point(s, row);
        if (!is_omitted(s->problem)
            && rg_columns_eval(s->columns, s->time[row], z, s->value) == RG_OK)
            write_values(j, s);
        rg_json_close(j, '}');
    }
    rg_json_close(j, ']');
}

static void write_errors(rg_json *j, const rg_solution *s)
{
    char name[512];

    rg_json_key(j, "errors");
    rg_json_open(j, '{');
    for (int64_t k = 0; k < s->n_exact; k++) {
        rg_exact_name(s, k, name, sizeof name);
        rg_json_key(j, name);
        rg_json_real(j, s->largest_error[k]);
    }
    rg_json_close(j, '}');
}

static void write_drift(rg_json *j, const rg_solution *s)
{
    rg_json_key(j, "drift");
    rg_json_open(j, '[');
    for (int k = 0; k < s->n_levels; k++)
        rg_json_real(j, s->drift[k]);
    rg_json_close(j, ']');
    rg_json_key(j, "singular");
    rg_json_open(j, '[');
    for (int64_t k = 0; k < s->n_singular; k++) {
        rg_json_open(j, '{');
        rg_json_key(j, "t");
        rg_json_real(j, s->singular[k].t);
        rg_json_key(j, "lost");
        rg_json_integer(j, s->singular[k].lost);
        if (s->singular[k].constraints[0] != '\0') {
            rg_json_key(j, "constraints");
            rg_json_text(j, s->singular[k].constraints);
        }
        rg_json_close(j, '}');
    }
    rg_json_close(j, ']');
}

static void write_events(rg_json *j, const rg_solution *s)
{
    if (s->problem->n_events == 0) return;
    rg_json_key(j, "events");
    rg_json_open(j, '[');
    for (int64_t k = 0; k < s->n_events; k++) {
        const rg_event *e = &s->problem->events[s->events[k].event];
        rg_json_open(j, '{');
        rg_json_key(j, "t");
        rg_json_real(j, s->events[k].t);
        rg_json_key(j, "name");
        rg_json_text(j, e->name);
        rg_json_key(j, "line");
        rg_json_integer(j, e->line);
        rg_json_close(j, '}');
    }
    rg_json_close(j, ']');
    rg_json_key(j, "events_total");
    rg_json_integer(j, s->n_events_total);
}

static void write_stats(rg_json *j, const rg_solution *s)
{
    const rg_stats *stats = &s->stats;
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {
        {"steps",          stats->steps         },
        {"rejected",       stats->rejected      },
        {"evaluations",    stats->evaluations   },
        {"jacobians",      stats->jacobians     },
        {"factorizations", stats->factorizations}
    };

    rg_json_key(j, "estimate");
    rg_json_real(j, s->estimate);
    rg_json_key(j, "estimate_end");
    rg_json_real(j, s->estimate_end);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        rg_json_key(j, counts[k].name);
        rg_json_integer(j, counts[k].value);
    }
    rg_json_key(j, "seconds");
    rg_json_real(j, stats->seconds);
}

static void write_extrapolated(rg_json *j, const rg_solution *s)
{
    char name[512];

    rg_json_key(j, "extrapolated");
    rg_json_open(j, '{');
    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        rg_json_key(j, name);
        rg_json_real(j, s->grid->extrapolated[k]);
    }
    rg_json_close(j, '}');
}

static void write_heading(rg_json *j, const char *model, const rg_facts *facts)
{
    rg_json_key(j, "regula");
    rg_json_text(j, RG_VERSION);
    rg_json_key(j, "model");
    rg_json_text(j, model);
    if (facts->problem == NULL) return;
    rg_json_key(j, "title");
    rg_json_text(j, rg_problem_title(facts->problem));
    rg_json_key(j, "unknowns");
    const rg_problem *p = facts->problem;
    rg_json_integer(j, facts->has_grid ? facts->grid.unknowns : p->n - rg_problem_states(p));
    if (!facts->has_structure) return;
    rg_json_key(j, "index");
    rg_json_integer(j, facts->has_grid ? facts->grid.index : facts->structure.index);
    rg_json_key(j, "dof");
    rg_json_integer(j, facts->has_grid ? facts->grid.dof : facts->structure.dof);
}

static void write_run(rg_json *j, const rg_solution *s, bool has_points)
{
    write_end(j, s);
    if (has_points && s->keep == RG_KEEP_ROWS && !s->rows_are_steps) write_points(j, s);
    if (s->n_exact > 0) write_errors(j, s);
    if (s->grid != NULL && s->grid->n_errors > 0) rg_write_grid_errors(j, s->grid);
    write_drift(j, s);
    write_events(j, s);
}

void rg_write_run_members(rg_json *j, const char *model, const rg_facts *facts,
                          const rg_solution *s, const rg_error *error, bool has_points)
{
    const rg_problem *p = facts->problem;

    write_heading(j, model, facts);
    if (s != NULL) {
        rg_json_key(j, "method");
        rg_json_text(j, s->method);
        if (s->why[0] != '\0') {
            rg_json_key(j, "why");
            rg_json_text(j, s->why);
        }
    }
    rg_json_ended(j, error, s != NULL ? s->message : "");
    if (s != NULL)
        write_run(j, s, has_points);
    else
        rg_json_time(j, error);
    const rg_study *study = s != NULL && s->run != NULL ? s->run->study
                            : p != NULL                 ? p->study
                                                        : NULL;
    if (s != NULL && s->run != NULL && study->turning != NULL) rg_write_turning_json(j, s->run);
    if (study != NULL) rg_json_texts(j, "warnings", study->n_warnings, study->warnings);
    if (s != NULL) write_stats(j, s);
    if (s != NULL && s->grid != NULL) {
        if (s->grid->has_extrapolated) write_extrapolated(j, s);
        rg_write_grid_json(j, s->grid, false);
    }
}

void rg_write_run_json(const char *model, const rg_facts *facts, const rg_solution *s,
                       const rg_error *error, FILE *to)
{
    rg_json j = {to, false};

    rg_json_open(&j, '{');
    rg_write_run_members(&j, model, facts, s, error, true);
    rg_json_close(&j, '}');
    putc('\n', to);
}
