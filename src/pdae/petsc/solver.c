/* Conjugate gradients of PETSc for the matrices of grids: with algebraic multigrid of hypre
 * (BoomerAMG) where coefficients are rough or there are solids, with smoothed aggregation (GAMG)
 * where they are smooth.  Options of PETSc come last and win. */
#include "pdae/petsc/petsc.h"

#include "pdae/solve/elliptic_impl.h"
#include "pdae/solve/tuning.h"

#include <limits.h>
#include <string.h>

typedef struct {
    KSP ksp;
    Mat A;
    Vec b, x;
    MatNullSpace constants;
} petsc;

static void destroy(rg_elliptic *e, void *state)
{
    petsc *p = state;

    KSPDestroy(&p->ksp);
    MatDestroy(&p->A);
    VecDestroy(&p->b);
    VecDestroy(&p->x);
    MatNullSpaceDestroy(&p->constants);
    rg_free(e->ctx, p);
}

/* The numbers of the matrix. */
static PetscErrorCode write_matrix(const rg_elliptic_rows *rows, Mat A)
{
    for (int64_t r = 0; r < rows->n; r++) {
        PetscInt col[2 * RG_AXES + 1], n = 0;
        PetscScalar value[2 * RG_AXES + 1];
        const PetscInt row = (PetscInt)r;
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++) {
            col[n] = (PetscInt)rows->col[k];
            value[n++] = -rows->value[k];
        }
        col[n] = row;
        value[n++] = rows->diagonal[r];
        PetscCall(MatSetValues(A, 1, &row, n, col, value, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    return 0;
}

/* An option of the preconditioner that has no function; what the user says stays. */
static PetscErrorCode set_default(const char *name, const char *value)
{
    PetscBool is_there = PETSC_FALSE;

    PetscCall(PetscOptionsHasName(NULL, NULL, name, &is_there));
    if (!is_there) PetscCall(PetscOptionsSetValue(NULL, name, value));
    return 0;
}

static PetscErrorCode set_solver(const rg_elliptic *e, petsc *p)
{
    PC pc;

    PetscCall(KSPCreate(PETSC_COMM_WORLD, &p->ksp));
    PetscCall(KSPSetOperators(p->ksp, p->A, p->A));
    PetscCall(KSPSetType(p->ksp, KSPCG));
    PetscCall(KSPSetNormType(p->ksp, KSP_NORM_UNPRECONDITIONED));
    PetscCall(KSPSetInitialGuessNonzero(p->ksp, PETSC_TRUE));
    PetscCall(KSPSetTolerances(p->ksp, e->options.tol, 0.0, PETSC_DEFAULT, RG_GRID_ITERATIONS));
    PetscCall(KSPGetPC(p->ksp, &pc));
    if (rg_elliptic_is_smooth(e)) {
        PetscCall(PCSetType(pc, PCGAMG));
    } else {
        PetscCall(PCSetType(pc, PCHYPRE));
        PetscCall(PCHYPRESetType(pc, "boomeramg"));
        if (e->A.grid->dims > 2)
            PetscCall(set_default("-pc_hypre_boomeramg_strong_threshold", "0.5"));
        /* no factorization of a coarsest matrix that is singular */
        if (e->singular)
            PetscCall(set_default("-pc_hypre_boomeramg_relax_type_coarse", "symmetric-SOR/Jacobi"));
    }
    PetscCall(KSPSetFromOptions(p->ksp));
    return 0;
}

static PetscErrorCode make(const rg_elliptic *e, const rg_elliptic_rows *rows, petsc *p)
{
    const PetscInt n = (PetscInt)e->n, most = 2 * e->A.grid->dims + 1;

    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE, most, NULL, 0,
                           NULL, &p->A));
    PetscCall(MatSetOption(p->A, MAT_SPD, e->singular ? PETSC_FALSE : PETSC_TRUE));
    PetscCall(MatSetOption(p->A, MAT_SYMMETRIC, PETSC_TRUE));
    PetscCall(write_matrix(rows, p->A));
    PetscCall(MatCreateVecs(p->A, &p->x, &p->b));
    if (e->singular) {
        PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &p->constants));
        PetscCall(MatSetNullSpace(p->A, p->constants));
        PetscCall(MatSetTransposeNullSpace(p->A, p->constants));
    }
    return set_solver(e, p);
}

static rg_status create(rg_elliptic *e, void **state)
{
    rg_elliptic_rows rows;
    petsc *p = rg_alloc(e->ctx, 1, sizeof *p);

    if (p == NULL) return RG_ERR_MEMORY;
    *state = p;
    if (e->n > PETSC_MAX_INT / (2 * RG_AXES + 1)) {
        rg_fail(e->ctx, RG_ERR_ARGUMENT, "the system of '%s' has too many unknowns for PETSc",
                e->options.name);
        return rg_remedy(e->ctx, "use more ranks, or a PETSc with 64-bit indices");
    }
    RG_TRY(rg_elliptic_rows_create(e, &rows));
    const PetscErrorCode code = make(e, &rows, p);
    rg_elliptic_rows_free(e->ctx, &rows);
    return code == 0 ? RG_OK : rg_petsc_fail(e->ctx, code, "make its solver");
}

static rg_status renew(rg_elliptic *e, void *state)
{
    petsc *p = state;
    rg_elliptic_rows rows;

    RG_TRY(rg_elliptic_rows_create(e, &rows));
    PetscErrorCode code = MatZeroEntries(p->A);
    if (code == 0) code = write_matrix(&rows, p->A);
    if (code == 0) code = KSPSetOperators(p->ksp, p->A, p->A);
    rg_elliptic_rows_free(e->ctx, &rows);
    return code == 0 ? RG_OK : RG_RETRY; /* couplings where there were none: it is made anew */
}

static PetscErrorCode put(Vec v, int64_t n, const double *numbers)
{
    PetscScalar *to;

    PetscCall(VecGetArrayWrite(v, &to));
    memcpy(to, numbers, (size_t)n * sizeof *to);
    PetscCall(VecRestoreArrayWrite(v, &to));
    return 0;
}

static PetscErrorCode run(rg_elliptic *e, petsc *p, const double *b, double *x)
{
    const PetscScalar *from;
    PetscInt iterations = 0;

    PetscCall(put(p->b, e->n, b));
    PetscCall(put(p->x, e->n, x));
    PetscCall(KSPSolve(p->ksp, p->b, p->x));
    PetscCall(KSPGetIterationNumber(p->ksp, &iterations));
    e->iterations += iterations;
    PetscCall(VecGetArrayRead(p->x, &from));
    memcpy(x, from, (size_t)e->n * sizeof *x);
    PetscCall(VecRestoreArrayRead(p->x, &from));
    return 0;
}

/* Not converged: the true residual, which is checked behind every solve, says so. */
static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    const PetscErrorCode code = run(e, state, b, x);

    if (code != 0) return rg_petsc_fail(e->ctx, code, "solve a linear system");
    if (rg_interrupted(e->ctx)) return rg_fail(e->ctx, RG_ERR_INTERRUPTED, "interrupted");
    return RG_OK;
}

const struct rg_elliptic_method rg_elliptic_petsc = {
    .name = "petsc", .create = create, .solve = solve, .destroy = destroy, .renew = renew};
