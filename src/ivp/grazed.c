/* What switches that were touched, or missed, by chance might change. */
#include "ivp/grazed.h"

#include <math.h>

static void count(rg_grazed *all, const rg_graze *one, double effect)
{
    all->count++;
    if (effect <= all->most) return;
    all->most = effect;
    all->worst = *one;
}

void rg_grazed_note(rg_grazed *all, const rg_graze *one, const double most[2], double stay)
{
    const double effect = fmin(most[0], 1.0); /* not one digit */

    if (effect > 0.0) count(all, one, effect);
    all->sum = fmin(all->sum + effect, 1.0);
    all->now = *one;
    all->from = one->t - 0.5 * stay;
    all->to = one->t + 0.5 * stay;
    all->jump = fmin(most[1], 1.0);
}

void rg_grazed_row(rg_grazed *all, double t)
{
    if (!(all->jump > 0.0 && t >= all->from && t <= all->to)) return;
    count(all, &all->now, all->jump);
    all->row = fmax(all->row, all->jump);
    all->jump = 0.0;
}
