/* Loops over the rows of padded arrays: sums, extremes, combinations, compiled for several
 * vector lengths with the same sums. */
#ifndef RG_PDAE_FLOW_ROWS_H
#define RG_PDAE_FLOW_ROWS_H

#include "pdae/ops/vector.h"

/* Largest |a - b| over the whole arrays (b NULL: 0); NaN if there is one. */
double rg_rows_largest(const rg_grid *g, const double *a, const double *b);

/* v *= volume on all cells. */
void rg_rows_times_volume(const rg_grid *g, double *v);

/* On the unknown faces of component c: out = s a + t b; out = a + b. */
void rg_rows_combine(const rg_vector_space *s, int c, double p, const double *a, double q,
                     const double *b, double *out);
void rg_rows_sum_of(const rg_vector_space *s, int c, const double *a, const double *b, double *out);

typedef struct {         /* the largest                                             */
    double size, change; /* |u| and |u - old|, ghosts included; NaN if there is one */
    double error;        /* |u - old - part[0] (old - u1) + part[1] (u1 - u2)| on the unknown faces;
                            0 if u2 is NULL                                         */
} rg_rows_verdict;
rg_rows_verdict rg_rows_judge(const rg_vector_space *s, int c, const double *u, const double *old,
                              const double *u1, const double *u2, const double part[2]);

#endif
