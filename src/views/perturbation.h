/* The perturbation index of a model of index 1: by how many derivatives of a small perturbation of
 * the equations the solution moves.  HLR89, section 1, after (1.14). */
#ifndef RG_VIEWS_PERTURBATION_H
#define RG_VIEWS_PERTURBATION_H

#include "views/system.h"

/* The differentiation index, or one more.  Models of another index, those whose structure does
 * not tell it, and large ones are not looked at: they get the differentiation index. */
rg_status rg_perturbation_index(const rg_problem *p, const rg_analysis *a, int *out);

#endif
