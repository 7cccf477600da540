/* What a program with PETSc and MPI adds to the library, which links neither: it sets rg_ranks at
 * its start (pdae/petsc/). */
#ifndef RG_PDAE_MESH_RANKS_H
#define RG_PDAE_MESH_RANKS_H

#include "base/base.h"

struct rg_elliptic_method;

typedef struct {
    const struct rg_elliptic_method *solver;
    /* Options of PETSc, as its manual writes them. */
    rg_status (*set_options)(rg_context *ctx, const char *text);
} rg_ranks_table;

extern const rg_ranks_table *rg_ranks; /* NULL: this program has none */

/* RG_ERR_METHOD: this program has no PETSc; `what` asks for it. */
rg_status rg_ranks_missing(rg_context *ctx, const char *what);

#endif
