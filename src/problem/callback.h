/* Inside of assemblies of callback problems. */
#ifndef RG_PROBLEM_CALLBACK_H
#define RG_PROBLEM_CALLBACK_H

#include "problem/assembly_impl.h"

struct rg_callback {
    int64_t n;
    int32_t *row;       /* equation -> row of F, or -1        */
    int32_t *column[2]; /* unknown -> place in z of y_j, y'_j */

    int64_t n_elements; /* of the callback's Jacobian, in its own order */
    int64_t *start;     /* its columns; a dense one has them too        */
    int32_t *element_row;

    int64_t n_wanted; /* elements in wanted rows */
    int32_t *element;
    rg_binding place[2]; /* wanted element -> place in J, for dF/dy and dF/dy' */

    int64_t n_mass; /* M y' = f: nonzeros of M */
    int32_t *mass_row, *mass_column;
    double *mass;

    int n_groups; /* columns that share no row are differenced together */
    int32_t *group_start, *group_column;
};

rg_status rg_callback_check(const rg_assembly *a, int result, const char *which, double t);
rg_status rg_callback_eval(const rg_assembly *a, double t, const double *y, const double *yp,
                           double *out);
/* w->values = dF/dy, dF/dy' at w->y, w->yp; w->other holds F. */
rg_status rg_callback_differences(const rg_assembly *a, rg_assembly_work *w, double t);
rg_status rg_callback_group(rg_context *ctx, rg_callback *c);

#endif
