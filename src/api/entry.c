/* What every public function does first: checks its arguments and clears the last error. */
#include "api/entry.h"

rg_status rg_enter(rg_context *ctx, bool has_all, const char *function)
{
    if (ctx == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(ctx);
    if (has_all) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "%s() was given a null pointer", function);
    return rg_remedy(ctx, "give what the comment in regula.h asks for");
}

rg_status rg_enter_change(const rg_problem *p, bool has_all, const char *function)
{
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, has_all, function));
    if (!p->is_shared) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "%s() cannot change a problem that is shared", function);
    return rg_remedy(p->ctx, "change it before rg_problem_share()");
}
