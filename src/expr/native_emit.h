/* A tape as C source.
 *
 * The same text is made twice: first for its hash, by which code that is already compiled is found
 * again, then into a file.  It depends on the tape and on what the caller writes around it, not
 * on addresses or the locale. */
#ifndef RG_EXPR_NATIVE_EMIT_H
#define RG_EXPR_NATIVE_EMIT_H

#include "expr/tape.h"

typedef struct {
    FILE *file;       /* NULL: only the hash */
    uint64_t hash[2]; /* two independent ones */
    int64_t length;   /* bytes so far */
} rg_emitter;

void rg_emitter_init(rg_emitter *e, FILE *file);
void rg_emit(rg_emitter *e, const char *format, ...) RG_PRINTF(2, 3); /* at most 500 characters */
/* What comes before all functions: types, and what the C library does not have. */
void rg_emit_prelude(rg_emitter *e);
/* One instruction of a tape.  Inputs are x0, x1, ..., the time is t, s and q are variables for
 * powers, registers are r0, r1, ... or, in memory, r[0], r[1], ...  Returns which output o it
 * declares and sets (as o0, o1, ...), or -1. */
int32_t rg_emit_instruction(rg_emitter *e, const rg_tape *tape, int64_t k, bool in_memory);
/* The tables of a tape, each of them once in a text; and how many nodes they have. */
void rg_emit_tables(rg_emitter *e, const rg_tape *tape);
int64_t rg_tape_nodes(const rg_tape *tape);
int32_t rg_tape_registers(const rg_tape *tape);

/* Programs compiled from what is written with these names (see the prelude); not 0: all results
 * are finite. */
typedef int rg_native_fn(double t, const double *z, double *F, double *J, double *pool,
                         const rg_tape_source *in, const rg_tape_target *out);

#endif
