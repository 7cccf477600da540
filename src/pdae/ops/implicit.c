/* Solves with the implicit viscous operator, axis after axis, many lines side by side. */
#include "pdae/ops/implicit.h"

#include "base/pieces.h"
#include "base/tuning.h"
#include "base/vector.h"

enum {
    BLOCK = 16, /* lines along x that are solved side by side                        */
    STRIP = 64, /* lines across x, whose numbers stay in the cache from end to end */
};

typedef rg_viscous_lines lines;

enum { LINE_ARRAYS = 7 };

struct rg_viscous {
    const rg_vector_space *space;
    double a[RG_AXES]; /* of the factors of a component; < 0: none yet */
    lines line[RG_AXES][RG_AXES];
    double *memory, *buffer; /* of all; the buffers of all threads */
    size_t room;             /* of one                             */
};

void rg_viscous_destroy(rg_viscous **out)
{
    rg_viscous *m = *out;

    if (m == NULL) return;
    rg_context *ctx = m->space->grid->ctx;
    for (int c = 0; c < RG_AXES; c++)
        for (int d = 0; d < RG_AXES; d++) {
            rg_free(ctx, m->line[c][d].pivots);
            rg_free(ctx, m->line[c][d].corners);
            rg_joined_free(m->space->grid, &m->line[c][d].joined);
        }
    rg_free(ctx, m->memory);
    rg_free(ctx, m);
    *out = NULL;
}

rg_status rg_viscous_create(const rg_vector_space *s, rg_viscous **out)
{
    const rg_grid *g = s->grid;
    rg_viscous *m = rg_alloc(g->ctx, 1, sizeof *m);
    size_t room = 0, longest = 0;
    bool ok = true;

    *out = NULL;
    if (m == NULL) return RG_ERR_MEMORY;
    m->space = s;
    for (int d = 0; d < g->dims; d++) {
        const size_t n = (size_t)g->axis[d].n + 2;
        room += (size_t)g->dims * LINE_ARRAYS * n;
        if (n > longest) longest = n;
    }
    /* as many as there may ever be, for the threads of the context may change */
    const size_t hands = 2 * g->size >= RG_CREW_NUMBERS ? RG_CREW_MOST : 1;
    double *at = NULL;
    m->room = BLOCK * (longest + BLOCK) + STRIP;
    ok = RG_TAKE(g->ctx, &m->memory, RG_PIECE(at, room), RG_PIECE(m->buffer, hands * m->room))
         == RG_OK;
    for (int c = 0; ok && c < g->dims; c++) {
        m->a[c] = -1.0;
        for (int d = 0; d < g->dims; d++) {
            lines *t = &m->line[c][d];
            double **array[] = {&t->lower, &t->diagonal, &t->upper, &t->pivot,
                                &t->down,  &t->up,       &t->corner};
            for (int k = 0; k < LINE_ARRAYS; k++, at += g->axis[d].n + 2)
                *array[k] = at;
            t->is_joined = g->whole != NULL && g->parts[d] > 1;
            if (t->is_joined)
                ok = ok
                     && rg_joined_create(g, d, g->axis[d].n + 2, s->fixed[c] != NULL, &t->joined)
                            == RG_OK;
            if (s->fixed[c] == NULL) continue;
            ok = ok && (t->pivots = rg_grid_array(g)) != NULL;
            if (g->axis[d].periodic) ok = ok && (t->corners = rg_grid_array(g)) != NULL;
        }
    }
    if (!ok) {
        rg_viscous_destroy(&m);
        return RG_ERR_MEMORY;
    }
    *out = m;
    return RG_OK;
}

static void factor(rg_viscous *m, int c, double a)
{
    for (int d = 0; d < m->space->grid->dims; d++)
        rg_viscous_factor(m->space, c, d, a, &m->line[c][d]);
    m->a[c] = a;
}

/* ---- solving --------------------------------------------------------------------------------- */
/* `width` neighbouring lines at once; element i of line m is v[i stride + m]. */
RG_FOR_ALL_VECTORS
static void solve_rows(const lines *t, double *v, int64_t stride, int width, double *factor)
{
    const double *pivots = t->pivot, *downs = t->down, *ups = t->up;
    const int first = t->first, end = t->end;
    double *row = v + first * stride;

    for (int m = 0; m < width; m++)
        row[m] *= pivots[first];
    for (int i = first + 1; i < end; i++) {
        const double pivot = pivots[i], down = downs[i], *before = row;
        row += stride;
        for (int m = 0; m < width; m++)
            row[m] = pivot * row[m] + down * before[m];
    }
    const double *last = row;
    for (int i = end - 2; i >= first; i--) {
        const double up = ups[i], *behind = row;
        row -= stride;
        for (int m = 0; m < width; m++)
            row[m] += up * behind[m];
    }
    if (!t->cyclic) return;
    for (int m = 0; m < width; m++)
        factor[m] = (row[m] + t->ratio * last[m]) / t->below;
    for (int i = first; i < end; i++, row += stride)
        for (int m = 0; m < width; m++)
            row[m] -= factor[m] * t->corner[i];
}

/* The same for BLOCK lines whose numbers lie together, through registers. */
RG_FOR_ALL_VECTORS
static void solve_packed(const lines *t, double *v, double *factor)
{
    const double *pivots = t->pivot, *downs = t->down, *ups = t->up;
    rg_octet a, b;

    a = b = (rg_octet){0.0};
    for (int i = t->first; i < t->end; i++) {
        rg_octet *at = (rg_octet *)(v + i * BLOCK);
        a = at[0] = pivots[i] * at[0] + downs[i] * a;
        b = at[1] = pivots[i] * at[1] + downs[i] * b;
    }
    const rg_octet last[2] = {a, b};
    for (int i = t->end - 2; i >= t->first; i--) {
        rg_octet *at = (rg_octet *)(v + i * BLOCK);
        a = at[0] += ups[i] * a;
        b = at[1] += ups[i] * b;
    }
    if (!t->cyclic) return;
    rg_octet *by = (rg_octet *)factor;
    by[0] = (a + t->ratio * last[0]) / t->below;
    by[1] = (b + t->ratio * last[1]) / t->below;
    for (int i = t->first; i < t->end; i++) {
        rg_octet *at = (rg_octet *)(v + i * BLOCK);
        at[0] -= by[0] * t->corner[i];
        at[1] -= by[1] * t->corner[i];
    }
}

/* Four rows of four numbers become columns. */
RG_INLINE void transpose(const double *const from[RG_LANES], double *const to[RG_LANES])
{
    const rg_quad a = RG_FOUR(from[0]), b = RG_FOUR(from[1]), c = RG_FOUR(from[2]),
                  d = RG_FOUR(from[3]);
    const rg_quad ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                  ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                  cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                  cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);

    *(rg_quad *)to[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    *(rg_quad *)to[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    *(rg_quad *)to[2] = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    *(rg_quad *)to[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

/* Four lines, or as many as there are and the last one again, to or from a column of the buffer.
 * The last four numbers may be moved twice. */
RG_INLINE void move_lines(const lines *t, bool is_packing, double *const line[RG_LANES],
                          double *column)
{
    const int n = t->end - t->first;

    for (int k = 0; n >= RG_LANES && k < n; k += RG_LANES) {
        const int i = t->first + (k + RG_LANES <= n ? k : n - RG_LANES);
        double *const row[] = {line[0] + i, line[1] + i, line[2] + i, line[3] + i};
        double *const at = column + i * BLOCK, *const packed[] = {at, at + BLOCK, at + 2 * BLOCK,
                                                                  at + 3 * BLOCK};
        transpose((const double *const *)(is_packing ? row : packed), is_packing ? packed : row);
    }
    for (int i = t->first; n < RG_LANES && i < t->end; i++)
        for (int q = 0; q < RG_LANES; q++)
            *(is_packing ? column + i * BLOCK + q : line[q] + i) =
                *(is_packing ? line[q] + i : column + i * BLOCK + q);
}

/* `width` lines along x, side by side in a buffer; the last one fills up the block. */
RG_FOR_QUADS
static void move_block(const lines *t, bool is_packing, double *v, int64_t stride, int width,
                       double *buffer)
{
    for (int m = 0; m < BLOCK; m += RG_LANES) {
        double *line[RG_LANES];
        for (int q = 0; q < RG_LANES; q++)
            line[q] = v + (m + q < width ? m + q : width - 1) * stride;
        if (is_packing)
            move_lines(t, true, line, buffer + m);
        else if (m < width)
            move_lines(t, false, line, buffer + m);
    }
}

/* One line around solids. */
static void solve_places(const lines *t, int64_t line, int64_t stride, double *v)
{
    const int64_t f = t->first * stride, e = (t->end - 1) * stride;
    double *x = v + line;

    rg_viscous_sweep_places(t, t->pivots + line, x, stride);
    if (!t->cyclic) return;
    const double *corner = t->corners + line;
    const double pivot = t->pivots[line + f];
    if (pivot == 0.0 || corner[f] == 0.0) return;
    /* the diagonal was doubled: gamma = -A_ff = -1/(2 pivot) */
    const double ratio = t->lower[t->first] * 2.0 * pivot,
                 by = (x[f] + ratio * x[e]) / (1.0 + corner[f] + ratio * corner[e]);
    for (int64_t at = f; at <= e; at += stride)
        x[at] -= by * corner[at];
}

typedef struct {
    const rg_viscous *m;
    int c, d;
    double *v;
} loop;

/* The axes across the lines: e1 the first one that a unit goes through. */
static void axes_across(int d, int *e1, int *e2)
{
    *e1 = d == 0 ? 1 : 0;
    *e2 = 3 - d - *e1;
}

static int64_t units_of_row(const loop *w, int e1, int size)
{
    const rg_vector_space *s = w->m->space;

    return (s->end[w->c][e1] - s->first[w->c][e1] + size - 1) / size;
}

/* Lines x .. end - 1 along e1 of the plane that begins at `plane`. */
static void solve_unit(const loop *w, int64_t plane, int x, int end, double *buffer)
{
    const rg_grid *g = w->m->space->grid;
    const lines *t = &w->m->line[w->c][w->d];
    const int64_t step = g->stride[w->d == 0 ? 1 : 0];
    double *factor = buffer + w->m->room - STRIP;

    if (t->pivots) {
        for (; x < end; x++)
            solve_places(t, plane + x * step, g->stride[w->d], w->v);
    } else if (w->d > 0) { /* neighbours along x at once */
        solve_rows(t, w->v + plane + x, g->stride[w->d], end - x, factor);
    } else {
        double *v = w->v + plane + x * step;
        move_block(t, true, v, step, end - x, buffer);
        solve_packed(t, buffer, factor);
        move_block(t, false, v, step, end - x, buffer);
    }
}

static void solve_units(void *user, int hand, int64_t from, int64_t until)
{
    const loop *w = user;
    const rg_vector_space *s = w->m->space;
    const rg_grid *g = s->grid;
    const int size = w->d > 0 ? STRIP : BLOCK;
    int e1, e2;

    axes_across(w->d, &e1, &e2);
    const int64_t of_row = units_of_row(w, e1, size);
    for (int64_t u = from; u < until; u++) {
        const int x = s->first[w->c][e1] + (int)(u % of_row) * size, all = s->end[w->c][e1];
        const int64_t plane = g->origin + (s->first[w->c][e2] + u / of_row) * g->stride[e2];
        solve_unit(w, plane, x, x + size < all ? x + size : all,
                   w->m->buffer + (size_t)hand * w->m->room);
    }
}

void rg_viscous_solve(rg_viscous *m, int c, double a, double *v)
{
    const rg_vector_space *s = m->space;
    const rg_grid *g = s->grid;

    if (m->a[c] != a) factor(m, c, a);
    for (int d = 0; d < g->dims; d++) {
        const lines *t = &m->line[c][d];
        const int size = d > 0 ? STRIP : BLOCK;
        loop w = {m, c, d, v};
        int e1, e2;
        if (t->is_trivial) continue;
        axes_across(d, &e1, &e2);
        rg_crew_run(g->ctx, units_of_row(&w, e1, size) * (s->end[c][e2] - s->first[c][e2]),
                    (int64_t)size * g->axis[d].n, solve_units, &w);
        if (t->is_joined) rg_joined_solve(g, d, s->first[c], s->end[c], &m->line[c][d].joined, v);
    }
}
