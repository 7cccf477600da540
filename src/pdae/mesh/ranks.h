/* What a program with PETSc and MPI adds to the library, which links neither: it sets rg_ranks at
 * its start (pdae/petsc/). */
#ifndef RG_PDAE_MESH_RANKS_H
#define RG_PDAE_MESH_RANKS_H

#include "pdae/mesh/block.h"

struct rg_elliptic_method;

/* The rows of a matrix on the cells of a block, which need not be symmetric: row r is the cell at
 * place[r], coupled to the places next[r sides + side] (-1: nothing there); sides: two per axis. */
typedef struct {
    const rg_grid *grid;
    int64_t n;
    const int64_t *place, *next;
    double tol; /* relative residual */
    const char *name;
} rg_ranks_rows;

typedef struct rg_ranks_system rg_ranks_system;

typedef struct { /* rows must live as long as the system; all ranks call together */
    rg_status (*create)(rg_context *ctx, const rg_ranks_rows *rows, rg_ranks_system **out);
    /* b <- A^-1 b; value: [r (sides + 1) + side], last the diagonal; is_new: others than before.
     * RG_RETRY: A is singular. */
    rg_status (*solve)(rg_ranks_system *s, const double *value, bool is_new, double *b);
    void (*destroy)(rg_ranks_system **s);
} rg_ranks_systems;

typedef struct {
    int count, rank;
    void (*join)(const rg_grid *g, int d, double *v);
    void (*sum)(int64_t n, double *v);
    void (*most)(int n, double *v);
    rg_status (*agree)(rg_context *ctx, rg_status status);
    /* n numbers of each of the ranks in a row along axis d. */
    void (*gather)(const rg_grid *g, int d, int64_t n, const double *own, double *all);
    void (*tell)(void *bytes, size_t size); /* of the first rank to all */
    /* n numbers of a rank to the first one; the others do not call.  It waits until they are
     * there: what is on its way does not pile up. */
    void (*bring)(int from, int64_t n, double *v);
    /* All write their parts of the store, the first one also what is not divided, into a file from
     * its byte `at` on; path and at are the first one's.  0, or an errno, the same on all; *sum:
     * rg_checksum() of all bytes. */
    int (*write)(const char *path, uint64_t at, const rg_store *s, uint64_t *sum);
    const struct rg_elliptic_method *solver, *mixed; /* mixed: fluxes as unknowns */
    rg_ranks_systems system;
    /* Options of PETSc, as its manual writes them. */
    rg_status (*set_options)(rg_context *ctx, const char *text);
} rg_ranks_table;

extern const rg_ranks_table *rg_ranks; /* NULL: this program has none */

/* Without ranks, or on one: what is given.  Are there several?  Is this the first one?  What it
 * says; has one failed. */
bool rg_ranks_are_several(void);
bool rg_ranks_is_first(void);
bool rg_ranks_decide(bool first);
rg_status rg_ranks_agree(rg_context *ctx, rg_status status);
/* RG_ERR_METHOD on several ranks: `what` is for one. */
rg_status rg_ranks_need_one(rg_context *ctx, const char *what);
/* RG_ERR_METHOD: this program has no PETSc; `what` asks for it. */
rg_status rg_ranks_missing(rg_context *ctx, const char *what);

#endif
