/* The coupled matrix of three stages, with the Jacobian of every stage at that stage:
 *
 *     blocks (i, j):   delta_ij Phi_w(i) + (D_ij/h) Phi_w'(i)
 *
 * factored as linalg/matrix.h does it: rows scaled, dense or sparse. */
#ifndef RG_IVP_PASSAGE_COUPLED_H
#define RG_IVP_PASSAGE_COUPLED_H

#include "ivp/passage/form.h"
#include "linalg/matrix.h"

enum { COUPLED_STAGES = 3 };

typedef struct {
    rg_context *ctx;
    const rg_stable *form;
    int n; /* 3 N */
    rg_pattern pattern;
    double *values;
    rg_matrix *matrix;
} rg_coupled;

rg_status rg_coupled_create(const rg_stable *form, rg_coupled **out);
void rg_coupled_destroy(rg_coupled **coupled);
/* D in units of 1/h.  RG_RETRY: singular, or not finite. */
rg_status rg_coupled_factor(rg_coupled *c, double h, const double (*D)[COUPLED_STAGES],
                            double *const *Jw, double *const *Jwp);
void rg_coupled_solve(rg_coupled *c, double *b);

#endif
