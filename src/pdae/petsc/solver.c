/* Conjugate gradients of PETSc for the matrices of grids: with algebraic multigrid of hypre
 * (BoomerAMG) where coefficients are rough or there are solids, with smoothed aggregation (GAMG)
 * where they are smooth.  Options of PETSc come last and win. */
#include "pdae/petsc/petsc.h"

#include "pdae/solve/elliptic_impl.h"
#include "pdae/solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    KSP ksp;
    Mat A;
    Vec b, x, r, d;
    MatNullSpace constants;
    double total;   /* of all entries, where that is little */
    double *number; /* of the rows */
} petsc;

static void destroy(rg_elliptic *e, void *state)
{
    petsc *p = state;

    KSPDestroy(&p->ksp);
    MatDestroy(&p->A);
    VecDestroy(&p->b);
    VecDestroy(&p->x);
    VecDestroy(&p->r);
    VecDestroy(&p->d);
    MatNullSpaceDestroy(&p->constants);
    rg_free(e->ctx, p->number);
    rg_free(e->ctx, p);
}

/* The place of the neighbour along axis d. */
static int64_t neighbour(const rg_grid *g, int64_t at, int d, int step)
{
    const int64_t rest = (at - g->origin) % (d < 2 ? g->stride[d + 1] : INT64_MAX);
    const int n = g->axis[d].n, to = (int)(rest / g->stride[d]) + step;

    if (g->axis[d].periodic && to < 0) return at + (n - 1) * g->stride[d];
    if (g->axis[d].periodic && to >= n) return at - (n - 1) * g->stride[d];
    return at + step * g->stride[d];
}

/* The numbers of the matrix. */
static PetscErrorCode write_matrix(const rg_elliptic *e, const double *number, Mat A)
{
    const rg_grid *g = e->A.grid;

    for (int64_t r = 0; r < e->n; r++) {
        const int64_t at = e->place[r];
        PetscInt col[2 * RG_AXES + 1], n = 1;
        PetscScalar value[2 * RG_AXES + 1];
        col[0] = (PetscInt)number[at];
        value[0] = e->A.s ? e->A.s[at] : 0.0;
        for (int d = 0; d < g->dims; d++)
            for (int step = -1; step <= 1; step += 2) {
                const double T = e->A.T[d][step < 0 ? at : at + g->stride[d]];
                const int64_t to = neighbour(g, at, d, step);
                if (T == 0.0 || to == at) continue; /* one periodic cell: its own neighbour */
                value[0] += T;
                if (number[to] < 0.0) continue;
                col[n] = (PetscInt)number[to];
                value[n++] = -T;
            }
        PetscCall(MatSetValues(A, 1, col, n, col, value, ADD_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    return 0;
}

typedef struct { /* options of preconditioners that have no functions */
    const char *name, *value;
    bool is_wanted, is_ours;
} wish;

/* What the user says stays; ours are taken away again when they have been read. */
static PetscErrorCode make_wishes(wish *w, int n, bool is_begin)
{
    for (int k = 0; k < n; k++) {
        PetscBool is_there = PETSC_FALSE;
        if (is_begin && w[k].is_wanted) {
            PetscCall(PetscOptionsHasName(NULL, NULL, w[k].name, &is_there));
            w[k].is_ours = !is_there;
            if (w[k].is_ours) PetscCall(PetscOptionsSetValue(NULL, w[k].name, w[k].value));
        } else if (w[k].is_ours) {
            PetscCall(PetscOptionsClearValue(NULL, w[k].name));
        }
    }
    return 0;
}

static PetscErrorCode set_solver(const rg_elliptic *e, petsc *p, bool is_level)
{
    const bool is_smooth = !rg_grid_any(e->A.grid, !rg_elliptic_is_smooth(e));
    wish wishes[] = {
        {"-pc_hypre_boomeramg_strong_threshold",  "0.5",                  e->A.grid->dims > 2, false},
 /* no factorization of a coarsest matrix that is singular */
        {"-pc_hypre_boomeramg_relax_type_coarse", "symmetric-SOR/Jacobi", is_level,            false},
        {"-mg_coarse_sub_pc_type",                "svd",                  is_level,            false},
    };
    const int n = sizeof wishes / sizeof *wishes;
    PC pc;

    PetscCall(KSPCreate(PETSC_COMM_WORLD, &p->ksp));
    PetscCall(KSPSetOperators(p->ksp, p->A, p->A));
    PetscCall(KSPSetType(p->ksp, KSPCG));
    PetscCall(KSPSetNormType(p->ksp, KSP_NORM_UNPRECONDITIONED));
    PetscCall(KSPSetTolerances(p->ksp, DBL_EPSILON, 0.0, PETSC_DEFAULT, RG_GRID_ITERATIONS));
    PetscCall(KSPGetPC(p->ksp, &pc));
    PetscCall(PCSetType(pc, is_smooth ? PCGAMG : PCHYPRE));
    if (!is_smooth) PetscCall(PCHYPRESetType(pc, "boomeramg"));
    PetscCall(make_wishes(wishes, n, true));
    PetscCall(KSPSetFromOptions(p->ksp));
    PetscCall(KSPSetUp(p->ksp));
    PetscCall(make_wishes(wishes, n, false));
    return 0;
}

/* Rayleigh's quotient of the constants, sum of all entries over the sum of the diagonal: are they a
 * null space, but for a shift? */
static PetscErrorCode find_total(const rg_elliptic *e, petsc *p, bool *is_level)
{
    PetscScalar all;

    p->total = 0.0;
    *is_level = e->singular;
    if (e->singular) return 0;
    PetscCall(VecSet(p->x, 1.0));
    PetscCall(MatMult(p->A, p->x, p->r));
    PetscCall(VecSum(p->r, &p->total));
    PetscCall(MatGetDiagonal(p->A, p->r));
    PetscCall(VecSum(p->r, &all));
    *is_level = p->total < RG_GRID_LEVEL * all;
    return 0;
}

static PetscErrorCode make(const rg_elliptic *e, petsc *p)
{
    const PetscInt n = (PetscInt)e->n, most = 2 * e->A.grid->dims + 1;
    bool is_level = false;

    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE, most, NULL,
                           most - 1, NULL, &p->A));
    PetscCall(MatSetOption(p->A, MAT_SPD, e->singular ? PETSC_FALSE : PETSC_TRUE));
    PetscCall(MatSetOption(p->A, MAT_SYMMETRIC, PETSC_TRUE));
    PetscCall(write_matrix(e, p->number, p->A));
    PetscCall(MatCreateVecs(p->A, &p->x, &p->b));
    PetscCall(MatCreateVecs(p->A, &p->d, &p->r));
    PetscCall(find_total(e, p, &is_level));
    if (is_level) {
        PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &p->constants));
        PetscCall(MatSetNullSpace(p->A, p->constants));
        PetscCall(MatSetTransposeNullSpace(p->A, p->constants));
    }
    return set_solver(e, p, is_level);
}

static rg_status create(rg_elliptic *e, void **state)
{
    petsc *p = rg_alloc(e->ctx, 1, sizeof *p);

    if (p == NULL) return RG_ERR_MEMORY;
    *state = p;
    RG_TRY(rg_petsc_fits(e->ctx, e->options.name, e->n));
    p->number = rg_grid_array(e->A.grid);
    RG_TRY(rg_petsc_agree(e->ctx, p->number ? RG_OK : RG_ERR_MEMORY));
    (void)rg_petsc_number(e->A.grid, e->n, e->place, 0, p->number);
    const PetscErrorCode code = make(e, p);
    return code == 0 ? RG_OK : rg_petsc_fail(e->ctx, code, "make its solver");
}

static rg_status renew(rg_elliptic *e, void *state)
{
    petsc *p = state;
    PetscErrorCode code = MatZeroEntries(p->A);

    if (code == 0) code = write_matrix(e, p->number, p->A);
    if (code == 0) code = KSPSetOperators(p->ksp, p->A, p->A);
    bool is_level = false;
    if (code == 0) code = find_total(e, p, &is_level);
    if (is_level != (p->constants != NULL)) return RG_RETRY;
    return !rg_grid_any(e->A.grid, code != 0)
               ? RG_OK
               : RG_RETRY; /* couplings where there were none: it is made anew */
}

/* r = b - A x; where constants nearly are a null space, x gets the one that makes the sum of r 0,
 * and nobody divides rounding errors by their small eigenvalue. */
static PetscErrorCode level(petsc *p)
{
    PetscScalar sum;

    PetscCall(MatResidual(p->A, p->b, p->x, p->r));
    if (p->constants == NULL || p->total == 0.0) return 0;
    PetscCall(VecSum(p->r, &sum));
    PetscCall(VecShift(p->x, sum / p->total));
    PetscCall(MatResidual(p->A, p->b, p->x, p->r));
    return 0;
}

/* x += d with A d = r, to a residual that is `tol` of |b|. */
static PetscErrorCode correct(rg_elliptic *e, petsc *p, double wanted, bool *has_converged)
{
    PetscInt iterations = 0;
    KSPConvergedReason reason;

    PetscCall(KSPSetTolerances(p->ksp, PETSC_DEFAULT, wanted, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSolve(p->ksp, p->r, p->d));
    PetscCall(KSPGetIterationNumber(p->ksp, &iterations));
    PetscCall(KSPGetConvergedReason(p->ksp, &reason));
    *has_converged = reason > 0;
    PetscCall(VecAXPY(p->x, 1.0, p->d));
    e->iterations += iterations;
    return 0;
}

/* The residual that the iteration updates runs away from the true one by rounding: what is left is
 * solved for again, as long as that helps. */
static PetscErrorCode run(rg_elliptic *e, petsc *p, const double *b, double *x)
{
    double size, left, before = INFINITY;
    bool has_converged = true;

    PetscCall(rg_petsc_put(p->b, e->n, b));
    PetscCall(rg_petsc_put(p->x, e->n, x));
    PetscCall(VecNorm(p->b, NORM_2, &size));
    PetscCall(MatResidual(p->A, p->b, p->x, p->r));
    PetscCall(VecNorm(p->r, NORM_2, &left));
    if (!(left < size)) PetscCall(VecSet(p->x, 0.0)); /* no guess is better */
    for (;;) {
        PetscCall(level(p));
        PetscCall(VecNorm(p->r, NORM_2, &left));
        if (!(left > e->options.tol * size) || !(left < RG_GRID_REFINE * before)) break;
        if (!has_converged) break;
        before = left;
        PetscCall(correct(e, p, e->options.tol * size, &has_converged));
    }
    return rg_petsc_take(p->x, e->n, x);
}

/* Not converged: the true residual, which is checked behind every solve, says so. */
static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    const PetscErrorCode code = run(e, state, b, x);

    if (code != 0) return rg_petsc_fail(e->ctx, code, "solve a linear system");
    return RG_OK;
}

const struct rg_elliptic_method rg_elliptic_petsc = {
    .name = "petsc", .create = create, .solve = solve, .destroy = destroy, .renew = renew};
