/* Turning points and layers into the study of a problem, once. */
#include "views/turning/tuning.h"
#include "views/turning/turning.h"

#include <math.h>

/* A model without turning points is worth a word where its layers are thin. */
static bool is_told(const rg_turning *v)
{
    const rg_turning_facts *f = &v->facts;
    double least = INFINITY;

    if (v->fault != RG_TURNING_IS_FORM || v->is_moving) return false;
    for (int k = 0; k < f->n_layers; k++)
        least = fmin(least, f->layer[k].width);
    return f->n_points > 0 || least <= RG_TURNING_THIN * (v->high - v->low);
}

rg_status rg_turning_tell(rg_problem *p, const rg_turning *v)
{
    if (p->study == NULL || p->study->turning != NULL || !is_told(v)) return RG_OK;
    p->study->turning = rg_alloc(p->ctx, 1, sizeof *p->study->turning);
    if (p->study->turning == NULL) return RG_ERR_MEMORY;
    *p->study->turning = v->facts;
    return RG_OK;
}

rg_status rg_turning_study(rg_problem *p, double t_end)
{
    rg_turning *v = NULL;

    if (!p->is_boundary || p->study == NULL || p->study->turning != NULL) return RG_OK;
    RG_TRY(rg_turning_create(p, p->a, t_end, &v));
    const rg_status status = rg_turning_tell(p, v);
    rg_turning_destroy(&v);
    return status;
}
