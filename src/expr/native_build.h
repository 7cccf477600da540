/* A C compiler in the background: source file -> shared library -> address of a symbol.
 *
 * Files live in a private folder (mode 0700) under $TMPDIR or /tmp, which is gone when the library
 * is loaded, the compiler failed, or rg_build_stop() was called.  The compiler is $CC, else cc, gcc
 * or clang, found in PATH; it runs in a process group of its own and sees no file of ours but
 * /dev/null.  Nothing here allocates or prints. */
#ifndef RG_EXPR_NATIVE_BUILD_H
#define RG_EXPR_NATIVE_BUILD_H

#include "base/base.h"

#include <sys/types.h>

enum { RG_BUILD_PATH = 512 };

typedef struct {
    char folder[RG_BUILD_PATH]; /* "": none */
    FILE *source;               /* open until rg_build_start() */
    pid_t compiler, owner;      /* 0: none; the process that started it */
    double started;             /* rg_seconds() */
    void *library;
    char why[192]; /* what went wrong */
} rg_build;

typedef enum { RG_BUILD_RUNS, RG_BUILD_READY, RG_BUILD_FAILED } rg_build_state;

/* *b starts as {0}.  False: b->why tells, and nothing is left behind. */
bool rg_build_open(rg_build *b);  /* folder and b->source, to be written to */
bool rg_build_start(rg_build *b); /* closes the source and starts the compiler */
/* Looks, without waiting, how far it is.  RG_BUILD_READY: *address is that of `symbol`. */
rg_build_state rg_build_poll(rg_build *b, const char *symbol, void **address);
/* Ends a compiler that still runs, removes the files, forgets the library.  Any state; does
 * nothing in a forked child. */
void rg_build_stop(rg_build *b);

/* What of it another thread may do, where the process ends: the compiler and the files. */
void rg_build_leave(const rg_build *b);

#endif
