/* Units for a transfer, and the estimate of its error. */
#ifndef RG_BVP_TRANSFER_JUDGE_H
#define RG_BVP_TRANSFER_JUDGE_H

#include "bvp/transfer/transfer.h"

/* Sizes of the states as units of the scene, which is empty, from a first run with a loose
 * tolerance; they hold atol/rtol where atol is given, so that the tolerance is rtol in these units.
 * unit NULL: all 1 (the model is not linear, or fixed steps, an integrator or a variant of the
 * source are asked for). */
rg_status rg_transfer_units(rg_problem *p, const rg_analysis *a, double t_end, const rg_options *o,
                            rg_transfer_scene *scene);

typedef struct {
    double total, rounding; /* relative to the largest value of each state; the part by rounding */
} rg_transfer_estimate;

/* From the local errors of the steps; after a run with rg_transfer_has_estimate(). */
bool rg_transfer_has_estimate(const rg_transfer *t);
rg_status rg_transfer_estimate_find(rg_transfer *t, rg_transfer_estimate *out);

#endif
