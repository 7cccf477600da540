/* Grids that are divided among ranks: every rank has a block, a grid of its own whose ends are
 * sides of the domain or are joined to the blocks of other ranks.  On a grid that is not divided
 * all of these do nothing. */
#ifndef RG_PDAE_MESH_BLOCK_H
#define RG_PDAE_MESH_BLOCK_H

#include "base/store.h"
#include "pdae/mesh/grid.h"

/* The block of this rank.  RG_ERR_ARGUMENT: the grid is too small for so many. */
rg_status rg_grid_block(const rg_grid *whole, rg_grid **out);

/* Brings the two layers beyond the joined ends of axis d, ghosts along the other axes included; all
 * axes, one behind the other. */
void rg_grid_join(const rg_grid *g, int d, double *v);
void rg_grid_join_all(const rg_grid *g, double *v);

/* Sums and largest values over all ranks, the same bits on each; NAN anywhere is NAN. */
void rg_grid_sum(const rg_grid *g, int n, double *v);
void rg_grid_most(const rg_grid *g, int n, double *v);
bool rg_grid_any(const rg_grid *g, bool one);
/* Has one failed?  Then all have, with its message. */
rg_status rg_grid_agree(const rg_grid *g, rg_status status);

/* A padded array in a checkpoint: as one of the whole grid, of which every rank has a part. */
void rg_grid_store(const rg_grid *g, double *v, rg_store *s);

/* The place of a cell of the whole grid, and its number along the axes of the block; -1: it is
 * another rank's. */
int64_t rg_grid_place(const rg_grid *g, int64_t cell, int index[RG_AXES]);
/* The rank that has a cell of the whole grid, and where its block ends. */
int rg_grid_rank_at(const rg_grid *g, const int index[RG_AXES], int end[RG_AXES]);
double rg_grid_longest(const rg_grid *g); /* axis of the whole */

#endif
