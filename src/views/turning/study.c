/* Turning points and layers into the study of a problem, once. */
#include "views/turning/turning.h"

#include "base/tuning.h"

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

rg_status rg_turning_study(rg_problem *p, double t_end)
{
    rg_turning *v = NULL;
    rg_status status = RG_OK;

    if (!p->is_boundary || p->study == NULL || p->study->turning != NULL) return RG_OK;
    RG_TRY(rg_turning_create(p, p->a, t_end, &v));
    if (is_told(v)) {
        p->study->turning = rg_alloc(p->ctx, 1, sizeof *p->study->turning);
        if (p->study->turning != NULL)
            *p->study->turning = v->facts;
        else
            status = RG_ERR_MEMORY;
    }
    rg_turning_destroy(&v);
    return status;
}
