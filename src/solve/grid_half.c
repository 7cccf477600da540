/* The same model on half the cells per axis, for the estimate of the error. */
#include "solve/grid_half.h"
#include "solve/tuning.h"

#include <math.h>
#include <string.h>

void rg_grid_half_destroy(rg_context *ctx, rg_grid_half *h)
{
    for (int k = 0; h->data != NULL && k < h->form.n_data; k++)
        rg_free(ctx, h->data[k].value);
    rg_free(ctx, h->data);
    rg_free(ctx, h->wells);
    rg_free(ctx, h->edges);
    rg_free(ctx, h->solid);
    rg_grid_destroy(&h->form.grid);
}

/* ---- which fine cells a coarse one covers ---------------------------------------------------- */
/* Coarse cell i of N covers the fine cells from i n/N on to (i + 1) n/N, the outer ones in part. */
static double overlap(int n, int N, int i, int fine)
{
    const double from = (double)i * n / N, to = (double)(i + 1) * n / N;

    return fmax(0.0, fmin(to, fine + 1.0) - fmax(from, fine));
}

typedef struct { /* the fine cells of one coarse cell: a box */
    int first[RG_AXES], end[RG_AXES];
} box;

static box covered(const rg_grid *fine, const rg_grid *coarse, const int at[RG_AXES])
{
    box b;

    for (int d = 0; d < RG_AXES; d++) {
        const int64_t n = fine->axis[d].n, N = coarse->axis[d].n;
        b.first[d] = (int)(at[d] * n / N);
        b.end[d] = (int)(((at[d] + 1) * n + N - 1) / N);
    }
    return b;
}

/* Calls add(user, cell, part) for all fine cells of a coarse one. */
typedef void add_fn(void *user, int64_t cell, double part);

static void over(const rg_grid *fine, const rg_grid *coarse, const int at[RG_AXES], add_fn *add,
                 void *user)
{
    const box b = covered(fine, coarse, at);
    const int *n[2] = {&fine->axis[0].n, &fine->axis[1].n};
    int i[RG_AXES];

    for (i[2] = b.first[2]; i[2] < b.end[2]; i[2]++)
        for (i[1] = b.first[1]; i[1] < b.end[1]; i[1]++)
            for (i[0] = b.first[0]; i[0] < b.end[0]; i[0]++) {
                double part = 1.0;
                for (int d = 0; d < RG_AXES; d++)
                    part *= overlap(fine->axis[d].n, coarse->axis[d].n, at[d], i[d]);
                add(user, i[0] + *n[0] * (i[1] + (int64_t)*n[1] * i[2]), part);
            }
}

/* ---- data, solids, wells --------------------------------------------------------------------- */
typedef struct {
    const double *from;
    double sum, parts;
} mean;

static void add_value(void *user, int64_t cell, double part)
{
    mean *m = user;

    m->sum += part * m->from[cell];
    m->parts += part;
}

enum { SOLIDS = 256 }; /* numbers that a cell of the mask can have */

typedef struct {
    const rg_grid *fine;
    double part[SOLIDS];
} shares;

static void add_share(void *user, int64_t cell, double part)
{
    shares *s = user;
    int index[RG_AXES];

    s->part[s->fine->solid[rg_grid_cell(s->fine, cell, index)]] += part;
}

/* What most of a coarse cell is: fluid (0), or a solid. */
static unsigned char most_of(const rg_grid *fine, const rg_grid *coarse, const int at[RG_AXES])
{
    shares s = {.fine = fine};
    int most = 0;

    over(fine, coarse, at, add_share, &s);
    for (int k = 1; k < SOLIDS; k++)
        if (s.part[k] > s.part[most]) most = k;
    return (unsigned char)most;
}

/* Every cell of the coarse grid: means of data, or the mask of solids. */
static void average(const rg_grid *fine, const rg_grid *coarse, const double *from, double *to,
                    unsigned char *solid)
{
    int at[RG_AXES];
    int64_t c = 0;

    for (at[2] = 0; at[2] < coarse->axis[2].n; at[2]++)
        for (at[1] = 0; at[1] < coarse->axis[1].n; at[1]++)
            for (at[0] = 0; at[0] < coarse->axis[0].n; at[0]++, c++) {
                mean m = {.from = from};
                if (solid) {
                    solid[c] = most_of(fine, coarse, at);
                } else {
                    over(fine, coarse, at, add_value, &m);
                    to[c] = m.sum / m.parts;
                }
            }
}

/* Returns whether the well is in the fluid. */
static bool move_well(const rg_grid *fine, const rg_grid *coarse, rg_well *w)
{
    int64_t cell = w->cell, n = 1;
    int index[RG_AXES];

    w->cell = 0;
    for (int d = 0; d < RG_AXES; d++) {
        const int64_t of = fine->axis[d].n, to = coarse->axis[d].n, i = cell % of;
        w->cell += (2 * i + 1) * to / (2 * of) * n; /* the coarse cell of its centre */
        cell /= of;
        n *= to;
    }
    return coarse->solid == NULL || coarse->solid[rg_grid_cell(coarse, w->cell, index)] == 0;
}

/* ---- the grid -------------------------------------------------------------------------------- */
/* Edge i of N + 1: between fine edges where their numbers do not divide. */
static double edge_at(const rg_axis *a, int N, int i)
{
    const double at = (double)i * a->n / N;
    const int low = i == N ? a->n - 1 : (int)at;

    return a->edge[low] + (at - low) * (a->edge[low + 1] - a->edge[low]);
}

static rg_status make_grid(const rg_form *form, rg_grid_half *out)
{
    const rg_grid *g = form->grid;
    rg_axis_spec spec[RG_AXES] = {{0}};
    double *edges = out->edges;

    for (int d = 0; d < g->dims; d++) {
        const rg_axis *a = &g->axis[d];
        const int N = a->n >= RG_GRID_HALF_CELLS ? (a->n + 1) / 2 : a->n;
        spec[d] =
            (rg_axis_spec){.n = N, .periodic = a->periodic, .a = a->edge[0], .b = a->edge[a->n]};
        for (int i = 0; i <= N; i++)
            edges[i] = edge_at(a, N, i);
        if (!a->uniform) spec[d].edge = edges;
        edges += N + 1;
        if (N < a->n) out->ratio = fmin(out->ratio, (double)a->n / N);
    }
    RG_TRY(rg_grid_create(form->ctx, g->dims, spec, &out->form.grid));
    if (g->solid == NULL) return RG_OK;
    out->solid = rg_alloc(form->ctx, (size_t)out->form.grid->cells, 1);
    if (out->solid == NULL) return RG_ERR_MEMORY;
    average(g, out->form.grid, NULL, NULL, out->solid);
    return rg_grid_set_solid(out->form.grid, out->solid);
}

rg_status rg_grid_half_create(const rg_form *form, rg_grid_half *out, bool *possible)
{
    const rg_grid *g = form->grid;
    rg_context *ctx = form->ctx;
    size_t room = 0;

    *out = (rg_grid_half){.form = *form, .ratio = INFINITY};
    out->form.grid = NULL;
    *possible = false;
    for (int d = 0; d < g->dims; d++) {
        *possible = *possible || g->axis[d].n >= RG_GRID_HALF_CELLS;
        room += (size_t)g->axis[d].n + 1;
    }
    if (!*possible) return RG_OK;
    out->edges = rg_alloc(ctx, room, sizeof *out->edges);
    out->wells = rg_alloc(ctx, (size_t)form->n_wells + 1, sizeof *out->wells);
    out->data = rg_alloc(ctx, (size_t)form->n_data + 1, sizeof *out->data);
    if (!out->edges || !out->wells || !out->data) return RG_ERR_MEMORY;
    RG_TRY(make_grid(form, out));
    for (int k = 0; k < form->n_wells; k++) {
        out->wells[k] = form->wells[k];
        *possible = move_well(g, out->form.grid, &out->wells[k]) && *possible;
    }
    for (int k = 0; k < form->n_data; k++) {
        out->data[k] = form->data[k];
        out->data[k].value = rg_alloc(ctx, (size_t)out->form.grid->cells, sizeof(double));
        if (out->data[k].value == NULL) return RG_ERR_MEMORY;
        average(g, out->form.grid, form->data[k].value, out->data[k].value, NULL);
    }
    out->form.wells = out->wells;
    out->form.data = out->data;
    return RG_OK;
}
