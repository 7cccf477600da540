/* Times at which the coefficients of a linear model switch branch.
 *
 * A linear model switches by functions of t alone, so unknowns do not matter.  A branch that is
 * left and entered again between two samples is overlooked. */
#include "views/crossings.h"
#include "views/linear/linear.h"
#include "views/tuning.h"

rg_status rg_linear_breaks(const rg_problem *p, const rg_states *states, double low, double high,
                           int64_t *n, double **times)
{
    rg_switches switches;
    rg_crossings c = {0};

    *n = 0;
    *times = NULL;
    rg_status status = rg_switches_init(p, states, &switches);
    if (status == RG_OK) status = rg_crossings_init(p->ctx, &switches, NULL, NULL, &c);
    if (status == RG_OK) status = rg_crossings_begin(&c, low);
    for (int k = 1; k <= RG_BREAKS_SAMPLES && status == RG_OK && switches.n > 0; k++)
        status = rg_crossings_go_on(&c, low + (high - low) * k / RG_BREAKS_SAMPLES);
    if (status == RG_OK && c.n > 0) {
        for (int64_t k = 0; k < c.n; k++) /* closer ones are one */
            if (*n == 0 || c.times[k] - c.times[*n - 1] > RG_SAME_MOMENT * (high - low))
                c.times[(*n)++] = c.times[k];
        *times = c.times;
        c.times = NULL;
    }
    rg_crossings_clear(&c);
    rg_switches_clear(p->ctx, &switches);
    return status;
}
