/* Unknowns with their start values. */
#include "pdae/expand/write.h"

#include <string.h>

/* curl of a potential by differences between the ends of a face (2-D) or around it (3-D). */
static const char *difference(writer *w, const rg_quantity *q, int d, int a, spot s)
{
    where high = {.kind = AT_EDGE, .s = s, .d = d, .e = a};
    where low = high;

    low.axis[a] = rg_write_edge(w, a, rg_write_text(w, "%s-1", s.index[a]));
    return rg_write_text(w, "(%s - %s)/%s", rg_print_quantity(w, q, &high),
                         rg_print_quantity(w, q, &low), rg_write_number(w, rg_write_width(w, a)));
}

static const char *curl(writer *w, const rg_field *f, int d, spot s)
{
    const int a = (d + 1) % RG_AXES, b = (d + 2) % RG_AXES;

    if (w->form->grid->dims == 2)
        return d == 0 ? difference(w, f->start[0], 0, 1, s)
                      : rg_write_text(w, "-%s", difference(w, f->start[0], 1, 0, s));
    return rg_write_text(w, "%s - %s", difference(w, f->start[b], d, a, s),
                         difference(w, f->start[a], d, b, s));
}

static const char *start_text(writer *w, const rg_field *f, int d)
{
    const spot s = rg_write_spot(w);
    where at = f->is_vector ? rg_at_face(w, d, s) : rg_at_cell(s);
    const char *t = f->is_curl ? curl(w, f, d, s) : rg_print_quantity(w, f->start[d], &at);

    return t;
}

/* Only scalars with a derivative in time keep theirs: the others follow from equations, and those
 * of a vector move until it is free of divergence. */
static void write_start(writer *w, int field, int d)
{
    const rg_field *f = &w->form->fields[field];
    const rg_form_equation *e = &w->form->equations[f->equation];
    const bool keeps =
        !f->is_vector && e->field == field && e->has_derivative && f->start_kind == RG_START_KEPT;

    if (f->start_kind == RG_START_NONE) return;
    fprintf(w->to, " %s %s", keeps ? "=" : "~", start_text(w, f, d));
}

static void write_vector(writer *w, int field)
{
    const rg_field *f = &w->form->fields[field];

    for (int d = 0; d < w->form->grid->dims; d++) {
        const int n = rg_write_cells(w, d);
        const bool is_periodic = rg_write_is_periodic(w, d);
        const int low = is_periodic || f->side[2 * d].kind != RG_VECTOR_OPEN ? 1 : 0;
        const int high = is_periodic || f->side[2 * d + 1].kind == RG_VECTOR_OPEN ? n : n - 1;
        fprintf(w->to, "var %s[%s]", w->array[rg_form_leaf(w->form, field, d)],
                rg_write_ranges(w, d, low, high));
        write_start(w, field, d);
        fputs("\n", w->to);
    }
}

void rg_expand_starts(writer *w)
{
    for (int k = 0; k < w->form->n_fields; k++) {
        if (w->form->fields[k].is_vector) {
            write_vector(w, k);
            continue;
        }
        fprintf(w->to, "var %s[%s]", w->array[rg_form_leaf(w->form, k, 0)],
                rg_write_ranges(w, -1, 0, 0));
        write_start(w, k, 0);
        fputs("\n", w->to);
    }
    for (int k = 0; k < w->form->n_equations; k++)
        if (w->form->equations[k].is_closed)
            fprintf(w->to, "var %s\n", rg_expand_slack(w, &w->form->equations[k]));
}
