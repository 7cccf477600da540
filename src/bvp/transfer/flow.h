/* The transfer equations as an explicit differential equation z' = v(t, z), z = (u, h), for
 * integrators of any kind.
 *
 * With W = u^T u (variant 14) or u^T u + h h^T (variant 16), q = psi^T f, psi = X u, and
 *
 *     V = W^-1 (u^T K u + [h q^T]),     u' = K u - u V,     h' = -V^T h + q        (E2), (E3), (E4)
 *
 * where [ ] belongs to variant 16: Petry (14a), (14b) and (16a), (16b), with w = -V. */
#ifndef RG_BVP_TRANSFER_FLOW_H
#define RG_BVP_TRANSFER_FLOW_H

#include "bvp/transfer/field.h"

typedef struct {
    rg_context *ctx;
    rg_field *field;
    int m, k, variant;
    double low, high; /* coefficients are taken strictly between: one branch of jumps at the ends */
    double t;         /* of the coefficients in the field; NaN: somebody else has used it */
    double *V, *D;    /* k x k */
    double *Ku, *q;   /* m x k, k */
    double *work;     /* for derivatives: dKu (m), dq, dW, dD (k x k each) */
    rg_lu *lu;        /* of W */
    rg_status failure;
    rg_error error; /* of a failure, which ends the integration */
} rg_flow;

rg_status rg_flow_create(rg_field *field, int k, int variant, rg_flow **out);
void rg_flow_destroy(rg_flow **flow);
/* z' = v(t, z), m k + k numbers.  Leaves V.  RG_RETRY: cannot be evaluated here. */
rg_status rg_flow_eval(rg_flow *w, double t, const double *z, double *zp);
/* J = -dv/dz, column by column: what rg_problem wants of z' - v = 0. */
rg_status rg_flow_jacobian(rg_flow *w, double t, const double *z, double *J);

#endif
