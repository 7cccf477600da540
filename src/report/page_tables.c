/* Lists and tables of a page: decisions, end values, statistics, comparisons, orders. */
#include "report/page.h"

#include "base/output.h"
#include "base/text.h"
#include "solution/number.h"

#include <math.h>
#include <string.h>

enum { NAMES_SHOWN = 24, VALUES_SHOWN = 200, SINGULAR_SHOWN = 50 };

/* ---- what was decided ------------------------------------------------------------------------ */
static void begin_item(FILE *to, const char *term)
{
    fprintf(to, "<dt>%s</dt><dd>", term);
}

static void end_item(FILE *to)
{
    fputs("</dd>\n", to);
}

static void write_number_item(FILE *to, const char *term, int64_t value)
{
    begin_item(to, term);
    fprintf(to, "%lld", (long long)value);
    end_item(to);
}

typedef struct {
    void (*write)(const rg_facts *facts, FILE *to);
    const rg_facts *facts;
} line_writer;

static void run_writer(FILE *to, const void *user)
{
    const line_writer *w = user;

    w->write(w->facts, to);
}

/* What a writer of plain text says, as the text of an item; nothing where it says nothing. */
static void write_text_item(const rg_page *page, const char *term,
                            void (*write)(const rg_facts *facts, FILE *to), FILE *to)
{
    const line_writer w = {write, page->facts};
    char *text = NULL;

    if (rg_output_text(page->ctx, run_writer, &w, &text) != RG_OK) return;
    if (text[0] != '\0') {
        begin_item(to, term);
        rg_text_write_xml(to, text);
        end_item(to);
    }
    rg_free_text(&text);
}

/* Start values that the model does not give. */
static void write_computed(const rg_page *page, FILE *to)
{
    const rg_problem *p = page->facts->problem;
    char name[256], number[40];
    int shown = 0;
    double value;

    if (p->is_boundary || page->facts->start_orders == 0) return;
    for (int64_t j = 0; j < p->n; j++) {
        if (rg_problem_start(p, j, 0, &value) == RG_START_KEPT || isnan(value)) continue;
        if (shown == 0) begin_item(to, "start values computed");
        if (shown == NAMES_SHOWN) fputs(", …", to);
        if (shown++ >= NAMES_SHOWN) continue;
        rg_problem_name(p, j, name, sizeof name);
        fputs(shown > 1 ? ", " : "", to);
        rg_text_write_xml(to, name);
        fprintf(to, " = %s", rg_short_text(value, 7, number));
    }
    if (shown > 0) end_item(to);
}

static void write_lines(FILE *to, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        char line[1600];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fputs("<div>", to);
        rg_text_write_xml(to, line);
        fputs("</div>", to);
        text += length + (text[length] == '\n');
    }
}

static void write_singular(const rg_solution *s, FILE *to)
{
    char number[40];

    if (s->n_singular == 0) return;
    begin_item(to, "singular positions passed");
    for (int64_t k = 0; k < s->n_singular && k < SINGULAR_SHOWN; k++) {
        fprintf(to, "%s%s = %s", k > 0 ? ", " : "", rg_problem_time_name(s->problem),
                rg_short_text(s->singular[k].t, 8, number));
        if (s->singular[k].constraints[0] != '\0') {
            fputs(" (", to);
            rg_text_write_xml(to, s->singular[k].constraints);
            fputs(")", to);
        }
    }
    if (s->n_singular > SINGULAR_SHOWN) fputs(", …", to);
    end_item(to);
}

/* When and by which line of the model; why the run ended there. */
static void write_events(const rg_solution *s, FILE *to)
{
    char number[40];

    if (s->n_events_total > 0) {
        begin_item(to, "events");
        fprintf(to, "%lld: ", (long long)s->n_events_total);
    }
    for (int64_t k = 0; k < s->n_events && k < SINGULAR_SHOWN; k++) {
        const rg_event *e = &s->problem->events[s->events[k].event];
        fprintf(to, "%s%s = %s (", k > 0 ? ", " : "", rg_problem_time_name(s->problem),
                rg_short_text(s->events[k].t, 8, number));
        if (e->name[0] != '\0')
            rg_text_write_xml(to, e->name);
        else
            fprintf(to, "line %d", e->line);
        fputs(")", to);
    }
    if (s->n_events_total > SINGULAR_SHOWN) fputs(", …", to);
    if (s->n_events_total > 0) end_item(to);
    if (s->message[0] == '\0') return;
    begin_item(to, "ended");
    rg_text_write_xml(to, s->message);
    end_item(to);
}

/* How a higher index was treated. */
static const char *formulation_text(const rg_solution *s)
{
    if (strcmp(s->formulation, "projected") == 0)
        return "projected: differentiated equations as well, states kept on the constraints";
    if (strcmp(s->formulation, "ggl") == 0)
        return "ggl: constraints and their derivatives together, with extra multipliers";
    return s->structure.index > 1 ? "direct: the equations as they are written" : "";
}

static void write_run_items(const rg_solution *s, FILE *to)
{
    char number[40];

    begin_item(to, "method");
    rg_text_write_xml(to, s->method);
    if (s->why[0] != '\0') {
        fputs(" (", to);
        rg_text_write_xml(to, s->why);
        fputs(")", to);
    }
    end_item(to);
    if (s->formulation[0] != '\0' && formulation_text(s)[0] != '\0') {
        begin_item(to, "formulation");
        fputs(formulation_text(s), to);
        end_item(to);
    }
    if (s->detail[0] != '\0') {
        begin_item(to, "it says");
        write_lines(to, s->detail);
        end_item(to);
    }
    write_singular(s, to);
    write_events(s, to);
    if (!isnan(s->estimate)) {
        begin_item(to, "estimated error");
        fprintf(to, "%s relative to the size of the values, from a second run",
                rg_short_text(s->estimate, 2, number));
        end_item(to);
    }
}

static void write_grid_text(FILE *to, const void *user)
{
    rg_write_grid_summary(user, to);
}

/* Cells, what the equations were recognized as, solvers, balances. */
static void write_grid_items(const rg_page *page, FILE *to)
{
    const rg_grid_facts *g = &page->facts->grid;
    char *text = NULL;

    if (g->n_forms > 0 && g->equation[0][0] != '\0') {
        begin_item(to, "equations");
        for (int k = 0; k < g->n_forms; k++)
            write_lines(to, g->equation[k]);
        end_item(to);
    }
    if (rg_output_text(page->ctx, write_grid_text, g, &text) != RG_OK) return;
    begin_item(to, "grid");
    write_lines(to, text);
    end_item(to);
    rg_free_text(&text);
}

void rg_page_decisions_write(const rg_page *page, FILE *to)
{
    const rg_facts *f = page->facts;

    fputs("<section><h2>What was decided</h2>\n<dl>\n", to);
    write_number_item(to, "unknowns",
                      f->has_grid ? f->grid.unknowns
                                  : f->problem->n - rg_problem_states(f->problem));
    if (f->has_structure) {
        write_number_item(to, "index", f->has_grid ? f->grid.index : f->structure.index);
        write_number_item(to, "degrees of freedom", f->has_grid ? f->grid.dof : f->structure.dof);
    }
    if (f->has_structure && !f->has_grid) {
        write_text_item(page, "differentiated", rg_write_differentiated, to);
        if (f->structure.redundant > 0)
            write_text_item(page, "redundant constraints", rg_write_redundant, to);
        write_number_item(to, "blocks", f->structure.blocks);
    }
    if (f->has_grid)
        write_grid_items(page, to);
    else
        write_computed(page, to);
    if (page->solution != NULL) {
        write_run_items(page->solution, to);
    } else if (f->method != NULL) {
        begin_item(to, "method");
        fprintf(to, "%s%s", f->method,
                f->is_stabilized ? ", on the stabilized model"
                : f->is_reduced  ? ", on the reduced model"
                                 : "");
        end_item(to);
    }
    fputs("</dl></section>\n", to);
}

/* ---- tables ---------------------------------------------------------------------------------- */
void rg_page_end_values_write(const rg_page *page, FILE *to)
{
    const rg_solution *s = page->solution;
    const int64_t count = rg_solution_columns(s);
    char name[512], number[40];

    if (rg_columns_eval(s->columns, s->t_last, s->last, s->value) != RG_OK) return;
    fputs("<section><h2>At the end, ", to);
    rg_text_write_xml(to, rg_problem_time_name(s->problem));
    fprintf(to, " = %s</h2>\n<div class=\"wide\"><table>\n", rg_short_text(s->t_last, 10, number));
    for (int64_t k = 0; k < count && k < VALUES_SHOWN; k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        fputs("<tr><td>", to);
        rg_text_write_xml(to, name);
        fprintf(to, "</td><td class=\"n\">%s</td></tr>\n", rg_short_text(s->value[k], 10, number));
    }
    fputs("</table></div>\n", to);
    if (count > VALUES_SHOWN)
        fprintf(to, "<p>… and %lld more</p>\n", (long long)(count - VALUES_SHOWN));
    fputs("</section>\n", to);
}

void rg_page_statistics_write(const rg_page *page, FILE *to)
{
    const rg_solution *s = page->solution;
    char number[40];
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {
        {s->has_mesh ? "mesh intervals" : "steps",      s->stats.steps         },
        {s->has_mesh ? "meshes before it" : "rejected", s->stats.rejected      },
        {"evaluations",                                 s->stats.evaluations   },
        {"Jacobians",                                   s->stats.jacobians     },
        {"factorizations",                              s->stats.factorizations}
    };

    fputs("<table>\n", to);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (k < 2 || counts[k].value > 0) /* some methods do not count them */
            fprintf(to, "<tr><td>%s</td><td class=\"n\">%lld</td></tr>\n", counts[k].name,
                    (long long)counts[k].value);
    fprintf(to, "<tr><td>seconds</td><td class=\"n\">%s</td></tr>\n",
            rg_short_text(s->stats.seconds, 3, number));
    for (int k = 0; k < s->n_levels; k++)
        fprintf(to,
                "<tr><td>largest residual of the constraints, level %d</td><td "
                "class=\"n\">%s</td></tr>\n",
                k, rg_short_text(s->drift[k], 3, number));
    fputs("</table>\n", to);
}

void rg_page_comparison_write(const rg_page *page, FILE *to)
{
    const rg_comparison *c = page->comparison;
    char number[40];

    fputs("<div class=\"wide\"><table>\n<tr><th>method</th><th class=\"n\">error</th><th "
          "class=\"n\">drift</th><th class=\"n\">steps</th><th class=\"n\">evaluations</th><th "
          "class=\"n\">seconds</th><th></th></tr>\n",
          to);
    for (int k = 0; k < c->n_rows; k++) {
        const rg_compare_row *r = &c->row[k];
        fputs("<tr><td>", to);
        rg_text_write_xml(to, r->text);
        fprintf(to, "</td><td class=\"n\">%s</td>", rg_short_text(r->error, 3, number));
        fprintf(to, "<td class=\"n\">%s</td>",
                r->n_levels > 0 ? rg_short_text(r->drift[0], 3, number) : "");
        fprintf(to, "<td class=\"n\">%lld</td><td class=\"n\">%lld</td>", (long long)r->stats.steps,
                (long long)r->stats.evaluations);
        fprintf(to, "<td class=\"n\">%s</td><td>", rg_short_text(r->stats.seconds, 3, number));
        rg_text_write_xml(to, r->status < 0 ? r->message : "");
        fputs("</td></tr>\n", to);
    }
    fputs("</table></div>\n", to);
}

void rg_page_orders_write(const rg_page *page, FILE *to)
{
    const rg_orders *o = page->orders;
    char name[512], number[40];

    fputs("<div class=\"wide\"><table>\n<tr><th>unknown</th><th class=\"n\">observed</th><th "
          "class=\"n\">theory</th><th>verdict</th></tr>\n",
          to);
    for (int64_t j = 0; j < o->problem->n && j < VALUES_SHOWN; j++) {
        const int pair = rg_orders_last_pair(o, j);
        rg_problem_name(o->problem, j, name, sizeof name);
        fputs("<tr><td>", to);
        rg_text_write_xml(to, name);
        fprintf(to, "</td><td class=\"n\">%s</td><td class=\"n\">%d</td><td>%s</td></tr>\n",
                pair >= 0 ? rg_short_text(rg_orders_observed(o, pair, j), 3, number) : "",
                o->theory[j], rg_orders_verdict(o, j));
    }
    fputs("</table></div>\n", to);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */
static void write_cell(FILE *to, double value, int digits)
{
    char number[40];

    fprintf(to, "<td class=\"n\">%s</td>",
            isfinite(value) ? rg_short_text(value, digits, number) : "");
}

static void write_statistics(const rg_sweep_table *t, FILE *to)
{
    rg_statistics s;

    fputs(
        "<section><h2>Over all runs</h2>\n<div class=\"wide\"><table>\n<tr><th>output</th><th "
        "class=\"n\">mean</th><th class=\"n\">standard deviation</th><th class=\"n\">least</th><th "
        "class=\"n\">5 %</th><th class=\"n\">median</th><th class=\"n\">95 %</th><th "
        "class=\"n\">largest</th></tr>\n",
        to);
    for (int64_t k = 0; k < t->n_values && k < VALUES_SHOWN; k++) {
        if (rg_sweep_table_statistics(t, k, &s) != RG_OK) break;
        const double numbers[] = {s.mean, s.std, s.min, s.q05, s.median, s.q95, s.max};
        fputs("<tr><td>", to);
        rg_text_write_xml(to, t->names[k]);
        fputs("</td>", to);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            write_cell(to, numbers[i], 6);
        fputs("</tr>\n", to);
    }
    fputs("</table></div></section>\n", to);
}

static void write_failures(const rg_sweep_table *t, FILE *to)
{
    int64_t told = 0;

    for (int64_t k = 0; k < t->count && told < SINGULAR_SHOWN; k++) {
        const rg_sweep_entry *e = &t->entries[k];
        if (e->status >= 0) continue;
        told++;
        fprintf(to, "<p class=\"warn\">run %lld failed: ", (long long)e->run);
        rg_text_write_xml(to, e->message != NULL ? e->message : "");
        fputs("</p>\n", to);
    }
    if (t->failed > told)
        fprintf(to, "<p>… and %lld more failures</p>\n", (long long)(t->failed - told));
}

void rg_page_sweep_write(const rg_page *page, FILE *to)
{
    const rg_sweep_table *t = page->sweep;

    fprintf(to, "<p>%lld of %lld runs: %lld ok, %lld failed.</p>\n", (long long)t->count,
            (long long)t->runs, (long long)(t->count - t->failed), (long long)t->failed);
    if (t->n_omitted > 0)
        fprintf(to,
                "<p>%lld values of every run are not shown: name some with an output line.</p>\n",
                (long long)t->n_omitted);
    write_failures(t, to);
    if (t->count > t->failed && t->n_values > 0) write_statistics(t, to);
}
