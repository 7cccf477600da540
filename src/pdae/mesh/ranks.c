/* The place of what a program with PETSc adds. */
#include "pdae/mesh/ranks.h"

const rg_ranks_table *rg_ranks;

bool rg_ranks_are_several(void)
{
    return rg_ranks != NULL && rg_ranks->count > 1;
}

rg_status rg_ranks_missing(rg_context *ctx, const char *what)
{
    rg_fail(ctx, RG_ERR_METHOD, "%s needs PETSc, which this program does not have", what);
    return rg_remedy(ctx, "use the program regula-grid ('make grid', Debian package petsc-dev)");
}

rg_status rg_ranks_need_one(rg_context *ctx, const char *what)
{
    if (!rg_ranks_are_several()) return RG_OK;
    rg_fail(ctx, RG_ERR_METHOD, "%s works in one process and cannot be divided among ranks", what);
    return rg_remedy(ctx, "leave --ranks away, or take a method for grids, as --method srm");
}

bool rg_ranks_is_first(void)
{
    return !rg_ranks_are_several() || rg_ranks->rank == 0;
}

bool rg_ranks_decide(bool first)
{
    if (rg_ranks_are_several()) rg_ranks->tell(&first, sizeof first);
    return first;
}

rg_status rg_ranks_agree(rg_context *ctx, rg_status status)
{
    return rg_ranks_are_several() ? rg_ranks->agree(ctx, status) : status;
}
