/* Hidden constraints of a view: which (derivatives of) equations its states must satisfy. */
#ifndef RG_VIEWS_DRIFT_H
#define RG_VIEWS_DRIFT_H

#include "views/states.h"

typedef struct {
    int n_levels; /* index - 1, 0 for index 0 and 1 */
    int64_t n_rows;
    rg_assembly *rows; /* residuals only, over z = (y, y'); NULL: nothing to watch */
    uint8_t *level;    /* per row */
} rg_drift;

rg_status rg_drift_init(const rg_problem *p, const rg_analysis *a, const rg_states *l,
                        rg_drift *out);
void rg_drift_clear(rg_context *ctx, rg_drift *d);

#endif
