/* Reports: pure formatting of what is known about a problem and of solutions. */
#ifndef RG_REPORT_REPORT_H
#define RG_REPORT_REPORT_H

#include "report/json.h"
#include "solution/facts.h"

enum {
    RG_VALUES_LIMIT =
        1000, /* more unknowns than this are left out of JSON without an output statement */
    RG_TABLE_LIMIT = 20 /* rows of a table for the eye */
};

/* s and error may be NULL; facts->problem too. */
void rg_write_run_json(const char *model, const rg_facts *facts, const rg_solution *s,
                       const rg_error *error, FILE *to);
/* The members of these objects, without the brackets around them. */
void rg_write_run_members(rg_json *j, const char *model, const rg_facts *facts,
                          const rg_solution *s, const rg_error *error, bool has_points);
void rg_write_check_members(rg_json *j, const char *model, const rg_facts *facts,
                            const rg_error *error);
void rg_write_comparison_members(rg_json *j, const char *model, const rg_comparison *c);
void rg_write_sweep_members(rg_json *j, const char *model, const rg_sweep_table *t,
                            const rg_error *error, bool has_rows);
void rg_write_orders_members(rg_json *j, const char *model, const rg_orders *o,
                             const rg_error *error);
void rg_write_check_json(const char *model, const rg_facts *facts, const rg_error *error, FILE *to);
void rg_write_check(const rg_facts *facts, FILE *to);
void rg_write_summary(const rg_solution *s, FILE *to);

/* The tables of options and of methods; a writer as rg_output_text() takes it. */
void rg_write_tables_json(FILE *to, const void *unused);

/* grid.c: fields on a grid, for the eye and in JSON. */
void rg_write_grid_check(const rg_facts *facts, FILE *to);
void rg_write_grid_summary(const rg_grid_facts *grid, FILE *to);
void rg_write_grid_errors(rg_json *j, const rg_grid_facts *grid);
/* is_check: with what a run is expected to need. */
void rg_write_grid_json(rg_json *j, const rg_grid_facts *grid, bool is_check);

/* turning.c: where the study has turning points and layers. */
void rg_write_turning(const rg_problem *p, FILE *to);
void rg_write_turning_json(rg_json *j, const rg_problem *p);

/* Which lines are differentiated: "line 11 twice, lines 7 and 8 once"; "" for none. */
void rg_write_differentiated(const rg_facts *facts, FILE *to);
/* Lines of redundant equations: "line 12", "lines 3 and 7". */
void rg_write_redundant(const rg_facts *facts, FILE *to);
/* "1 equation", "3 equations": also for other words with a plural in s. */
void rg_write_count(FILE *to, int64_t count, const char *word);
/* First column of a table: two blanks, the name filled up to `width` characters, two blanks. */
void rg_write_name(FILE *to, const char *name, int width);
int rg_name_width(const char *name); /* characters, not bytes */

#endif
