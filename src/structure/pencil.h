/* Index of every unknown from the linearized equations. */
#ifndef RG_STRUCTURE_PENCIL_H
#define RG_STRUCTURE_PENCIL_H

#include "structure/sampler.h"

/* At the point where s was evaluated last.  index[j] in 1 .. highest, which is the index of the
 * system (at least 1).  RG_RETRY: no step h shows it. */
rg_status rg_pencil_index(const rg_sampler *s, int highest, int32_t *index);

#endif
