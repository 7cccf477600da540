/* Where the unknowns of large.h are; equations have the numbers of the unknowns they determine. */
#ifndef RG_BVP_COLLOCATION_LARGE_LAYOUT_H
#define RG_BVP_COLLOCATION_LARGE_LAYOUT_H

#include "bvp/collocation/large.h"

/* Per interval: x_i, then stage by stage w_ij, then mu_{i+1}; behind all x_N and w at the nodes. */
static inline int64_t large_block(const rg_large *l)
{
    return l->nx + (int64_t)l->s * l->n + l->inv;
}
static inline int64_t mesh_x(const rg_large *l, int64_t i)
{
    return i * large_block(l);
}
static inline int64_t stage_w(const rg_large *l, int64_t i, int j)
{
    return mesh_x(l, i) + l->nx + (int64_t)j * l->n;
}
static inline int64_t multiplier(const rg_large *l, int64_t i)
{
    return mesh_x(l, i + 1) - l->inv;
}
static inline int64_t node_w(const rg_large *l, int k)
{
    return mesh_x(l, l->N) + l->nx + (int64_t)k * l->n;
}
/* The rows of x_0: conditions, then the invariants at the start. */
static inline int64_t condition_row(const rg_large *l, int row)
{
    return l->condition[row];
}
static inline int64_t start_row(const rg_large *l)
{
    return l->nx - l->inv;
}

/* Goes over all entries, noting places only. */
void rg_large_places(rg_large *l, const rg_curve *it);

#endif
