/* Passages: the smallest pivot p of GB, relative to the largest so far, has a zero there.  Near a simple zero of G (or of G and B)
 * sqrt p is a straight line that changes its sign: so three mesh points in a row with a minimum in the middle are a passage
 * when +-sqrt p, with the sign changed on one side, lies on a line. */
#include "ivp/srm/srm_impl.h"

#include <math.h>

static const double NEAR = 1e-2, STRAIGHT = 0.2;

static rg_status report(rg_integrator *g, double t, int lost)
{
    rg_srm *b = g->srm;

    if (b->n_passages >= SRM_MAX_PASSAGES) return RG_OK;
    RG_TRY(rg_grow(g->ctx, &b->passage, b->n_passages, &b->passage_capacity, sizeof *b->passage));
    b->passage[b->n_passages++] = (rg_srm_passage){t, lost > 0 ? lost : 1};
    rg_log(g->ctx, 2, "singular place passed at t = %.10g", t);
    return RG_OK;
}

/* sqrt p with one sign change between points k and k + 1: the place of the zero, and how far from a line the points lie. */
static double find_zero(const rg_srm *b, int k, double *t)
{
    double y[3];

    for (int i = 0; i < 3; i++)
        y[i] = (i <= k ? -1.0 : 1.0) * sqrt(b->past[i]);
    const double *s = b->past_t;
    const double slope = (y[2] - y[0]) / (s[2] - s[0]), middle = y[0] + slope * (s[1] - s[0]);
    *t = s[k] - y[k] * (s[k + 1] - s[k]) / (y[k + 1] - y[k]);
    return fabs(middle - y[1]) / (y[2] - y[0]);
}

rg_status rg_srm_watch(rg_integrator *g, double t)
{
    rg_srm *b = g->srm;
    double left, right;

    if (b->variant.E != SRM_E_INVERSE) return RG_OK;
    if (b->n_past == 3) {
        for (int i = 0; i < 2; i++) {
            b->past[i] = b->past[i + 1];
            b->past_t[i] = b->past_t[i + 1];
            b->past_lost[i] = b->past_lost[i + 1];
        }
        b->n_past = 2;
    }
    b->past[b->n_past] = b->smallest_now;
    b->past_t[b->n_past] = t;
    b->past_lost[b->n_past++] = b->lost_now;
    if (b->n_past < 3 || !(b->past[1] <= NEAR)) return RG_OK;
    if (!(b->past[1] <= b->past[0] && b->past[1] < b->past[2])) return RG_OK;
    const double miss_left = find_zero(b, 0, &left), miss_right = find_zero(b, 1, &right);
    if (!(fmin(miss_left, miss_right) <= STRAIGHT)) return RG_OK;
    return report(g, miss_left < miss_right ? left : right, b->past_lost[1]);
}

int64_t rg_srm_passages(const rg_integrator *g, const rg_srm_passage **out)
{
    *out = g->srm != NULL ? g->srm->passage : NULL;
    return g->srm != NULL ? g->srm->n_passages : 0;
}
