/* Cosine, sine and Fourier transforms along one axis of a box of numbers, all lines of it. */
#ifndef RG_PDAE_SOLVE_TRANSFORM_LINES_H
#define RG_PDAE_SOLVE_TRANSFORM_LINES_H

#include "pdae/mesh/grid.h"

#include <fftw3.h>

/* Forward, with its inverse up to a factor, in the letters of FFTW. */
typedef enum {
    RG_LINES_FOURIER,     /* R2HC: real parts of modes 0, 1, ..., imaginary ones of ..., 1 */
    RG_LINES_COSINE,      /* REDFT10: 2 sum x_j cos(pi (j + 1/2) k/n)                      */
    RG_LINES_SINE,        /* RODFT10: 2 sum x_j sin(pi (j + 1/2)(k + 1)/n)                 */
    RG_LINES_HALF_COSINE, /* REDFT11: 2 sum x_j cos(pi (j + 1/2)(k + 1/2)/n)               */
    RG_LINES_HALF_SINE    /* RODFT11: the same with sines                                  */
} rg_lines_kind;

typedef struct {
    rg_lines_kind kind;
    int n;
    int64_t inner, outer; /* lines beside each other in memory; boxes of them */
    bool is_first;        /* they lie along x                                 */
    fftw_plan forward, backward;
    double *turn;   /* cos, sin of pi k/(2 n) */
    double *buffer; /* of all threads         */
    int64_t room;   /* of one                 */
} rg_lines;

/* For axis d of a box of cells in order; along x, the padded arrays of the grid are the end of a
 * transform that is not in modes. */
rg_status rg_lines_create(const rg_grid *g, int d, rg_lines_kind kind, rg_lines *out);
void rg_lines_free(const rg_grid *g, rg_lines *t);
/* `to` may be `from`, unless one is padded. */
void rg_lines_forward(const rg_grid *g, const rg_lines *t, const double *from, double *to);
void rg_lines_backward(const rg_grid *g, const rg_lines *t, const double *from, double *to);

#endif
