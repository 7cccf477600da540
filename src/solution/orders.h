/* Errors and observed orders of one method with several fixed steps: solve/order.c fills them,
 * reports read them. */
#ifndef RG_SOLUTION_ORDERS_H
#define RG_SOLUTION_ORDERS_H

#include "problem/problem.h"

typedef enum { RG_ORDER_IS_OK, RG_ORDER_IS_ROUNDING, RG_ORDER_IS_BELOW } rg_order_verdict;

struct rg_orders {
    rg_context *ctx;
    const rg_problem *problem;
    rg_problem
        *own; /* fields on grids: the problem, with one unknown per field; NULL: the caller's */
    char method[32], formulation[16];
    int stages, order; /* 0: not what the method is named by */
    bool is_exact;     /* errors against the exact solution; otherwise a run with `tol` */
    double tol;
    int n_steps, n_done; /* wanted, and run */
    double *steps;       /* n_steps */
    bool is_chosen;      /* ... by regula */
    double failed;       /* ... which left this one out, with which a run fails; 0: none */
    double *eps; /* n_eps values of a parameter, over which errors are the largest; NULL: none */
    int n_eps;
    double *errors; /* n_steps rows, one entry per unknown; NaN: not known */
    double *noise;  /* the same shape: what rounding changes at the end; 0: not measured */
    double *size;   /* per unknown */
    int *kind, *theory;
    rg_order_verdict *verdict;
    bool is_judged; /* once: a second judgement looks again at what is below */
};

/* Copies the steps; errors are NaN. */
rg_status rg_orders_create(const rg_problem *p, int n_steps, const double *steps, rg_orders **out);
/* Errors of this unknown and step below this are rounding errors: 1e-12 of its size; where rounding
 * has been measured, many times that. */
double rg_orders_rounding(const rg_orders *o, int step, int64_t variable);
/* The last pair of steps, named by its first, in which both errors are above rounding; -1: none. */
int rg_orders_last_pair(const rg_orders *o, int64_t variable);

#endif
