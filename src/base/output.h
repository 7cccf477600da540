/* An output is where a result is written, the same for all formats: a file that appears as a
 * whole, standard output, or a text in memory.  Formats (CSV, JSON, tables) write to its FILE;
 * failures of writing are found and told here. */
#ifndef RG_BASE_OUTPUT_H
#define RG_BASE_OUTPUT_H

#include "base/base.h"

typedef struct rg_output rg_output;

/* Set in a process that is not to write: what it opens leads nowhere. */
extern bool rg_output_is_silent;

/* "-": standard output, which gets what is written when it is closed.  Other files are written
 * under a name of their own beside PATH until then; devices and pipes are written directly.
 * RG_ERR_ARGUMENT for a file that was read with this context. */
rg_status rg_output_open(rg_context *ctx, const char *path, rg_output **out);
FILE *rg_output_file(rg_output *o);
/* The file to which it goes, for other processes that write there in its place (NULL: nowhere);
 * and what has come of that: an errno, 0: it is written. */
const char *rg_output_place(const rg_output *o);
rg_status rg_output_was_written(rg_output *o, int code);
/* RG_ERR_IO, with a message, once something could not be written. */
rg_status rg_output_check(rg_output *o);
/* Forgets what has been written; not on devices and pipes. */
bool rg_output_can_rewind(const rg_output *o);
rg_status rg_output_rewind(rg_output *o);
/* From now on what is written is PATH.part, which a later run may go on with should this one be
 * killed: it grows by every rg_output_flush().  RG_ERR_ARGUMENT: another run is writing it (a lock,
 * which ends with its process).  Nothing happens for standard output, devices and pipes. */
rg_status rg_output_show(rg_output *o);
rg_status rg_output_flush(rg_output *o);
/* What has been written so far is on the disk: how many bytes, and their hash (base/store.h). */
rg_status rg_output_mark(rg_output *o, int64_t *size, uint64_t *hash);
/* Opens and shows a file that begins with these bytes of PATH.part, or of PATH, from a run before.
 * RG_ERR_ARGUMENT: they are not there any more. */
rg_status rg_output_resume(rg_context *ctx, const char *path, int64_t size, uint64_t hash,
                           rg_output **out);
/* Closes.  What is complete gets its name and the mode of the file before it; otherwise it becomes
 * PATH.part (unless it is empty), a file PATH of an earlier run stays, and the remedy of the
 * failure that the context holds names PATH.part.  NULL afterwards; accepts NULL. */
rg_status rg_output_close(rg_output **o, bool is_complete);

/* What `write` writes as a text, made by malloc(), to be freed by rg_free_text(); NULL after
 * RG_ERR_MEMORY. */
rg_status rg_output_text(rg_context *ctx, void (*write)(FILE *to, const void *user),
                         const void *user, char **out);

#endif
