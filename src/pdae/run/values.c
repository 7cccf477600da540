/* Evaluates the expressions of a model on cells, faces and sides of its grid. */
#include "base/vector.h"
#include "model/ast.h"
#include "pdae/mesh/ranks.h"
#include "pdae/run/run_impl.h"

#include <string.h>

static const double *native_of(rg_run_grid *r, int l)
{
    const rg_leaf *leaf = &r->form->leaves[l];

    if (leaf->field < 0) return r->native[l];
    return rg_run_grid_field(r, leaf->field, leaf->component); /* p may be extrapolated */
}

bool rg_run_is_leaf(rg_run_grid *r, const rg_quantity *q, int component, const double **out)
{
    if (q->n_inputs != 1 || q->inputs[0] >= r->form->n_leaves || q->ast == NULL) return false;
    const rg_leaf *leaf = &r->form->leaves[q->inputs[0]];
    const bool on_faces = leaf->field >= 0 && r->form->fields[leaf->field].is_vector;
    if (q->ast->kind != RG_AST_NAME && q->ast->kind != RG_AST_INDEX) return false;
    if (on_faces != (component >= 0)) return false;
    *out = native_of(r, q->inputs[0]);
    return true;
}

/* curl or div, which is at the cells. */
static const double *bring_derived(rg_run_grid *r, int l, int c)
{
    const rg_grid *g = r->grid;
    double *v = rg_run_derived(r, l - r->form->n_leaves);

    for (int64_t at = g->size - 1; c >= 0 && at >= g->stride[c]; at--)
        v[at] = 0.5 * (v[at] + v[at - g->stride[c]]);
    return v;
}

/* The leaf at the cells, or (c >= 0) on the faces across axis c: means of its neighbours. */
static const double *bring(rg_run_grid *r, int l, int c)
{
    const rg_grid *g = r->grid;
    if (l >= r->form->n_leaves) return bring_derived(r, l, c);
    const rg_leaf *leaf = &r->form->leaves[l];
    const bool on_faces = leaf->field >= 0 && r->form->fields[leaf->field].is_vector;
    const double *v = native_of(r, l);
    double *out = r->buffer[l];

    if (on_faces ? leaf->component == c : c < 0) return v;
    const int64_t own = on_faces ? g->stride[leaf->component] : 0, to = c >= 0 ? g->stride[c] : 0;
    const int64_t first = to, end = g->size - own;
    if (on_faces && c < 0)
        for (int64_t at = 0; at < end; at++)
            out[at] = 0.5 * (v[at] + v[at + own]);
    else if (!on_faces)
        for (int64_t at = first; at < g->size; at++)
            out[at] = 0.5 * (v[at] + v[at - to]);
    else
        for (int64_t at = first; at < end; at++)
            out[at] = 0.25 * (v[at] + v[at + own] + v[at - to] + v[at - to + own]);
    return out;
}

/* The points of a leaf of the whole grid that are this rank's: face n belongs to the next one. */
static rg_points own_points(const rg_run_grid *r, const rg_points *all)
{
    rg_points p = *all;

    for (int d = 0; d < RG_AXES; d++) {
        const rg_axis *a = &r->grid->axis[d];
        const bool is_last = r->grid->part[d] == r->grid->parts[d] - 1;
        p.count[d] = is_last ? all->count[d] - a->from : a->n;
    }
    return p;
}

int64_t rg_run_grid_pack_own(const rg_run_grid *r, double *out)
{
    const rg_form *form = r->form;
    int64_t count = 0;

    for (int l = 0; l < form->n_leaves; l++) {
        const rg_leaf *leaf = &form->leaves[l];
        if (leaf->field < 0) continue;
        const rg_points p = form->fields[leaf->field].is_vector
                                ? rg_points_faces(r->grid, leaf->component)
                                : rg_points_cells(r->grid);
        const double *v = rg_run_grid_field(r, leaf->field, leaf->component);
        for (int64_t k = 0; out && k < p.count[2]; k++)
            for (int64_t j = 0; j < p.count[1]; j++)
                memcpy(out + count + p.count[0] * (j + p.count[1] * k),
                       v + rg_grid_at(r->grid, 0, (int)j, (int)k),
                       (size_t)p.count[0] * sizeof *out);
        count += rg_points_size(&p);
    }
    return count;
}

void rg_run_grid_pack(const rg_run_grid *r, double *out)
{
    const rg_form *form = r->form;

    if (r->grid->whole == NULL) {
        (void)rg_run_grid_pack_own(r, out);
        return;
    }
    for (int l = 0; l < form->n_leaves; l++) {
        const rg_leaf *leaf = &form->leaves[l];
        if (leaf->field < 0) continue;
        const rg_points all = form->fields[leaf->field].is_vector
                                  ? rg_points_faces(form->grid, leaf->component)
                                  : rg_points_cells(form->grid);
        const rg_points p = own_points(r, &all);
        const double *v = rg_run_grid_field(r, leaf->field, leaf->component);
        const int64_t n = all.count[0] * all.count[1] * all.count[2];
        memset(out, 0, (size_t)n * sizeof *out);
        for (int64_t k = 0; k < p.count[2]; k++)
            for (int64_t j = 0; j < p.count[1]; j++)
                memcpy(out + r->grid->axis[0].from
                           + all.count[0]
                                 * (j + r->grid->axis[1].from
                                    + all.count[1] * (k + r->grid->axis[2].from)),
                       v + rg_grid_at(r->grid, 0, (int)j, (int)k),
                       (size_t)p.count[0] * sizeof *out);
        rg_ranks->sum(n, out);
        out += n;
    }
}

/* The leaf on the edges before faces along c and d: the mean of the (two or four) values inside the
 * box around them. */
static const double *bring_to_edges(rg_run_grid *r, int l, int c, int d)
{
    const rg_grid *g = r->grid;
    const double *v = bring(r, l, -1);
    double *out = r->buffer[l];
    int index[RG_AXES];

    if (v == out) { /* a component: its means at the cells have filled the buffer */
        memcpy(r->scratch, v, (size_t)g->size * sizeof *v);
        v = r->scratch;
    }
    const int nc = g->axis[c].n, nd = g->axis[d].n, e = 3 - c - d;
    for (index[e] = 0; index[e] < g->axis[e].n; index[e]++)
        for (index[c] = 0; index[c] <= nc; index[c]++)
            for (index[d] = 0; index[d] <= nd; index[d]++) {
                const int64_t at = rg_grid_at(g, index[0], index[1], index[2]);
                const bool low_c = !rg_axis_is_side(&g->axis[c], 0) || index[c] > 0,
                           high_c = !rg_axis_is_side(&g->axis[c], 1) || index[c] < nc,
                           low_d = !rg_axis_is_side(&g->axis[d], 0) || index[d] > 0,
                           high_d = !rg_axis_is_side(&g->axis[d], 1) || index[d] < nd;
                const int64_t c0 = at - (low_c ? g->stride[c] : 0), c1 = high_c ? at : c0,
                              d0 = low_d ? g->stride[d] : 0;
                const int64_t back = high_d ? 0 : g->stride[d];
                out[at] = 0.25 * (v[c0 - d0] + v[c1 - d0] + v[c0 - back] + v[c1 - back]);
            }
    return out;
}

/* The leaf on the edges before faces along c and d, with what lies beyond the sides: there, the
 * mean of the values inside and beyond is the one on the side.  Along every axis two values where
 * the leaf is at cells and the edge is not, or the other way round. */
static const double *bring_to_sides(rg_run_grid *r, int l, int c, int d)
{
    const rg_grid *g = r->grid;
    const rg_leaf *leaf = &r->form->leaves[l];
    const int own =
        leaf->field >= 0 && r->form->fields[leaf->field].is_vector ? leaf->component : -1;
    const double *v = native_of(r, l);
    double *out = r->buffer[l];
    int64_t to[1 << RG_AXES] = {0}, reach = 0;
    int n = 1;

    for (int e = 0; e < g->dims; e++) {
        const bool on_face = e == c || e == d;
        if (on_face == (e == own)) continue;
        for (int k = 0; k < n; k++)
            to[n + k] = to[k] + (on_face ? -g->stride[e] : g->stride[e]);
        reach += g->stride[e];
        n *= 2;
    }
    for (int64_t at = reach; at < g->size - reach; at++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++)
            sum += v[at + to[k]];
        out[at] = sum / n;
    }
    return out;
}

void rg_run_bring(rg_run_grid *r, const rg_quantity *q, int c)
{
    for (int k = 0; k < q->n_inputs; k++)
        r->at[q->inputs[k]] = bring(r, q->inputs[k], c);
}

/* What the quantity reads is in r->at. */
static rg_status evaluate_brought(rg_run_grid *r, const rg_quantity *q, double t,
                                  const rg_points *points, double *out)
{
    int64_t where = 0;
    rg_status status = rg_quantity_eval(r->form, q, t, points, r->at, r->work, out, &where);

    if (status == RG_RETRY) {
        rg_fail(r->ctx, RG_ERR_CONVERGENCE, "an expression of the model is not a finite number");
        rg_fail_at(r->ctx, r->form->source, q->span);
        rg_remedy(r->ctx, "look at its denominators, roots and logarithms");
        status = rg_fail_time(r->ctx, t);
    }
    return rg_grid_agree(r->grid, status);
}

RG_FOR_ALL_VECTORS
static void put_row(int64_t n, double value, double *row)
{
    for (int64_t i = 0; i < n; i++)
        row[i] = value;
}

/* Along x one number follows the other (stride[0] = 1). */
static void put_everywhere(double value, const rg_points *points, double *out)
{
    for (int64_t z = 0; z < points->count[2]; z++)
        for (int64_t y = 0; y < points->count[1]; y++)
            put_row(points->count[0], value,
                    out + points->origin + y * points->stride[1] + z * points->stride[2]);
}

/* c < 0: at the cells; d < 0: on the faces across c; otherwise on the edges before them along d. */
static rg_status evaluate(rg_run_grid *r, const rg_quantity *q, double t, const rg_points *points,
                          int c, int d, double *out)
{
    if (q == NULL || q->uses == 0) {
        put_everywhere(q ? q->value : 0.0, points, out);
        return RG_OK;
    }
    for (int k = 0; k < q->n_inputs; k++)
        r->at[q->inputs[k]] =
            d < 0 ? bring(r, q->inputs[k], c) : bring_to_edges(r, q->inputs[k], c, d);
    return evaluate_brought(r, q, t, points, out);
}

rg_status rg_run_at_cells(rg_run_grid *r, const rg_quantity *q, double t, double *out)
{
    const rg_points points = rg_points_cells(r->grid);

    return evaluate(r, q, t, &points, -1, -1, out);
}

rg_status rg_run_at_faces(rg_run_grid *r, const rg_quantity *q, double t, int c, double *out)
{
    const rg_points points = rg_points_faces(r->grid, c);

    return evaluate(r, q, t, &points, c, -1, out);
}

rg_status rg_run_at_seam(rg_run_grid *r, const rg_quantity *q, double t, int c, double *out)
{
    const rg_grid *g = r->grid;
    const rg_axis *a = &g->axis[c], *all = &(g->whole ? g->whole : g)->axis[c];

    for (int high = 0; high < (all->periodic ? 2 : 0); high++) {
        rg_points points = rg_points_faces(g, c);
        points.count[c] = high ? a->from + a->n == all->n : a->from == 0;
        points.at[c] = &a->edge[high ? a->n : 0];
        points.seam[c][0] = points.seam[c][1] = NULL;
        points.origin += high ? a->n * g->stride[c] : 0;
        RG_TRY(evaluate(r, q, t, &points, c, -1, out));
    }
    return RG_OK;
}

bool rg_run_has_end(const rg_grid *g, int d, bool high)
{
    const rg_axis *a = &g->axis[d];

    return high ? a->from + a->n == (g->whole ? g->whole : g)->axis[d].n : a->from == 0;
}

rg_status rg_run_at_end(rg_run_grid *r, const rg_quantity *q, int c, int d, bool high, double *out)
{
    const rg_axis *a = &r->grid->axis[d];
    rg_points points = c < 0 ? rg_points_cells(r->grid) : rg_points_faces(r->grid, c);
    const double end = a->edge[high ? a->n : 0], at[2] = {end, end};

    points.count[d] = rg_run_has_end(r->grid, d, high) ? 2 : 0;
    points.at[d] = at;
    points.origin += (high ? a->n - 1 : -1) * r->grid->stride[d];
    return evaluate(r, q, r->t, &points, c, -1, out);
}

rg_status rg_run_at_edges(rg_run_grid *r, const rg_quantity *q, double t, int c, int d, double *out)
{
    const rg_points points = rg_points_edges(r->grid, c, d);

    return evaluate(r, q, t, &points, c, d, out);
}

/* A leaf on the faces across d, on those of solids as these say. */
static const double *bring_to_walls(rg_run_grid *r, int l, int d)
{
    const rg_leaf *leaf = l < r->form->n_leaves ? &r->form->leaves[l] : NULL;
    const double *v = bring(r, l, d);

    if (leaf == NULL || leaf->field < 0 || r->form->fields[leaf->field].is_vector) return v;
    const rg_run_part *p = rg_run_part_of(r, leaf->field);
    for (int64_t m = 0; p && p->c && m < p->scalar.n_contacts; m++) {
        const rg_scalar_contact *one = &p->scalar.contact[m];
        if (one->axis != d || one->is_other) continue;
        r->buffer[l][one->face] = one->kind == RG_SCALAR_VALUE ? one->value
                                  : one->kind == RG_SCALAR_FLUX && p->scalar.shows
                                      ? one->surface
                                      : p->c[one->cell];
    }
    return v;
}

rg_status rg_run_on_layer(rg_run_grid *r, const rg_quantity *q, int c, int d, int i, double *out)
{
    const rg_grid *g = r->grid;
    rg_points points = c < 0 ? rg_points_cells(g) : rg_points_faces(g, c);

    points.count[d] = i >= 0 && i <= g->axis[d].n ? 1 : 0;
    points.at[d] = &g->axis[d].edge[points.count[d] ? i : 0];
    points.origin += points.count[d] ? i * g->stride[d] : 0;
    if (q->uses == 0) return evaluate(r, q, r->t, &points, -1, -1, out);
    for (int k = 0; k < q->n_inputs; k++)
        r->at[q->inputs[k]] =
            c < 0 ? bring_to_walls(r, q->inputs[k], d) : bring_to_sides(r, q->inputs[k], c, d);
    return evaluate_brought(r, q, r->t, &points, out);
}

rg_status rg_run_at_side(rg_run_grid *r, const rg_quantity *q, double t, int c, int side,
                         double *out)
{
    const rg_grid *g = r->grid;
    const int d = side / 2, high = side % 2, n = g->axis[d].n;
    rg_points points = c >= 0 ? rg_points_faces(g, c) : rg_points_cells(g);

    points.count[d] = rg_axis_is_side(&g->axis[d], high) ? 1 : 0; /* or no side of this block */
    points.at[d] = &g->axis[d].edge[high ? n : 0];
    points.origin += (high ? n : c == d ? 0 : -1) * g->stride[d];
    return evaluate(r, q, t, &points, -1, -1, out);
}
