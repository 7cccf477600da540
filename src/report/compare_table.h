/* The table of a comparison for the eye, as CSV and in JSON. */
#ifndef RG_REPORT_COMPARE_TABLE_H
#define RG_REPORT_COMPARE_TABLE_H

#include "report/json.h"
#include "solution/comparison.h"
#include "solution/csv.h"

/* An entry's value in a column (rg_compare_columns); NaN: not known. */
double rg_compare_value(const rg_comparison *c, const rg_compare_point *q, int column);
void rg_write_compare_table(const rg_comparison *c, FILE *to);
rg_status rg_write_compare_csv(const rg_comparison *c, rg_csv *csv);
/* The member "table" of the JSON object. */
void rg_write_compare_points(rg_json *j, const rg_comparison *c);

#endif
