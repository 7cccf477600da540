/* Begins and ends MPI and PETSc around the command. */
#include "pdae/petsc/petsc.h"

#include "base/output.h"
#include "pdae/petsc/tuning.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

rg_status rg_petsc_fail(rg_context *ctx, PetscErrorCode code, const char *what)
{
    const char *text = NULL;

    PetscErrorMessage(code, &text, NULL);
    rg_fail(ctx, code == PETSC_ERR_MEM ? RG_ERR_MEMORY : RG_ERR_CONVERGENCE,
            "PETSc cannot %s: %s (error %d)", what, text ? text : "no reason given", (int)code);
    return rg_remedy(ctx, "look at the words behind --petsc, or use --solver auto");
}

rg_status rg_petsc_set_options(rg_context *ctx, const char *text)
{
    const PetscErrorCode code = PetscOptionsInsertString(NULL, text);

    if (code == 0) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "PETSc does not read its options '%s'", text);
    return rg_remedy(ctx, "write them as its manual does: --petsc \"-ksp_type cg -pc_type gamg\"");
}

static rg_ranks_table table = {.join = rg_petsc_join,
                               .sum = rg_petsc_sum,
                               .most = rg_petsc_most,
                               .agree = rg_petsc_agree,
                               .gather = rg_petsc_gather,
                               .tell = rg_petsc_tell,
                               .bring = rg_petsc_bring,
                               .write = rg_petsc_write,
                               .solver = &rg_elliptic_petsc,
                               .mixed = &rg_elliptic_petsc_mixed,
                               .set_options = rg_petsc_set_options};
static FILE *kept;      /* what a rank that is not the first one would have said */
static int kept_stderr; /* where it says it if it fails alone                    */

/* Only the first rank talks and writes. */
static bool silence(void)
{
    kept = tmpfile();
    kept_stderr = dup(STDERR_FILENO);
    rg_output_is_silent = true;
    return kept != NULL && kept_stderr >= 0 && freopen("/dev/null", "w", stdout) != NULL
           && dup2(fileno(kept), STDERR_FILENO) >= 0;
}

int rg_petsc_begin(int *argc, char ***argv)
{
    if (MPI_Init(argc, argv) != MPI_SUCCESS || PetscInitializeNoArguments() != 0) {
        fprintf(stderr, "error: MPI or PETSc does not begin\n  remedy: look at what they say\n");
        return 1;
    }
    PetscPopSignalHandler(); /* signals are the command's */
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &table.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &table.rank);
    table.system = rg_petsc_systems;
    rg_ranks = &table;
    return table.rank == 0 || silence() ? 0 : 1;
}

/* Words of --petsc that nothing has read are mistakes. */
static void tell_unread(void)
{
    PetscInt n = 0;
    char **names = NULL, **values = NULL;

    if (table.rank > 0 || PetscOptionsLeftGet(NULL, &n, &names, &values) != 0) return;
    for (PetscInt k = 0; k < n; k++)
        fprintf(stderr, "warning: nothing in PETSc has read -%s\n", names[k]);
    PetscOptionsLeftRestore(NULL, &n, &names, &values);
}

/* Do all ranks come to their end?  One that fails alone would wait for the others, and they for it,
 * for ever. */
static bool all_end(void)
{
    const double begin = MPI_Wtime();
    MPI_Request request;
    int is_done = 0;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!is_done && MPI_Wtime() - begin < RG_RANKS_PATIENCE) {
        const struct timespec moment = {.tv_nsec = 1000000};
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done) nanosleep(&moment, NULL);
    }
    return is_done;
}

static void say_kept(void)
{
    char text[4096];
    size_t n;

    if (kept == NULL) return;
    fflush(stderr);
    rewind(kept);
    while ((n = fread(text, 1, sizeof text, kept)) > 0)
        if (write(kept_stderr, text, n) < 0) break;
}

int rg_petsc_end(int status)
{
    fflush(stdout);
    if (table.count > 1 && status != 0 && !all_end()) {
        say_kept();
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    if (status == 0) tell_unread();
    PetscFinalize();
    MPI_Finalize();
    return status;
}
