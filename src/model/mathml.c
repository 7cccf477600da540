/* Writes the equations, conditions and definitions of a model as MathML, one line each. */
#include "model/mathml.h"

#include "model/mathml_impl.h"

static bool is_shown(const rg_statement *st)
{
    return (st->kind == RG_STATEMENT_EQUATION || st->kind == RG_STATEMENT_BOUNDARY
            || st->kind == RG_STATEMENT_LET || st->kind == RG_STATEMENT_FUN)
           && st->right != NULL;
}

static void write_left(rg_mathml *w, const rg_statement *st)
{
    if (st->left != NULL) {
        rg_mathml_tree(w, st->left, RG_MATHML_COMPARE);
        return;
    }
    if (st->kind != RG_STATEMENT_LET || st->n_ranges == 0) rg_mathml_name(w, st->name, 0, NULL);
    if (st->n_ranges == 0) return;
    if (st->kind == RG_STATEMENT_LET) fputs("<msub>", w->to);
    if (st->kind == RG_STATEMENT_LET) rg_mathml_name(w, st->name, 0, NULL);
    fputs(st->kind == RG_STATEMENT_LET ? "<mrow>" : "<mo stretchy=\"false\">(</mo>", w->to);
    for (int k = 0; k < st->n_ranges; k++) {
        if (k > 0) fputs("<mo>,</mo>", w->to);
        rg_mathml_name(w, st->ranges[k].name, 0, NULL);
    }
    fputs(st->kind == RG_STATEMENT_LET ? "</mrow></msub>" : "<mo stretchy=\"false\">)</mo>", w->to);
}

static void write_range(rg_mathml *w, const rg_ast_range *r, const char *between)
{
    rg_mathml_name(w, r->name, 0, NULL);
    fputs("<mo>=</mo>", w->to);
    rg_mathml_tree(w, r->low, RG_MATHML_SUM);
    fprintf(w->to, "<mo>%s</mo>", between);
    rg_mathml_tree(w, r->high, RG_MATHML_SUM);
}

static void write_ranges(rg_mathml *w, int n, const rg_ast_range *ranges)
{
    for (int k = 0; k < n; k++) {
        if (ranges[k].low == NULL || ranges[k].high == NULL) continue;
        fputs("<mo>,</mo><mspace width=\"1em\"/>", w->to);
        write_range(w, &ranges[k], "…");
    }
}

enum { DEPTH = 8 }; /* of for blocks whose ranges are shown */

static void write_statement(rg_mathml *w, const rg_statement *st, int depth,
                            const rg_statement *const *loops)
{
    if (w->n++ >= w->most) return;
    fputs("<div><math displaystyle=\"true\">", w->to);
    write_left(w, st);
    fputs(st->kind == RG_STATEMENT_LET || st->kind == RG_STATEMENT_FUN ? "<mo>≔</mo>"
                                                                       : "<mo>=</mo>",
          w->to);
    rg_mathml_tree(w, st->right, RG_MATHML_COMPARE);
    if (st->kind == RG_STATEMENT_LET) write_ranges(w, st->n_ranges, st->ranges);
    for (int k = 0; k < depth; k++)
        write_ranges(w, loops[k]->n_ranges, loops[k]->ranges);
    fputs("</math></div>\n", w->to);
}

static void write_statements(rg_mathml *w, int n, rg_statement *const *list, int depth,
                             const rg_statement **loops)
{
    for (int k = 0; k < n; k++) {
        if (list[k]->kind == RG_STATEMENT_FOR && depth < DEPTH) {
            loops[depth] = list[k];
            write_statements(w, list[k]->n_body, list[k]->body, depth + 1, loops);
        } else if (is_shown(list[k])) {
            write_statement(w, list[k], depth, loops);
        }
    }
}

void rg_model_write_mathml(const rg_problem *p, int most, FILE *to)
{
    const rg_model *m = rg_model_of(p);
    const rg_statement *loops[DEPTH];
    rg_mathml w = {.to = to, .most = most};

    if (m == NULL) return;
    w.source = m->source->text;
    write_statements(&w, m->n_statements, m->statements, 0, loops);
    if (w.n > most) fprintf(to, "<div>… and %d more</div>\n", w.n - most);
}
