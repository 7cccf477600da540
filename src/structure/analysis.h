/* What is known about a problem's structure, structural and numerical: index, degrees of
 * freedom, offsets. */
#ifndef RG_STRUCTURE_ANALYSIS_H
#define RG_STRUCTURE_ANALYSIS_H

#include "problem/assembly.h"
#include "structure/signature.h"

typedef struct rg_analysis {
    rg_signature signature;
    rg_transversal *transversal;
    int index; /* differentiation index, the true one */
    int64_t dof;
    /* the system Jacobian of the offsets is regular at generic points: c and d tell all */
    bool is_structural;
    /* of the equilibrated system Jacobian at the start or beside it, the smallest over the largest:
     * what rounding is divided by */
    double least_pivot;
    int levels; /* not structural: every equation is differentiated `levels` = index times */
    /* differentiations of each equation, highest derivative of each unknown, such that the array
     * {F_i^(k), k = 0..c_i} fixes all consistent values of y_j^(0..d_j); structural: the
     * offsets; otherwise c = index, d = index + 1 (at least) */
    int32_t *c, *d;
    int32_t *variable_index; /* per unknown, 1, 2, 3, ... */
    uint8_t *is_redundant;   /* per equation; NULL: none */
    int64_t n_redundant;
    bool bends; /* a table is differentiated up to the kinks of its derivative at the nodes */
    /* the same with offsets c, d of the structure (structure/offsets.h); NULL: none redundant */
    struct rg_analysis *offsets;
    bool is_singular_start; /* rank is lost at the start point only */
} rg_analysis;

/* Kept in p->study.  Numerical part at p->a with the start values (guesses, 0 where nothing is
 * known) and at nearby generic points. */
rg_status rg_analysis_get(const rg_problem *p, const rg_analysis **out);
/* The analysis by whose offsets the equations can be differentiated one by one, to lower the index:
 * this one, or its offsets.  NULL: there is none. */
const rg_analysis *rg_analysis_reducible(const rg_analysis *a);
/* Its counts as plain data. */
rg_structure rg_structure_of(const rg_problem *p, const rg_analysis *a);
/* The analysis of the study, without making one: NULL where there is none yet. */
const rg_analysis *rg_analysis_known(const rg_problem *p);

#endif
