/* The signature matrix of a problem. */
#ifndef RG_STRUCTURE_BUILD_H
#define RG_STRUCTURE_BUILD_H

#include "problem/assembly.h"
#include "structure/signature.h"

/* From expressions: the orders as written.  From callbacks: the entries of dF/dy and dF/dy' that
 * are not 0 at the start or at points nearby.  *s is zero before; rg_signature_clear() also
 * after a failure. */
rg_status rg_signature_build(const rg_problem *p, rg_signature *s);
rg_status rg_signature_probe(const rg_problem *p, rg_signature *s);
/* Sorts rows and merges equal columns; start[n_rows] is not read but set. */
rg_status rg_signature_tidy(rg_context *ctx, rg_signature *s, int64_t n_entries);
void rg_signature_clear(rg_context *ctx, rg_signature *s);

#endif
