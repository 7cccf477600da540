/* The functions of CHOLMOD that are called, loaded when they are first needed:
 * included instead of cholmod.h. */
#ifndef RG_LINALG_LAZY_CHOLMOD_H
#define RG_LINALG_LAZY_CHOLMOD_H

#define cholmod_l_start           rg_cholmod_l_start
#define cholmod_l_finish          rg_cholmod_l_finish
#define cholmod_l_allocate_sparse rg_cholmod_l_allocate_sparse
#define cholmod_l_free_sparse     rg_cholmod_l_free_sparse
#define cholmod_l_allocate_dense  rg_cholmod_l_allocate_dense
#define cholmod_l_free_dense      rg_cholmod_l_free_dense
#define cholmod_l_free_factor     rg_cholmod_l_free_factor
#define cholmod_l_analyze         rg_cholmod_l_analyze
#define cholmod_l_factorize       rg_cholmod_l_factorize
#define cholmod_l_solve2          rg_cholmod_l_solve2

#include <cholmod.h>

#endif
