/* Shared by the files of pdae/petsc, the only place for PETSc and MPI; they are linked into
 * regula-grid alone. */
#ifndef RG_PDAE_PETSC_PETSC_H
#define RG_PDAE_PETSC_PETSC_H

#include "pdae/mesh/ranks.h"

#include <petscksp.h>

/* A failure of PETSc as one of the library. */
rg_status rg_petsc_fail(rg_context *ctx, PetscErrorCode code, const char *what);

extern const struct rg_elliptic_method rg_elliptic_petsc, rg_elliptic_petsc_mixed;
extern const rg_ranks_systems rg_petsc_systems;

/* Numbers the unknowns of all ranks one behind the other, those of a rank as its n cells, then
 * `more`; number: padded, of the cells, -1 where there is none (beyond sides, in solids).  The
 * first one of this rank. */
int64_t rg_petsc_number(const rg_grid *g, int64_t n, const int64_t *place, int64_t more,
                        double *number);
/* Can PETSc count them?  n: unknowns of this rank; all ranks call together. */
rg_status rg_petsc_fits(rg_context *ctx, const char *name, int64_t n);
/* The first n numbers of a vector. */
PetscErrorCode rg_petsc_put(Vec v, int64_t n, const double *numbers);
PetscErrorCode rg_petsc_take(Vec v, int64_t n, double *numbers);

rg_status rg_petsc_set_options(rg_context *ctx, const char *text);

/* Messages: halo.c. */
void rg_petsc_join(const rg_grid *g, int d, double *v);
void rg_petsc_sum(int64_t n, double *v);
void rg_petsc_most(int n, double *v);
rg_status rg_petsc_agree(rg_context *ctx, rg_status status);
void rg_petsc_tell(void *bytes, size_t size);
void rg_petsc_bring(int from, int64_t n, double *v);
void rg_petsc_gather(const rg_grid *g, int d, int64_t n, const double *own, double *all);

/* Files: file.c. */
int rg_petsc_write(const char *path, uint64_t at, const rg_store *s, uint64_t *sum);

/* Begins and ends MPI and PETSc; not 0: it cannot begin. */
int rg_petsc_begin(int *argc, char ***argv);
int rg_petsc_end(int status);

/* cli/main.c */
int cli_main(int argc, char **argv, bool has_petsc);

#endif
