/* Public functions that write reports: to a file, as a page of HTML, into memory. */
#include "report/report.h"
#include "report/page.h"

#include "api/entry.h"
#include "base/output.h"
#include "model/mathml.h"
#include "newton/consistent.h"
#include "pdae/draw/picture.h"
#include "solution/comparison.h"
#include "solve/facts.h"

#include <string.h>

void rg_report_check(const rg_problem *p, FILE *to)
{
    rg_facts f = rg_facts_of(p);

    if (p == NULL || to == NULL) return;
    rg_facts_add_perturbation(&f);
    rg_facts_add_plan(&f);
    rg_write_check(&f, to);
}

void rg_report_check_json(const char *model, const rg_problem *p, const rg_error *error, FILE *to)
{
    rg_facts f = rg_facts_of(p);

    if (to == NULL) return;
    if (error == NULL || error->code >= 0) rg_facts_add_perturbation(&f);
    if (f.has_grid) rg_facts_add_plan(&f);
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
    const rg_facts f = rg_facts_of_run(s != NULL ? s->problem : p, s);

    if (to == NULL) return;
    rg_write_run_json(model != NULL ? model : "", &f, s, error, to);
}

/* ---- pages of HTML --------------------------------------------------------------------------- */

/* The fields at the end. */
static rg_status write_fields(const rg_solution *s, FILE *to)
{
    rg_frame frame;

    if (s->picture != NULL) fputs(s->picture, to);
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
    if (s->run != NULL && rg_analysis_known(s->run) != NULL)
        p = s->run;
    else if (p == NULL)
        p = s->problem;
    const rg_facts facts = rg_facts_of_run(p, s);
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
    rg_facts facts = rg_facts_of(p);
    rg_facts_add_plan(&facts);
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
    const rg_facts facts = rg_facts_of(p);
    rg_page page = page_of(t->ctx, &facts, f);
    page.sweep = t;
    return rg_page_write(&page, path);
}

/* ---- the same into memory -------------------------------------------------------------------- */

typedef struct {
    enum {
        CHECK,
        CHECK_JSON,
        SOLUTION,
        SOLUTION_JSON,
        COMPARISON,
        COMPARISON_JSON,
        ORDERS,
        ORDERS_JSON,
        SWEEP_JSON
    } what;
    const char *model;
    const rg_problem *problem;
    const rg_solution *solution;
    const rg_error *error;
    const rg_comparison *comparison;
    const rg_orders *orders;
    const rg_sweep_table *sweep;
} subject;

static void write_subject(FILE *to, const void *user)
{
    const subject *u = user;

    switch (u->what) {
    case CHECK:
        rg_report_check(u->problem, to);
        break;
    case CHECK_JSON:
        rg_report_check_json(u->model, u->problem, u->error, to);
        break;
    case SOLUTION:
        rg_report_solution(u->solution, to);
        break;
    case SOLUTION_JSON:
        rg_report_solution_json(u->model, u->problem, u->solution, u->error, to);
        break;
    case COMPARISON:
        rg_report_comparison(u->comparison, to);
        break;
    case COMPARISON_JSON:
        rg_report_comparison_json(u->model, u->comparison, to);
        break;
    case ORDERS:
        rg_report_orders(u->orders, to);
        break;
    case ORDERS_JSON:
        rg_report_orders_json(u->model, u->orders, u->error, to);
        break;
    case SWEEP_JSON:
        rg_report_sweep_json(u->model, u->sweep, u->error, to);
        break;
    }
}

rg_status rg_report_check_text(const rg_problem *p, char **out)
{
    const subject u = {.what = CHECK, .problem = p};

    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, out != NULL, "rg_report_check_text"));
    return rg_output_text(p->ctx, write_subject, &u, out);
}

rg_status rg_report_solution_text(const rg_solution *s, char **out)
{
    const subject u = {.what = SOLUTION, .solution = s};

    RG_TRY(rg_enter(s != NULL ? s->ctx : NULL, out != NULL, "rg_report_solution_text"));
    return rg_output_text(s->ctx, write_subject, &u, out);
}

rg_status rg_report_check_json_text(const char *model, const rg_problem *p, const rg_error *error,
                                    char **out)
{
    const subject u = {.what = CHECK_JSON, .model = model, .problem = p, .error = error};

    if (model == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(p != NULL ? p->ctx : NULL, write_subject, &u, out);
}

rg_status rg_report_solution_json_text(const char *model, const rg_problem *p, const rg_solution *s,
                                       const rg_error *error, char **out)
{
    const subject u = {
        .what = SOLUTION_JSON, .model = model, .problem = p, .solution = s, .error = error};

    if (model == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(p != NULL ? p->ctx : NULL, write_subject, &u, out);
}

rg_status rg_report_comparison_text(const rg_comparison *c, char **out)
{
    const subject u = {.what = COMPARISON, .comparison = c};

    RG_TRY(rg_enter(c != NULL ? c->ctx : NULL, out != NULL, "rg_report_comparison_text"));
    return rg_output_text(c->ctx, write_subject, &u, out);
}

rg_status rg_report_comparison_json_text(const char *model, const rg_comparison *c, char **out)
{
    const subject u = {.what = COMPARISON_JSON, .model = model, .comparison = c};

    RG_TRY(rg_enter(c != NULL ? c->ctx : NULL, model != NULL && out != NULL,
                    "rg_report_comparison_json_text"));
    return rg_output_text(c->ctx, write_subject, &u, out);
}

rg_status rg_report_orders_text(const rg_orders *o, char **out)
{
    const subject u = {.what = ORDERS, .orders = o};

    if (o == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(NULL, write_subject, &u, out);
}

rg_status rg_report_orders_json_text(const char *model, const rg_orders *o, const rg_error *error,
                                     char **out)
{
    const subject u = {.what = ORDERS_JSON, .model = model, .orders = o, .error = error};

    if (model == NULL || out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(NULL, write_subject, &u, out);
}

rg_status rg_report_sweep_json_text(const char *model, const rg_sweep_table *t,
                                    const rg_error *error, char **out)
{
    const subject u = {.what = SWEEP_JSON, .model = model, .sweep = t, .error = error};

    if (out == NULL) return RG_ERR_ARGUMENT;
    return rg_output_text(NULL, write_subject, &u, out);
}

rg_status rg_report_tables_json_text(char **out)
{
    return out != NULL ? rg_output_text(NULL, rg_write_tables_json, NULL, out) : RG_ERR_ARGUMENT;
}
