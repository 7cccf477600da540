/* Axes and grid come from domain x = a..b cells N [periodic] [stretch EXPR], y = ... */
#include "pdae/form/inside.h"
#include "pdae/form/tuning.h"

#include <math.h>
#include <string.h>

static rg_status read_cells(recognizer *r, const rg_statement *st, int *out)
{
    const rg_ast *ast = st->extra[0];
    char number[32];
    double value;

    RG_TRY(rg_constant_value(r->c, ast, INT32_MAX, "the number of cells", &value));
    if (value >= 1 && floor(value) == value && value <= RG_MOST_CELLS) {
        *out = (int)value;
        return RG_OK;
    }
    if (value > RG_MOST_CELLS)
        rg_bad(r->c, ast->span, "'cells %s': more than 2e9 cells", rg_real_text(value, number));
    else
        rg_bad(r->c, ast->span, "'cells %s' is not a whole number%s", rg_real_text(value, number),
               floor(value) == value ? " from 1 on" : "");
    rg_bad_remedy(r->c, "give a whole number from 1 on");
    return RG_ERR_SYNTAX;
}

/* Another number of cells along the first axis, where the run asks for it; the others follow. */
static void take_setting(const recognizer *r, int dims, rg_axis_spec *spec)
{
    const double own = spec[0].n;

    for (int k = 0; k < r->c->n_settings; k++) {
        if (strcmp(r->c->settings[k].name, RG_SETTING_CELLS) != 0) continue;
        for (int d = 0; d < dims; d++)
            spec[d].n = (int)fmax(1.0, round(spec[d].n * r->c->settings[k].value / own));
    }
}

static rg_status read_axis(recognizer *r, const rg_statement *st, rg_axis_spec *spec)
{
    RG_TRY(read_cells(r, st, &spec->n));
    RG_TRY(rg_constant_value(r->c, st->left, INT32_MAX, "an end of an axis", &spec->a));
    RG_TRY(rg_constant_value(r->c, st->right, INT32_MAX, "an end of an axis", &spec->b));
    spec->periodic = st->mark == 'p';
    if (spec->a < spec->b) return RG_OK;
    rg_bad(r->c, st->left->span, "the axis %s goes from %g to %g", st->name, spec->a, spec->b);
    rg_bad_remedy(r->c, "give the smaller end first");
    return RG_ERR_SYNTAX;
}

/* The map of [a, b] onto itself at the faces of equal cells. */
static rg_status check_map(recognizer *r, const rg_statement *st, const rg_axis_spec *s,
                           double *edge)
{
    const double size = s->b - s->a, near = RG_STRETCH_MISS * size;

    if (fabs(edge[0] - s->a) > near || fabs(edge[s->n] - s->b) > near) {
        rg_bad(r->c, st->extra[1]->span, "'stretch' maps [%g, %g] to [%g, %g], not onto itself",
               s->a, s->b, edge[0], edge[s->n]);
        rg_bad_remedy(r->c, "scale it so that both ends stay where they are");
        return RG_ERR_SYNTAX;
    }
    edge[0] = s->a;
    edge[s->n] = s->b;
    for (int i = 0; i < s->n; i++) {
        if (edge[i] < edge[i + 1]) continue;
        rg_bad(r->c, st->extra[1]->span, "'stretch' does not increase near %s = %g", st->name,
               edge[i]);
        rg_bad_remedy(r->c, "give an increasing map of the axis onto itself");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

static rg_status stretch_axis(recognizer *r, const rg_statement *st, int d, rg_axis_spec *s,
                              double **out)
{
    const int64_t n = s->n;
    double *edge = rg_alloc(r->ctx, (size_t)n + 1, sizeof *edge), *work = NULL;
    double *even = rg_alloc(r->ctx, (size_t)n + 1, sizeof *even);
    rg_quantity *q = NULL;
    rg_points p = {
        .count = {1,     1,     1    },
          .stride = {n + 1, n + 1, n + 1}
    };

    *out = edge;
    rg_status status = edge == NULL || even == NULL ? RG_ERR_MEMORY : RG_OK;
    if (status == RG_OK)
        status = rg_quantity_create(r, st->extra[1], st->extra[1]->span, "'stretch'", &q);
    if (status == RG_OK && (work = rg_alloc(r->ctx, (size_t)q->work_size, sizeof *work)) == NULL)
        status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        for (int64_t i = 0; i <= n; i++)
            even[i] = s->a + (double)i * ((s->b - s->a) / (double)n);
        for (int k = 0; k < RG_AXES; k++)
            p.at[k] = even;
        p.count[d] = n + 1;
        p.stride[d] = 1;
        rg_quantity_eval(r->form, q, 0, &p, NULL, work, edge, NULL);
        status = check_map(r, st, s, edge);
    }
    s->edge = edge;
    rg_quantity_destroy(r->ctx, &q);
    rg_free(r->ctx, even);
    rg_free(r->ctx, work);
    return status;
}

static rg_status note_axis(recognizer *r, const rg_statement *st, int d)
{
    if (d == RG_AXES) {
        rg_bad(r->c, st->span, "a fourth axis");
        rg_bad_remedy(r->c, "a domain has one to three axes");
        return RG_ERR_SYNTAX;
    }
    r->form->axis_name[d] = rg_copy_text(r->ctx, st->name, strlen(st->name));
    if (r->form->axis_name[d] == NULL) return RG_ERR_MEMORY;
    r->in->names[r->in->n_names++] = (spatial_name){r->form->axis_name[d], d};
    return RG_OK;
}

static rg_status check_size(recognizer *r, const rg_statement *last, int dims,
                            const rg_axis_spec *spec)
{
    double cells = 1;

    for (int d = 0; d < dims; d++)
        cells *= spec[d].n;
    if (cells <= RG_MOST_CELLS) return RG_OK;
    rg_bad(r->c, last->span, "the domain has %.3g cells, more than 2e9", cells);
    rg_bad_remedy(r->c, "give fewer cells");
    return RG_ERR_SYNTAX;
}

rg_status rg_form_domain(recognizer *r)
{
    rg_axis_spec spec[RG_AXES] = {{0}};
    double *edge[RG_AXES] = {NULL};
    const rg_statement *last = NULL;
    rg_status status = RG_OK;
    int dims = 0;

    const rg_statement *axis[RG_AXES] = {NULL};
    for (int k = 0; k < r->c->model->n_statements && status == RG_OK; k++) {
        const rg_statement *st = r->c->model->statements[k];
        if (st->kind != RG_STATEMENT_DOMAIN) continue;
        status = note_axis(r, st, dims);
        if (status == RG_OK) status = read_axis(r, st, &spec[dims]);
        if (status == RG_OK) axis[dims] = st;
        last = st;
        dims++;
    }
    if (status == RG_OK) take_setting(r, dims, spec);
    for (int d = 0; d < dims && status == RG_OK; d++)
        if (axis[d]->extra[1] != NULL) status = stretch_axis(r, axis[d], d, &spec[d], &edge[d]);
    if (status == RG_OK) status = check_size(r, last, dims, spec);
    if (status == RG_OK) status = rg_grid_create(r->ctx, dims, spec, &r->form->grid);
    for (int d = 0; d < RG_AXES; d++)
        rg_free(r->ctx, edge[d]);
    return status;
}
