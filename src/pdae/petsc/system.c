/* Matrices of carried scalars on several ranks: upwind, without symmetry.  GMRES of PETSc to the
 * true residual, with incomplete factors of the blocks, which need no messages; where one restart
 * of them does not take off a digit (long steps, diffusion, a state at rest), with hypre's
 * BoomerAMG; where that does not get there (sources that grow make a matrix indefinite), LU factors
 * by MUMPS.  Options of PETSc have the prefix carry_, as those for symmetric matrices would not
 * fit. */
#include "pdae/petsc/petsc.h"

#include "pdae/solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BY_BLOCKS, BY_MULTIGRID, BY_FACTORS };

struct rg_ranks_system {
    rg_context *ctx;
    rg_ranks_rows rows;
    double *number; /* of the rows, padded */
    Mat A;
    Vec b, x, r, d;
    KSP solver[3]; /* in this order; NULL: not needed so far */
    int first;     /* the first one that has been of use */
};

static void destroy(rg_ranks_system **out)
{
    rg_ranks_system *s = *out;

    if (s == NULL) return;
    for (int k = 0; k <= BY_FACTORS; k++)
        KSPDestroy(&s->solver[k]);
    MatDestroy(&s->A);
    VecDestroy(&s->b);
    VecDestroy(&s->x);
    VecDestroy(&s->r);
    VecDestroy(&s->d);
    rg_free(s->ctx, s->number);
    rg_free(s->ctx, s);
    *out = NULL;
}

static PetscErrorCode make(rg_ranks_system *s)
{
    const PetscInt n = (PetscInt)s->rows.n, most = 2 * s->rows.grid->dims + 1;

    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE, most, NULL,
                           most - 1, NULL, &s->A));
    PetscCall(MatCreateVecs(s->A, &s->x, &s->b));
    return MatCreateVecs(s->A, &s->d, &s->r);
}

/* The norm of preconditioning from the right is that of the true residual. */
static PetscErrorCode make_solver(rg_ranks_system *s, int k)
{
    PetscInt restart;
    KSP ksp;
    PC pc;

    if (s->solver[k] != NULL) return 0;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &s->solver[k]));
    ksp = s->solver[k];
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(KSPSetOperators(ksp, s->A, s->A));
    if (k == BY_FACTORS) {
        PetscCall(KSPSetType(ksp, KSPPREONLY));
        PetscCall(PCSetType(pc, PCLU));
        return PCFactorSetMatSolverType(pc, MATSOLVERMUMPS);
    }
    PetscCall(KSPSetOptionsPrefix(ksp, "carry_"));
    PetscCall(KSPSetType(ksp, KSPGMRES));
    PetscCall(KSPSetPCSide(ksp, PC_RIGHT));
    PetscCall(KSPGMRESGetRestart(ksp, &restart));
    PetscCall(KSPSetTolerances(ksp, DBL_EPSILON, 0.0, PETSC_DEFAULT,
                               k == BY_BLOCKS ? restart : RG_GRID_ITERATIONS));
    PetscCall(PCSetType(pc, k == BY_BLOCKS ? PCBJACOBI : PCHYPRE));
    if (k == BY_MULTIGRID) PetscCall(PCHYPRESetType(pc, "boomeramg"));
    return KSPSetFromOptions(ksp);
}

static rg_status create(rg_context *ctx, const rg_ranks_rows *rows, rg_ranks_system **out)
{
    rg_ranks_system *s = *out = rg_alloc(ctx, 1, sizeof *s);

    RG_TRY(rg_petsc_agree(ctx, s != NULL ? RG_OK : RG_ERR_MEMORY));
    s->ctx = ctx;
    s->rows = *rows;
    RG_TRY(rg_petsc_fits(ctx, rows->name, rows->n));
    s->number = rg_grid_array(rows->grid);
    RG_TRY(rg_petsc_agree(ctx, s->number ? RG_OK : RG_ERR_MEMORY));
    (void)rg_petsc_number(rows->grid, rows->n, rows->place, 0, s->number);
    const PetscErrorCode code = make(s);
    return rg_petsc_agree(ctx, code == 0 ? RG_OK : rg_petsc_fail(ctx, code, "make its solver"));
}

static PetscErrorCode write_matrix(rg_ranks_system *s, const double *value)
{
    const rg_ranks_rows *rows = &s->rows;
    const int sides = 2 * rows->grid->dims;

    PetscCall(MatZeroEntries(s->A));
    for (int64_t r = 0; r < rows->n; r++, value += sides + 1) {
        const PetscInt row = (PetscInt)s->number[rows->place[r]];
        PetscCall(MatSetValue(s->A, row, row, value[sides], ADD_VALUES));
        for (int side = 0; side < sides; side++) {
            const int64_t at = rows->next[r * sides + side];
            if (at < 0) continue;
            PetscCall(MatSetValue(s->A, row, (PetscInt)s->number[at], value[side], ADD_VALUES));
        }
    }
    PetscCall(MatAssemblyBegin(s->A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s->A, MAT_FINAL_ASSEMBLY));
    for (int k = 0; k <= BY_FACTORS; k++)
        if (s->solver[k] != NULL) PetscCall(KSPSetOperators(s->solver[k], s->A, s->A));
    return 0;
}

/* x += d with A d = r, again while what is left falls; *left: the residual, relative to b. */
static PetscErrorCode iterate(rg_ranks_system *s, KSP ksp, double size, double *left)
{
    double before = INFINITY, now;

    for (;;) {
        PetscCall(MatResidual(s->A, s->b, s->x, s->r));
        PetscCall(VecNorm(s->r, NORM_2, &now));
        *left = size > 0.0 ? now / size : now;
        if (!(*left > s->rows.tol) || !(now < RG_GRID_REFINE * before)) return 0;
        before = now;
        PetscCall(
            KSPSetTolerances(ksp, PETSC_DEFAULT, s->rows.tol * size, PETSC_DEFAULT, PETSC_DEFAULT));
        PetscCall(KSPSolve(ksp, s->r, s->d));
        PetscCall(VecAXPY(s->x, 1.0, s->d));
    }
}

/* Rounding of A x, relative to b: what no solver gets below. */
static PetscErrorCode find_floor(rg_ranks_system *s, double size, double *out)
{
    double largest = 0.0, x = 0.0;

    PetscCall(MatNorm(s->A, NORM_INFINITY, &largest));
    PetscCall(VecNorm(s->x, NORM_2, &x));
    *out = size > 0.0 ? DBL_EPSILON * largest * x / size : 0.0;
    return 0;
}

/* Is the residual as wanted, or as small as rounding allows? */
static PetscErrorCode judge(rg_ranks_system *s, double size, double left, bool *is_good)
{
    double rounding = 0.0;

    PetscCall(find_floor(s, size, &rounding));
    *is_good = left <= s->rows.tol * RG_GRID_RESIDUAL_SLACK + RG_GRID_ROUNDING * rounding;
    return 0;
}

static PetscErrorCode run(rg_ranks_system *s, const double *value, bool is_new, double *b,
                          double *left, bool *is_good)
{
    double size;

    if (is_new) PetscCall(write_matrix(s, value));
    PetscCall(rg_petsc_put(s->b, s->rows.n, b));
    PetscCall(VecNorm(s->b, NORM_2, &size));
    for (int k = s->first; k <= BY_FACTORS && !*is_good; k++) {
        PetscCall(make_solver(s, k));
        PetscCall(VecSet(s->x, 0.0));
        PetscCall(iterate(s, s->solver[k], size, left));
        PetscCall(judge(s, size, *left, is_good));
        if (*is_good && k == BY_MULTIGRID) s->first = k;
    }
    return rg_petsc_take(s->x, s->rows.n, b);
}

static rg_status solve(rg_ranks_system *s, const double *value, bool is_new, double *b)
{
    double left = NAN;
    bool is_good = false;
    const PetscErrorCode code = run(s, value, is_new, b, &left, &is_good);

    RG_TRY(rg_petsc_agree(
        s->ctx, code == 0 ? RG_OK : rg_petsc_fail(s->ctx, code, "solve a linear system")));
    if (is_good) return RG_OK;
    if (isnan(left)) return RG_RETRY; /* no factors: singular */
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "the linear system of '%s' is solved to a relative residual of %.2g only", s->rows.name,
            left);
    return rg_remedy(s->ctx, "leave --ranks away, or choose another method of PETSc by "
                             "--petsc \"-carry_pc_type ...\"");
}

const rg_ranks_systems rg_petsc_systems = {.create = create, .solve = solve, .destroy = destroy};
