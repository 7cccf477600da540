/* Unknowns of ranks one behind the other, and their numbers in vectors of PETSc. */
#include "pdae/petsc/petsc.h"

#include <string.h>

int64_t rg_petsc_number(const rg_grid *g, int64_t n, const int64_t *place, int64_t more,
                        double *number)
{
    const int64_t own = n + more;
    int64_t first = 0;

    MPI_Exscan(&own, &first, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rg_ranks->rank == 0) first = 0;
    for (int64_t at = 0; at < g->size; at++)
        number[at] = -1.0;
    for (int64_t r = 0; r < n; r++)
        number[place[r]] = (double)(first + r);
    rg_grid_join_all(g, number);
    return first;
}

/* Entries are counted by rank, unknowns over all of them. */
rg_status rg_petsc_fits(rg_context *ctx, const char *name, int64_t n)
{
    int64_t all = n, most = n;

    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (all <= PETSC_MAX_INT && most <= PETSC_MAX_INT / (2 * RG_AXES + 1)) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "the system of '%s' has too many unknowns for PETSc", name);
    return rg_remedy(ctx, all <= PETSC_MAX_INT ? "use more ranks, or a PETSc with 64-bit indices"
                                               : "use fewer cells, or a PETSc with 64-bit indices");
}

PetscErrorCode rg_petsc_put(Vec v, int64_t n, const double *numbers)
{
    PetscScalar *to;

    PetscCall(VecGetArray(v, &to));
    memcpy(to, numbers, (size_t)n * sizeof *to);
    PetscCall(VecRestoreArray(v, &to));
    return 0;
}

PetscErrorCode rg_petsc_take(Vec v, int64_t n, double *numbers)
{
    const PetscScalar *from;

    PetscCall(VecGetArrayRead(v, &from));
    memcpy(numbers, from, (size_t)n * sizeof *numbers);
    PetscCall(VecRestoreArrayRead(v, &from));
    return 0;
}
