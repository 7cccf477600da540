/* What the files of the view with separate constraints share. */
#ifndef RG_VIEWS_SEMI_IMPL_H
#define RG_VIEWS_SEMI_IMPL_H

#include "views/semi/semi.h"
#include "views/system_impl.h"

/* What a column of the assembly is: x, v, the highest derivative, or y. */
typedef enum { RG_SLOT_X, RG_SLOT_V, RG_SLOT_TOP, RG_SLOT_Y } rg_semi_slot;

struct rg_semi {
    rg_context *ctx;
    const rg_system *system;
    int order, n_x, n_y, n_definitions;
    int64_t *x, *v, *y; /* states of the system */
    /* unknowns of the model: x; what v is called where q' = v is written, else -1; y */
    int32_t *x_unknown, *v_unknown, *y_unknown;
    int32_t *dynamic, *constraint, *definition; /* rows of the model; definition: q' = v */
    rg_assembly *rows;                          /* dynamics; g, dg/dt, (d2g/dt2) */
    rg_assembly_work *work;
    int n_columns;
    rg_semi_slot *slot; /* per column */
    int *place;         /* ... and its component there */
    double *z, *F, *J;  /* columns; rows; entries of the Jacobian */
    double *mass, *right;
    int *pivot;
};

/* Which unknowns and equations play which part; messages say what is missing. */
rg_status rg_semi_sort(rg_semi *v, const char *method);
/* RG_ERR_METHOD unless the dynamics are linear in the highest derivatives and in y. */
rg_status rg_semi_check(rg_semi *v, const char *method);

#endif
