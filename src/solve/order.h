/* What the measurements of orders share. */
#ifndef RG_SOLVE_ORDER_H
#define RG_SOLVE_ORDER_H

#include "solution/orders.h"

/* Verdicts from the errors.  Returns the first unknown whose order is below theory, or -1. */
int64_t rg_orders_compare(rg_orders *out);
/* The same with a message; RG_ERR_CONVERGENCE: an order is below theory. */
rg_status rg_orders_judge(rg_orders *out);

#endif
