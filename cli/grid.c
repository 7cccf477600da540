/* Runs by the program regula-grid, which has PETSc: it stands beside this one, or in PATH; on
 * several ranks under mpirun. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_THERE = 127 }; /* the launcher */
static const char PROGRAM[] = "regula-grid";

int cli_ranks(const rg_options *o)
{
    char text[32] = "0";

    rg_options_get(o, "ranks", text, sizeof text);
    return atoi(text);
}

bool cli_wants_grid(const rg_problem *p, const rg_options *o)
{
    char solver[32] = "";

    if (cli_has_petsc) return false;
    if (cli_ranks(o) > 0) return true;
    rg_options_get(o, "solver", solver, sizeof solver);
    return rg_problem_has_fields(p) && strcmp(solver, "petsc") == 0;
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

static volatile sig_atomic_t child, n_signals;

/* mpirun hands SIGUSR1 on to the ranks, which end their run in good order; a second signal ends
 * them. */
static void hand_on(int number)
{
    (void)number;
    kill((pid_t)child, n_signals++ == 0 ? SIGUSR1 : SIGTERM);
}

/* What the launcher ends with; a rank that was killed is a run that failed. */
static int wait_for(pid_t process)
{
    const int polite[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = hand_on};
    int status = 0;

    child = (sig_atomic_t)process;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof polite / sizeof *polite; k++)
        sigaction(polite[k], &action, NULL);
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return EXIT_NUMERICS;
    if (!WIFEXITED(status)) return n_signals > 0 ? EXIT_INTERRUPT : EXIT_NUMERICS;
    const int code = WEXITSTATUS(status);
    if (code == NOT_THERE) return code;
    if (code == EXIT_SOLVED || code == EXIT_USAGE || code == EXIT_MODEL || code == EXIT_INTERRUPT)
        return code;
    if (code != EXIT_NUMERICS && n_signals > 0)
        fprintf(stderr, "error: interrupted before all ranks could end their run\n"
                        "  remedy: start it again; --resume goes on from a checkpoint\n");
    else if (code != EXIT_NUMERICS)
        fprintf(stderr,
                "error: a rank has ended with status %d\n"
                "  remedy: look at what it says; --resume goes on from a checkpoint\n",
                code);
    return n_signals > 0 ? EXIT_INTERRUPT : EXIT_NUMERICS;
}

/* A process group of its own: signals of the terminal come from here alone.  Ranks of Open MPI that
 * wait keep their core busy: where there are more ranks than cores they let the others work. */
static void become(int ranks, const char *path, char **words)
{
    const int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    if (!isatty(STDOUT_FILENO)) setenv("NO_COLOR", "1", 1); /* the launcher may make a terminal */
    if (ranks > sysconf(_SC_NPROCESSORS_ONLN)) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    execvp(path, words);
    _exit(NOT_THERE);
}

/* mpirun -n N regula-grid WORDS; REGULA_MPIRUN is what stands for mpirun, with its options. */
static char **launcher_words(int ranks, char *path, char **argv, char *number, size_t size)
{
    const char *given = getenv("REGULA_MPIRUN");
    char *text = strdup(given != NULL && given[0] != '\0' ? given : "mpirun");
    int n = 0, count = 0;

    while (argv[count] != NULL)
        count++;
    char **words = text != NULL ? calloc(strlen(text) + (size_t)count + 8, sizeof *words) : NULL;
    if (words == NULL) {
        free(text);
        return NULL;
    }
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        words[n++] = word;
    snprintf(number, size, "%d", ranks);
    words[n++] = "-n";
    words[n++] = number;
    words[n++] = path;
    for (int k = 0; k < count; k++)
        words[n++] = argv[k];
    return words;
}

bool cli_run_grid(const cli_args *args, const rg_options *o, char **argv, rg_error *error)
{
    const int ranks = cli_ranks(o);
    char path[4096], number[16];

    if (args->file != NULL && strcmp(args->file, "-") == 0)
        return cli_mistake(error, "write the model to a file",
                           "regula-grid cannot read the model from standard input");
    find_program(path, sizeof path);
    fflush(stdout);
    if (ranks <= 1) {
        execvp(path, argv - 1); /* the words of main(), the command's name before the command */
        return cli_mistake(error, "install petsc-dev (Debian), build it with 'make grid'",
                           "this run needs the program '%s', which cannot be started: %s", path,
                           strerror(errno));
    }
    if (strchr(path, '/') == NULL)
        return cli_mistake(error, "install petsc-dev (Debian), build it with 'make grid'",
                           "--ranks needs the program '%s' beside this one", path);
    char **words = launcher_words(ranks, path, argv, number, sizeof number);
    if (words == NULL) return cli_mistake(error, "free memory", "out of memory");
    const pid_t process = fork();
    if (process < 0)
        return cli_mistake(error, "end other programs", "no process can be made: %s",
                           strerror(errno));
    if (process == 0) become(ranks, words[0], words);
    const int status = wait_for(process);
    if (status != NOT_THERE) exit(status);
    return cli_mistake(error, "install MPI, or name its launcher in REGULA_MPIRUN",
                       "'%s' cannot be started", words[0]);
}
