/* Orders of convergence of implicit Runge-Kutta methods on differential-algebraic equations. */
#ifndef RG_IVP_IRK_THEORY_H
#define RG_IVP_IRK_THEORY_H

#include <stdbool.h>

typedef struct {
    int stages, order;   /* of the method: the options, with the defaults in place of 0 */
    const char *scheme;  /* the option */
    int index;           /* of the equations that it works on */
    int kind;            /* of the unknown: 1, 2, 3 */
    bool is_projected;   /* --projected on */
    bool is_algebraic;   /* no derivative of it occurs */
    bool has_velocities; /* index 3: positions have q' = v and nothing else (mechanics) */
} rg_order_question;

/* The order of the error at the end of the interval; 0: does not converge. */
typedef int rg_order_fn(const rg_order_question *q);

rg_order_fn rg_order_gauss, rg_order_radau1a, rg_order_radau, rg_order_lobatto3a,
    rg_order_lobatto3c, rg_order_sdirk;

#endif
