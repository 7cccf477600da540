/* The place of what a program with PETSc adds. */
#include "pdae/mesh/ranks.h"

const rg_ranks_table *rg_ranks;

rg_status rg_ranks_missing(rg_context *ctx, const char *what)
{
    rg_fail(ctx, RG_ERR_METHOD, "%s needs PETSc, which this program does not have", what);
    return rg_remedy(ctx, "use the program regula-grid ('make grid', Debian package petsc-dev)");
}

rg_status rg_ranks_need_one(rg_context *ctx, const char *what)
{
    if (rg_ranks == NULL || rg_ranks->count == 1) return RG_OK;
    rg_fail(ctx, RG_ERR_METHOD, "%s cannot be divided among ranks", what);
    return rg_remedy(ctx, "leave --ranks away");
}
