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
