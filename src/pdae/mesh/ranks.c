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
    rg_fail(ctx, RG_ERR_METHOD, "%s works in one process and cannot be divided among ranks", what);
    return rg_remedy(ctx, "leave --ranks away, or take a method for grids, as --method srm");
}

static bool are_several(void)
{
    return rg_ranks != NULL && rg_ranks->count > 1;
}

bool rg_ranks_is_first(void)
{
    return !are_several() || rg_ranks->rank == 0;
}

bool rg_ranks_decide(bool first)
{
    if (are_several()) rg_ranks->tell(&first, sizeof first);
    return first;
}

rg_status rg_ranks_agree(rg_context *ctx, rg_status status)
{
    return are_several() ? rg_ranks->agree(ctx, status) : status;
}

rg_status rg_ranks_share(rg_store *s)
{
    uint64_t size = s->size;
    uint8_t *bytes = NULL;

    if (!are_several()) return RG_OK;
    rg_ranks->tell(&size, sizeof size);
    if (size == 0) return RG_OK;
    const bool is_first = rg_ranks_is_first();
    if (!is_first) bytes = rg_alloc(s->ctx, (size_t)size, 1);
    RG_TRY(rg_ranks_agree(s->ctx, is_first || bytes ? RG_OK : RG_ERR_MEMORY));
    rg_ranks->tell(is_first ? s->bytes : bytes, (size_t)size);
    if (!is_first) rg_store_bytes(s, bytes, (size_t)size);
    rg_free(s->ctx, bytes);
    return rg_ranks_agree(s->ctx, s->status);
}
