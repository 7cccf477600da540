/* Fields at the centres of the cells. */
#include "pdae/draw/frame.h"

#include "pdae/form/draw.h"
#include "pdae/form/output.h"
#include "pdae/mesh/ranks.h"

#include <math.h>
#include <string.h>

static bool is_on_faces(const rg_form *form, int l)
{
    const rg_leaf *leaf = &form->leaves[l];

    return leaf->field >= 0 && form->fields[leaf->field].is_vector;
}

/* Given numbers at the cells of a block. */
static rg_status take_data(rg_frame *f, int l, const double *all)
{
    const rg_grid *g = f->grid, *whole = g->whole;
    const int64_t nx = whole->axis[0].n, ny = whole->axis[1].n;

    double *to = f->own[l] = rg_alloc(f->form->ctx, (size_t)g->cells, sizeof *to);
    if (to == NULL) return RG_ERR_MEMORY;
    f->at[l] = to;
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++, to += g->axis[0].n)
            memcpy(to,
                   all + g->axis[0].from + nx * (j + g->axis[1].from + ny * (k + g->axis[2].from)),
                   (size_t)g->axis[0].n * sizeof *to);
    return RG_OK;
}

/* *at: where the values of the next leaf begin among the unknowns. */
static rg_status bind_leaf(rg_frame *f, int l, int64_t *at)
{
    const rg_form *form = f->form;

    if (form->leaves[l].data >= 0) {
        const double *all = form->data[form->leaves[l].data].value;
        if (f->grid->whole != NULL) return take_data(f, l, all);
        f->at[l] = all;
        return RG_OK;
    }
    if (is_on_faces(form, l)) {
        f->own[l] = rg_alloc(form->ctx, (size_t)f->grid->cells, sizeof(double));
        if (f->own[l] == NULL) return RG_ERR_MEMORY;
        f->at[l] = f->own[l];
    }
    const rg_points p = is_on_faces(form, l) ? rg_points_faces(f->grid, form->leaves[l].component)
                                             : rg_points_cells(f->grid);
    f->first[l] = *at;
    *at += rg_points_size(&p);
    return RG_OK;
}

static rg_status create(rg_frame *f)
{
    const rg_form *form = f->form;
    const size_t n = (size_t)(form->n_leaves + form->n_derived) + 1;
    int64_t at = 0;

    if (rg_ranks_are_several()) {
        RG_TRY(rg_grid_block(form->grid, &f->block));
        f->grid = f->block;
    }
    f->first = rg_alloc(form->ctx, n, sizeof *f->first);
    f->own = rg_alloc(form->ctx, n, sizeof *f->own);
    f->at = rg_alloc(form->ctx, n, sizeof *f->at);
    f->shown = rg_alloc(form->ctx, n, sizeof *f->shown);
    f->work = rg_alloc(form->ctx, (size_t)form->work_size, sizeof *f->work);
    if (!f->first || !f->own || !f->at || !f->shown || !f->work) return RG_ERR_MEMORY;
    for (int l = 0; l < form->n_leaves; l++)
        RG_TRY(bind_leaf(f, l, &at));
    return RG_OK;
}

rg_status rg_frame_create(const rg_form *form, rg_frame *out)
{
    *out = (rg_frame){.form = form, .grid = form->grid};
    return rg_ranks_agree(form->ctx, create(out));
}

void rg_frame_clear(rg_frame *f)
{
    rg_context *ctx = f->form != NULL ? f->form->ctx : NULL;

    if (ctx == NULL) return;
    for (int l = 0; f->own != NULL && l < f->form->n_leaves + f->form->n_derived; l++)
        rg_free(ctx, f->own[l]);
    rg_free(ctx, f->first);
    rg_free(ctx, f->own);
    for (int d = 0; d < RG_AXES; d++)
        rg_free(ctx, f->padded[d]);
    rg_free(ctx, (void *)f->at);
    rg_free(ctx, (void *)f->shown);
    rg_free(ctx, f->work);
    rg_grid_destroy(&f->block);
    *f = (rg_frame){0};
}

/* ---- to the cells ---------------------------------------------------------------------------- */
/* The mean of the two faces of every cell. */
static void average(const rg_grid *g, int c, const double *faces, double *out)
{
    const rg_points p = rg_points_packed(rg_points_faces(g, c));
    int i[RG_AXES];
    int64_t cell = 0;

    for (i[2] = 0; i[2] < g->axis[2].n; i[2]++)
        for (i[1] = 0; i[1] < g->axis[1].n; i[1]++)
            for (i[0] = 0; i[0] < g->axis[0].n; i[0]++, cell++) {
                int next[RG_AXES] = {i[0], i[1], i[2]};
                next[c] = (i[c] + 1) % (int)p.count[c];
                const int64_t low = i[0] + p.stride[1] * i[1] + p.stride[2] * i[2],
                              high = next[0] + p.stride[1] * next[1] + p.stride[2] * next[2];
                out[cell] = 0.5 * (faces[low] + faces[high]);
            }
}

void rg_frame_set(rg_frame *f, double t, const double *unknown)
{
    const rg_form *form = f->form;

    f->t = t;
    f->unknown = unknown;
    for (int l = 0; l < form->n_leaves; l++) {
        if (form->leaves[l].field < 0) continue;
        if (is_on_faces(form, l))
            average(f->grid, form->leaves[l].component, unknown + f->first[l], f->own[l]);
        else
            f->at[l] = unknown + f->first[l];
    }
}

/* ---- curl and div on the plane that is shown ------------------------------------------------- */
int rg_frame_layer(const rg_frame *f)
{
    const rg_axis *a = &f->grid->axis[2];
    const int layer = f->form->grid->dims > 2 ? f->form->grid->axis[2].n / 2 - a->from : 0;

    return layer >= 0 && layer < a->n ? layer : -1;
}

int64_t rg_frame_plane(const rg_frame *f)
{
    return rg_frame_layer(f) < 0 ? 0 : (int64_t)f->grid->axis[0].n * f->grid->axis[1].n;
}

/* d v/dx_a in a cell, from its neighbours; at the sides from one side.  v: padded. */
static double slope(const rg_grid *g, const double *v, const int i[RG_AXES], int a)
{
    const rg_axis *x = &g->axis[a];
    const int64_t cell = rg_grid_at(g, i[0], i[1], i[2]);
    int low = i[a] - 1, high = i[a] + 1;

    if (x->n == 1) return 0.0;
    if (low < 0 && rg_axis_is_side(x, 0)) low = 0;
    if (high == x->n && rg_axis_is_side(x, 1)) high = x->n - 1;
    const double width = x->centre[high] - x->centre[low];
    if (x->periodic) {
        high %= x->n;
        low = (low + x->n) % x->n;
    }
    return (v[cell + (high - i[a]) * g->stride[a]] - v[cell + (low - i[a]) * g->stride[a]]) / width;
}

/* Its components at the cells, with those of the neighbours of a block. */
static rg_status spread(rg_frame *f, int field)
{
    const rg_grid *g = f->grid;
    rg_status status = RG_OK;

    for (int d = 0; d < g->dims; d++)
        if (f->padded[d] == NULL && (f->padded[d] = rg_grid_array(g)) == NULL)
            status = RG_ERR_MEMORY;
    RG_TRY(rg_grid_agree(g, status));
    for (int d = 0; d < g->dims; d++) {
        rg_grid_unpack(g, f->at[rg_form_leaf(f->form, field, d)], f->padded[d]);
        rg_grid_join_all(g, f->padded[d]);
    }
    return RG_OK;
}

static rg_status derive(rg_frame *f, int l)
{
    const rg_derived *of = &f->form->derived[l - f->form->n_leaves];
    const rg_grid *g = f->grid;
    const int a = g->dims == 3 ? (of->component + 1) % 3 : 0,
              b = g->dims == 3 ? (of->component + 2) % 3 : 1;
    double *const *v = f->padded;
    int i[RG_AXES] = {0, 0, rg_frame_layer(f)};

    if (f->own[l] == NULL)
        f->own[l] = rg_alloc(f->form->ctx, (size_t)rg_frame_plane(f) + 1, sizeof(double));
    RG_TRY(rg_grid_agree(g, f->own[l] != NULL ? RG_OK : RG_ERR_MEMORY));
    RG_TRY(spread(f, of->field));
    double *out = f->own[l];
    for (i[1] = 0; i[2] >= 0 && i[1] < g->axis[1].n; i[1]++)
        for (i[0] = 0; i[0] < g->axis[0].n; i[0]++, out++) {
            *out = 0.0;
            for (int d = 0; of->component < 0 && d < g->dims; d++)
                *out += slope(g, v[d], i, d);
            if (of->component >= 0 && g->dims > 1)
                *out = slope(g, v[b], i, a) - slope(g, v[a], i, b);
        }
    return RG_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */
const double *rg_frame_leaf(const rg_frame *f, int leaf)
{
    return f->at[leaf];
}

rg_status rg_frame_eval(rg_frame *f, const rg_quantity *q, double *out)
{
    rg_points p = rg_points_packed(rg_points_cells(f->grid));
    const int64_t n = rg_frame_plane(f);
    const int layer = rg_frame_layer(f);

    if (q->uses == 0) {
        for (int64_t k = 0; k < n; k++)
            out[k] = q->value;
        return RG_OK;
    }
    for (int m = 0; m < q->n_inputs; m++) {
        const int l = q->inputs[m];
        const bool is_leaf = l < f->form->n_leaves;
        if (!is_leaf) RG_TRY(derive(f, l));
        f->shown[l] = !is_leaf ? f->own[l] : f->at[l] + n * layer;
    }
    if (layer < 0) return RG_OK;
    p.count[2] = 1;
    p.at[2] += layer;
    (void)rg_quantity_eval(f->form, q, f->t, &p, f->shown, f->work, out, NULL);
    return RG_OK;
}

bool rg_frame_is_solid(const rg_frame *f, int64_t cell)
{
    const rg_grid *g = f->grid;

    if (g->solid == NULL) return false;
    const int64_t row = cell / g->axis[0].n;
    return g->solid[rg_grid_at(g, (int)(cell % g->axis[0].n), (int)(row % g->axis[1].n),
                               (int)(row / g->axis[1].n))]
           != 0;
}
