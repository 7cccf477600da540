/* One cycle of geometric multigrid: Gauss-Seidel in two colours, like those of a chess board,
 * before the coarse correction and in the opposite order after it.  With P the interpolation along
 * the joined axis (weights by conductances) residuals go down by P^T. */
#include "pdae/solve/multigrid_rows.h"

typedef rg_multigrid_loop loop;

/* ---- sweep by sweep, shared by threads ------------------------------------------------------- */
static void run_rows(const rg_multigrid_level *l, rg_crew_work *work, loop *w)
{
    rg_crew_run(l->ctx, rg_multigrid_rows(l), l->n[0], work, w);
}

static void begin_rows(void *user, int hand, int64_t from, int64_t end)
{
    (void)hand;
    for (int64_t u = from; u < end; u++)
        rg_multigrid_begin_at(user, u);
}

static void relax_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;

    for (int64_t u = from; u < end; u++)
        rg_multigrid_relax_at(w, u, w->m->row + hand * w->m->longest);
}

enum { GROUP = 16 }; /* rows or planes, of which the first one waits */

/* The rows of a group, or of a group of planes, but those of the first row or plane; or only
 * those. */
static void relax_groups(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t plane = w->l->n[2] > 1 ? w->l->n[1] : 1, all = rg_multigrid_rows(w->l);

    for (int64_t u = from; u < end; u++) {
        const int64_t first = u * GROUP * plane, second = first + plane,
                      last = w->is_edge ? second : first + GROUP * plane;
        relax_rows(user, hand, w->is_edge ? first : second, last < all ? last : all);
    }
}

/* Neighbours of one colour have the other one, so that the order of rows does not matter.  But no
 * thread writes a row that another one reads: where rows are shared, the edges of the groups wait
 * until the others are done. */
static void relax(rg_multigrid *m, const rg_multigrid_level *l, int colour, const float *b,
                  float *x)
{
    loop w = {.m = m, .l = l, .colour = colour, .b = b, .x = x};
    const int64_t planes = l->n[2] > 1 ? l->n[2] : l->n[1], groups = (planes + GROUP - 1) / GROUP;

    if (rg_crew_shares(l->ctx, rg_multigrid_rows(l) * l->n[0])) {
        for (int edge = 0; edge < 2; edge++) {
            w.is_edge = edge == 1;
            rg_crew_run(l->ctx, groups, l->size / groups + 1, relax_groups, &w);
        }
    } else {
        relax_rows(&w, 0, 0, rg_multigrid_rows(l));
    }
    rg_multigrid_wrap(l, x, sizeof(float));
}

static void residual_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    int j, k;

    (void)hand;
    for (int64_t u = from; u < end; u++)
        rg_multigrid_residual_at(w, u, w->out + rg_multigrid_row(w->l, u, &j, &k));
}

static void down_rows(void *user, int hand, int64_t from, int64_t end)
{
    (void)hand;
    for (int64_t u = from; u < end; u++)
        rg_multigrid_down_at(user, u);
}

static void up_rows(void *user, int hand, int64_t from, int64_t end)
{
    (void)hand;
    for (int64_t u = from; u < end; u++)
        rg_multigrid_up_at(user, u);
}

/* Levels that do not smooth have x = 0, and b is the residual. */
static void go_down(rg_multigrid *m, const loop *top)
{
    const rg_multigrid_level *l = top->l;
    loop w = *top;
    float *r = l->smooths ? l->r : l->b;

    if (l->smooths) {
        run_rows(l, begin_rows, &w);
        rg_multigrid_wrap(l, w.x, sizeof(float));
        relax(m, l, 1, w.b, w.x);
        w.out = r;
        run_rows(l, residual_rows, &w);
    }
    rg_multigrid_wrap(l, r, sizeof(float));
    run_rows(w.c, down_rows, &(loop){.l = l, .c = w.c, .b = r});
}

static void go_up(rg_multigrid *m, const loop *top)
{
    const rg_multigrid_level *l = top->l;
    loop w = *top;

    rg_multigrid_wrap(w.c, w.c->x, sizeof(float));
    w.adds = l->smooths;
    run_rows(l, up_rows, &w);
    if (!l->smooths) return;
    rg_multigrid_wrap(l, w.x, sizeof(float));
    relax(m, l, 1, w.b, w.x);
    relax(m, l, 0, w.b, w.x);
}

/* ---- one pass where there were several ------------------------------------------------------- */
bool rg_multigrid_is_one_pass(const rg_multigrid_level *l)
{
    for (int d = 0; d < RG_AXES; d++)
        if (l->periodic[d]) return false;
    return !rg_crew_shares(l->ctx, rg_multigrid_rows(l) * l->n[0]);
}

int64_t rg_multigrid_lag(const rg_multigrid_level *l)
{
    return l->n[2] > 1 ? l->n[1] : 1;
}

/* x = 0, the first colour, the second one, the residual, its part on the coarser level along x. */
static void pass_down(const rg_multigrid *m, const loop *top)
{
    const rg_multigrid_level *l = top->l;
    const int64_t rows = rg_multigrid_rows(l), lag = rg_multigrid_lag(l);
    loop w = *top;

    w.colour = 1;
    for (int64_t u = 0; u < rows + 2 * lag; u++) {
        if (u < rows) rg_multigrid_begin_at(&w, u);
        if (u >= lag && u - lag < rows) rg_multigrid_relax_at(&w, u - lag, m->row);
        if (u < 2 * lag) continue;
        m->row[0] = m->row[l->n[0] + 1] = 0.0F; /* beside the ends */
        rg_multigrid_sink_at(&w, u - 2 * lag, m->row + 1);
    }
}

/* The coarse correction, the second colour, the first one; on the finest level the sums of what has
 * come out. */
static void pass_up(const rg_multigrid *m, const loop *top, double total[RG_CREW_SUMS])
{
    const rg_multigrid_level *l = top->l;
    const int64_t rows = rg_multigrid_rows(l), lag = rg_multigrid_lag(l);
    loop second = *top, first = *top;
    double of[RG_CREW_SUMS];

    second.colour = 1;
    second.adds = true;
    for (int64_t u = 0; u < rows + 2 * lag; u++) {
        if (u < rows) rg_multigrid_up_at(&second, u);
        if (u >= lag && u - lag < rows) rg_multigrid_relax_at(&second, u - lag, m->row);
        if (u < 2 * lag) continue;
        rg_multigrid_relax_at(&first, u - 2 * lag, m->row);
        if (total == NULL) continue;
        rg_multigrid_sums_at(&first, u - 2 * lag, of);
        for (int k = 0; k < RG_CREW_SUMS; k++)
            total[k] += of[k];
    }
}

/* ---- the cycle ------------------------------------------------------------------------------- */
static void solve_coarsest(rg_multigrid *m, const rg_multigrid_level *l)
{
    const int64_t n = (int64_t)l->n[0] * l->n[1] * l->n[2];
    const double *solution = m->packed + n;
    double *right = m->packed;

    for (int k = 0; k < l->n[2]; k++)
        for (int j = 0; j < l->n[1]; j++)
            for (int i = 0; i < l->n[0]; i++)
                *right++ = l->b[rg_multigrid_at(l, i, j, k)];
    rg_coarsest_solve(n, m->factor, m->packed, m->packed + n);
    for (int k = 0; k < l->n[2]; k++)
        for (int j = 0; j < l->n[1]; j++)
            for (int i = 0; i < l->n[0]; i++)
                l->x[rg_multigrid_at(l, i, j, k)] = (float)*solution++;
}

static void cycle_coarsest(rg_multigrid *m, loop *w)
{
    run_rows(w->l, begin_rows, w);
    if (m->factor) {
        solve_coarsest(m, w->l);
        return;
    }
    rg_multigrid_wrap(w->l, w->x, sizeof(float));
    relax(m, w->l, 1, w->b, w->x);
    relax(m, w->l, 0, w->b, w->x);
}

static loop loop_of(const rg_multigrid *m, int level)
{
    const rg_multigrid_level *l = &m->level[level];

    return (loop){.m = m, .l = l, .c = l + 1, .b = l->b, .x = l->x};
}

/* x of a level from its b; total: of the finest one, where it is found on the way. */
static void cycle(rg_multigrid *m, int level, loop *w, double *total)
{
    const rg_multigrid_level *l = w->l;
    const bool at_once = l->smooths && rg_multigrid_is_one_pass(l);

    if (level == m->n_levels - 1) {
        cycle_coarsest(m, w);
        return;
    }
    if (at_once && l->axis == 0)
        pass_down(m, w);
    else
        go_down(m, w);
    loop next = loop_of(m, level + 1);
    cycle(m, level + 1, &next, NULL);
    if (at_once)
        pass_up(m, w, total);
    else
        go_up(m, w);
}

static void sum_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    rg_multigrid_sums_at(user, unit, out);
}

double rg_multigrid_cycle(rg_multigrid *m, const double *r, double by)
{
    const rg_multigrid_level *l = &m->level[0];
    const bool at_once = m->n_levels > 1 && rg_multigrid_is_one_pass(l);
    double total[RG_CREW_SUMS] = {0.0};
    loop w = loop_of(m, 0);

    w.r = r;
    w.by = by;
    cycle(m, 0, &w, at_once ? total : NULL);
    if (!at_once) rg_crew_sum(l->ctx, rg_multigrid_rows(l), l->n[0], sum_row, &w, total);
    m->mean = m->e->singular ? total[1] / (double)m->e->n : 0.0;
    return total[0] - m->mean * total[2];
}
