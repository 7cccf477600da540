/* A series has the points that are drawn.  Rows of numbers, an abscissa and some columns, are
 * thinned so that no extremum of a column is lost. */
#ifndef RG_FIGURE_SERIES_H
#define RG_FIGURE_SERIES_H

#include "base/base.h"

typedef struct { /* rows of numbers, wherever they come from; asked for in rising order */
    void *user;
    int64_t n;
    int n_columns;
    rg_status (*row)(void *user, int64_t row, double *values); /* the abscissa, then the columns */
    /* Like snprintf; column -1: the abscissa. */
    int (*name)(void *user, int column, char *buffer, int size);
} rg_samples;

typedef struct {
    rg_context *ctx;
    int64_t n, n_all; /* rows here, and before they were thinned */
    int n_columns;
    char *x_name, **name;
    double *x, *y;      /* column c: y + c*n */
    double *low, *high; /* per column: of all finite values; low > high: there are none */
    int64_t *gaps; /* per column: values of all rows that are not finite, or beyond all sizes */
} rg_series;

/* About `most` rows: all of them, or those in which a column has its least or largest value among
 * its neighbours.  *out is empty after a failure. */
rg_status rg_series_take(rg_context *ctx, const rg_samples *s, int64_t most, rg_series *out);
void rg_series_clear(rg_series *s);
const double *rg_series_column(const rg_series *s, int column);

#endif
