/* Makes meshes: uniform, after a density, and with neighbours of similar length. */
#include "curve/mesh.h"
#include "base/tuning.h"

#include <math.h>

rg_status rg_mesh_uniform(rg_context *ctx, int n_nodes, const double *node, int64_t total,
                          int least, int64_t *N, double **t)
{
    const double length = fabs(node[n_nodes - 1] - node[0]);
    int64_t n = 0;

    *t = rg_alloc(ctx, (size_t)(total + (int64_t)n_nodes * (least + 1)) + 1, sizeof **t);
    if (*t == NULL) return RG_ERR_MEMORY;
    for (int s = 0; s + 1 < n_nodes; s++) {
        const double part = fabs(node[s + 1] - node[s]) / length;
        int64_t pieces = (int64_t)ceil(part * (double)total - RG_SAME);
        if (pieces < least) pieces = least;
        for (int64_t k = 0; k < pieces; k++)
            (*t)[n++] = node[s] + (node[s + 1] - node[s]) * (double)k / (double)pieces;
    }
    (*t)[n] = node[n_nodes - 1];
    *N = n;
    return RG_OK;
}

/* de Boor's equidistribution inside old intervals first .. last-1; returns the number of new
 * intervals. */
static int64_t spread_segment(const double *t, const double *wanted, int64_t first, int64_t last,
                              double *out)
{
    double total = 0.0, sum = 0.0;
    int64_t n = 0;

    for (int64_t i = first; i < last; i++)
        total += wanted[i];
    const int64_t pieces = total > 2.0 ? (int64_t)ceil(total) : 2;
    const double mean = total / (double)pieces;
    out[n++] = t[first];
    for (int64_t i = first; i < last; i++) {
        while (n < pieces && sum + wanted[i] >= mean * (double)n) {
            const double v = (mean * (double)n - sum) / wanted[i];
            const double at = t[i] + v * (t[i + 1] - t[i]);
            out[n++] = at;
        }
        sum += wanted[i];
    }
    return n;
}

rg_status rg_mesh_spread(rg_context *ctx, int64_t N, const double *t, const double *wanted,
                         int n_nodes, const double *node, int64_t *N_new, double **t_new)
{
    double total = 0.0;
    int64_t n = 0, i = 0;

    for (int64_t k = 0; k < N; k++)
        total += wanted[k];
    *t_new = rg_alloc(ctx, (size_t)total + 4 * (size_t)n_nodes + 8, sizeof **t_new);
    if (*t_new == NULL) return RG_ERR_MEMORY;
    for (int s = 0; s + 1 < n_nodes; s++) {
        int64_t end = i;
        while (end < N && t[end] != node[s + 1])
            end++;
        n += spread_segment(t, wanted, i, end, *t_new + n);
        i = end;
    }
    (*t_new)[n] = node[n_nodes - 1];
    *N_new = n;
    return RG_OK;
}

int64_t rg_mesh_find(int64_t N, const double *mesh, double t)
{
    const double sign = mesh[N] > mesh[0] ? 1.0 : -1.0;
    int64_t low = 0, high = N - 1;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sign * mesh[middle + 1] < sign * t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One direction: intervals longer than `ratio` times the one before are cut.  out NULL: counts
 * only. */
static int64_t cut(int64_t N, const double *t, double ratio, bool is_backward, double *out)
{
    const int64_t first = is_backward ? N : 0, step = is_backward ? -1 : 1;
    double before = INFINITY;
    int64_t n = 0;

    for (int64_t k = 0, i = first; k < N; k++, i += step) {
        double at = t[i], left = t[i + step] - at;
        while (fabs(left) > ratio * before) {
            if (out != NULL) out[n] = at;
            n++;
            before *= 0.5 * (1.0 + ratio);
            at += left > 0.0 ? before : -before;
            left = t[i + step] - at;
        }
        if (out != NULL) out[n] = at;
        n++;
        before = fabs(left);
    }
    if (out != NULL) out[n] = t[first + N * step];
    return n;
}

rg_status rg_mesh_grade(rg_context *ctx, double ratio, int64_t *N, double **t)
{
    for (int backward = 0; backward < 2; backward++) {
        const int64_t n = cut(*N, *t, ratio, backward == 1, NULL);
        if (n == *N) continue;
        double *out = rg_alloc(ctx, (size_t)n + 1, sizeof *out);
        if (out == NULL) return RG_ERR_MEMORY;
        cut(*N, *t, ratio, backward == 1, out);
        for (int64_t i = 0, j = n; backward == 1 && i < j; i++, j--) {
            const double swap = out[i];
            out[i] = out[j];
            out[j] = swap;
        }
        rg_free(ctx, *t);
        *t = out;
        *N = n;
    }
    return RG_OK;
}
