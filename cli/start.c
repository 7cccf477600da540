/* The program regula: the command without PETSc. */
#include "cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv, false);
}
