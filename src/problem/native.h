/* Compiled kernels: the programs of assemblies as machine code in place of the interpreter.
 *
 * rg_native belongs to a problem.  It keeps what was compiled by the text it was compiled from, so
 * that all solvers of the problem share it: an entry never changes once its code is there.  A
 * workspace adds up what the interpreter costs it; when that is worth a compiler, it has one
 * started, looks now and then whether the code is ready, and takes it.  Where that fails the
 * interpreter goes on: no failure here is an error. */
#ifndef RG_PROBLEM_NATIVE_H
#define RG_PROBLEM_NATIVE_H

#include "expr/native_emit.h"

typedef struct rg_native rg_native;
typedef struct rg_native_entry rg_native_entry;

enum { RG_COST_RESIDUAL, RG_COST_JACOBIAN };

typedef struct {       /* of a workspace */
    rg_native *native; /* NULL: nothing to watch */
    rg_native_entry *entry;
    double cost[2];     /* seconds per residual and Jacobian in the interpreter, estimated */
    double spent, next; /* so far; when to look again */
} rg_native_watch;

/* Where an assembly remembers its entry: the text need not be written again for each workspace. */
typedef struct {
    _Atomic(rg_native_entry *) entry; /* NULL: not asked for */
} rg_native_known;

rg_status rg_native_create(rg_context *ctx, rg_native **out);
/* Ends compilers that still run, and takes the code away: no workspace may be in use. */
void rg_native_destroy(rg_context *ctx, rg_native **native);
/* Why kernels were not compiled, if some were not: returns false if all is well.  Message like
 * snprintf. */
bool rg_native_failed(rg_native *native, char *message, size_t size);

#endif
