/* Runs by the program regula-grid, which has PETSc: it stands beside this one, or in PATH. */
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char PROGRAM[] = "regula-grid";

bool cli_wants_grid(const rg_problem *p, const rg_options *o)
{
    char solver[32] = "";

    if (cli_has_petsc || !rg_problem_has_fields(p)) return false;
    rg_options_get(o, "solver", solver, sizeof solver);
    return strcmp(solver, "petsc") == 0;
}

/* The program beside this one; its name alone where there is none. */
static void find_program(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);

    if (length > 0) {
        path[length] = '\0';
        char *name = strrchr(path, '/');
        const size_t room = name != NULL ? size - (size_t)(name + 1 - path) : 0;
        if (room > sizeof PROGRAM) {
            memcpy(name + 1, PROGRAM, sizeof PROGRAM);
            if (access(path, X_OK) == 0) return;
        }
    }
    snprintf(path, size, "%s", PROGRAM);
}

bool cli_run_grid(const cli_args *args, char **argv, rg_error *error)
{
    char path[4096];

    if (args->file != NULL && strcmp(args->file, "-") == 0)
        return cli_mistake(error, "write the model to a file",
                           "--solver petsc cannot read the model from standard input");
    find_program(path, sizeof path);
    fflush(stdout);
    execvp(path, argv - 1); /* the words of main(), the command's name before the command */
    return cli_mistake(error, "install petsc-dev (Debian), build it with 'make grid'",
                       "--solver petsc needs the program '%s', which cannot be started: %s", path,
                       strerror(errno));
}
