/* Fields at the centres of the cells. */
#include "pdae/draw/frame.h"

#include "pdae/form/draw.h"
#include "pdae/form/output.h"

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
    const bool is_leaf = l < form->n_leaves;

    if (is_leaf && form->leaves[l].data >= 0) {
        const double *all = form->data[form->leaves[l].data].value;
        if (f->grid->whole != NULL) return take_data(f, l, all);
        f->at[l] = all;
        return RG_OK;
    }
    if (!is_leaf && f->grid->whole != NULL) return RG_OK;
    if (!is_leaf || is_on_faces(form, l)) {
        f->own[l] = rg_alloc(form->ctx, (size_t)f->grid->cells, sizeof(double));
        if (f->own[l] == NULL) return RG_ERR_MEMORY;
        f->at[l] = f->own[l];
    }
    if (!is_leaf) return RG_OK;
    const rg_points p = is_on_faces(form, l) ? rg_points_faces(f->grid, form->leaves[l].component)
                                             : rg_points_cells(f->grid);
    f->first[l] = *at;
    *at += rg_points_size(&p);
    return RG_OK;
}

rg_status rg_frame_create_block(const rg_form *form, const rg_grid *block, rg_frame *out)
{
    const size_t n = (size_t)(form->n_leaves + form->n_derived) + 1;
    int64_t at = 0;

    *out = (rg_frame){.form = form, .grid = block};
    out->first = rg_alloc(form->ctx, n, sizeof *out->first);
    out->own = rg_alloc(form->ctx, n, sizeof *out->own);
    out->at = rg_alloc(form->ctx, n, sizeof *out->at);
    out->work = rg_alloc(form->ctx, (size_t)form->work_size, sizeof *out->work);
    if (!out->first || !out->own || !out->at || !out->work) return RG_ERR_MEMORY;
    for (int l = 0; l < form->n_leaves + form->n_derived; l++)
        RG_TRY(bind_leaf(out, l, &at));
    return RG_OK;
}

rg_status rg_frame_create(const rg_form *form, rg_frame *out)
{
    return rg_frame_create_block(form, form->grid, out);
}

void rg_frame_clear(rg_frame *f)
{
    rg_context *ctx = f->form != NULL ? f->form->ctx : NULL;

    if (ctx == NULL) return;
    for (int l = 0; f->own != NULL && l < f->form->n_leaves + f->form->n_derived; l++)
        rg_free(ctx, f->own[l]);
    rg_free(ctx, f->first);
    rg_free(ctx, f->own);
    rg_free(ctx, (void *)f->at);
    rg_free(ctx, f->work);
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

/* d v/dx_a in a cell, from its neighbours; at the ends of an axis from one side. */
static double slope(const rg_grid *g, const double *v, const int i[RG_AXES], int a)
{
    const rg_axis *x = &g->axis[a];
    const int64_t stride[RG_AXES] = {1, g->axis[0].n, (int64_t)g->axis[0].n * g->axis[1].n};
    const int64_t cell = i[0] + stride[1] * i[1] + stride[2] * i[2];
    int low = i[a] - 1, high = i[a] + 1;

    if (x->n == 1) return 0.0;
    if (!x->periodic && low < 0) low = 0;
    if (!x->periodic && high == x->n) high = x->n - 1;
    const double width = x->centre[high] - x->centre[low];
    const int to = (high + x->n) % x->n, from = (low + x->n) % x->n;
    return (v[cell + (to - i[a]) * stride[a]] - v[cell + (from - i[a]) * stride[a]]) / width;
}

static void derive(rg_frame *f, const rg_derived *of, double *out)
{
    const rg_form *form = f->form;
    const rg_grid *g = form->grid;
    const double *v[RG_AXES] = {NULL};
    int i[RG_AXES];
    int64_t cell = 0;
    const int a = g->dims == 3 ? (of->component + 1) % 3 : 0,
              b = g->dims == 3 ? (of->component + 2) % 3 : 1;

    for (int d = 0; d < g->dims; d++)
        v[d] = f->at[rg_form_leaf(form, of->field, d)];
    for (i[2] = 0; i[2] < g->axis[2].n; i[2]++)
        for (i[1] = 0; i[1] < g->axis[1].n; i[1]++)
            for (i[0] = 0; i[0] < g->axis[0].n; i[0]++, cell++) {
                out[cell] = 0.0;
                for (int d = 0; of->component < 0 && d < g->dims; d++)
                    out[cell] += slope(g, v[d], i, d);
                if (of->component >= 0 && g->dims > 1)
                    out[cell] = slope(g, v[b], i, a) - slope(g, v[a], i, b);
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
    for (int k = 0; f->grid->whole == NULL && k < form->n_derived; k++)
        derive(f, &form->derived[k], f->own[form->n_leaves + k]);
}

/* ---- reading --------------------------------------------------------------------------------- */
const double *rg_frame_leaf(const rg_frame *f, int leaf)
{
    return f->at[leaf];
}

void rg_frame_eval(rg_frame *f, const rg_quantity *q, double *out)
{
    const rg_points p = rg_points_packed(rg_points_cells(f->form->grid));

    if (q->uses == 0) {
        for (int64_t k = 0; k < f->form->grid->cells; k++)
            out[k] = q->value;
        return;
    }
    (void)rg_quantity_eval(f->form, q, f->t, &p, f->at, f->work, out, NULL);
}

/* The value before which x lies, and its part of the way to the next; held at the ends. */
static int find(const double *at, int n, double x, double *part)
{
    int low = 0, high = n - 1;

    *part = 0.0;
    if (n == 1 || x <= at[0]) return 0;
    if (x >= at[n - 1]) return n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (at[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    *part = (x - at[low]) / (at[low + 1] - at[low]);
    return low;
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

/* Is the point in a cell that is no part of the domain? */
static bool is_in_solid(const rg_frame *f, const double *x)
{
    const rg_grid *g = f->form->grid;
    int64_t cell = 0, stride = 1;
    double part;

    for (int d = 0; d < g->dims; d++) {
        const rg_axis *a = &g->axis[d];
        const int k = find(a->edge, a->n + 1, x[d], &part);
        cell += (k < a->n ? k : a->n - 1) * stride;
        stride *= a->n;
    }
    return rg_frame_is_solid(f, cell);
}

/* Nothing moves in a solid, though values on its faces may: a wall that moves. */
double rg_frame_component(const rg_frame *f, int field, int c, const double *x)
{
    const rg_grid *g = f->form->grid;
    const rg_points p = rg_points_packed(rg_points_faces(g, c));
    const double *v = f->unknown + f->first[rg_form_leaf(f->form, field, c)];
    int64_t low[RG_AXES] = {0}, high[RG_AXES] = {0};
    double part[RG_AXES] = {0.0}, sum = 0.0;

    for (int d = 0; d < g->dims; d++) {
        const rg_axis *a = &g->axis[d];
        const int n = (int)p.count[d] + (a->periodic && d == c); /* edge n is edge 0 again */
        if (x[d] < a->edge[0] || x[d] > a->edge[a->n]) return 0.0;
        const int k = find(p.at[d], n, x[d], &part[d]);
        low[d] = k % p.count[d];
        high[d] = (k + (part[d] > 0.0)) % p.count[d];
    }
    if (is_in_solid(f, x)) return 0.0;
    for (int corner = 0; corner < 1 << g->dims; corner++) {
        double w = 1.0;
        int64_t at = 0;
        for (int d = 0; d < g->dims; d++) {
            const bool is_high = corner >> d & 1;
            w *= is_high ? part[d] : 1.0 - part[d];
            at += (is_high ? high[d] : low[d]) * p.stride[d];
        }
        if (w != 0.0) sum += w * v[at];
    }
    return sum;
}
