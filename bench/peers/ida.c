/* IDA of SUNDIALS by itself on the hand-written models: dense, or KLU for the Brusselators.
 *
 *     ida NAME FORM RTOL SECONDS          NAME brus1d or brus2d: FORM is the number of cells
 *
 * Prints:  status n steps rejected evaluations jacobians factorizations milliseconds y_1 y_2 ...
 * (values at the end) */
#include "brus.h"
#include "models.h"

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <time.h>

typedef struct {
    const peer_model *m; /* NULL: the Brusselator */
    brus b;
    double *M;
    peer_mass_list list;
    int n;
    double t_end, rtol, atol;
} job;

static double processor_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void *user)
{
    const job *j = user;
    double *f = NV_DATA_S(F);
    const double *d = NV_DATA_S(yp);

    if (j->m == NULL) {
        brus_residual(&j->b, NV_DATA_S(y), d, f);
        return 0;
    }
    peer_residual(j->m, &j->list, t, NV_DATA_S(y), d, f);
    return 0;
}

static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector F, SUNMatrix J,
                    void *user, N_Vector a, N_Vector b, N_Vector c)
{
    const job *j = user;

    (void)yp, (void)F, (void)a, (void)b, (void)c;
    if (j->m == NULL) {
        brus_jacobian(&j->b, NV_DATA_S(y), cj, SM_INDEXPTRS_S(J), SM_INDEXVALS_S(J), SM_DATA_S(J));
        return 0;
    }
    double *values = SM_DATA_D(J);
    memset(values, 0, sizeof *values * (size_t)(j->n * j->n));
    j->m->J(t, NV_DATA_S(y), values);
    for (int k = 0; k < j->n * j->n; k++)
        values[k] = cj * j->M[k] - values[k];
    return 0;
}

static void start(const job *j, double *y, double *yp)
{
    memset(y, 0, sizeof *y * (size_t)j->n);
    memset(yp, 0, sizeof *yp * (size_t)j->n);
    if (j->m == NULL)
        brus_start(&j->b, y, yp);
    else
        j->m->start(y, yp);
}

static void set_algebraic(const job *j, void *ida, N_Vector id)
{
    if (j->m == NULL || j->m->n_index1 == j->n) return;
    for (int k = 0; k < j->n; k++) {
        NV_Ith_S(id, k) = 0.0;
        for (int i = 0; i < j->n; i++)
            if (j->M[k * j->n + i] != 0.0) NV_Ith_S(id, k) = 1.0;
    }
    IDASetId(ida, id);
    IDASetSuppressAlg(ida, 1);
}

static void print_counts(void *ida, int flag, const job *j, double seconds)
{
    long steps = 0, evaluations = 0, errors = 0, newton = 0, jacobians = 0, setups = 0;

    IDAGetNumSteps(ida, &steps);
    IDAGetNumResEvals(ida, &evaluations);
    IDAGetNumErrTestFails(ida, &errors);
    IDAGetNumNonlinSolvConvFails(ida, &newton);
    IDAGetNumJacEvals(ida, &jacobians);
    IDAGetNumLinSolvSetups(ida, &setups);
    printf("%s %d %ld %ld %ld %ld %ld %.6g", flag >= 0 ? "ok" : "failed", j->n, steps,
           errors + newton, evaluations, jacobians, setups, 1e3 * seconds);
}

/* One solve; seconds.  The last one prints. */
static double solve(job *j, int is_last, double best)
{
    SUNContext sun = NULL;
    double t = 0.0;

    SUNContext_Create(NULL, &sun);
    N_Vector y = N_VNew_Serial(j->n, sun), yp = N_VNew_Serial(j->n, sun),
             id = N_VNew_Serial(j->n, sun);
    SUNMatrix J = j->m != NULL ? SUNDenseMatrix(j->n, j->n, sun)
                               : SUNSparseMatrix(j->n, j->n, brus_entries(&j->b), CSC_MAT, sun);
    SUNLinearSolver linear = j->m != NULL ? SUNLinSol_Dense(y, J, sun) : SUNLinSol_KLU(y, J, sun);
    void *ida = IDACreate(sun);

    start(j, NV_DATA_S(y), NV_DATA_S(yp));
    IDAInit(ida, residual, 0.0, y, yp);
    IDASetUserData(ida, j);
    IDASStolerances(ida, j->rtol, j->atol);
    IDASetLinearSolver(ida, linear, J);
    IDASetJacFn(ida, jacobian);
    IDASetMaxNumSteps(ida, 2000000);
    IDASetMaxErrTestFails(ida, 20);
    IDASetMaxConvFails(ida, 50);
    IDASetStopTime(ida, j->t_end);
    set_algebraic(j, ida, id);
    const double begin = processor_seconds();
    const int flag = IDASolve(ida, j->t_end, &t, y, yp, IDA_NORMAL);
    double seconds = processor_seconds() - begin;
    if (is_last || flag < 0) {
        print_counts(ida, flag, j, seconds < best ? seconds : best);
        for (int i = 0; i < j->n && flag >= 0; i++)
            if (j->m != NULL || brus_is_shown(&j->b, i)) printf(" %.17g", NV_Ith_S(y, i));
        printf("\n");
        seconds = -1.0;
    }
    IDAFree(&ida);
    SUNLinSolFree(linear);
    SUNMatDestroy(J);
    N_VDestroy(y), N_VDestroy(yp), N_VDestroy(id);
    SUNContext_Free(&sun);
    return seconds;
}

int main(int argc, char **argv)
{
    job j = {0};

    if (argc != 5) return 2;
    if (strncmp(argv[1], "brus", 4) == 0) {
        j.b = (brus){argv[1][4] - '0', atoi(argv[2])};
        j.n = brus_size(&j.b);
        j.t_end = j.b.dims == 1 ? 10.0 : 2.0;
    } else {
        if ((j.m = peer_model_find(argv[1], argv[2])) == NULL) return 2;
        j.n = j.m->n;
        j.t_end = j.m->t_end;
        j.M = calloc((size_t)(j.n * j.n), sizeof *j.M);
        if (j.M == NULL) return 1;
        j.m->M(j.M);
        peer_list_mass(j.M, j.n, &j.list);
    }
    j.rtol = atof(argv[3]);
    j.atol = j.rtol * (j.m != NULL ? j.m->atol_factor : 1.0);
    double best = 1e300, spent = 0.0;
    const double budget = atof(argv[4]);
    for (int k = 0; k < 1000; k++) {
        const double took = solve(&j, spent >= budget || k == 999, best);
        if (took < 0.0) break;
        best = took < best ? took : best;
        spent += took;
    }
    free(j.M);
    return 0;
}
