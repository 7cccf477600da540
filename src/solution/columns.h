/* The columns of a solution: what CSV, JSON and tables show.  With an output statement its values,
 * otherwise all unknowns, followed by x' (x'', ...) of unknowns that appear with a higher
 * derivative. */
#ifndef RG_SOLUTION_COLUMNS_H
#define RG_SOLUTION_COLUMNS_H

#include "solution/values.h"

typedef struct rg_columns rg_columns;

rg_status rg_columns_create(const rg_problem *p, const rg_layout *layout, rg_columns **out);
void rg_columns_destroy(rg_columns **columns);
/* Those of a solution: without lower derivatives that its method does not have. */
int64_t rg_columns_count(const rg_columns *columns);
/* Also without a solution: how many columns the problem has, and which unknown one shows (order
 * 0, 1, ...). */
int64_t rg_column_count(const rg_problem *p);
int rg_column_name(const rg_problem *p, int64_t column, char *buffer, int size);
/* Unknowns and lower derivatives, whether or not there is an output statement. */
int64_t rg_plain_column_count(const rg_problem *p);
void rg_plain_column(const rg_problem *p, int64_t column, int64_t *variable, int *order);
/* The unknown and derivative that a column shows as it is; false: an expression. */
bool rg_column_unknown(const rg_problem *p, int64_t column, int64_t *variable, int *order);
/* Per unknown: 1 where a column shows it, or an expression of it. */
void rg_written_unknowns(const rg_problem *p, uint8_t *is_written);
/* ... and 1 where a condition of an event asks for it, or an equation with switches. */
void rg_asked_unknowns(const rg_problem *p, uint8_t *is_asked);
/* Per column: atol/rtol of its unknown; of an expression that of the options, or the smallest one
 * of the unknowns in it, where that is less. */
void rg_column_units(const rg_problem *p, const rg_options *o, double *unit);
rg_status rg_columns_eval(const rg_columns *columns, double t, const double *z, double *out);
/* With an output statement: the derivatives of the columns, as in rg_values_jacobian(). */
rg_status rg_columns_jacobian(const rg_columns *columns, double t, const double *z,
                              const rg_pattern **pattern, const double **J);

#endif
