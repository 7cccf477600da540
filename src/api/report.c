/* Collects what is known about a problem for the reports. */
#include "report/report.h"
#include "report/json.h"
#include "report/page.h"

#include "api/cache.h"
#include "api/entry.h"
#include "base/output.h"
#include "model/mathml.h"
#include "pdae/draw/picture.h"
#include "pdae/form/facts.h"
#include "solution/comparison.h"
#include "solve/choose.h"
#include "solve/grid.h"
#include "views/perturbation.h"

#include <string.h>

static void add_largest_block(rg_facts *f, const rg_transversal *t)
{
    if (t == NULL || t->block_start == NULL) return;
    for (int64_t b = 0; b < t->n_blocks; b++) {
        const int64_t size = t->block_start[b + 1] - t->block_start[b];
        if (size <= f->largest_block) continue;
        f->largest_block = size;
        f->largest_unknowns = t->column_order + t->block_start[b];
    }
}

static void add_structure(rg_facts *f, const rg_problem *p, const rg_analysis *a)
{
    f->has_structure = true;
    f->structure = rg_structure_of(p, a);
    f->is_structural = a->is_structural;
    f->times = a->c;
    f->redundant = a->is_redundant;
    f->variable_index = a->variable_index;
    add_largest_block(f, a->transversal);
    f->sigma_start = a->signature.start;
    f->sigma_column = a->signature.column;
    f->sigma_order = a->signature.order;
    if (a->transversal == NULL || a->transversal->block_start == NULL) return;
    f->n_blocks = a->transversal->n_blocks;
    f->block_start = a->transversal->block_start;
    f->row_order = a->transversal->row_order;
    f->column_order = a->transversal->column_order;
}

/* The method of the model's solve line; a line that does not fit fails in the solve, with its
 * message. */
static void add_method(rg_facts *f, const rg_problem *p, const rg_analysis *a)
{
    rg_options o;
    rg_choice choice;

    if (rg_default_options(p, NULL, &o) != RG_OK) return;
    if (rg_choose(p, a, &o, &choice) != RG_OK) return;
    f->method = choice.method->name;
    f->is_reduced = choice.view == RG_VIEW_REDUCED;
    f->is_stabilized = choice.view == RG_VIEW_STABILIZED;
}

static rg_facts facts_of(const rg_problem *p)
{
    rg_facts f = {.problem = p};

    if (p == NULL) return f;
    if (p->form != NULL) {
        f.has_grid = f.has_structure = true;
        f.structure = rg_form_structure(p->form);
        rg_form_facts(p->form, &f.grid);
        return f;
    }
    const rg_analysis *a = rg_analysis_known(p);
    const rg_consistent *c = rg_start_known(p);
    f.n_conditions = p->is_boundary ? rg_condition_count(p) : 0;
    if (a != NULL) add_structure(&f, p, a);
    if (c != NULL) {
        f.start_orders = c->n_orders;
        f.start = c->value;
    }
    return f;
}

static void add_perturbation(rg_facts *f, const rg_problem *p)
{
    const rg_analysis *a = f->has_structure && !f->has_grid ? rg_analysis_known(p) : NULL;

    if (a != NULL && rg_perturbation_index(p, a, &f->perturbation_index) != RG_OK)
        f->perturbation_index = 0;
}

void rg_report_check(const rg_problem *p, FILE *to)
{
    rg_facts f = facts_of(p);

    if (p == NULL || to == NULL) return;
    add_perturbation(&f, p);
    if (f.has_structure && !f.has_grid) add_method(&f, p, rg_analysis_known(p));
    if (f.has_grid) rg_grid_plan(p, &f.grid);
    rg_write_check(&f, to);
}

void rg_report_check_json(const char *model, const rg_problem *p, const rg_error *error, FILE *to)
{
    rg_facts f = facts_of(p);

    if (to == NULL) return;
    if (error == NULL || error->code >= 0) add_perturbation(&f, p);
    if (f.has_grid) rg_grid_plan(p, &f.grid);
    rg_write_check_json(model != NULL ? model : "", &f, error, to);
}

void rg_report_solution(const rg_solution *s, FILE *to)
{
    if (s == NULL || to == NULL) return;
    rg_write_summary(s, to);
}

void rg_report_solution_json(const char *model, const rg_problem *p, const rg_solution *s,
                             const rg_error *error, FILE *to)
{
    rg_facts f = facts_of(s != NULL ? s->problem : p);

    if (s != NULL && s->grid != NULL) {
        f.has_grid = f.has_structure = true;
        f.structure = s->structure;
        f.grid = *s->grid;
    }
    if (to == NULL) return;
    rg_write_run_json(model != NULL ? model : "", &f, s, error, to);
}

/* ---- pages of HTML --------------------------------------------------------------------------- */

/* The fields at the end. */
static rg_status write_fields(const rg_solution *s, FILE *to)
{
    rg_frame frame;

    if (s->unknown == NULL || s->given->form == NULL || s->given->form->n_draws == 0) return RG_OK;
    rg_status status = rg_frame_create(s->given->form, &frame);
    if (status == RG_OK) {
        rg_frame_set(&frame, s->t_last, s->unknown);
        status = rg_picture_write_inside(s->ctx, &frame, to);
    }
    rg_frame_clear(&frame);
    return status;
}

static rg_page page_of(rg_context *ctx, const rg_facts *facts, const rg_figure *f)
{
    rg_figure full = {.size = sizeof full};

    if (f != NULL) memcpy(&full, f, f->size < sizeof full ? f->size : sizeof full);
    return (rg_page){.ctx = ctx,
                     .facts = facts,
                     .model = full.model,
                     .command = full.command,
                     .date = full.date,
                     .error = full.error,
                     .equations = rg_model_write_mathml,
                     .fields = write_fields};
}

rg_status rg_report_html_with(const rg_solution *s, const rg_problem *p, const rg_figure *f,
                              const char *path)
{
    RG_TRY(rg_enter(s != NULL ? s->ctx : NULL, path != NULL, "rg_report_html"));
    rg_facts facts = facts_of(s->run != NULL && rg_analysis_known(s->run) != NULL ? s->run
                              : p != NULL                                         ? p
                                                                                  : s->problem);
    if (s->grid != NULL) {
        facts.has_grid = facts.has_structure = true;
        facts.structure = s->structure;
        facts.grid = *s->grid;
    }
    rg_page page = page_of(s->ctx, &facts, f);
    page.solution = s;
    return rg_page_write(&page, path);
}

rg_status rg_report_html(const rg_solution *s, const rg_problem *p, const char *path)
{
    return rg_report_html_with(s, p, NULL, path);
}

rg_status rg_report_check_html(const rg_problem *p, const rg_figure *f, const char *path)
{
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, path != NULL, "rg_report_check_html"));
    rg_facts facts = facts_of(p);
    if (facts.has_structure && !facts.has_grid) add_method(&facts, p, rg_analysis_known(p));
    if (facts.has_grid) rg_grid_plan(p, &facts.grid);
    const rg_page page = page_of(p->ctx, &facts, f);
    return rg_page_write(&page, path);
}

rg_status rg_comparison_write_html(const rg_comparison *c, const rg_figure *f, const char *path)
{
    RG_TRY(rg_enter(c != NULL ? c->ctx : NULL, path != NULL, "rg_comparison_write_html"));
    rg_page page = page_of(c->ctx, NULL, f);
    page.comparison = c;
    return rg_page_write(&page, path);
}

rg_status rg_orders_write_html(const rg_orders *o, const rg_figure *f, const char *path)
{
    RG_TRY(rg_enter(o != NULL ? o->ctx : NULL, path != NULL, "rg_orders_write_html"));
    rg_page page = page_of(o->ctx, NULL, f);
    page.orders = o;
    return rg_page_write(&page, path);
}

rg_status rg_sweep_table_write_html(const rg_sweep_table *t, const rg_problem *p,
                                    const rg_figure *f, const char *path)
{
    RG_TRY(rg_enter(t != NULL ? t->ctx : NULL, p != NULL && path != NULL,
                    "rg_sweep_table_write_html"));
    const rg_facts facts = facts_of(p);
    rg_page page = page_of(t->ctx, &facts, f);
    page.sweep = t;
    return rg_page_write(&page, path);
}

/* ---- the same into memory -------------------------------------------------------------------- */

typedef struct {
    const char *model;
    const rg_problem *problem;
    const rg_solution *solution;
    const rg_error *error;
    const rg_comparison *comparison;
    const rg_orders *orders;
    const rg_sweep_table *sweep;
} subject;

static void write_check(FILE *to, const void *user)
{
    rg_report_check(((const subject *)user)->problem, to);
}

static void write_solution(FILE *to, const void *user)
{
    rg_report_solution(((const subject *)user)->solution, to);
}

static void write_check_json(FILE *to, const void *user)
{
    const subject *u = user;

    rg_report_check_json(u->model, u->problem, u->error, to);
}

static void write_solution_json(FILE *to, const void *user)
{
    const subject *u = user;

    rg_report_solution_json(u->model, u->problem, u->solution, u->error, to);
}

static void write_comparison(FILE *to, const void *user)
{
    rg_report_comparison(((const subject *)user)->comparison, to);
}

static void write_comparison_json(FILE *to, const void *user)
{
    const subject *u = user;

    rg_report_comparison_json(u->model, u->comparison, to);
}

static void write_sweep_json(FILE *to, const void *user)
{
    const subject *u = user;

    rg_report_sweep_json(u->model, u->sweep, u->error, to);
}

static void write_orders(FILE *to, const void *user)
{
    rg_report_orders(((const subject *)user)->orders, to);
}

static void write_orders_json(FILE *to, const void *user)
{
    const subject *u = user;

    rg_report_orders_json(u->model, u->orders, u->error, to);
}

rg_status rg_report_check_text(const rg_problem *p, char **out)
{
    const subject u = {.problem = p};

    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, out != NULL, "rg_report_check_text"));
    return rg_output_text(p->ctx, write_check, &u, out);
}

rg_status rg_report_solution_text(const rg_solution *s, char **out)
{
    const subject u = {.solution = s};

    RG_TRY(rg_enter(s != NULL ? s->ctx : NULL, out != NULL, "rg_report_solution_text"));
    return rg_output_text(s->ctx, write_solution, &u, out);
}

rg_status rg_report_check_json_text(const char *model, const rg_problem *p, const rg_error *error,
                                    char **out)
{
    const subject u = {.model = model, .problem = p, .error = error};

    if (model == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(p != NULL ? p->ctx : NULL, write_check_json, &u, out);
}

rg_status rg_report_solution_json_text(const char *model, const rg_problem *p, const rg_solution *s,
                                       const rg_error *error, char **out)
{
    const subject u = {.model = model, .problem = p, .solution = s, .error = error};

    if (model == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(p != NULL ? p->ctx : NULL, write_solution_json, &u, out);
}

rg_status rg_report_comparison_text(const rg_comparison *c, char **out)
{
    const subject u = {.comparison = c};

    RG_TRY(rg_enter(c != NULL ? c->ctx : NULL, out != NULL, "rg_report_comparison_text"));
    return rg_output_text(c->ctx, write_comparison, &u, out);
}

rg_status rg_report_comparison_json_text(const char *model, const rg_comparison *c, char **out)
{
    const subject u = {.model = model, .comparison = c};

    RG_TRY(rg_enter(c != NULL ? c->ctx : NULL, model != NULL && out != NULL,
                    "rg_report_comparison_json_text"));
    return rg_output_text(c->ctx, write_comparison_json, &u, out);
}

rg_status rg_report_orders_text(const rg_orders *o, char **out)
{
    const subject u = {.orders = o};

    if (o == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(NULL, write_orders, &u, out);
}

rg_status rg_report_orders_json_text(const char *model, const rg_orders *o, const rg_error *error,
                                     char **out)
{
    const subject u = {.model = model, .orders = o, .error = error};

    if (model == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(NULL, write_orders_json, &u, out);
}

rg_status rg_report_sweep_json_text(const char *model, const rg_sweep_table *t,
                                    const rg_error *error, char **out)
{
    const subject u = {.model = model, .sweep = t, .error = error};

    if (out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(NULL, write_sweep_json, &u, out);
}

/* ---- the tables ------------------------------------------------------------------------------ */

/* Pairs of a key and its text, up to a null pointer. */
static void write_row(rg_json *j, const char *const *pairs)
{
    rg_json_open(j, '{');
    for (int k = 0; pairs[k] != NULL; k += 2) {
        rg_json_key(j, pairs[k]);
        rg_json_text(j, pairs[k + 1] != NULL ? pairs[k + 1] : "");
    }
    rg_json_close(j, '}');
}

static void write_tables(FILE *to, const void *user)
{
    rg_json j = {.to = to};

    (void)user;
    rg_json_open(&j, '{');
    rg_json_key(&j, "options");
    rg_json_open(&j, '[');
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        write_row(&j, (const char *const[]){"name", o.name, "kind", o.kind, "range", o.range,
                                            "default", o.value, "text", o.text, NULL});
    }
    rg_json_close(&j, ']');
    rg_json_key(&j, "methods");
    rg_json_open(&j, '[');
    for (int k = 0; k < rg_method_count(); k++) {
        const rg_method_info m = rg_method_at(k);
        write_row(&j, (const char *const[]){"name", m.name, "solves", m.solves, "options",
                                            m.options, "source", m.source, NULL});
    }
    rg_json_close(&j, ']');
    rg_json_close(&j, '}');
}

rg_status rg_report_tables_json_text(char **out)
{
    return out != NULL ? rg_output_text(NULL, write_tables, NULL, out) : RG_ERR_ARGUMENT;
}
