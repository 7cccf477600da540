/* The command with PETSc, regula-grid, begins here. */
#include "pdae/petsc/petsc.h"

int main(int argc, char **argv)
{
    if (rg_petsc_begin(&argc, &argv) != 0) return 1;
    return rg_petsc_end(cli_main(argc, argv, true));
}
