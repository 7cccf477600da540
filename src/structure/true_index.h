/* Index and degrees of freedom from the derivative array, at several points. */
#ifndef RG_STRUCTURE_TRUE_INDEX_H
#define RG_STRUCTURE_TRUE_INDEX_H

#include "structure/analysis.h"

typedef struct {
    bool is_regular; /* the system Jacobian is regular at most points of the solution set */
    bool is_found;   /* two points agree on what follows                                  */
    int index;
    int64_t dof, n_redundant;
    int32_t *n_states;       /* per unknown: highest derivative written, at least 1 */
    int32_t *variable_index; /* per unknown; NULL: as the structure says            */
    uint8_t *is_redundant;   /* per equation; NULL: none                            */
    rg_analysis *offsets;    /* of redundant equations (structure/offsets.h)        */
} rg_true_index;

/* Looks at arrays of at most `limit` rows, from mu = first on (at least 1). */
rg_status rg_true_index_find(const rg_problem *p, const rg_analysis *a, int first, int64_t limit,
                             rg_true_index *out);
void rg_true_index_clear(rg_context *ctx, rg_true_index *found);

#endif
