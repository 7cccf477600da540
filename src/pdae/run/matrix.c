/* The matrix of an implicit scalar with convection, on the cells that are not solid:
 *
 *     diagonal x + sum over the faces of T (x - neighbour) + max(outflow, 0) x
 *                                                         + min(outflow, 0) neighbour
 *
 * with the transmissibilities T of the part; upwind, so it has no positive entry off the diagonal.
 * Sparse LU factors, kept while the entries stay. */
#include "linalg/sparse.h"
#include "pdae/run/run_impl.h"

#include <math.h>
#include <string.h>

typedef struct rg_run_matrix {
    int64_t n;
    int64_t *place; /* of every row */
    int64_t *entry; /* [row (2 dims + 1) + side]: in the values; -1: no neighbour; last: diagonal */
    rg_pattern pattern;
    rg_sparse *factors;
    double *value, *last, *b; /* last: of the factors */
    bool is_factored;
} rg_run_matrix;

void rg_run_matrix_free(rg_run_part *p)
{
    rg_run_matrix *m = p->matrix;

    if (m == NULL) return;
    rg_context *ctx = p->run->ctx;
    rg_sparse_destroy(&m->factors);
    rg_free(ctx, m->place);
    rg_free(ctx, m->entry);
    rg_free(ctx, m->pattern.start);
    rg_free(ctx, m->pattern.row);
    rg_free(ctx, m->value);
    rg_free(ctx, m);
    p->matrix = NULL;
}

/* The place beyond a face of a cell; -1: a side of the box. */
static int64_t beyond(const rg_grid *g, int64_t at, int side)
{
    const int d = side / 2, high = side % 2, n = g->axis[d].n;
    const int64_t rest = at - g->origin,
                  index = d == 0   ? rest % g->stride[1]
                          : d == 1 ? rest % g->stride[2] / g->stride[1]
                                   : rest / g->stride[2],
                  to = index + (high ? 1 : -1);

    if (to >= 0 && to < n) return at + (high ? g->stride[d] : -g->stride[d]);
    if (!g->axis[d].periodic) return -1;
    return at + (high ? 1 - n : n - 1) * g->stride[d];
}

/* Columns with rising rows; the pattern is symmetric. */
static void fill_pattern(const rg_grid *g, rg_run_matrix *m, const int64_t *row_of)
{
    const int sides = 2 * g->dims;
    int64_t count = 0;

    for (int64_t r = 0; r < m->n; r++) {
        const int64_t first = count;
        m->pattern.start[r] = count;
        for (int side = 0; side <= sides; side++) {
            const int64_t at = side == sides ? m->place[r] : beyond(g, m->place[r], side);
            if (at < 0 || row_of[at] < 0) continue;
            int64_t k = count;
            while (k > first && m->pattern.row[k - 1] > row_of[at])
                k--;
            if (k > first && m->pattern.row[k - 1] == row_of[at]) continue;
            memmove(m->pattern.row + k + 1, m->pattern.row + k,
                    (size_t)(count - k) * sizeof *m->pattern.row);
            m->pattern.row[k] = (int32_t)row_of[at];
            count++;
        }
    }
    m->pattern.start[m->n] = count;
}

/* Where the entry of row r and the column of each neighbour stands. */
static void fill_entries(const rg_grid *g, rg_run_matrix *m, const int64_t *row_of)
{
    const int sides = 2 * g->dims;

    for (int64_t r = 0; r < m->n; r++)
        for (int side = 0; side <= sides; side++) {
            const int64_t at = side == sides ? m->place[r] : beyond(g, m->place[r], side);
            int64_t *entry = &m->entry[r * (sides + 1) + side];
            *entry = -1;
            if (at < 0 || row_of[at] < 0) continue;
            int64_t k = m->pattern.start[row_of[at]];
            while (m->pattern.row[k] != r)
                k++;
            *entry = k;
        }
}

static rg_status create(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    rg_context *ctx = p->run->ctx;
    const size_t n = (size_t)g->fluid, width = 2 * (size_t)g->dims + 1;
    rg_run_matrix *m = rg_alloc(ctx, 1, sizeof *m);
    int64_t *row_of = rg_alloc(ctx, (size_t)g->size, sizeof *row_of);
    rg_status status = RG_ERR_MEMORY;

    p->matrix = m;
    if (m) {
        m->n = g->fluid;
        m->place = rg_alloc(ctx, n, sizeof *m->place);
        m->entry = rg_alloc(ctx, n * width, sizeof *m->entry);
        m->pattern.n_rows = m->pattern.n_columns = g->fluid;
        m->pattern.start = rg_alloc(ctx, n + 1, sizeof *m->pattern.start);
        m->pattern.row = rg_alloc(ctx, n * width + 1, sizeof *m->pattern.row);
        m->value = rg_alloc(ctx, n * (2 * width + 1), sizeof *m->value);
    }
    if (m && row_of && m->place && m->entry && m->pattern.start && m->pattern.row && m->value) {
        int64_t r = 0;
        m->last = m->value + n * width;
        m->b = m->last + n * width;
        for (int64_t at = 0; at < g->size; at++)
            row_of[at] = -1;
        for (int k = 0; k < g->axis[2].n; k++)
            for (int j = 0; j < g->axis[1].n; j++)
                for (int i = 0; i < g->axis[0].n; i++) {
                    const int64_t at = rg_grid_at(g, i, j, k);
                    if (g->solid && g->solid[at]) continue;
                    row_of[at] = r;
                    m->place[r++] = at;
                }
        fill_pattern(g, m, row_of);
        fill_entries(g, m, row_of);
        status = rg_sparse_create(ctx, &m->pattern, false, &m->factors);
    }
    rg_free(ctx, row_of);
    return status;
}

/* ---- entries --------------------------------------------------------------------------------- */
static void add_diffusion(const rg_run_part *p, const double *diagonal, double *value)
{
    const rg_grid *g = p->run->grid;
    const rg_run_matrix *m = p->matrix;
    const int sides = 2 * g->dims;

    for (int64_t r = 0; r < m->n; r++) {
        const int64_t *entry = m->entry + r * (sides + 1), at = m->place[r];
        value[entry[sides]] += diagonal[at];
        for (int side = 0; side < sides; side++) {
            const double T = p->T[side / 2][side % 2 ? at + g->stride[side / 2] : at];
            value[entry[sides]] += T;
            if (entry[side] >= 0) value[entry[side]] -= T;
        }
    }
}

/* Convection by u: w div(u x) + b (div(u x) - x div u). */
static void add_convection(const rg_run_part *p, const rg_convection *cv, double *const *u,
                           double *value)
{
    const rg_grid *g = p->run->grid;
    const rg_run_matrix *m = p->matrix;
    const int sides = 2 * g->dims;
    const double w = cv->conservative + cv->advective;

    for (int64_t r = 0; r < m->n; r++) {
        const int64_t *entry = m->entry + r * (sides + 1), at = m->place[r], rest = at - g->origin;
        const double V =
            rg_grid_volume(g, (int)(rest % g->stride[1]), (int)(rest % g->stride[2] / g->stride[1]),
                           (int)(rest / g->stride[2]));
        const int index[RG_AXES] = {(int)(rest % g->stride[1]),
                                    (int)(rest % g->stride[2] / g->stride[1]),
                                    (int)(rest / g->stride[2])};
        double all = 0.0;
        for (int side = 0; side < sides; side++) {
            const int d = side / 2, high = side % 2;
            const double area = V / g->axis[d].width[index[d]],
                         flow = (high ? u[d][at + g->stride[d]] : -u[d][at]) * area, out = w * flow;
            const int64_t next = high ? at + g->stride[d] : at - g->stride[d];
            const int solid = g->solid ? g->solid[next] : 0;
            const int kind = solid ? p->run->form->solids[solid - 1].condition[p->eq->field].kind
                                   : p->scalar.side[side];
            all += flow;
            if (entry[side] >= 0 || (kind == RG_SCALAR_VALUE && out < 0.0)) {
                value[entry[sides]] += fmax(out, 0.0);
                if (entry[side] >= 0) value[entry[side]] += fmin(out, 0.0);
            } else {
                value[entry[sides]] += out;
            }
        }
        value[entry[sides]] -= cv->advective * all;
    }
}

/* Wells take what is there. */
static void add_wells(rg_run_part *p, const rg_convection *cv, double t, double *value)
{
    rg_run_grid *r = p->run;
    const rg_run_matrix *m = p->matrix;
    const int sides = 2 * r->grid->dims;

    for (int w = 0; cv->velocity >= 0 && w < r->form->n_wells; w++) {
        const double rate = rg_run_well_rate(r, w, t);
        const int64_t at = rg_run_well_place(r, w);
        for (int64_t row = 0; row < m->n; row++)
            if (m->place[row] == at)
                value[m->entry[row * (sides + 1) + sides]] +=
                    rate > 0.0 ? cv->advective * rate : -cv->conservative * rate;
    }
}

rg_status rg_run_matrix_solve(rg_run_part *p, double t, const double *diagonal, double *x)
{
    rg_context *ctx = p->run->ctx;

    if (p->matrix == NULL) RG_TRY(create(p));
    rg_run_matrix *m = p->matrix;
    const size_t entries = (size_t)m->pattern.start[m->n];
    memset(m->value, 0, entries * sizeof *m->value);
    add_diffusion(p, diagonal, m->value);
    for (int k = 0; k < p->eq->n_convections; k++) {
        const rg_convection *cv = &p->eq->convections[k];
        double *const *u;
        RG_TRY(rg_run_carrier(p, cv, t, 1.0, &u));
        add_convection(p, cv, u, m->value);
        add_wells(p, cv, t, m->value);
    }
    if (!m->is_factored || memcmp(m->last, m->value, entries * sizeof *m->last) != 0) {
        memcpy(m->last, m->value, entries * sizeof *m->last);
        memcpy(rg_sparse_values(m->factors), m->value, entries * sizeof *m->value);
        const rg_status status = rg_sparse_factor(m->factors);
        if (status == RG_RETRY) {
            rg_fail(ctx, RG_ERR_INCONSISTENT, "nothing determines the level of '%s'",
                    p->field->name);
            rg_fail_at(ctx, p->run->form->source, p->eq->span);
            return rg_remedy(ctx, "give a value on a side: 'boundary %s(SIDE) = ...'",
                             p->field->name);
        }
        RG_TRY(status);
        m->is_factored = true;
    }
    for (int64_t r = 0; r < m->n; r++)
        m->b[r] = p->right[m->place[r]];
    rg_sparse_solve(m->factors, m->b, NULL);
    for (int64_t r = 0; r < m->n; r++)
        x[m->place[r]] = m->b[r];
    return RG_OK;
}
