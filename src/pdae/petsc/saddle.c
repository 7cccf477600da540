/* The system of pdae/solve/saddle.c on several ranks, fluxes as unknowns of their own,
 *
 *     F_f/T_f - x_i + x_j = 0     face f from cell i to the next one, j
 *     sum of F out of i + s_i x_i = b_i
 *
 * by LU factors of MUMPS.  A rank has its cells and the faces before them. */
#include "pdae/petsc/petsc.h"

#include "pdae/solve/elliptic_impl.h"

#include <string.h>

typedef struct {
    Mat A;
    KSP ksp;
    Vec b, x, r, d;
    double *cell, *face[RG_AXES]; /* numbers of the unknowns, padded; -1: none */
    int64_t first, n_faces;
    bool has_pin; /* the first of all cells is here, and x = 0 there */
} saddle;

static void destroy(rg_elliptic *e, void *state)
{
    saddle *f = state;

    KSPDestroy(&f->ksp);
    MatDestroy(&f->A);
    VecDestroy(&f->b);
    VecDestroy(&f->x);
    VecDestroy(&f->r);
    VecDestroy(&f->d);
    rg_free(e->ctx, f->cell);
    for (int d = 0; d < RG_AXES; d++)
        rg_free(e->ctx, f->face[d]);
    rg_free(e->ctx, f);
}

/* The place before or behind a cell along axis d, by copies on a periodic axis that is not cut. */
static int64_t beside(const rg_grid *g, int64_t at, int d, int step)
{
    const int64_t rest = (at - g->origin) % (d < 2 ? g->stride[d + 1] : INT64_MAX);
    const int n = g->axis[d].n, to = (int)(rest / g->stride[d]) + step;

    if (g->axis[d].periodic && to < 0) return at + (n - 1) * g->stride[d];
    if (g->axis[d].periodic && to >= n) return at - (n - 1) * g->stride[d];
    return at + step * g->stride[d];
}

/* Does the face before this cell join two of them? */
static bool is_face(const rg_elliptic *e, const saddle *f, int64_t at, int d)
{
    const int64_t before = beside(e->A.grid, at, d, -1);

    return e->A.T[d][at] != 0.0 && before != at && f->cell[before] >= 0.0;
}

/* First the cells, to see which faces there are; then both. */
static rg_status number(rg_elliptic *e, saddle *f)
{
    const rg_grid *g = e->A.grid;
    bool ok = (f->cell = rg_grid_array(g)) != NULL;

    for (int d = 0; d < g->dims; d++)
        ok = ok && (f->face[d] = rg_grid_array(g)) != NULL;
    RG_TRY(rg_petsc_agree(e->ctx, ok ? RG_OK : RG_ERR_MEMORY));
    f->has_pin = e->singular && rg_petsc_number(g, e->n, e->place, 0, f->cell) == 0 && e->n > 0;
    if (!e->singular) (void)rg_petsc_number(g, e->n, e->place, 0, f->cell);
    for (int d = 0; d < g->dims; d++)
        for (int64_t r = 0; r < e->n; r++)
            f->n_faces += is_face(e, f, e->place[r], d);
    RG_TRY(rg_petsc_fits(e->ctx, e->options.name, e->n + f->n_faces));
    f->first = rg_petsc_number(g, e->n, e->place, f->n_faces, f->cell);
    int64_t next = f->first + e->n;
    for (int d = 0; d < g->dims; d++) {
        for (int64_t at = 0; at < g->size; at++)
            f->face[d][at] = -1.0;
        for (int64_t r = 0; r < e->n; r++)
            if (is_face(e, f, e->place[r], d)) f->face[d][e->place[r]] = (double)next++;
        rg_grid_join_all(g, f->face[d]);
    }
    return RG_OK;
}

/* The row of a cell, and those of the faces before it. */
static PetscErrorCode write_cell(const rg_elliptic *e, saddle *f, int64_t r)
{
    const rg_grid *g = e->A.grid;
    const int64_t at = e->place[r];
    const PetscInt row = (PetscInt)f->cell[at];
    double rest = e->A.s ? e->A.s[at] : 0.0;

    for (int d = 0; d < g->dims; d++)
        for (int high = 0; high <= 1; high++) {
            const int64_t behind = high ? beside(g, at, d, 1) : at;
            const double T = e->A.T[d][high ? at + g->stride[d] : at];
            const PetscInt face = (PetscInt)f->face[d][behind];
            if (T == 0.0 || (high && behind == at)) continue;
            if (face >= 0)
                PetscCall(MatSetValue(f->A, row, face, high ? 1.0 : -1.0, ADD_VALUES));
            else if (beside(g, at, d, high ? 1 : -1) != at)
                rest += T;
            if (high || face < 0) continue;
            const PetscInt before = (PetscInt)f->cell[beside(g, at, d, -1)];
            PetscCall(MatSetValue(f->A, face, face, 1.0 / T, ADD_VALUES));
            PetscCall(MatSetValue(f->A, face, before, -1.0, ADD_VALUES));
            PetscCall(MatSetValue(f->A, face, row, 1.0, ADD_VALUES));
        }
    if (e->singular) rest = f->has_pin && r == 0 ? 1.0 : 0.0;
    return MatSetValue(f->A, row, row, rest, ADD_VALUES);
}

static PetscErrorCode make(rg_elliptic *e, saddle *f)
{
    const PetscInt n = (PetscInt)(e->n + f->n_faces), most = 2 * RG_AXES + 1;
    PC pc;

    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE, most, NULL,
                           most, NULL, &f->A));
    for (int64_t r = 0; r < e->n; r++)
        PetscCall(write_cell(e, f, r));
    PetscCall(MatAssemblyBegin(f->A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(f->A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatCreateVecs(f->A, &f->x, &f->b));
    PetscCall(MatCreateVecs(f->A, &f->d, &f->r));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &f->ksp));
    PetscCall(KSPSetOptionsPrefix(f->ksp, "mixed_"));
    PetscCall(KSPSetOperators(f->ksp, f->A, f->A));
    PetscCall(KSPSetType(f->ksp, KSPPREONLY));
    PetscCall(KSPGetPC(f->ksp, &pc));
    PetscCall(PCSetType(pc, PCLU));
    PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    PetscCall(KSPSetFromOptions(f->ksp));
    return KSPSetUp(f->ksp);
}

static rg_status create(rg_elliptic *e, void **state)
{
    saddle *f = *state = rg_alloc(e->ctx, 1, sizeof *f);

    RG_TRY(rg_petsc_agree(e->ctx, f != NULL ? RG_OK : RG_ERR_MEMORY));
    RG_TRY(number(e, f));
    const PetscErrorCode code = make(e, f);
    return rg_petsc_agree(e->ctx,
                          code == 0 ? RG_OK : rg_petsc_fail(e->ctx, code, "factorize a matrix"));
}

/* Once more for what rounding has left. */
static PetscErrorCode run(saddle *f, int64_t n, const double *b, double *x)
{
    PetscCall(VecSet(f->b, 0.0));
    PetscCall(rg_petsc_put(f->b, n, b));
    PetscCall(KSPSolve(f->ksp, f->b, f->x));
    PetscCall(MatResidual(f->A, f->b, f->x, f->r));
    PetscCall(KSPSolve(f->ksp, f->r, f->d));
    PetscCall(VecAXPY(f->x, 1.0, f->d));
    return rg_petsc_take(f->x, n, x);
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    const PetscErrorCode code = run(state, e->n, b, x);

    return rg_petsc_agree(e->ctx,
                          code == 0 ? RG_OK : rg_petsc_fail(e->ctx, code, "solve a linear system"));
}

const struct rg_elliptic_method rg_elliptic_petsc_mixed = {
    .name = "mixed", .create = create, .solve = solve, .destroy = destroy, .is_direct = true};
