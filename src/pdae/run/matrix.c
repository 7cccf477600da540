/* The matrix of an implicit scalar with convection, on the cells that are not solid:
 *
 *     diagonal x + sum over the faces of T (x - neighbour) + max(outflow, 0) x
 *                                                         + min(outflow, 0) neighbour
 *
 * with the transmissibilities T of the part; upwind, so it has no positive entry off the diagonal.
 * Sparse LU factors, kept while the entries stay; on several ranks PETSc solves the system. */
#include "base/random.h"
#include "linalg/sparse.h"
#include "pdae/mesh/ranks.h"
#include "pdae/run/run_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct { /* factors in one process */
    rg_pattern pattern;
    int64_t *entry; /* [row (2 dims + 1) + k]: of value[] in the pattern; -1: there is none */
    rg_sparse *sparse;
} factors;

typedef struct rg_run_matrix {
    int64_t n;
    int64_t *place; /* of every row */
    int64_t *next;  /* [row (2 dims) + side]: place of the neighbour; -1: a side, a solid */
    double *value;  /* [row (2 dims + 1) + side]: its entry in the row; last: the diagonal */
    double *last;   /* of the factors */
    double *b;
    double *weight; /* a number per cell, see has_no_level() */
    bool is_factored;
    factors own;
    rg_ranks_system *divided; /* in their place on several ranks */
} rg_run_matrix;

void rg_run_matrix_free(rg_run_part *p)
{
    rg_run_matrix *m = p->matrix;

    if (m == NULL) return;
    rg_context *ctx = p->run->ctx;
    rg_sparse_destroy(&m->own.sparse);
    if (m->divided) rg_ranks->system.destroy(&m->divided);
    rg_free(ctx, m->own.entry);
    rg_free(ctx, m->own.pattern.start);
    rg_free(ctx, m->own.pattern.row);
    rg_free(ctx, m->place);
    rg_free(ctx, m->next);
    rg_free(ctx, m->value);
    rg_free(ctx, m->weight);
    rg_free(ctx, m);
    p->matrix = NULL;
}

/* The place beyond a face of a cell; -1: a side of the box, a solid. */
static int64_t beyond(const rg_grid *g, int64_t at, int side)
{
    const int d = side / 2, high = side % 2, n = g->axis[d].n;
    const int64_t rest = at - g->origin,
                  index = d == 0   ? rest % g->stride[1]
                          : d == 1 ? rest % g->stride[2] / g->stride[1]
                                   : rest / g->stride[2],
                  to = index + (high ? 1 : -1);
    const bool is_here = to >= 0 && to < n;

    if (!is_here && rg_axis_is_side(&g->axis[d], high)) return -1;
    const int64_t next = is_here || g->axis[d].joined[high]
                             ? at + (high ? g->stride[d] : -g->stride[d])
                             : at + (high ? 1 - n : n - 1) * g->stride[d];
    return g->solid && g->solid[next] ? -1 : next;
}

/* ---- in one process -------------------------------------------------------------------------- */
/* Columns with rising rows; the pattern is symmetric. */
static void fill_pattern(const rg_run_matrix *m, int sides, const int64_t *row_of, factors *f)
{
    int64_t count = 0;

    for (int64_t r = 0; r < m->n; r++) {
        const int64_t first = count;
        f->pattern.start[r] = count;
        for (int side = 0; side <= sides; side++) {
            const int64_t at = side == sides ? m->place[r] : m->next[r * sides + side];
            if (at < 0) continue;
            int64_t k = count;
            while (k > first && f->pattern.row[k - 1] > row_of[at])
                k--;
            if (k > first && f->pattern.row[k - 1] == row_of[at]) continue;
            memmove(f->pattern.row + k + 1, f->pattern.row + k,
                    (size_t)(count - k) * sizeof *f->pattern.row);
            f->pattern.row[k] = (int32_t)row_of[at];
            count++;
        }
    }
    f->pattern.start[m->n] = count;
}

/* Where the entry of row r and the column of each neighbour stands. */
static void fill_entries(const rg_run_matrix *m, int sides, const int64_t *row_of, factors *f)
{
    for (int64_t r = 0; r < m->n; r++)
        for (int side = 0; side <= sides; side++) {
            const int64_t at = side == sides ? m->place[r] : m->next[r * sides + side];
            int64_t *entry = &f->entry[r * (sides + 1) + side];
            *entry = -1;
            if (at < 0) continue;
            int64_t k = f->pattern.start[row_of[at]];
            while (f->pattern.row[k] != r)
                k++;
            *entry = k;
        }
}

static rg_status create_factors(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    rg_context *ctx = p->run->ctx;
    rg_run_matrix *m = p->matrix;
    factors *f = &m->own;
    const size_t n = (size_t)m->n, width = 2 * (size_t)g->dims + 1;
    int64_t *row_of = rg_alloc(ctx, (size_t)g->size, sizeof *row_of);
    rg_status status = RG_ERR_MEMORY;

    f->pattern.n_rows = f->pattern.n_columns = m->n;
    f->entry = rg_alloc(ctx, n * width, sizeof *f->entry);
    f->pattern.start = rg_alloc(ctx, n + 1, sizeof *f->pattern.start);
    f->pattern.row = rg_alloc(ctx, n * width + 1, sizeof *f->pattern.row);
    if (row_of && f->entry && f->pattern.start && f->pattern.row) {
        for (int64_t r = 0; r < m->n; r++)
            row_of[m->place[r]] = r;
        fill_pattern(m, 2 * g->dims, row_of, f);
        fill_entries(m, 2 * g->dims, row_of, f);
        status = rg_sparse_create(ctx, &f->pattern, false, &f->sparse);
    }
    rg_free(ctx, row_of);
    return status;
}

/* b <- A^-1 b; RG_RETRY: A is singular. */
static rg_status solve_factors(rg_run_matrix *m, size_t count, bool is_new)
{
    factors *f = &m->own;

    if (is_new) {
        double *const value = rg_sparse_values(f->sparse);
        memset(value, 0, (size_t)f->pattern.start[m->n] * sizeof *value);
        for (size_t k = 0; k < count; k++)
            if (f->entry[k] >= 0) value[f->entry[k]] += m->value[k];
        RG_TRY(rg_sparse_factor(f->sparse));
    }
    rg_sparse_solve(f->sparse, m->b, NULL);
    return RG_OK;
}

/* Between 1/2 and 3/2, the same for a cell however the grid is divided. */
static double weigh(const rg_grid *g, int i, int j, int k)
{
    const rg_grid *all = g->whole ? g->whole : g;
    const int64_t x = i + g->axis[0].from, y = j + g->axis[1].from, z = k + g->axis[2].from;

    return 0.5 + rg_random(0, (uint64_t)(x + all->axis[0].n * (y + all->axis[1].n * z)));
}

static rg_status create(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    rg_context *ctx = p->run->ctx;
    const size_t n = (size_t)g->fluid, sides = 2 * (size_t)g->dims;
    rg_run_matrix *m = p->matrix = rg_alloc(ctx, 1, sizeof *m);
    int64_t r = 0;

    if (m != NULL) {
        m->n = g->fluid;
        m->place = rg_alloc(ctx, n, sizeof *m->place);
        m->next = rg_alloc(ctx, n * sides, sizeof *m->next);
        m->value = rg_alloc(ctx, n * (2 * sides + 3), sizeof *m->value);
        m->weight = rg_grid_array(g);
    }
    const bool ok = m && m->place && m->next && m->value && m->weight;
    RG_TRY(rg_grid_agree(g, ok ? RG_OK : RG_ERR_MEMORY));
    m->last = m->value + n * (sides + 1);
    m->b = m->last + n * (sides + 1);
    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        const int64_t at = w.at;
        m->place[r] = at;
        m->weight[at] = weigh(g, w.index[0], w.index[1], w.index[2]);
        for (size_t side = 0; side < sides; side++)
            m->next[(size_t)r * sides + side] = beyond(g, at, (int)side);
        r++;
    }
    rg_grid_join_all(g, m->weight);
    if (g->whole == NULL) return create_factors(p);
    const rg_ranks_rows rows = {.grid = g,
                                .n = m->n,
                                .place = m->place,
                                .next = m->next,
                                .tol = p->run->options.solver_tol,
                                .name = p->field->name};
    return rg_ranks->system.create(ctx, &rows, &m->divided);
}

/* ---- entries --------------------------------------------------------------------------------- */
static void add_diffusion(const rg_run_part *p, const double *diagonal, double *value)
{
    const rg_grid *g = p->run->grid;
    const rg_run_matrix *m = p->matrix;
    const int sides = 2 * g->dims;

    for (int64_t r = 0; r < m->n; r++, value += sides + 1) {
        const int64_t at = m->place[r];
        value[sides] += diagonal[at];
        for (int side = 0; side < sides; side++) {
            const double T = p->T[side / 2][side % 2 ? at + g->stride[side / 2] : at];
            value[sides] += T;
            if (m->next[r * sides + side] >= 0) value[side] -= T;
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

    for (int64_t r = 0; r < m->n; r++, value += sides + 1) {
        const int64_t at = m->place[r], rest = at - g->origin;
        const int index[RG_AXES] = {(int)(rest % g->stride[1]),
                                    (int)(rest % g->stride[2] / g->stride[1]),
                                    (int)(rest / g->stride[2])};
        const double V = rg_grid_volume(g, index[0], index[1], index[2]);
        double all = 0.0;
        for (int side = 0; side < sides; side++) {
            const int d = side / 2, high = side % 2;
            const double area = V / g->axis[d].width[index[d]],
                         flow = (high ? u[d][at + g->stride[d]] : -u[d][at]) * area, out = w * flow;
            const int64_t next = high ? at + g->stride[d] : at - g->stride[d];
            const int solid = g->solid ? g->solid[next] : 0;
            const int kind = solid ? p->run->form->solids[solid - 1].condition[p->eq->field].kind
                                   : p->scalar.side[side];
            const bool has_next = m->next[r * sides + side] >= 0;
            all += flow;
            if (has_next || (kind == RG_SCALAR_VALUE && out < 0.0)) {
                value[sides] += fmax(out, 0.0);
                if (has_next) value[side] += fmin(out, 0.0);
            } else {
                value[sides] += out;
            }
        }
        value[sides] -= cv->advective * all;
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
                value[row * (sides + 1) + sides] +=
                    rate > 0.0 ? cv->advective * rate : -cv->conservative * rate;
    }
}

/* Are all rows, or all columns, zero in sum, up to rounding of their entries?  Sums with weights
 * that nothing in a model has tell: 1^T A 1 alone is zero also where sources balance. */
static bool has_no_level(const rg_run_part *p)
{
    const rg_run_matrix *m = p->matrix;
    const int sides = 2 * p->run->grid->dims;
    double sum[3] = {0.0, 0.0, 0.0}; /* of rows, of columns, of sizes */

    for (int64_t r = 0; r < m->n; r++) {
        const double *value = m->value + r * (sides + 1), own = m->weight[m->place[r]];
        for (int k = 0; k <= sides; k++) {
            const int64_t next = k < sides ? m->next[r * sides + k] : m->place[r];
            sum[0] += own * value[k];
            if (next >= 0) sum[1] += m->weight[next] * value[k];
        }
        sum[2] += fabs(value[sides]);
    }
    rg_grid_sum(p->run->grid, 3, sum);
    return fmin(fabs(sum[0]), fabs(sum[1])) <= sides * DBL_EPSILON * sum[2];
}

static rg_status fail_level(const rg_run_part *p)
{
    rg_context *ctx = p->run->ctx;

    rg_fail(ctx, RG_ERR_INCONSISTENT, "nothing determines the level of '%s'", p->field->name);
    rg_fail_at(ctx, p->run->form->source, p->eq->span);
    return rg_remedy(ctx, "give a value on a side: 'boundary %s(SIDE) = ...'", p->field->name);
}

static rg_status find_entries(rg_run_part *p, double t, const double *diagonal)
{
    rg_run_matrix *m = p->matrix;

    add_diffusion(p, diagonal, m->value);
    for (int k = 0; k < p->eq->n_convections; k++) {
        const rg_convection *cv = &p->eq->convections[k];
        double *const *u;
        RG_TRY(rg_run_carrier(p, cv, t, 1.0, &u));
        add_convection(p, cv, u, m->value);
        add_wells(p, cv, t, m->value);
    }
    return RG_OK;
}

rg_status rg_run_matrix_solve(rg_run_part *p, double t, const double *diagonal, double *x)
{
    const rg_grid *g = p->run->grid;

    if (p->matrix == NULL) RG_TRY(create(p));
    rg_run_matrix *m = p->matrix;
    const size_t count = (size_t)m->n * (2 * (size_t)g->dims + 1);
    memset(m->value, 0, count * sizeof *m->value);
    RG_TRY(find_entries(p, t, diagonal));
    const bool is_new =
        rg_grid_any(g, !m->is_factored || memcmp(m->last, m->value, count * sizeof *m->last) != 0);
    if (is_new && has_no_level(p)) return fail_level(p);
    memcpy(m->last, m->value, count * sizeof *m->last);
    for (int64_t r = 0; r < m->n; r++)
        m->b[r] = p->right[m->place[r]];
    m->is_factored = false;
    const rg_status status = m->divided ? rg_ranks->system.solve(m->divided, m->value, is_new, m->b)
                                        : solve_factors(m, count, is_new);
    if (status == RG_RETRY) return fail_level(p);
    RG_TRY(status);
    m->is_factored = true;
    for (int64_t r = 0; r < m->n; r++)
        x[m->place[r]] = m->b[r];
    return RG_OK;
}
