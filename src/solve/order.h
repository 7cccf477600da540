/* What the measurements of orders share. */
#ifndef RG_SOLVE_ORDER_H
#define RG_SOLVE_ORDER_H

#include "solution/orders.h"

/* Verdicts from the errors; RG_ERR_CONVERGENCE: an order is below theory. */
rg_status rg_orders_judge(rg_orders *out);

#endif
