/* Conjugate gradients with geometric multigrid: smooth coefficients, stretched axes, no solids. */
#include "pdae/solve/multigrid.h"

#include "base/tuning.h"
#include "base/vector.h"
#include "pdae/solve/tuning.h"

#include <math.h>
#include <string.h>

static void destroy(rg_elliptic *e, void *state)
{
    rg_multigrid *m = state;

    for (int l = 0; l < m->n_levels; l++)
        rg_free(e->ctx, m->level[l].memory);
    rg_gradients_free(e->ctx, &m->outer);
    rg_free(e->ctx, m->diagonal);
    rg_free(e->ctx, m->factor);
    rg_free(e->ctx, m->packed);
    rg_free(e->ctx, m->row);
    rg_free(e->ctx, m);
}

/* The arrays of a level, one behind the other; `has` says which axes have neighbours.  r is last
 * of all: where sweeps follow each other row by row nothing is written there. */
static rg_status make_arrays(rg_context *ctx, rg_multigrid_level *l, const bool has[RG_AXES],
                             bool has_s)
{
    float **const list[] = {&l->x,
                            &l->b,
                            &l->weight,
                            &l->inverse,
                            has[0] ? &l->T[0] : NULL,
                            has[1] ? &l->T[1] : NULL,
                            has[2] ? &l->T[2] : NULL,
                            has_s ? &l->s : NULL,
                            &l->r};
    enum { MOST = sizeof list / sizeof *list };
    size_t count = 0;

    l->ctx = ctx;
    for (int k = 0; k < MOST; k++)
        count += list[k] != NULL;
    l->memory = rg_alloc(ctx, count * (size_t)l->size, sizeof *l->memory);
    if (l->memory == NULL) return RG_ERR_MEMORY;
    float *next = l->memory;
    for (int k = 0; k < MOST; k++) {
        if (list[k] == NULL) continue;
        *list[k] = next;
        next += l->size;
    }
    return RG_OK;
}

/* An axis of one periodic cell has no neighbours. */
static rg_status make_top(rg_elliptic *e, rg_multigrid_level *l)
{
    const rg_grid *g = e->A.grid;
    bool has[RG_AXES];

    l->origin = g->origin;
    l->size = g->size;
    for (int d = 0; d < RG_AXES; d++) {
        l->n[d] = g->axis[d].n;
        l->stride[d] = g->stride[d];
        l->periodic[d] = d < g->dims && g->axis[d].periodic;
        has[d] = d < g->dims && !(g->axis[d].periodic && g->axis[d].n == 1);
    }
    return make_arrays(e->ctx, l, has, e->A.s != NULL);
}

static rg_status make_coarse(rg_context *ctx, const rg_multigrid_level *f, rg_multigrid_level *c)
{
    const bool has[RG_AXES] = {f->T[0] != NULL, f->T[1] != NULL, f->T[2] != NULL};

    rg_multigrid_shape(f, c);
    return make_arrays(ctx, c, has, f->s != NULL);
}

static int64_t cells_of(const rg_multigrid_level *l)
{
    return (int64_t)l->n[0] * l->n[1] * l->n[2];
}

/* Levels until few cells are left, or none that are coupled. */
static rg_status make_levels(rg_context *ctx, rg_multigrid *m)
{
    bool join[RG_AXES] = {false, false, false};

    for (;;) {
        rg_multigrid_level *l = &m->level[m->n_levels - 1];
        if (m->n_levels == RG_MULTIGRID_LEVELS) return RG_OK;
        l->smooths = !join[0] && !join[1] && !join[2];
        if (l->smooths && cells_of(l) <= RG_GRID_COARSEST) return RG_OK;
        if (l->smooths) rg_multigrid_axes(l, join);
        for (l->axis = 0; l->axis < RG_AXES && !join[l->axis];)
            l->axis++;
        if (l->axis == RG_AXES) return RG_OK;
        join[l->axis] = false;
        m->n_levels++;
        RG_TRY(make_coarse(ctx, l, l + 1));
        rg_multigrid_coarsen(l, l + 1);
    }
}

/* The coarsest matrix as a full one of couplings. */
static void factor_coarsest(rg_multigrid *m)
{
    const rg_multigrid_level *l = &m->level[m->n_levels - 1];
    const int64_t n = cells_of(l);
    double *excess = m->packed, *L = m->factor;
    const int64_t step[RG_AXES] = {1, l->n[0], (int64_t)l->n[0] * l->n[1]};
    int at[RG_AXES];
    int64_t row = 0;

    memset(L, 0, (size_t)(n * n) * sizeof *L);
    for (at[2] = 0; at[2] < l->n[2]; at[2]++)
        for (at[1] = 0; at[1] < l->n[1]; at[1]++)
            for (at[0] = 0; at[0] < l->n[0]; at[0]++, row++) {
                const int64_t p = rg_multigrid_at(l, at[0], at[1], at[2]);
                excess[row] = l->s ? l->s[p] : 0.0;
                for (int side = 0; side < 2 * RG_AXES; side++) {
                    const int d = side / 2, last = l->n[d] - 1;
                    if (l->T[d] == NULL) continue;
                    const bool is_end = at[d] == (side % 2 ? last : 0);
                    const double T = l->T[d][p + (side % 2 ? l->stride[d] : 0)];
                    const int64_t beside = !is_end ? row + (side % 2 ? step[d] : -step[d])
                                                   : row + (side % 2 ? -last : last) * step[d];
                    if (is_end && !l->periodic[d])
                        excess[row] += T;
                    else if (beside != row)
                        L[row * n + beside] += T;
                }
            }
    rg_coarsest_factor(n, excess, L);
}

static rg_status make_work(rg_elliptic *e, rg_multigrid *m)
{
    const rg_grid *g = e->A.grid;
    const int64_t last = cells_of(&m->level[m->n_levels - 1]);
    const size_t longest = (size_t)g->axis[0].n + 2;
    /* as many as there may ever be, for the threads of the context may change */
    const size_t hands = 2 * g->size >= RG_CREW_NUMBERS ? RG_CREW_MOST : 1;

    m->longest = (int64_t)longest;
    m->row = rg_alloc(e->ctx, (hands + 1) * longest, sizeof *m->row);
    m->packed = rg_alloc(e->ctx, 2 * (size_t)last, sizeof *m->packed);
    if (m->row == NULL || m->packed == NULL) return RG_ERR_MEMORY;
    m->pattern = m->row + hands * longest;
    for (size_t i = 0; i < longest; i++)
        m->pattern[i] = i % 2 == 0 ? 1.0F : 0.0F;
    if (last <= 10 * RG_GRID_COARSEST) {
        m->factor = rg_alloc(e->ctx, (size_t)(last * (last + 1)), sizeof *m->factor);
        if (m->factor == NULL) return RG_ERR_MEMORY;
        factor_coarsest(m);
    }
    return rg_multigrid_outer(m);
}

/* Levels between those that smooth need none. */
static void find_diagonal(rg_multigrid *m, int l)
{
    if (m->level[l].smooths || l == m->n_levels - 1)
        rg_multigrid_diagonal(&m->level[l], l == 0 ? m->diagonal : NULL);
}

static rg_status create(rg_elliptic *e, void **state)
{
    rg_multigrid *m = rg_alloc(e->ctx, 1, sizeof *m);

    if (m == NULL) return RG_ERR_MEMORY;
    *state = m;
    m->e = e;
    m->n_levels = 1;
    RG_TRY(make_top(e, &m->level[0]));
    rg_multigrid_fill(m);
    if (e->singular && (m->diagonal = rg_grid_array(e->A.grid)) == NULL) return RG_ERR_MEMORY;
    RG_TRY(make_levels(e->ctx, m));
    for (int l = 0; l < m->n_levels; l++)
        find_diagonal(m, l);
    return make_work(e, m);
}

/* Other coefficients: the same levels, whose axes were chosen for similar ones. */
static rg_status renew(rg_elliptic *e, void *state)
{
    rg_multigrid *m = state;

    if ((e->A.s == NULL) != (m->level[0].s == NULL)) return RG_RETRY;
    rg_multigrid_fill(m);
    for (int l = 0; l < m->n_levels; l++) {
        if (l + 1 < m->n_levels) rg_multigrid_coarsen(&m->level[l], &m->level[l + 1]);
        find_diagonal(m, l);
    }
    if (m->factor) factor_coarsest(m);
    return RG_OK;
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    return rg_gradients_solve(e, &((rg_multigrid *)state)->outer, b, x);
}

enum { ENDS = 8 }; /* lowest and highest numbers side by side */

typedef struct {
    double low[ENDS], high[ENDS];
} range;

RG_INLINE void add_end(double K, int q, range *r)
{
    r->low[q] = K < r->low[q] ? K : r->low[q];
    r->high[q] = K > r->high[q] ? K : r->high[q];
}

/* K = T gap/area of a row; the area across another axis than x has the width of the cell. */
RG_FOR_ALL_VECTORS
static void add_range(int n, const double *restrict T, const double *restrict gap,
                      const double *restrict width, double scale, range *out)
{
    range r = *out;
    int i = 0;

    for (; gap && i + ENDS <= n; i += ENDS) {
        RG_ROLL
        for (int q = 0; q < ENDS; q++)
            add_end(T[i + q] * gap[i + q] * scale, q, &r);
    }
    for (; !gap && i + ENDS <= n; i += ENDS) {
        RG_ROLL
        for (int q = 0; q < ENDS; q++)
            add_end(T[i + q] * scale / width[i + q], q, &r);
    }
    for (int q = 0; q < n - i; q++)
        add_end(gap ? T[i + q] * gap[i + q] * scale : T[i + q] * scale / width[i + q], q, &r);
    *out = r;
}

/* Of the faces across axis d inside the box. */
static range range_of(const rg_elliptic *e, int d)
{
    const rg_grid *g = e->A.grid;
    const int from = d == 0;
    range out;

    for (int q = 0; q < ENDS; q++)
        out.low[q] = INFINITY, out.high[q] = 0.0;
    for (int k = d == 2; k < g->axis[2].n; k++)
        for (int j = d == 1; j < g->axis[1].n; j++) {
            const int index[RG_AXES] = {from, j, k};
            const double *T = e->A.T[d] + rg_grid_at(g, from, j, k);
            double scale = d == 0 ? 1.0 : g->axis[d].gap[index[d]];
            for (int q = 1; q < g->dims; q++)
                if (q != d) scale /= g->axis[q].width[index[q]];
            add_range(g->axis[0].n - from, T, d == 0 ? g->axis[0].gap + from : NULL,
                      g->axis[0].width, scale, &out);
        }
    return out;
}

/* The contrast of the coefficients along every axis, by which the conductances differ beyond the
 * sizes of the cells.  Faces without conductance inside the box: infinite. */
static double contrast(const rg_elliptic *e)
{
    double most = 1.0;

    for (int d = 0; d < e->A.grid->dims; d++) {
        const range all = range_of(e, d);
        double low = INFINITY, high = 0.0;
        for (int q = 0; q < ENDS; q++) {
            low = fmin(low, all.low[q]);
            high = fmax(high, all.high[q]);
        }
        if (high > 0.0) most = fmax(most, high / low);
    }
    return most;
}

bool rg_elliptic_is_smooth(const rg_elliptic *e)
{
    return e->A.grid->solid == NULL && e->A.grid->dims > 1 && contrast(e) <= RG_GRID_SMOOTH;
}

const rg_elliptic_method rg_elliptic_multigrid = {.name = "multigrid",
                                                  .next = &rg_elliptic_aggregation,
                                                  .create = create,
                                                  .solve = solve,
                                                  .destroy = destroy,
                                                  .renew = renew,
                                                  .is_padded = true,
                                                  .needs_level = true};
