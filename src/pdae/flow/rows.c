/* Loops over the rows of padded arrays. */
#include "pdae/flow/rows.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

/* Partial results, so that none depends on the vectors; so many that the compiler does not write
 * out the loops over them, which it would then no longer take by vectors. */
enum { PARTS = 32 };

/* One operation of a vector; b where a is no number. */
RG_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

RG_INLINE double most_of(const double *m)
{
    double most = 0.0;

    for (int k = 0; k < PARTS; k++)
        most = larger(m[k], most);
    return most;
}

/* Largest values are the same in any order, so every thread has its own. */
typedef struct {
    const rg_grid *g;
    const rg_vector_space *s;
    int c;
    int64_t n;
    const double *a, *b;
    double p, q, *out;
    double most[RG_CREW_MOST];
} loop;

typedef struct {
    double size[RG_CREW_MOST], change[RG_CREW_MOST], error[RG_CREW_MOST];
} verdicts;

typedef struct { /* read by all hands */
    const rg_vector_space *s;
    int c;
    const double *u, *old, *u1, *u2;
    double p, q;
    verdicts *found;
} judged;

static double most_of_hands(const double *most)
{
    double all = 0.0;

    for (int k = 0; k < RG_CREW_MOST; k++)
        if (!(most[k] <= all)) all = most[k];
    return all;
}

/* Keeps what is larger, and what is no number. */
static void keep(double *most, double with)
{
    if (!(with <= *most) && !isnan(*most)) *most = with;
}

RG_FOR_ALL_VECTORS
static double largest(int64_t n, const double *a, const double *b)
{
    double m[PARTS] = {0.0}, sum[PARTS] = {0.0}, all = 0.0;
    int64_t i = 0;

    for (; i + PARTS <= n; i += PARTS)
        for (int k = 0; k < PARTS; k++) {
            const double d = fabs(b ? a[i + k] - b[i + k] : a[i + k]);
            m[k] = larger(d, m[k]);
            sum[k] += d;
        }
    for (; i < n; i++) {
        const double d = fabs(b ? a[i] - b[i] : a[i]);
        m[0] = larger(d, m[0]);
        sum[0] += d;
    }
    for (int k = 0; k < PARTS; k++)
        all += sum[k];
    return isnan(all) ? NAN : most_of(m);
}

static int64_t block_end(const loop *w, int64_t end)
{
    return end * RG_GRID_BLOCK < w->n ? end * RG_GRID_BLOCK : w->n;
}

static void largest_of_blocks(void *user, int hand, int64_t from, int64_t end)
{
    loop *w = user;
    const int64_t first = from * RG_GRID_BLOCK;

    keep(&w->most[hand],
         largest(block_end(w, end) - first, w->a + first, w->b ? w->b + first : NULL));
}

double rg_rows_largest(const rg_grid *g, const double *a, const double *b)
{
    loop w = {.n = g->size, .a = a, .b = b};

    rg_grid_blocks(g, g->size, largest_of_blocks, &w);
    return most_of_hands(w.most);
}

RG_FOR_ALL_VECTORS
static void multiply_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_grid *g = w->g;
    const double *width = g->axis[0].width;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int j, k;
        rg_cell_row(g, r, &j, &k);
        const double area = g->axis[1].width[j] * g->axis[2].width[k];
        double *o = w->out + rg_grid_at(g, 0, j, k);
        for (int i = 0; i < g->axis[0].n; i++)
            o[i] *= area * width[i];
    }
}

void rg_rows_times_volume(const rg_grid *g, double *v)
{
    loop w = {.g = g, .out = v};

    rg_grid_cell_rows(g, multiply_rows, &w);
}

RG_FOR_ALL_VECTORS
static void combine_rows(void *user, int hand, int64_t from, int64_t until)
{
    const loop *w = user;
    const int *first = w->s->first[w->c], *end = w->s->end[w->c];
    const double p = w->p, q = w->q, *a = w->a, *b = w->b;
    double *out = w->out;

    (void)hand;
    for (int64_t r = from; r < until; r++) {
        int j, k;
        rg_row_of(first, end, r, &j, &k);
        const int64_t row = rg_grid_at(w->s->grid, 0, j, k);
        for (int i = first[0]; i < end[0]; i++)
            out[row + i] = p * a[row + i] + q * b[row + i];
    }
}

void rg_rows_combine(const rg_vector_space *s, int c, double p, const double *a, double q,
                     const double *b, double *out)
{
    loop w = {.s = s, .c = c, .p = p, .a = a, .q = q, .b = b, .out = out};

    rg_grid_rows(s->grid, s->first[c], s->end[c], combine_rows, &w);
}

void rg_rows_sum_of(const rg_vector_space *s, int c, const double *a, const double *b, double *out)
{
    rg_rows_combine(s, c, 1.0, a, 1.0, b, out);
}

/* Where a block of PARTS numbers begins: the last one of a row lies back over the one before, for
 * what is largest may be looked at twice.  Shorter rows go one by one. */
RG_INLINE int block_at(int i, int end)
{
    return i + PARTS <= end ? i : end - PARTS;
}

typedef struct {
    double size[PARTS], change[PARTS], error[PARTS], sum[PARTS];
} extremes;

/* |u| and |u - old| of number i, as part k. */
RG_INLINE void look(const judged *w, int64_t i, int k, extremes *m)
{
    const double v = fabs(w->u[i]), d = fabs(w->u[i] - w->old[i]);

    m->size[k] = larger(v, m->size[k]);
    m->change[k] = larger(d, m->change[k]);
    m->sum[k] += d;
}

RG_INLINE void predict(const judged *w, int64_t i, int k, extremes *m)
{
    const double u = w->u[i], old = w->old[i], u1 = w->u1[i], u2 = w->u2[i];
    const double d = fabs(u - old - w->p * (old - u1) + w->q * (u1 - u2));

    m->error[k] = larger(d, m->error[k]);
}

/* The rows of the padded box with their ghosts; those of unknown faces are compared with the
 * prediction while they are at hand. */
RG_FOR_ALL_VECTORS
static void judge_rows(void *user, int hand, int64_t from, int64_t until)
{
    const judged w = *(const judged *)user;
    const rg_grid *g = w.s->grid;
    const int *first = w.s->first[w.c], *end = w.s->end[w.c], *ghosts = g->ghosts,
              rows = g->axis[1].n + 2 * ghosts[1], begin = -ghosts[0],
              last = g->axis[0].n + ghosts[0];
    double sum = 0.0;
    extremes m;

    memset(&m, 0, sizeof m);
    for (int64_t r = from; r < until; r++) {
        const int j = (int)(r % rows) - ghosts[1], k = (int)(r / rows) - ghosts[2];
        const int64_t row = rg_grid_at(g, 0, j, k);
        const bool is_wide = last - begin >= PARTS, is_long = end[0] - first[0] >= PARTS;
        for (int i = begin; is_wide && i < last; i += PARTS)
            for (int n = 0; n < PARTS; n++)
                look(&w, row + block_at(i, last) + n, n, &m);
        for (int i = begin; !is_wide && i < last; i++)
            look(&w, row + i, 0, &m);
        if (w.u2 == NULL || j < first[1] || j >= end[1] || k < first[2] || k >= end[2]) continue;
        for (int i = first[0]; is_long && i < end[0]; i += PARTS)
            for (int n = 0; n < PARTS; n++)
                predict(&w, row + block_at(i, end[0]) + n, n, &m);
        for (int i = first[0]; !is_long && i < end[0]; i++)
            predict(&w, row + i, 0, &m);
    }
    for (int k = 0; k < PARTS; k++)
        sum += m.sum[k];
    keep(&w.found->size[hand], isnan(sum) ? NAN : most_of(m.size));
    keep(&w.found->change[hand], isnan(sum) ? NAN : most_of(m.change));
    keep(&w.found->error[hand], most_of(m.error));
}

rg_rows_verdict rg_rows_judge(const rg_vector_space *s, int c, const double *u, const double *old,
                              const double *u1, const double *u2, const double part[2])
{
    const rg_grid *g = s->grid;
    const int64_t rows =
        (int64_t)(g->axis[1].n + 2 * g->ghosts[1]) * (g->axis[2].n + 2 * g->ghosts[2]);
    verdicts found = {.size = {0.0}};
    judged w = {s, c, u, old, u1, u2, part[0], part[1], &found};

    rg_crew_run(g->ctx, rows, g->axis[0].n, judge_rows, &w);
    return (rg_rows_verdict){.size = most_of_hands(found.size),
                             .change = most_of_hands(found.change),
                             .error = most_of_hands(found.error)};
}
