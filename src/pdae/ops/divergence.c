/* The divergence of a vector on a grid, and what it asks of the pressure. */
#include "base/vector.h"
#include "pdae/ops/vector.h"

typedef struct {
    const rg_grid *g;
    double *const *u, *const *old; /* old NULL: the divergence of u alone */
    double *out, *right;
    const rg_vector_balance *rule;
} divergence;

/* The net outflow of cell i of a row per volume; dims is a constant. */
RG_INLINE double outflow(int dims, const double *const u[RG_AXES], const int64_t *stride,
                         const double *over, const double of_row[RG_AXES], int i)
{
    double sum = (u[0][i + 1] - u[0][i]) * over[i];

    RG_UNROLL
    for (int d = 1; d < dims; d++)
        sum += (u[d][i + stride[d]] - u[d][i]) * of_row[d];
    return sum;
}

/* div u of a row of n cells, or (old not NULL) that and the right-hand side. */
RG_INLINE void divergence_of_row(const divergence *w, int dims, int j, int k)
{
    const rg_grid *g = w->g;
    const int n = g->axis[0].n, index[RG_AXES] = {0, j, k};
    const int64_t row = rg_grid_at(g, 0, j, k), *stride = g->stride;
    const double *over = g->axis[0].over, *width = g->axis[0].width, *u[RG_AXES], *old[RG_AXES];
    double of_row[RG_AXES], *out = w->out + row;

    RG_UNROLL
    for (int d = 0; d < dims; d++) {
        u[d] = w->u[d] + row;
        old[d] = w->old ? w->old[d] + row : NULL;
        of_row[d] = g->axis[d].over[index[d]];
    }
    if (w->old == NULL) {
        RG_NO_OVERLAP
        for (int i = 0; i < n; i++)
            out[i] = outflow(dims, u, stride, over, of_row, i);
        return;
    }
    const double keep = w->rule->keep,
                 scale = w->rule->scale * g->axis[1].width[j] * g->axis[2].width[k];
    double *right = w->right + row;
    RG_NO_OVERLAP
    for (int i = 0; i < n; i++) {
        const double div = outflow(dims, u, stride, over, of_row, i),
                     before = outflow(dims, old, stride, over, of_row, i);
        out[i] = div;
        right[i] = scale * width[i] * (div - keep * before);
    }
    if (w->rule->q == NULL) return;
    const double *q = w->rule->q + row, *q_old = w->rule->q_old + row;
    RG_NO_OVERLAP
    for (int i = 0; i < n; i++)
        right[i] -= scale * width[i] * (q[i] - keep * q_old[i]);
}

RG_FOR_ALL_VECTORS
static void divergence_rows(void *user, int hand, int64_t from, int64_t end)
{
    const divergence *w = user;
    const rg_grid *g = w->g;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int j, k;
        rg_cell_row(g, r, &j, &k);
        if (g->dims == 1)
            divergence_of_row(w, 1, j, k);
        else if (g->dims == 2)
            divergence_of_row(w, 2, j, k);
        else
            divergence_of_row(w, 3, j, k);
        const int64_t row = rg_grid_at(g, 0, j, k);
        for (int i = 0; g->solid && i < g->axis[0].n; i++)
            if (g->solid[row + i]) w->out[row + i] = 0.0;
    }
}

void rg_vector_divergence(const rg_grid *g, double *const *u, double *out)
{
    divergence w = {.g = g, .u = u, .out = out};

    rg_grid_cell_rows(g, divergence_rows, &w);
}

void rg_vector_right_side(const rg_grid *g, double *const *u, double *const *old,
                          const rg_vector_balance *rule, double *div, double *right)
{
    divergence w = {.g = g, .u = u, .old = old, .out = div, .right = right, .rule = rule};

    if (rule->is_closed)
        rg_grid_make_without_constant(g, right, true, divergence_rows, &w);
    else
        rg_grid_cell_rows(g, divergence_rows, &w);
}
