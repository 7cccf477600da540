/* Errors of fields against their exact solutions, and the residual of the constraints. */
#include "pdae/form/measure.h"

#include <math.h>
#include <string.h>

struct rg_measure {
    const rg_form *form;
    double *value, *work; /* as large as the largest array; for all quantities */
    const double **at;    /* leaves at the points of evaluation: data at cells */
};

static int64_t largest_work(const rg_form *f)
{
    int64_t size = 1;

    for (int k = 0; k < f->n_fields; k++)
        for (int d = 0; d < RG_AXES; d++) {
            const rg_field *x = &f->fields[k];
            if (x->exact[d] != NULL && x->exact[d]->work_size > size) size = x->exact[d]->work_size;
            for (int side = 0; side < RG_SIDES; side++)
                if (x->side[side].value[d] != NULL && x->side[side].value[d]->work_size > size)
                    size = x->side[side].value[d]->work_size;
        }
    for (int k = 0; k < f->n_equations; k++)
        if (f->equations[k].source != NULL && f->equations[k].source->work_size > size)
            size = f->equations[k].source->work_size;
    for (int k = 0; k < f->n_wells; k++)
        if (f->wells[k].rate != NULL && f->wells[k].rate->work_size > size)
            size = f->wells[k].rate->work_size;
    return size;
}

rg_status rg_measure_create(const rg_form *form, rg_measure **out)
{
    rg_measure *m = rg_alloc(form->ctx, 1, sizeof *m);
    int64_t size = form->grid->cells;

    *out = m;
    if (m == NULL) return RG_ERR_MEMORY;
    m->form = form;
    for (int d = 0; d < form->grid->dims; d++) {
        const rg_points p = rg_points_faces(form->grid, d);
        if (rg_points_size(&p) > size) size = rg_points_size(&p);
    }
    m->value = rg_alloc(form->ctx, (size_t)size, sizeof *m->value);
    m->work = rg_alloc(form->ctx, (size_t)largest_work(form), sizeof *m->work);
    m->at = rg_alloc(form->ctx, (size_t)form->n_leaves + 1, sizeof *m->at);
    if (m->value == NULL || m->work == NULL || m->at == NULL) return RG_ERR_MEMORY;
    for (int l = 0; l < form->n_leaves; l++)
        if (form->leaves[l].data >= 0) m->at[l] = form->data[form->leaves[l].data].value;
    return RG_OK;
}

void rg_measure_destroy(rg_measure **m)
{
    if (*m == NULL) return;
    rg_context *ctx = (*m)->form->ctx;
    rg_free(ctx, (*m)->value);
    rg_free(ctx, (*m)->work);
    rg_free(ctx, (*m)->at);
    rg_free(ctx, *m);
    *m = NULL;
}

static rg_points points_of(const rg_form *form, int leaf)
{
    const rg_leaf *l = &form->leaves[leaf];
    const bool is_vector = l->field >= 0 && form->fields[l->field].is_vector;

    return rg_points_packed(is_vector ? rg_points_faces(form->grid, l->component)
                                      : rg_points_cells(form->grid));
}

/* ---- sides ----------------------------------------------------------------------------------- */
static void set_side(rg_measure *m, const rg_quantity *q, int side, double t, double *array)
{
    const rg_grid *g = m->form->grid;
    const int d = side / 2;
    rg_points p = rg_points_packed(rg_points_faces(g, d));
    const int64_t shift = side % 2 == 1 ? (int64_t)g->axis[d].n * p.stride[d] : 0;

    p.count[d] = 1;
    p.origin = shift;
    p.at[d] = g->axis[d].edge + (side % 2 == 1 ? g->axis[d].n : 0);
    if (q != NULL && (q->uses & RG_USES_DATA) == 0) {
        rg_quantity_eval(m->form, q, t, &p, m->at, m->work, array, NULL);
        return;
    }
    for (int64_t k = 0; k < p.count[2]; k++)
        for (int64_t j = 0; j < p.count[1]; j++)
            for (int64_t i = 0; i < p.count[0]; i++)
                array[shift + i * p.stride[0] + j * p.stride[1] + k * p.stride[2]] = 0;
}

rg_status rg_measure_sides(rg_measure *m, double t, double *const *leaf)
{
    for (int l = 0; l < m->form->n_leaves; l++) {
        const rg_leaf *x = &m->form->leaves[l];
        if (x->field < 0 || !m->form->fields[x->field].is_vector) continue;
        for (int high = 0; high < 2; high++) {
            const int side = 2 * x->component + high;
            const rg_condition *c = &m->form->fields[x->field].side[side];
            if (c->kind == RG_VECTOR_GIVEN || c->kind == RG_VECTOR_SLIP)
                set_side(m, c->kind == RG_VECTOR_GIVEN ? c->value[x->component] : NULL, side, t,
                         leaf[l]);
        }
    }
    return RG_OK;
}

/* ---- errors ---------------------------------------------------------------------------------- */
/* Is the point inside, so that its value is compared?  Faces of closed sides are given. */
static bool is_inside(const rg_form *form, int leaf, const int at[RG_AXES])
{
    const rg_leaf *l = &form->leaves[leaf];

    return form->fields[l->field].is_vector ? rg_form_is_free(form, l->field, l->component, at)
                                            : rg_form_is_fluid(form, at);
}

static void compare(rg_measure *m, int leaf, double t, const double *array, bool up_to_constant,
                    double *largest, double *square)
{
    const rg_leaf *l = &m->form->leaves[leaf];
    const rg_points p = points_of(m->form, leaf);
    const rg_grid *g = m->form->grid;
    double mean = 0, weight = 0;

    rg_quantity_eval(m->form, m->form->fields[l->field].exact[l->component], t, &p, m->at, m->work,
                     m->value, NULL);
    for (int pass = up_to_constant ? 0 : 1; pass < 2; pass++)
        for (int k = 0; k < p.count[2]; k++)
            for (int j = 0; j < p.count[1]; j++)
                for (int i = 0; i < p.count[0]; i++) {
                    const int64_t at = i + j * p.stride[1] + k * p.stride[2];
                    const int cell[RG_AXES] = {i, j, k};
                    if (!is_inside(m->form, leaf, cell)) continue;
                    const int in[RG_AXES] = {i < g->axis[0].n ? i : i - 1,
                                             j < g->axis[1].n ? j : j - 1,
                                             k < g->axis[2].n ? k : k - 1};
                    const double v = rg_grid_volume(g, in[0], in[1], in[2]);
                    if (pass == 0) {
                        mean += v * (array[at] - m->value[at]);
                        weight += v;
                        continue;
                    }
                    const double e =
                        fabs(array[at] - m->value[at] - (weight > 0 ? mean / weight : 0));
                    if (!(e <= *largest)) *largest = e;
                    *square += v * e * e;
                }
}

static void take_errors(rg_measure *m, double t, const double *const *leaf, rg_grid_facts *out)
{
    int n = 0;

    for (int f = 0; f < m->form->n_fields && n < RG_GRID_LINES; f++) {
        const rg_field *x = &m->form->fields[f];
        const rg_form_equation *e = &m->form->equations[x->equation];
        if (x->exact[0] == NULL) continue;
        rg_grid_error *error = &out->error[n++];
        snprintf(error->name, sizeof error->name, "%.90s", x->name);
        double square = 0;
        for (int d = 0; d < (x->is_vector ? m->form->grid->dims : 1); d++) {
            const int l = rg_form_leaf(m->form, f, d);
            compare(m, l, t, leaf[l], e->pressure == f && e->is_closed, &error->largest, &square);
        }
        if (!(sqrt(square) <= error->l2)) error->l2 = sqrt(square);
    }
    out->n_errors = n;
}

/* ---- constraints ----------------------------------------------------------------------------- */
static double divergence(const rg_measure *m, const rg_form_equation *e, const double *const *leaf,
                         const int cell[RG_AXES])
{
    const rg_grid *g = m->form->grid;
    double sum = 0;

    for (int d = 0; d < g->dims; d++) {
        const int l = rg_form_leaf(m->form, e->field, d);
        const rg_points p = points_of(m->form, l);
        int next[RG_AXES] = {cell[0], cell[1], cell[2]};
        next[d] = g->axis[d].periodic && cell[d] == g->axis[d].n - 1 ? 0 : cell[d] + 1;
        sum += (leaf[l][next[0] + next[1] * p.stride[1] + next[2] * p.stride[2]]
                - leaf[l][cell[0] + cell[1] * p.stride[1] + cell[2] * p.stride[2]])
               / g->axis[d].width[cell[d]];
    }
    return sum;
}

/* Rates of the wells in a cell, per volume; NaN: one follows from the pressure. */
static double wells_in(rg_measure *m, double t, int64_t at, double volume)
{
    const double nowhere[1] = {0};
    const rg_points one = {
        .count = {1,       1,       1      },
          .stride = {1,       1,       1      },
          .at = {nowhere, nowhere, nowhere}
    };
    double sum = 0, rate = 0;

    for (int k = 0; k < m->form->n_wells; k++) {
        const rg_well *w = &m->form->wells[k];
        if (w->cell != at) continue;
        if (w->rate == NULL) return NAN;
        rg_quantity_eval(m->form, w->rate, t, &one, m->at, m->work, &rate, NULL);
        sum += rate / volume;
    }
    return sum;
}

static void take_drift(rg_measure *m, const rg_form_equation *e, double t,
                       const double *const *leaf, rg_grid_facts *out)
{
    const rg_grid *g = m->form->grid;
    const rg_points p = rg_points_packed(rg_points_cells(g));
    const bool has_source = e->source != NULL && (e->source->uses & RG_USES_FIELDS) == 0;

    if (has_source) rg_quantity_eval(m->form, e->source, t, &p, m->at, m->work, m->value, NULL);
    if (isnan(out->drift)) out->drift = 0;
    for (int k = 0; k < p.count[2]; k++)
        for (int j = 0; j < p.count[1]; j++)
            for (int i = 0; i < p.count[0]; i++) {
                const int cell[RG_AXES] = {i, j, k};
                const int64_t at = i + j * p.stride[1] + k * p.stride[2];
                if (!rg_form_is_fluid(m->form, cell)) continue;
                const double miss =
                    fabs(divergence(m, e, leaf, cell) - (has_source ? m->value[at] : 0)
                         - wells_in(m, t, at, rg_grid_volume(g, i, j, k)));
                if (miss > out->drift) out->drift = miss;
            }
}

rg_status rg_measure_take(rg_measure *m, double t, const double *const *leaf, rg_grid_facts *out)
{
    take_errors(m, t, leaf, out);
    for (int k = 0; k < m->form->n_equations; k++)
        if (m->form->equations[k].pressure >= 0)
            take_drift(m, &m->form->equations[k], t, leaf, out);
    return RG_OK;
}
