/* Velocities on the faces of a plane, or on some of very many: single numbers of the grid, so that
 * ranks have the same bits as one process. */
#include "pdae/draw/lines.h"
#include "pdae/mesh/block.h"

#include <math.h>

/* Numbers along axis d of component c: cells, or faces with both ends. */
static int count_of(const rg_form *form, int c, int d)
{
    return form->grid->axis[d].n + (d == c);
}

/* The number of the k-th of n that stand for `all`. */
static int pick(int k, int n, int all)
{
    return n < all ? (int)(((int64_t)k * (all - 1) + (n - 1) / 2) / (n - 1)) : k;
}

static rg_status create_part(const rg_form *form, int c, const int most[2], rg_stream_part *p)
{
    for (int d = 0; d < 2; d++) {
        const rg_axis *a = &form->grid->axis[d];
        const int all = count_of(form, c, d);
        p->n[d] = all < most[d] ? all : most[d];
        p->at[d] = rg_alloc(form->ctx, (size_t)p->n[d], sizeof *p->at[d]);
        if (p->at[d] == NULL) return RG_ERR_MEMORY;
        for (int k = 0; k < p->n[d]; k++)
            p->at[d][k] = (d == c ? a->edge : a->centre)[pick(k, p->n[d], all)];
    }
    p->value = rg_alloc(form->ctx, (size_t)p->n[0] * (size_t)p->n[1], sizeof *p->value);
    return p->value != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* The place of number i along axis d in this block; -1: another rank's.  The last face of a
 * periodic axis is the first one. */
static int own_place(const rg_frame *f, int c, int d, int i)
{
    const rg_axis *all = &f->form->grid->axis[d], *a = &f->grid->axis[d];

    if (i == all->n && all->periodic) i = 0;
    const int at = i - a->from;
    return at >= 0 && (at < a->n || (d == c && i == all->n && at == a->n)) ? at : -1;
}

static void fill_part(const rg_frame *f, int field, int c, rg_stream_part *p)
{
    const rg_points faces = rg_points_packed(rg_points_faces(f->grid, c));
    const double *v = f->unknown + f->first[rg_form_leaf(f->form, field, c)];
    const int layer = rg_frame_layer(f);
    double *to = p->value;

    for (int j = 0; j < p->n[1]; j++)
        for (int i = 0; i < p->n[0]; i++, to++) {
            const int x = own_place(f, c, 0, pick(i, p->n[0], count_of(f->form, c, 0))),
                      y = own_place(f, c, 1, pick(j, p->n[1], count_of(f->form, c, 1)));
            if (x >= 0 && y >= 0 && layer >= 0)
                *to = v[x + faces.stride[1] * y + faces.stride[2] * layer];
        }
    rg_grid_sum(f->grid, p->n[0] * p->n[1], p->value);
}

static void measure(const rg_frame *f, int field, rg_stream *s)
{
    const double *u = rg_frame_leaf(f, rg_form_leaf(f->form, field, 0)),
                 *v = rg_frame_leaf(f, rg_form_leaf(f->form, field, 1));

    for (int64_t k = 0; k < f->grid->cells; k++)
        s->fastest = fmax(s->fastest, hypot(u[k], v[k]));
    rg_grid_most(f->grid, 1, &s->fastest);
}

rg_status rg_stream_make(rg_frame *f, int field, int nx, int ny, rg_stream *out)
{
    const int most[2] = {nx + 1, ny + 1};
    rg_status status = RG_OK;

    *out = (rg_stream){.form = f->form};
    for (int c = 0; status == RG_OK && c < 2; c++)
        status = create_part(f->form, c, most, &out->part[c]);
    RG_TRY(rg_grid_agree(f->grid, status));
    for (int c = 0; c < 2; c++)
        fill_part(f, field, c, &out->part[c]);
    measure(f, field, out);
    return RG_OK;
}

void rg_stream_clear(rg_stream *s)
{
    if (s->form == NULL) return;
    for (int c = 0; c < 2; c++) {
        for (int d = 0; d < 2; d++)
            rg_free(s->form->ctx, s->part[c].at[d]);
        rg_free(s->form->ctx, s->part[c].value);
    }
    *s = (rg_stream){0};
}
