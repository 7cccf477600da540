/* The rows of a solution as points of a figure: where steps have polynomials, points inside the
 * steps too. */
#ifndef RG_REPORT_SAMPLES_H
#define RG_REPORT_SAMPLES_H

#include "figure/series.h"
#include "report/tuning.h"
#include "solution/solution.h"

/* Outputs that `show` names, or all; of more than RG_FIGURE_COLUMNS some.  At most about `most`
 * rows.  *left_out: outputs that are not among them (may be NULL).  RG_ERR_ARGUMENT: the solution
 * has no rows. */
rg_status rg_solution_series(const rg_solution *s, const char *show, int64_t most, rg_series *out,
                             int64_t *left_out);

#endif
