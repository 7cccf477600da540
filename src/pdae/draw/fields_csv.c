/* The numbers of all fields as a CSV file.  On ranks the first one writes it and gets the rows of
 * the blocks one by one: nobody has the whole of a field, and any file will do, pipes too. */
#include "pdae/draw/vtk.h"
#include "pdae/form/inside.h"
#include "pdae/mesh/ranks.h"
#include "solution/csv.h"

#include <string.h>

enum { AT_ONCE = 2048 }; /* cells of rows that a rank sends; longer ones go part by part */

typedef struct {
    const rg_frame *f;
    rg_csv *csv;
    int columns, rows; /* rows of cells that are brought together */
    double *value;     /* [part of a row][column][row][cell] */
    rg_status status;
} writer;

static bool is_shown(const rg_form *form, int l)
{
    return form->leaves[l].field >= 0;
}

static void write_header(writer *w)
{
    const rg_form *form = w->f->form;

    for (int d = 0; d < form->grid->dims; d++)
        rg_csv_text(w->csv, form->axis_name[d]);
    for (int l = 0; l < form->n_leaves; l++)
        if (is_shown(form, l))
            rg_csv_text(w->csv, rg_form_inside(form)->names[form->grid->dims + l].name);
    w->status = rg_csv_end_row(w->csv);
}

/* Rows of n cells, the first one from index on, of this rank. */
static void take_rows(const writer *w, const int index[RG_AXES], int n, int rows, double *to)
{
    const rg_form *form = w->f->form;
    const rg_grid *g = w->f->grid;
    const int64_t j = index[1] - g->axis[1].from, k = index[2] - g->axis[2].from,
                  first = index[0] - g->axis[0].from + g->axis[0].n * (j + g->axis[1].n * k);

    for (int l = 0; l < form->n_leaves; l++)
        for (int r = 0; is_shown(form, l) && r < rows; r++, to += n)
            memcpy(to, rg_frame_leaf(w->f, l) + first + (int64_t)r * g->axis[0].n,
                   (size_t)n * sizeof *to);
}

/* Row r of them. */
static void write_row(writer *w, const int index[RG_AXES], int n, int rows, int r,
                      const double *value)
{
    const rg_grid *g = w->f->form->grid;

    for (int i = 0; w->status == RG_OK && i < n; i++) {
        const int at[RG_AXES] = {index[0] + i, index[1] + r, index[2]};
        if (g->solid != NULL && g->solid[rg_grid_at(g, at[0], at[1], at[2])] != 0) continue;
        for (int d = 0; d < g->dims; d++)
            rg_csv_real(w->csv, g->axis[d].centre[at[d]]);
        for (int c = 0; c < w->columns; c++)
            rg_csv_real(w->csv, value[i + (int64_t)n * (r + rows * c)]);
        w->status = rg_csv_end_row(w->csv);
    }
}

/* The parts of so many rows, from one rank after the other; *until: behind the last cell along the
 * first axis, which very long rows do not reach at once. */
static void bring_rows(writer *w, const int index[RG_AXES], int rows, int *until)
{
    const rg_grid *g = w->f->grid, *all = w->f->form->grid;
    const int own = g->whole != NULL ? rg_ranks->rank : 0;
    int i[RG_AXES] = {index[0], index[1], index[2]}, end[RG_AXES];
    double *to = w->value;

    do {
        const int rank = rg_grid_rank_at(g, i, end), n = end[0] - i[0];
        const int64_t count = (int64_t)n * w->columns * rows;
        if (rank == own) take_rows(w, i, n, rows, to);
        if (rank != 0 && (own == rank || own == 0)) rg_ranks->bring(rank, count, to);
        to += count;
        i[0] = end[0];
    } while (w->rows > 1 && i[0] < all->axis[0].n);
    *until = i[0];
}

static void write_rows(writer *w, const int index[RG_AXES], int rows, int until)
{
    int i[RG_AXES] = {index[0], index[1], index[2]}, end[RG_AXES];

    for (int r = 0; r < rows; r++) {
        const double *from = w->value;
        for (i[0] = index[0]; i[0] < until; i[0] = end[0]) {
            (void)rg_grid_rank_at(w->f->grid, i, end);
            const int n = end[0] - i[0];
            write_row(w, i, n, rows, r, from);
            from += (int64_t)n * w->columns * rows;
        }
    }
}

/* The first rank takes what the others send even where it cannot write any more. */
static void write_cells(writer *w)
{
    const rg_grid *all = w->f->form->grid;
    int i[RG_AXES], end[RG_AXES], until, rows;

    for (i[2] = 0; i[2] < all->axis[2].n; i[2]++)
        for (i[1] = 0; i[1] < all->axis[1].n; i[1] += rows) {
            i[0] = 0;
            (void)rg_grid_rank_at(w->f->grid, i, end);
            rows = end[1] - i[1] < w->rows ? end[1] - i[1] : w->rows;
            for (; i[0] < all->axis[0].n; i[0] = until) {
                bring_rows(w, i, rows, &until);
                if (rg_ranks_is_first()) write_rows(w, i, rows, until);
            }
        }
}

rg_status rg_frame_write_csv(rg_context *ctx, const rg_frame *f, const char *path)
{
    const int n = f->form->grid->axis[0].n;
    writer w = {.f = f, .rows = n < AT_ONCE ? AT_ONCE / n : 1};

    for (int l = 0; l < f->form->n_leaves; l++)
        w.columns += is_shown(f->form, l);
    const size_t most = w.rows > 1 ? (size_t)n * (size_t)w.rows : (size_t)f->grid->axis[0].n + 1;
    w.status = rg_csv_open(ctx, path, &w.csv);
    w.value = rg_alloc(ctx, (size_t)w.columns * most, sizeof *w.value);
    if (w.status == RG_OK && w.value == NULL) w.status = RG_ERR_MEMORY;
    w.status = rg_grid_agree(f->grid, w.status);
    if (w.status == RG_OK) {
        write_header(&w);
        write_cells(&w);
    }
    const rg_status closed = rg_csv_close(&w.csv, w.status == RG_OK);
    rg_free(ctx, w.value);
    return rg_grid_agree(f->grid, w.status != RG_OK ? w.status : closed);
}
