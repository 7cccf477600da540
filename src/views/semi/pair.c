/* Which constraint belongs to which multiplier.  In mechanics column k of B~ = dF/dy is the
 * gradient of a constraint, in whatever order both were written; E = I is positive definite only
 * when y_k is paired with that one.  So y_k is given the free constraint i with the largest cosine
 *
 *     |sum_r B~_rk G_i,x(r)| / (|B~_k| |G_i|),
 *
 * x(r): the unknown of the largest entry of row r of M,
 *
 * at a generic point; constraints without a partner follow in the order of their rows. */
#include "views/semi/semi_impl.h"
#include "views/semi/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    int64_t *start_B, *start_G; /* entries of B~ by multiplier, of G by x */
    int32_t *x_of;              /* per row of M */
    int32_t *touched, *seen,
        *owner; /* constraints; by which multiplier + 1; whose they are, or -1 */
    double *largest, *dot, *norm_B, *norm_G;
} pairing;

static void fill_starts(const rg_semi_part *part, int n, int64_t *start)
{
    for (int64_t e = 0; e < part->count; e++)
        start[part->column[e] + 1]++;
    for (int k = 0; k < n; k++)
        start[k + 1] += start[k];
}

static void prepare(const rg_semi *s, pairing *w)
{
    const rg_semi_part *M = &s->part[RG_PART_MASS], *B = &s->part[RG_PART_B],
                       *G = &s->part[RG_PART_G];

    for (int64_t e = 0; e < M->count; e++) {
        const double size = fabs(s->J[M->entry[e]]);
        if (size <= w->largest[M->row[e]]) continue;
        w->largest[M->row[e]] = size;
        w->x_of[M->row[e]] = M->column[e];
    }
    for (int64_t e = 0; e < B->count; e++)
        w->norm_B[B->column[e]] += pow(s->J[B->entry[e]], 2);
    for (int64_t e = 0; e < G->count; e++)
        w->norm_G[G->row[e]] += pow(s->J[G->entry[e]], 2);
    fill_starts(B, s->n_y, w->start_B);
    fill_starts(G, s->n_x, w->start_G);
    for (int k = 0; k < s->n_y; k++)
        w->owner[k] = s->pair[k] = -1;
}

/* The free constraint with the largest cosine; -1: none. */
static int32_t find_partner(const rg_semi *s, pairing *w, int32_t k)
{
    const rg_semi_part *B = &s->part[RG_PART_B], *G = &s->part[RG_PART_G];
    int32_t best = -1, n = 0;
    double largest = 0.0;

    for (int64_t e = w->start_B[k]; e < w->start_B[k + 1]; e++) {
        const int32_t x = w->x_of[B->row[e]];
        for (int64_t f = w->start_G[x]; f < w->start_G[x + 1]; f++) {
            const int32_t i = G->row[f];
            if (w->seen[i] != k + 1) w->touched[n++] = i;
            w->seen[i] = k + 1;
            w->dot[i] += s->J[B->entry[e]] * s->J[G->entry[f]];
        }
    }
    for (int32_t j = 0; j < n; j++) {
        const int32_t i = w->touched[j];
        const double cosine = fabs(w->dot[i]) / sqrt(w->norm_B[k] * w->norm_G[i]);
        w->dot[i] = 0.0;
        if (w->owner[i] >= 0 || !(cosine > largest + (i == k ? -RG_SAME : RG_SAME))) continue;
        largest = cosine;
        best = i;
    }
    return best;
}

static void find_pairs(const rg_semi *s, pairing *w)
{
    int32_t next = 0;

    prepare(s, w);
    for (int32_t k = 0; k < s->n_y; k++) {
        const int32_t i = find_partner(s, w, k);
        if (i < 0) continue;
        s->pair[k] = i;
        w->owner[i] = k;
    }
    for (int32_t k = 0; k < s->n_y; k++) {
        if (s->pair[k] >= 0) continue;
        while (w->owner[next] >= 0)
            next++;
        s->pair[k] = next;
        w->owner[next] = k;
    }
    const rg_semi_part *G = &s->part[RG_PART_G];
    for (int64_t e = 0; e < G->count; e++)
        G->row[e] = w->owner[G->row[e]];
}

rg_status rg_semi_pair(rg_semi *s)
{
    const size_t n = (size_t)s->n_x, m = (size_t)s->n_y;
    int64_t *starts = rg_alloc(s->ctx, n + m + 2, sizeof *starts);
    int32_t *whole = rg_alloc(s->ctx, n + 3 * m + 1, sizeof *whole);
    double *real = rg_alloc(s->ctx, n + 3 * m + 1, sizeof *real);

    s->pair = rg_alloc(s->ctx, 2 * m + 1, sizeof *s->pair);
    const bool has_all = starts != NULL && whole != NULL && real != NULL && s->pair != NULL;
    if (has_all) {
        pairing w = {.start_B = starts,
                     .start_G = starts + m + 1,
                     .x_of = whole,
                     .owner = whole + n,
                     .touched = whole + n + m,
                     .seen = whole + n + 2 * m,
                     .largest = real,
                     .dot = real + n,
                     .norm_B = real + n + m,
                     .norm_G = real + n + 2 * m};
        find_pairs(s, &w);
        s->unpair = s->pair + m;
        for (size_t k = 0; k < m; k++)
            s->unpair[s->pair[k]] = (int32_t)k;
    }
    rg_free(s->ctx, starts);
    rg_free(s->ctx, whole);
    rg_free(s->ctx, real);
    return has_all ? RG_OK : RG_ERR_MEMORY;
}
