/* Libraries that are loaded when they are first needed: OpenBLAS, CHOLMOD and
 * UMFPACK.  Most models need none of them, and loading them costs more than
 * solving a small model; OpenBLAS also waits for ever where it finds no memory.
 */
#ifndef RG_LINALG_LAZY_H
#define RG_LINALG_LAZY_H

#include "base/base.h"

typedef enum {
    RG_LIBRARY_LAPACK,
    RG_LIBRARY_CHOLMOD,
    RG_LIBRARY_UMFPACK,
    RG_LIBRARY_COUNT
} rg_library;

/* Loads it, on one thread of its own arithmetic.  RG_ERR_MEMORY: there is no
 * room for it, or it is not installed; the message says which. */
rg_status rg_library_load(rg_context *ctx, rg_library which);
/* A function of it, copied to *function, a pointer to a function; false: it
 * could not be loaded, or has no such function.  `known` is the caller's memory
 * of it, NULL at first. */
bool rg_library_find(rg_library which, const char *name, void *_Atomic *known, void *function);

/* Around a call of LAPACK: no more at the same time than there is memory for. */
void rg_lapack_enter(void);
void rg_lapack_leave(void);

#endif
