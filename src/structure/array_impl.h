/* Shared by the parts of the derivative array. */
#ifndef RG_STRUCTURE_ARRAY_IMPL_H
#define RG_STRUCTURE_ARRAY_IMPL_H

#include "structure/array.h"

void rg_array_take(rg_array *a, const double *z); /* the point of the sampler := z */
void rg_array_load(rg_array *a, const double *row, const double *column); /* A from the sampler  */

#endif
