/* The rank of G B on the solution: elimination with complete pivoting, which reveals it where
 * partial pivoting does not. */
#include "ivp/srm/core.h"

#include <math.h>
#include <string.h>

/* The largest entry of the part that is left; its place in *row, *column. */
static double find_largest(int m, int k, const double *A, int *row, int *column)
{
    double largest = -1.0;

    for (int j = k; j < m; j++)
        for (int i = k; i < m; i++)
            if (fabs(A[j * m + i]) > largest) {
                largest = fabs(A[j * m + i]);
                *row = i;
                *column = j;
            }
    return largest;
}

static void swap_entries(double *a, double *b)
{
    const double kept = *a;

    *a = *b;
    *b = kept;
}

/* Step k: the pivot is brought to (k, k), and what is below it eliminated. */
static double eliminate(int m, int k, double *A)
{
    int row = k, column = k;
    const double pivot = find_largest(m, k, A, &row, &column);

    if (!(pivot > 0.0)) return 0.0;
    for (int i = 0; i < m; i++)
        swap_entries(&A[k * m + i], &A[column * m + i]);
    for (int j = 0; j < m; j++)
        swap_entries(&A[j * m + k], &A[j * m + row]);
    for (int j = k + 1; j < m; j++) {
        const double factor = A[j * m + k] / A[k * m + k];
        for (int i = k + 1; i < m; i++)
            A[j * m + i] -= factor * A[k * m + i];
    }
    return pivot;
}

/* w->GB is that of the point; w->S is free. */
void rg_srm_pivot_now(rg_srm_core *c, double lost_below, srm_sample *out)
{
    srm_space *w = &c->space;
    const int m = c->n_y;

    memcpy(w->S, w->GB, (size_t)m * (size_t)m * sizeof *w->S);
    out->p = INFINITY;
    out->lost = 0;
    for (int k = 0; k < m; k++) {
        const double pivot = eliminate(m, k, w->S);
        if (k == 0) c->largest = fmax(c->largest, pivot);
        out->p = fmin(out->p, pivot / c->largest);
        if (!(pivot > lost_below * c->largest)) out->lost++;
    }
}

rg_status rg_srm_pivot_at(rg_srm_core *c, const double *z, const double *y, double lost_below,
                          srm_sample *out)
{
    srm_space *w = &c->space;

    c->evaluations++;
    out->p = NAN; /* of no use */
    out->lost = 0;
    const rg_status status = rg_semi_eval_at(c->view, out->t, z, rg_srm_v(c, z),
                                             c->variant.is_nonlinear ? y : NULL, &w->v);
    if (status != RG_OK) return status == RG_RETRY ? RG_OK : status;
    rg_srm_form_GB(c, w);
    rg_srm_pivot_now(c, lost_below, out);
    return RG_OK;
}
