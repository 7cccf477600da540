/* One linear step of the start value iteration:  J d = -F  on the movable columns, by the least
 * change.
 *
 * Columns with role GUESS move as little as possible (in units of their scale), columns with role
 * NONE as needed; contradicting rows are met in the least-squares sense.  Small systems by
 * orthogonal factors, large ones by sparse LU factors. */
#ifndef RG_NEWTON_STEP_H
#define RG_NEWTON_STEP_H

#include "newton/start.h"

typedef struct rg_newton_step rg_newton_step;
typedef struct rg_newton_dense_step rg_newton_dense_step;
typedef struct rg_sparse_step rg_sparse_step;

struct rg_newton_step { /* one of the two */
    rg_start_system *s;
    rg_newton_dense_step *dense;
    rg_sparse_step *sparse;
    double
        *row_weight; /* per row; 0: no movable column, or left out.  |row_weight F| is the merit */
    bool is_basic;   /* sparse: a square choice of rows and columns, no least change             */
};

enum { RG_DENSE_COLUMNS = 600 }; /* above that: sparse */

/* For the roles that the columns have now.  Sparse systems: `basic` asks for the square choice. */
rg_status rg_newton_step_create(rg_start_system *s, bool basic, rg_newton_step **out);
void rg_newton_step_destroy(rg_newton_step **step);
/* Factors at the linearized point.  lambda > 0: Levenberg-Marquardt.  RG_RETRY: singular or not
 * finite. */
rg_status rg_newton_step_factor(rg_newton_step *step, double lambda);
/* d (all columns; 0 for fixed ones).  With pull the guesses are drawn to their given values. */
void rg_newton_step_solve(rg_newton_step *step, const double *F, bool pull, double *d);
/* |row_weight F| */
double rg_newton_step_merit(const rg_newton_step *step, const double *F);

/* Scales such that R J C has entries up to about 1, for the columns listed (n): first powers of the
 * rate of the model (rows and columns of derivatives are larger by these), then division by the
 * square roots of row and column maxima.  The largest entry of each row becomes 1; R is 0 for empty
 * rows.  C of guesses is their scale, the metric of the least change.  work: 2 n_rows. */
void rg_newton_step_scale(const rg_start_system *s, int64_t n, const int32_t *column, double *R,
                          double *C, double *work);

rg_status rg_newton_dense_step_create(rg_start_system *s, double *row_weight,
                                      rg_newton_dense_step **out);
void rg_newton_dense_step_destroy(rg_newton_dense_step **step);
rg_status rg_newton_dense_step_factor(rg_newton_dense_step *step, double lambda);
void rg_newton_dense_step_solve(rg_newton_dense_step *step, const double *F, bool pull, double *d);

rg_status rg_sparse_step_create(rg_start_system *s, bool basic, double *row_weight,
                                rg_sparse_step **out);
/* Basic: some guess is not among the chosen columns, so that another choice might change less. */
bool rg_sparse_step_leaves_guess(const rg_sparse_step *step);
void rg_sparse_step_destroy(rg_sparse_step **step);
rg_status rg_sparse_step_factor(rg_sparse_step *step, double lambda);
void rg_sparse_step_solve(rg_sparse_step *step, const double *F, bool pull, double *d);

#endif
