/* The text of a model with fields as arrays and loops. */
#include "pdae/expand/write.h"

#include "base/output.h"

#include <stdlib.h>
#include <string.h>

/* ---- what cannot be written out -------------------------------------------------------------- */
static rg_status refuse(const rg_problem *p, const char *what, const char *name)
{
    rg_fail(p->ctx, RG_ERR_METHOD, "%s '%s' cannot be written out with arrays", what, name);
    return rg_remedy(p->ctx, "use equal cells, no solids, no dispersion beside sides with values, "
                             "and central or upwind for convection and transport");
}

/* Has it dispersion, and a side with a value?  The cross terms there are not written out. */
static bool is_dispersed_to_side(const rg_form *f, const rg_form_equation *e)
{
    for (int side = 0; e->has_dispersion && side < 2 * f->grid->dims; side++)
        if (f->fields[e->field].side[side].kind == RG_SCALAR_VALUE) return true;
    return false;
}

/* Does a flux through a side depend on the field?  Its value there is no array. */
static bool is_exchanged(const rg_form *f, const rg_form_equation *e)
{
    const rg_condition *side = f->fields[e->field].side;
    const bool is_scalar = !f->fields[e->field].is_vector;

    for (int k = 0; is_scalar && k < 2 * f->grid->dims; k++)
        if (side[k].kind == RG_SCALAR_FLUX && side[k].value[0]
            && (side[k].value[0]->uses & RG_USES_FIELDS))
            return true;
    return false;
}

static rg_status check(const rg_problem *p, const rg_options *o)
{
    const rg_form *f = p->form;

    for (int d = 0; d < f->grid->dims; d++)
        if (!f->grid->axis[d].uniform) return refuse(p, "the stretched axis", f->axis_name[d]);
    if (f->n_solids > 0) return refuse(p, "the solid", f->solids[0].name);
    for (int k = 0; k < f->n_equations; k++)
        if (is_dispersed_to_side(f, &f->equations[k]))
            return refuse(p, "the dispersion of", f->fields[f->equations[k].field].name);
    for (int k = 0; k < f->n_equations; k++)
        if (is_exchanged(f, &f->equations[k]))
            return refuse(p, "the flux that depends on", f->fields[f->equations[k].field].name);
    if (strcmp(o->convection, "tvd") == 0) return refuse(p, "the option", "convection = tvd");
    if (strcmp(o->transport, "tvd") == 0) return refuse(p, "the option", "transport = tvd");
    return RG_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */
static void name_leaf(writer *w, int l)
{
    const rg_leaf *leaf = &w->form->leaves[l];
    const rg_field *f = leaf->field >= 0 ? &w->form->fields[leaf->field] : NULL;

    if (f == NULL) {
        w->array[l] = w->form->data[leaf->data].name;
    } else if (!f->is_vector) {
        w->array[l] = f->name;
    } else {
        const char *axis = w->form->axis_name[leaf->component];
        w->array[l] = rg_write_unique(w, rg_write_text(w, "%s_%s", f->name, axis));
        w->inside[l] = rg_write_unique(w, rg_write_text(w, "%s_at", w->array[l]));
        w->ghost[l] = rg_write_unique(w, rg_write_text(w, "%s_by", w->array[l]));
    }
}

static rg_status make_names(writer *w)
{
    static const char *const letters[RG_AXES] = {"i", "j", "k"};
    const size_t n = (size_t)w->form->n_leaves + 1;

    w->array = rg_arena_take(w->ctx, &w->arena, n, sizeof *w->array);
    w->inside = rg_arena_take(w->ctx, &w->arena, n, sizeof *w->inside);
    w->ghost = rg_arena_take(w->ctx, &w->arena, n, sizeof *w->ghost);
    if (w->array == NULL || w->inside == NULL || w->ghost == NULL) return RG_ERR_MEMORY;
    for (int d = 0; d < RG_AXES; d++)
        w->i[d] = rg_write_unique(w, letters[d]);
    for (int l = 0; l < w->form->n_leaves; l++)
        name_leaf(w, l);
    return RG_OK;
}

/* ---- parts ----------------------------------------------------------------------------------- */
static void write_exact(writer *w, int field, int d)
{
    const rg_field *f = &w->form->fields[field];
    const bool is_periodic = rg_write_is_periodic(w, d);
    const spot s = rg_write_spot(w);
    const where at = f->is_vector ? rg_at_face(w, d, s) : rg_at_cell(s);
    const int n = rg_write_cells(w, d);
    const int leaf = rg_form_leaf(w->form, field, d);

    fprintf(w->to, "for %s { exact %s = %s }\n",
            f->is_vector ? rg_write_ranges(w, d, 1, is_periodic ? n : n - 1)
                         : rg_write_ranges(w, -1, 0, 0),
            rg_write_element(w, w->array[leaf], s), rg_print_quantity(w, f->exact[d], &at));
}

/* p up to a constant is not what `exact` compares. */
static void write_exacts(writer *w)
{
    for (int k = 0; k < w->form->n_fields; k++) {
        const rg_field *f = &w->form->fields[k];
        const bool is_level = w->form->equations[f->equation].pressure == k
                              && w->form->equations[f->equation].is_closed;
        for (int d = 0; d < (f->is_vector ? w->form->grid->dims : 1); d++)
            if (f->exact[d] != NULL && !is_level) write_exact(w, k, d);
    }
}

static void write_interval(writer *w)
{
    char a[32], b[32];

    if (w->form->is_steady)
        fprintf(w->to, "over %s = 0 .. 1    # one solve: nothing depends on it\n",
                rg_write_unique(w, "t"));
    else
        fprintf(w->to, "over %s = %s .. %s\n", rg_problem_time_name(w->p), rg_real_text(w->p->a, a),
                rg_real_text(w->p->b, b));
}

static void write_head(writer *w)
{
    fputs("# Written by regula expand: values of scalars in the middle of cells, of vectors on "
          "their\n"
          "# faces (face i is the high side of cell i).\n",
          w->to);
    if (rg_problem_title(w->p)[0] != '\0') fprintf(w->to, "title \"%s\"\n", rg_problem_title(w->p));
}

static rg_status write_all(writer *w, bool with_exact)
{
    RG_TRY(make_names(w));
    write_head(w);
    rg_print_definitions(w);
    rg_expand_starts(w);
    for (int k = 0; k < w->form->n_equations; k++)
        if (w->form->equations[k].pressure >= 0) rg_expand_vector(w, &w->form->equations[k]);
    for (int k = 0; k < w->form->n_equations; k++)
        if (w->form->equations[k].pressure < 0) rg_expand_scalar(w, &w->form->equations[k]);
    write_interval(w);
    if (with_exact) write_exacts(w);
    RG_TRY(rg_expand_outputs(w));
    if (!w->is_out_of_memory) return RG_OK;
    rg_fail(w->ctx, RG_ERR_MEMORY, "out of memory");
    return rg_remedy(w->ctx, "free memory");
}

rg_status rg_expand(const rg_problem *p, const rg_options *o, bool with_exact, char **out)
{
    size_t length = 0;
    writer w = {
        .ctx = p->ctx, .p = p, .form = p->form, .in = rg_form_inside(p->form), .options = o};

    *out = NULL;
    RG_TRY(check(p, o));
    w.to = open_memstream(out, &length);
    if (w.to == NULL) {
        rg_fail(p->ctx, RG_ERR_MEMORY, "out of memory");
        return rg_remedy(p->ctx, "free memory");
    }
    rg_status status = write_all(&w, with_exact);
    if (fclose(w.to) != 0 && status == RG_OK) {
        status = rg_fail(p->ctx, RG_ERR_MEMORY, "out of memory");
        rg_remedy(p->ctx, "free memory");
    }
    rg_arena_clear(p->ctx, &w.arena);
    if (status != RG_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
