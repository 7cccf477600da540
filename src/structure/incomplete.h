/* Errors of models that structure alone shows to be wrong. */
#ifndef RG_STRUCTURE_INCOMPLETE_H
#define RG_STRUCTURE_INCOMPLETE_H

#include "problem/problem.h"
#include "structure/signature.h"

enum { RG_LIST_LENGTH = 512 };
/* "'a', 'b' and 3 more": the unknowns, or the equations, that are marked; at most five. */
void rg_list_unknowns(const rg_problem *p, const uint8_t *is_marked, char text[RG_LIST_LENGTH]);
void rg_list_equations(const rg_problem *p, const uint8_t *is_marked, char text[RG_LIST_LENGTH]);

/* Says which unknowns nothing determines and which equations compete; RG_ERR_STRUCTURE. */
rg_status rg_fail_incomplete(const rg_problem *p, const rg_signature *s, const rg_transversal *t);

#endif
