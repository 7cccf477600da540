/* A table has the numbers of a CSV file from anywhere, as rows for a figure. */
#ifndef RG_FIGURE_TABLE_H
#define RG_FIGURE_TABLE_H

#include "figure/series.h"

typedef struct {
    rg_context *ctx;
    int n_columns; /* with the first one, the abscissa */
    int64_t n;
    char **name;
    double *value; /* row by row; NaN: an empty field, or no number */
} rg_table;

/* Fields are separated by commas, semicolons or tabs; a first line that has no number in its first
 * field has the names; lines that begin with '#' are left out.  RG_ERR_IO, RG_ERR_ARGUMENT with the
 * line. */
rg_status rg_table_read(rg_context *ctx, const char *path, rg_table *out);
void rg_table_clear(rg_table *t);
/* The rows of the table, which must live longer. */
rg_samples rg_table_samples(rg_table *t);

#endif
