/* Onto the constraints: where the steps near singular points begin. */
#include "ivp/passage/form.h"

#include "ivp/passage/tuning.h"
#include "linalg/matrix.h"
#include "newton/iterated.h"

#include <math.h>
#include <string.h>

/* Level by level from the lowest:  A delta = -(F_i^(c_i - l)) in the rows with c_i >= l, 0 in the
 * others;  y_j^(d_j - l) += delta_j.  With A = (M, G^T; G, 0) this moves positions and velocities
 * along M^-1 G^T: what was wrong is taken away, and the motion along the constraints stays.
 * delta of unknowns with d_j < l are impulses, which nobody needs.  work: A, then delta, then
 * the old w. */
static rg_status correct(rg_stable *v, double t, double *w, int l, rg_matrix *matrix, double *work,
                         double *size)
{
    const rg_leading *a = v->leading;
    const int32_t *c = v->a->c, *d = v->a->d;
    double *A = work, *b = A + a->pattern.start[a->pattern.n_columns],
           *old = b + a->pattern.n_columns;

    RG_TRY(rg_stable_system_matrix(v, t, w, NULL, A));
    RG_TRY(rg_matrix_factor(matrix, 0.0, 0.0, A, NULL));
    RG_TRY(rg_system_residual(v->system, v->work, t, w, v->zero, v->F));
    memset(b, 0, (size_t)a->pattern.n_rows * sizeof *b);
    for (int e = 0; e < a->n_plain; e++) {
        const int32_t i = a->equation[e];
        const int64_t row = c[i] >= l ? rg_system_row(v->system, i, c[i] - l) : -1;
        if (row >= 0) b[e] = -v->F[row];
    }
    rg_matrix_solve(matrix, b, NULL);
    memcpy(old, w, (size_t)v->size * sizeof *w);
    for (int64_t j = 0; j < v->p->n; j++) {
        if (d[j] < l || a->column_of[j] < 0) continue;
        const int64_t at = rg_system_state(v->system, j, d[j] - l);
        const double delta = b[a->column_of[j]];
        w[at] = old[at] + delta; /* states with several names: once */
        *size = fmax(*size, fabs(delta) / (1.0 + fabs(w[at])));
    }
    return RG_OK;
}

rg_status rg_stable_project(rg_stable *v, double t, double *w)
{
    if (v->combinations != NULL) return RG_OK; /* the form is that of the run */
    const rg_pattern *p = &v->leading->pattern;
    const size_t room = (size_t)(p->start[p->n_columns] + p->n_columns + v->size) + 1;
    rg_matrix *matrix = NULL;
    double size = INFINITY, before = INFINITY, *work = rg_alloc(v->ctx, room, sizeof *work);
    rg_status status = work == NULL ? RG_ERR_MEMORY : rg_matrix_create(v->ctx, p, false, &matrix);

    for (int k = 0; k < RG_PASSAGE_PROJECT_STEPS && status == RG_OK; k++) {
        if (k > 0 && rg_is_iterated(size, before)) break;
        before = size;
        size = 0.0;
        for (int l = v->levels; l >= 1 && status == RG_OK; l--)
            status = correct(v, t, w, l, matrix, work, &size);
    }
    rg_matrix_destroy(&matrix);
    rg_free(v->ctx, work);
    if (status != RG_OK) return status;
    return size < RG_PASSAGE_PROJECT_MOST ? RG_OK : (rg_status)RG_RETRY;
}
