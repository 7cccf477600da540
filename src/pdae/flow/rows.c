/* Loops over the rows of padded arrays. */
#include "pdae/flow/rows.h"

#include "base/vector.h"

#include <math.h>

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
    const double *a, *b, *u1, *u2;
    double p, q, *out;
    double most[RG_CREW_MOST], size[RG_CREW_MOST];
} loop;

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

RG_FOR_ALL_VECTORS
static void predict_rows(void *user, int hand, int64_t from, int64_t until)
{
    loop *w = user;
    const int *first = w->s->first[w->c], *end = w->s->end[w->c];
    const double p = w->p, q = w->q, *u = w->a, *old = w->b, *u1 = w->u1, *u2 = w->u2;
    double m[PARTS] = {0.0};

    for (int64_t r = from; r < until; r++) {
        int j, k, i = first[0];
        rg_row_of(first, end, r, &j, &k);
        const int64_t row = rg_grid_at(w->s->grid, 0, j, k);
        for (; i + PARTS <= end[0]; i += PARTS)
            for (int n = 0; n < PARTS; n++) {
                const int64_t at = row + i + n;
                const double d =
                    fabs(u[at] - old[at] - p * (old[at] - u1[at]) + q * (u1[at] - u2[at]));
                m[n] = larger(d, m[n]);
            }
        for (; i < end[0]; i++) {
            const int64_t at = row + i;
            const double d = fabs(u[at] - old[at] - p * (old[at] - u1[at]) + q * (u1[at] - u2[at]));
            m[0] = larger(d, m[0]);
        }
    }
    keep(&w->most[hand], most_of(m));
}

double rg_rows_prediction(const rg_vector_space *s, int c, const double *u, const double *old,
                          const double *u1, const double *u2, const double part[2])
{
    loop w = {.s = s, .c = c, .p = part[0], .q = part[1], .a = u, .b = old, .u1 = u1, .u2 = u2};

    rg_grid_rows(s->grid, s->first[c], s->end[c], predict_rows, &w);
    return most_of_hands(w.most);
}

RG_FOR_ALL_VECTORS
static void extremes(int64_t n, const double *a, const double *b, double *of_a,
                     double *of_difference)
{
    double size[PARTS] = {0.0}, m[PARTS] = {0.0}, sum[PARTS] = {0.0}, all = 0.0;
    int64_t i = 0;

    for (; i + PARTS <= n; i += PARTS)
        for (int k = 0; k < PARTS; k++) {
            const double v = fabs(a[i + k]), d = fabs(a[i + k] - b[i + k]);
            size[k] = larger(v, size[k]);
            m[k] = larger(d, m[k]);
            sum[k] += d;
        }
    for (; i < n; i++) {
        const double v = fabs(a[i]), d = fabs(a[i] - b[i]);
        size[0] = larger(v, size[0]);
        m[0] = larger(d, m[0]);
        sum[0] += d;
    }
    for (int k = 0; k < PARTS; k++)
        all += sum[k];
    *of_a = isnan(all) ? NAN : most_of(size);
    *of_difference = isnan(all) ? NAN : most_of(m);
}

static void extremes_of_blocks(void *user, int hand, int64_t from, int64_t end)
{
    loop *w = user;
    const int64_t first = from * RG_GRID_BLOCK;
    double size, most;

    extremes(block_end(w, end) - first, w->a + first, w->b + first, &size, &most);
    keep(&w->size[hand], size);
    keep(&w->most[hand], most);
}

void rg_rows_extremes(const rg_grid *g, const double *a, const double *b, double *of_a,
                      double *of_difference)
{
    loop w = {.n = g->size, .a = a, .b = b};

    rg_grid_blocks(g, g->size, extremes_of_blocks, &w);
    *of_a = most_of_hands(w.size);
    *of_difference = most_of_hands(w.most);
}
