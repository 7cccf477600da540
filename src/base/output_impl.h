/* The body of rg_output, for its two files. */
#ifndef RG_BASE_OUTPUT_IMPL_H
#define RG_BASE_OUTPUT_IMPL_H

#include "base/context.h"
#include "base/leaving.h"
#include "base/output.h"

#include <sys/types.h>

struct rg_output {
    rg_context *ctx;
    FILE *file;
    char *path;         /* as given */
    char *target;       /* the file itself, behind links */
    char *private_name; /* where it is written; NULL: in place */
    char *part;         /* where what is not complete stays */
    bool has_old;       /* a file is there: */
    mode_t old_mode;    /* which keeps its mode */
    bool has_failed;
    bool is_held;   /* standard output gets it when it is closed; until then nobody has seen it */
    bool is_shown;  /* what is written is PATH.part already */
    int64_t marked; /* rg_output_mark(): bytes in the hash */
    uint64_t hash;
    rg_leaving leaving;
};

/* Messages; they return their code. */
rg_status rg_output_fail_open(const rg_output *o);
rg_status rg_output_fail_name(const rg_output *o, const char *what);
rg_status rg_output_fail_write(rg_output *o, int code);
/* Is it this file that has the name? */
bool rg_output_is_at(int descriptor, const char *path);

/* What is held goes to standard output; false, with errno: it does not. */
bool rg_output_pass_on(const rg_output *o);

/* An rg_leave_fn: as an interrupt leaves it. */
void rg_output_leave(void *output, char *note, size_t size);

#endif
