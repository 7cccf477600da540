/* Backward differentiation formulas of orders 1 to 5 with variable step: SUNDIALS IDA behind the
 * integrator interface.
 *
 * IDA solves F(t, y, y') = 0 of index at most 1; models of higher index come as the reduced view,
 * and the point reached is projected onto the hidden constraints after every step.  Residuals,
 * Jacobians and linear algebra are regula's own: IDA sees a matrix and a linear solver of ours
 * (linear.c). */
#ifndef RG_IVP_BDF_BDF_H
#define RG_IVP_BDF_BDF_H

#include "ivp/method.h"

extern const rg_ivp_method rg_bdf_method;
bool rg_bdf_is_available(void); /* false: built without SUNDIALS, create() says what to install */

#endif
