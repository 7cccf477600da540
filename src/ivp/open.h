/* Unknowns that are nearly open: what a failure is explained by. */
#ifndef RG_IVP_OPEN_H
#define RG_IVP_OPEN_H

#include "ivp/method.h"

/* A step has failed: where the algebraic equations of a model of index 1 hardly determine some of
 * their unknowns, these are named in place of the failure. */
rg_status rg_open_explain(rg_integrator *g, rg_status failure);

#endif
