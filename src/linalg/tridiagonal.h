/* Tridiagonal systems by LU factors with partial pivoting (LAPACK). */
#ifndef RG_LINALG_TRIDIAGONAL_H
#define RG_LINALG_TRIDIAGONAL_H

#include <stdbool.h>

typedef struct { /* memory of the caller */
    int n;
    double *lower, *diagonal, *upper; /* n - 1, n, n - 1 entries; room for n each */
    double *second;                   /* n: fill by pivoting */
    int *pivot;                       /* n */
} rg_tridiagonal;

/* In place.  False: singular, or an entry is not finite. */
bool rg_tridiagonal_factor(rg_tridiagonal *t);
void rg_tridiagonal_solve(const rg_tridiagonal *t, double *b); /* b <- A^-1 b */

#endif
