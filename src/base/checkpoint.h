/* A checkpoint is the file that a run is resumed from.  It is whole at any time, by rename, and of
 * one run at a time, by a lock that ends with its process.
 *
 *     regula checkpoint 2          lines that name the run: build, model, parameters, options
 *     ...
 *     (an empty line)
 *     8 bytes: length of the state; the state (base/store.h); 8 bytes: checksum of all before
 *
 * Who resumes must have the same lines; the first one that differs is named. */
#ifndef RG_BASE_CHECKPOINT_H
#define RG_BASE_CHECKPOINT_H

#include "base/store.h"

typedef struct rg_checkpoint rg_checkpoint;

/* The lines that name a run; text by rg_alloc().  A value that is long or private is given by its
 * hash. */
typedef struct {
    rg_context *ctx;
    char *text;
    size_t size, capacity;
    rg_status status;
} rg_run_name;
void rg_run_name_add(rg_run_name *n, const char *label, const char *format, ...) RG_PRINTF(3, 4);
void rg_run_name_hash(rg_run_name *n, const char *label, uint64_t hash);
void rg_run_name_build(rg_run_name *n); /* the program itself */
void rg_run_name_clear(rg_run_name *n);

/* Takes the file, and writes it, without a state.  is_resumed: what it holds stays, and its state,
 * if it has one, is in rg_checkpoint_state(); a file that is not there begins anew.
 * RG_ERR_ARGUMENT: the file is no checkpoint, is damaged, that of another run, in use, or was read
 * for this run; RG_ERR_IO: cannot be written. */
rg_status rg_checkpoint_open(rg_context *ctx, const char *path, bool is_resumed,
                             const rg_run_name *name, rg_checkpoint **out);
/* What there is to go on from, to be read; empty: nothing. */
rg_store *rg_checkpoint_state(rg_checkpoint *c);
/* The whole file anew.  After RG_ERR_IO the one before is still there. */
rg_status rg_checkpoint_write(rg_checkpoint *c, const rg_store *state);
/* The same where several processes write the state: the file is made, and they write into `path`,
 * which lives as long as c, from its byte *at on; then what they have written gets its place, sum
 * being the rg_checksum() of these bytes; code: an errno of them, 0: written. */
rg_status rg_checkpoint_begin(rg_checkpoint *c, uint64_t length, const char **path, uint64_t *at);
rg_status rg_checkpoint_end(rg_checkpoint *c, uint64_t sum, int code);
/* Where the state that was found lies in the file; and such a state for a process that has not
 * opened the file itself.  RG_ERR_ARGUMENT: it is not there. */
uint64_t rg_checkpoint_state_at(const rg_checkpoint *c);
rg_status rg_checkpoint_look(rg_context *ctx, const char *path, uint64_t at, uint64_t size,
                             rg_store *state);
const char *rg_checkpoint_path(const rg_checkpoint *c);
void rg_checkpoint_close(rg_checkpoint **c); /* the lock ends, the file stays */

#endif
