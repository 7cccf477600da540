/* Shared by the parts of the derivative array. */
#ifndef RG_STRUCTURE_ARRAY_IMPL_H
#define RG_STRUCTURE_ARRAY_IMPL_H

#include "structure/array.h"

int64_t rg_array_column(const rg_array *a, int64_t j, int order); /* of y_j^(order) in A */
void rg_array_load(rg_array *a);                                  /* A from the sampler  */

#endif
