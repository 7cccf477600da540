/* The record of a singular place, for all methods: a time at which the constraint Jacobian loses
 * rank. */
#ifndef RG_SOLUTION_SINGULAR_H
#define RG_SOLUTION_SINGULAR_H

typedef struct {
    double t;
    int lost;              /* ranks */
    char constraints[128]; /* which ones: "line 24"; "" where the method does not know */
} rg_singular;

#endif
