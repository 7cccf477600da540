/* The Brusselators of the test set, F(t, y, y') = 0 with its sparse Jacobian; cells in a row, (u,
 * v, w) per cell. */
#ifndef BENCH_PEERS_BRUS_H
#define BENCH_PEERS_BRUS_H

#include <stdint.h>

typedef struct {
    int dims, cells; /* per direction */
} brus;

int brus_size(const brus *b);
long brus_entries(const brus *b);
void brus_start(const brus *b, double *y, double *yp);
void brus_residual(const brus *b, const double *y, const double *yp, double *F);
/* dF/dy + c dF/dy', compressed columns */
void brus_jacobian(const brus *b, const double *y, double c, int64_t *start, int64_t *row,
                   double *value);
/* Is component i among those with a reference value? */
int brus_is_shown(const brus *b, int i);

#endif
