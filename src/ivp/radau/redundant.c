/* Redundant equations: d of them follow from the others everywhere, and d unknowns (multipliers of dependent constraints) are
 * not determined.  Every Newton matrix has rank n - d then.  We leave d dependent equations out and hold d unknowns at their
 * start values, chosen once by elimination with complete pivoting on  x F_y' + F_y: its rank does not depend on x. */
#include "ivp/radau/radau.h"

#include <math.h>

static const double PIN_STEP = 0.01; /* 1/x in parts of the interval */

/* Once, after the first Jacobian: the only place in the first step that allocates. */
rg_status rg_radau_find_pins(rg_integrator *g)
{
    rg_radau *r = g->radau;
    const double length = fabs(g->t_end - g->t);
    const double x = 1.0 / (PIN_STEP * (length > 0.0 ? length : 1.0));
    int *rows = r->pins, *columns = r->pins + r->n_pins;

    RG_TRY(rg_matrix_find_dependent(g->ctx, rg_system_pattern(g->system), x, r->Jy, r->Jyp,
                                    r->n_pins, rows, columns));
    RG_TRY(rg_matrix_pin(r->real, r->n_pins, rows, columns));
    for (int k = 0; k < RADAU_PAIRS && r->pair[k] != NULL; k++)
        RG_TRY(rg_matrix_pin(r->pair[k], r->n_pins, rows, columns));
    for (int k = 0; k < r->n_pins; k++)
        g->yp[columns[k]] = 0.0;
    r->has_pins = true;
    return RG_OK;
}
