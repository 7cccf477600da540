/* A model with fields as a text with arrays and loops. */
#include "pdae/expand/expand.h"

#include "api/entry.h"
#include "solve/choose.h"

rg_status rg_problem_expand(const rg_problem *p, const rg_options *o, char **out)
{
    rg_options options;

    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, out != NULL, "rg_problem_expand"));
    *out = NULL;
    if (p->form == NULL) {
        rg_fail(p->ctx, RG_ERR_METHOD, "the model has no fields to write out");
        return rg_remedy(p->ctx, "give a model with 'domain' and 'field' or 'vector'");
    }
    RG_TRY(rg_default_options(p, o, &options));
    return rg_expand(p, &options, true, out);
}
