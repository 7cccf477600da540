/* A Jacobian of the caller's that does not fit his function. */
#ifndef RG_PROBLEM_CALLBACK_DOUBT_H
#define RG_PROBLEM_CALLBACK_DOUBT_H

#include "problem/problem.h"

/* After a failure of this status: looks at the caller's Jacobian, and where it is wrong the remedy
 * of the failure names the entry. */
void rg_callback_blame(const rg_problem *p, rg_status status);

#endif
