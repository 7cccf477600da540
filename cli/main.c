/* The way into the program finds the command that was asked for, and checks standard output. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;
    int (*run)(rg_context *ctx, int argc, char **argv);
} command;

static const command commands[] = {
    {"solve",      cmd_solve     },
    {"check",      cmd_check     },
    {"expand",     cmd_expand    },
    {"compare",    cmd_compare   },
    {"sweep",      cmd_sweep     },
    {"gather",     cmd_gather    },
    {"order",      cmd_order     },
    {"plot",       cmd_plot      },
    {"methods",    cmd_methods   },
    {"example",    cmd_example   },
    {"completion", cmd_completion},
    {"help",       cmd_help      }
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void print_log(int level, const char *text, void *user)
{
    (void)level;
    (void)user;
    fprintf(stderr, "%s\n", text);
}

void cli_set_log(const cli_args *args)
{
    if (args->verbose) rg_context_set_log(args->ctx, print_log, 2, NULL);
}

const char *cli_command_at(int k)
{
    return k < N_COMMANDS ? commands[k].name : NULL;
}

int cli_command_help(rg_context *ctx, const char *name)
{
    char word[32], flag[] = "-h";
    char *argv[] = {word, flag, NULL};

    snprintf(word, sizeof word, "%s", name);
    for (int k = 0; k < N_COMMANDS; k++)
        if (strcmp(commands[k].name, name) == 0) return commands[k].run(ctx, 2, argv);
    return EXIT_USAGE;
}

static int refuse_command(const char *word)
{
    const char *names[N_COMMANDS];

    for (int k = 0; k < N_COMMANDS; k++)
        names[k] = commands[k].name;
    const char *nearest = rg_nearest_word(word, N_COMMANDS, names);
    const size_t length = strlen(word);
    fprintf(stderr, "error: unknown command '%s'\n", word);
    if (nearest != NULL)
        fprintf(stderr, "  remedy: did you mean '%s'?\n", nearest);
    else if (strcmp(word, "version") == 0 || strcmp(word, "-v") == 0)
        fprintf(stderr, "  remedy: 'regula --version' tells the version\n");
    else if (length > 3 && strcmp(word + length - 3, ".rg") == 0)
        fprintf(stderr, "  remedy: 'regula solve %s' solves it\n", word);
    else
        fprintf(stderr, "  remedy: 'regula help' lists the commands\n");
    return EXIT_USAGE;
}

static int dispatch(rg_context *ctx, int argc, char **argv)
{
    if (argc < 2) {
        cli_write_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("regula %s\n", RG_VERSION);
        return EXIT_SOLVED;
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
        cli_write_help(stdout);
        return EXIT_SOLVED;
    }
    for (int k = 0; k < N_COMMANDS; k++)
        if (strcmp(commands[k].name, argv[1]) == 0) return commands[k].run(ctx, argc - 1, argv + 1);
    return refuse_command(argv[1]);
}

/* Standard input, output and messages that are closed (">&-") would lend their numbers to the next
 * files that are opened.  What takes their place fails as they do: EBADF. */
static void hold_standard_files(void)
{
    for (int k = STDIN_FILENO; k <= STDERR_FILENO; k++)
        if (fcntl(k, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null",
                       k == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the least free: k */
}

/* What was printed must have arrived: a full disk shows only now.  The cause of an earlier failure
 * is gone, but a closed output still tells. */
static int check_output(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    if (status != EXIT_SOLVED) return status;
    if (errno == 0 && write(STDOUT_FILENO, "", 0) == 0) errno = EIO;
    const bool is_closed = errno == EBADF;
    fprintf(stderr, "error: cannot write standard output: %s\n  remedy: %s\n", strerror(errno),
            is_closed ? "it is closed: send it to a file, or to /dev/null" : "make room");
    return EXIT_NUMERICS;
}

bool cli_has_petsc;

int cli_main(int argc, char **argv, bool has_petsc)
{
    rg_context *ctx = NULL;

    cli_has_petsc = has_petsc;
    hold_standard_files();
    if (rg_context_create(&ctx) < 0) {
        fprintf(stderr, "error: out of memory\n  remedy: free memory\n");
        return EXIT_NUMERICS;
    }
    bool is_json = false;
    for (int k = 1; k < argc; k++)
        is_json = is_json || strcmp(argv[k], "--json") == 0;
    cli_catch_interrupt(ctx, is_json);
    const int status = check_output(dispatch(ctx, argc, argv));
    cli_release_interrupt();
    rg_context_destroy(&ctx);
    return status;
}
