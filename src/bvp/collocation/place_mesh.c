/* Intervals around singular places: where in it the place should be, and meshes with such
 * intervals. */
#include "bvp/collocation/places.h"
#include "bvp/collocation/tuning.h"

#include <math.h>
#include <stdlib.h>

bool rg_places_agree(const rg_places *made, const rg_places *now)
{
    if (made->n != now->n) return false;
    for (int k = 0; k < now->n; k++)
        if (fabs(made->place[k].t - now->place[k].t) > RG_KINKS_NEAR * made->h[k]) return false;
    return true;
}

int rg_places_inside(const rg_places *places, double a, double b)
{
    for (int k = 0; k < places->n; k++) {
        const double t = places->place[k].t;
        if ((t - a) * (b - t) > 0.0) return k;
    }
    return -1;
}

/* For every v = k/GRID: min(|int_0^v prod (u - c_j) du| relative to its largest, distance of the
 * c_j relative to 1/s). */
static void rate(const rg_rule *rule, double *quality)
{
    double integral[RG_PLACE_MESH_GRID + 1] = {0}, most = 0.0, sum = 0.0;

    for (int k = 0; k < RG_PLACE_MESH_GRID; k++) { /* the midpoint rule will do */
        double product = 1.0;
        for (int j = 0; j < rule->s; j++)
            product *= ((double)k + 0.5) / RG_PLACE_MESH_GRID - rule->c[j];
        sum += product / RG_PLACE_MESH_GRID;
        integral[k + 1] = fabs(sum);
        most = fmax(most, fabs(sum));
    }
    for (int k = 0; k <= RG_PLACE_MESH_GRID; k++) {
        quality[k] = fmin(quality[k], integral[k] / most);
        for (int j = 0; j < rule->s; j++)
            quality[k] =
                fmin(quality[k], fabs((double)k / RG_PLACE_MESH_GRID - rule->c[j]) * rule->s);
    }
}

double rg_places_offset(const rg_rule *low, const rg_rule *high)
{
    double quality[RG_PLACE_MESH_GRID + 1];
    int best = 1;

    for (int k = 0; k <= RG_PLACE_MESH_GRID; k++)
        quality[k] = INFINITY;
    rate(low, quality);
    rate(high, quality);
    for (int k = 1; k < RG_PLACE_MESH_GRID; k++)
        if (quality[k] > quality[best]) best = k;
    return (double)best / RG_PLACE_MESH_GRID;
}

/* h small enough for the nodes and the neighbouring places. */
static void fit(rg_places *places, double v, double sign, int n_nodes, const double *node)
{
    for (int k = 0; k < places->n; k++) {
        const double t = places->place[k].t;
        double *h = &places->h[k];
        for (int j = 0; j < n_nodes; j++) {
            const double d = sign * (node[j] - t);
            *h = fmin(*h, d < 0.0 ? -d / v : d / (1.0 - v));
        }
        for (int j = 0; j < places->n; j++)
            if (j != k) *h = fmin(*h, 0.5 * fabs(places->place[j].t - t));
    }
}

static bool is_node(double t, int n_nodes, const double *node)
{
    for (int j = 0; j < n_nodes; j++)
        if (t == node[j]) return true;
    return false;
}

rg_status rg_places_move_mesh(rg_context *ctx, rg_places *places, double v, int n_nodes,
                              const double *node, int64_t *N, double **t)
{
    const double sign = (*t)[*N] > (*t)[0] ? 1.0 : -1.0;
    int64_t n = 0, k = 0;

    if (places->n == 0) return RG_OK;
    double *out = rg_alloc(ctx, (size_t)(*N + 1 + 2 * places->n), sizeof *out);
    if (out == NULL) return RG_ERR_MEMORY;
    fit(places, v, sign, n_nodes, node);
    for (int j = 0; j <= places->n; j++) {
        const bool is_last = j == places->n;
        const double h = is_last ? 0.0 : places->h[j], margin = RG_PLACE_MESH_NEAR * h;
        const double left = is_last ? INFINITY : sign * places->place[j].t - v * h,
                     right = left + h;
        for (; k <= *N && sign * (*t)[k] <= left + margin; k++)
            if (sign * (*t)[k] < left - margin || is_node((*t)[k], n_nodes, node))
                out[n++] = (*t)[k];
        if (is_last) break;
        if (n == 0 || sign * out[n - 1] < left - RG_SAME * h) out[n++] = sign * left;
        bool has_end = false; /* a node that is the right end */
        for (; k <= *N && sign * (*t)[k] < right + margin; k++) {
            if (!is_node((*t)[k], n_nodes, node)) continue;
            if (sign * (*t)[k] > right + RG_SAME * h) break;
            has_end = true;
            out[n++] = (*t)[k];
        }
        if (!has_end) out[n++] = sign * right;
    }
    rg_free(ctx, *t);
    *t = out;
    *N = n - 1;
    return RG_OK;
}
