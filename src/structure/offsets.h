/* Redundant equations: the offsets of the structure all the same.
 *
 * Where n_redundant equations follow from the others, the system Jacobian of the offsets lacks so
 * many ranks on the solution set.  If it lacks no more, and its null vectors have parts in unknowns
 * with d_j = 0 only (multipliers), then all but n_redundant of the equations F_i^(c_i), wherever
 * the others are chosen well, determine everything but these multipliers' gauge: the index is
 * lowered as in a model without redundant equations.  Which equations are left out is chosen from
 * point to point (views/pins.c). */
#ifndef RG_STRUCTURE_OFFSETS_H
#define RG_STRUCTURE_OFFSETS_H

#include "structure/analysis.h"
#include "structure/sampler.h"

/* c and d, and is_structural: that is so at the point where s was evaluated. */
rg_status rg_offsets_create(const rg_analysis *a, const rg_sampler *s, int64_t n_redundant,
                            rg_analysis **out);
void rg_offsets_destroy(rg_context *ctx, rg_analysis **offsets);
/* Everything else is that of the analysis a, which must live longer. */
void rg_offsets_fill(const rg_analysis *a, rg_analysis *offsets);

#endif
