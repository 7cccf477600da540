/* Begins and ends MPI and PETSc around the command. */
#include "pdae/petsc/petsc.h"

#include <stdio.h>

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

int rg_petsc_begin(int *argc, char ***argv)
{
    static const rg_ranks_table table = {.solver = &rg_elliptic_petsc,
                                         .set_options = rg_petsc_set_options};

    if (MPI_Init(argc, argv) != MPI_SUCCESS || PetscInitializeNoArguments() != 0) {
        fprintf(stderr, "error: MPI or PETSc does not begin\n  remedy: look at what they say\n");
        return 1;
    }
    PetscPopSignalHandler(); /* signals are the command's */
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    rg_ranks = &table;
    return 0;
}

/* Words of --petsc that nothing has read are mistakes. */
static void tell_unread(void)
{
    PetscInt n = 0;
    char **names = NULL, **values = NULL;

    if (PetscOptionsLeftGet(NULL, &n, &names, &values) != 0) return;
    for (PetscInt k = 0; k < n; k++)
        fprintf(stderr, "warning: nothing in PETSc has read -%s\n", names[k]);
    PetscOptionsLeftRestore(NULL, &n, &names, &values);
}

int rg_petsc_end(int status)
{
    tell_unread();
    PetscFinalize();
    MPI_Finalize();
    return status;
}
