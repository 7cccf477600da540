/* Meshes: points of conditions are mesh points; in between, points follow a density. */
#ifndef RG_CURVE_MESH_H
#define RG_CURVE_MESH_H

#include "base/base.h"

/* At least `least` equal intervals between neighbouring nodes, about `total` in all.  *t:
 * total + 1 points, the caller's. */
rg_status rg_mesh_uniform(rg_context *ctx, int n_nodes, const double *node, int64_t total,
                          int least, int64_t *N, double **t);
/* Every interval i of the old mesh should become wanted[i] (a real number) intervals: the points
 * are placed where the running sum of `wanted` passes multiples of its mean.  Nodes stay. */
rg_status rg_mesh_spread(rg_context *ctx, int64_t N, const double *t, const double *wanted,
                         int n_nodes, const double *node, int64_t *N_new, double **t_new);
/* The first interval 0 .. N-1 that ends at or behind t; meshes may run either way. */
int64_t rg_mesh_find(int64_t N, const double *mesh, double t);

/* Cuts intervals until none is longer than `ratio` times a neighbour; no mesh point moves. */
rg_status rg_mesh_grade(rg_context *ctx, double ratio, int64_t *N, double **t);

#endif
