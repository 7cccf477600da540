/* Structural choice of the columns that the equations determine. */
#ifndef RG_NEWTON_CHOOSE_H
#define RG_NEWTON_CHOOSE_H

#include "newton/start.h"

/* A largest matching of rows with movable columns that takes columns in the order of
 * rg_start_movable (a column taken early stays).  row_of_column: n_columns entries, -1: not
 * taken; column_of_row: n_rows entries, -1. */
rg_status rg_choose_columns(const rg_start_system *s, int32_t *row_of_column,
                            int32_t *column_of_row, int64_t *n_matched);
/* Rows that have too few movable columns: is_over (n_rows entries) is 1 for unmatched rows, and for
 * the row of every column with an entry in such a row.  is_determined: all movable columns are
 * matched. */
rg_status rg_overdetermined_rows(const rg_start_system *s, uint8_t *is_over, bool *is_determined);

#endif
