/* The inside of a Newton matrix, shared by its files. */
#ifndef RG_LINALG_MATRIX_IMPL_H
#define RG_LINALG_MATRIX_IMPL_H

#include "linalg/lu_impl.h"
#include "linalg/matrix.h"
#include "linalg/sparse.h"

struct rg_matrix {
    rg_context *ctx;
    rg_pattern pattern;
    bool is_complex;
    rg_lu *lu;         /* dense: this ... */
    rg_sparse *sparse; /* ... or this one */
    int n_pins;
    int *pins; /* rows, then columns; see rg_matrix_pin */
};

/* rg_matrix_factor in two parts: values in place (like: NULL, or a matrix prepared from the same
 * Jacobians); then the work, which may run in another thread and sets no message. */
rg_status rg_matrix_prepare(rg_matrix *m, const rg_matrix *like, double re, double im,
                            const double *Jy, const double *Jyp);
rg_status rg_matrix_compute(rg_matrix *m);
/* The message that rg_matrix_compute did not set. */
rg_status rg_matrix_report(const rg_matrix *m, rg_status status);

#endif
