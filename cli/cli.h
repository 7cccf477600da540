/* What the parts of the command share. */
#ifndef RG_CLI_CLI_H
#define RG_CLI_CLI_H

#include "regula.h"

#include <stdatomic.h>

enum { EXIT_SOLVED = 0, EXIT_NUMERICS = 1, EXIT_USAGE = 2, EXIT_MODEL = 3, EXIT_INTERRUPT = 130 };

typedef struct {
    bool is_given;
    double value;
} cli_number;

typedef struct { /* the command line, read */
    rg_context *ctx;
    const char *command, *file; /* file NULL: none given */
    bool json, quiet, verbose, help, no_estimate;
    int n_settings;
    rg_setting *settings; /* --set; names are owned */
    int n_tables;
    rg_table_file *tables; /* --table; names are owned */
    int n_options;
    const char **option_name, **option_text; /* rows of the option table, in order */
    cli_number from, to;
    const char *at, *points, *csv; /* NULL: not given */
    const char *show, *size, *log; /* of a figure; NULL: not given */
    bool plot;
    const char *report;     /* FILE.html; NULL: not given */
    const char *checkpoint; /* NULL: not given */
    bool resume;
    cli_number every; /* seconds between checkpoints */
    char *line;       /* the command line, to repeat it; malloc'ed */
} cli_args;

/* A flag of the command, beside the rows of the option table. */
typedef struct {
    const char *name, *value; /* value NULL: takes none */
    const char *text, *fallback;
    bool in_check; /* also an option of `check` */
} cli_flag;
extern const cli_flag cli_flags[];
extern const int cli_flag_count;
const cli_flag *cli_flag_find(const char *name);
/* The kind of a row of the option table (rg_option_info); NULL: there is no such row. */
const char *cli_option_kind(const char *name);
/* Options of solve that check takes too: it solves boundary value problems for their
 * sensitivity, from a guess. */
bool cli_is_for_check(const char *name);
/* The nearest known flag, or NULL. */
const char *cli_flag_nearest(const char *name, bool in_check);

/* Takes "--NAME VALUE" or "--NAME=VALUE" out of the words of a command that has flags of its own,
 * or "--NAME" alone where there is no value (is_switch).  NULL: it is not there; "": its value is
 * missing. */
const char *cli_take(int *argc, char **argv, const char *name, bool is_switch);
/* The whole command: main.c; has_petsc: in the program regula-grid. */
int cli_main(int argc, char **argv, bool has_petsc);
extern bool cli_has_petsc;
/* grid.c: the option ranks; does this model want the program regula-grid, and this is not it? */
int cli_ranks(const rg_options *o);
bool cli_wants_grid(const rg_problem *p, const rg_options *o);
/* Goes on as regula-grid with the same words, those of a command, or exits with what it ends with;
 * false: *error tells. */
bool cli_run_grid(const cli_args *args, const rg_options *o, char **argv, rg_error *error);
/* Reads the words after the command; false: *error tells. */
bool cli_args_read(rg_context *ctx, int argc, char **argv, cli_args *out, rg_error *error);
void cli_args_clear(cli_args *args);
/* outputs.c: refuses two outputs that are one file; false: *error tells.  o: the options with those
 * of the model, or NULL; svg: NULL, or the value of a flag of its own. */
bool cli_check_outputs(const cli_args *args, const rg_options *o, const char *svg, rg_error *error);
/* Does a file that was given '-' have standard output for itself?  svg: NULL or its name. */
bool cli_is_taken(const cli_args *args, const char *svg);
/* The line to repeat, before words were taken out of it; takes it. */
void cli_args_set_line(cli_args *args, char *line);

/* Fills *error with a mistake in the use of the command; returns false. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
bool cli_mistake(rg_error *error, const char *remedy, const char *format, ...);
/* Exit status of a failure; writing: an RG_ERR_IO is one of writing. */
int cli_exit_status(const rg_error *error, bool writing);

/* screen.c: columns of a terminal; 80 where it is none. */
int cli_width(FILE *to);
/* A terminal that takes colours, and nobody said NO_COLOR. */
bool cli_has_colour(FILE *to);
/* Words of `text` from column `at` on, further lines indented; ends the line. */
void cli_write_wrapped(FILE *to, const char *text, int at, int indent, int width);
/* A help text, lines that are too long for the terminal broken. */
void cli_write_text(FILE *to, const char *text);
/* A text that gets colours on a terminal: write to the file that open returns, then close.
 * has_title: a report, whose first line is its title; otherwise messages. */
typedef struct {
    FILE *to, *memory; /* memory NULL: no colours */
    char *text;
    size_t size;
    bool has_title;
} cli_sheet;
FILE *cli_sheet_open(cli_sheet *s, FILE *to, bool has_title);
void cli_sheet_close(cli_sheet *s);
/* One error, or all errors of the context, on standard error. */
void cli_print_error(const rg_error *error);
void cli_print_errors(const rg_context *ctx);

/* --verbose: the records of the library go to standard error. */
void cli_set_log(const cli_args *args);

/* Loads the model, sets the interval; NULL: *error tells. */
rg_problem *cli_load(const cli_args *args, rg_error *error);
/* Options of the model and of the command over them, to be destroyed by the caller (also after a
 * failure).  method: NULL, or the one to take; a variant that the model names belongs to the
 * method that it names, and is forgotten with another one. */
rg_status cli_options(const cli_args *args, const rg_problem *p, const char *method,
                      rg_options **out);

/* Output times from --at or --points, ascending along the run; *times is malloc'ed, NULL without
 * either. */
bool cli_times(const cli_args *args, const rg_problem *p, int64_t *count, double **times,
               rg_error *error);

/* figure.c: what --show, --size and --log say; false: *error tells. */
bool cli_figure(const cli_args *args, rg_figure *out, rg_error *error);
/* "regula solve pendulum.rg --tol 1e-8", quoted for a shell; NULL: no memory. */
char *cli_line(int argc, char **argv);
/* Characters for that file: colours and braille where it takes them; the width of its lines. */
int cli_terminal(FILE *to, rg_figure *f);

/* A line on the terminal for work over a second. */
typedef struct {
    rg_context *ctx;
    const char *file; /* the model */
    bool is_on, is_shown, is_boundary;
    double a, b, begin, last;
    _Atomic double t;
    _Atomic int64_t steps, done, runs; /* of one run; of several ones */
    char time_name[64];                /* a copy: continuation builds the problem anew */
} cli_progress;
void cli_progress_init(cli_progress *p, const cli_args *args, const rg_problem *problem);
int cli_progress_step(double t, const double *y, const double *yp, void *progress);
/* Of several runs: so many of them are done. */
void cli_progress_runs(cli_progress *p, int64_t done, int64_t runs);
void cli_progress_clear(cli_progress *p);

/* watch.c: from here on Ctrl-C, a polite kill and the end of the terminal interrupt the run. */
void cli_catch_interrupt(rg_context *ctx, bool json);
void cli_release_interrupt(void);
/* Around what may take long: an interrupt ends the program here even if the library does not
 * answer.  p: how far it is, NULL: it has not begun. */
void cli_busy(const cli_progress *p);
void cli_idle(void);
/* An interrupted program ends here, its files and messages written: what it holds goes faster with
 * the process. */
void cli_leave(const rg_error *error);

/* The commands: words after the command name; return the exit status. */
int cmd_solve(rg_context *ctx, int argc, char **argv);
int cmd_check(rg_context *ctx, int argc, char **argv);
int cmd_expand(rg_context *ctx, int argc, char **argv);
int cmd_compare(rg_context *ctx, int argc, char **argv);
int cmd_sweep(rg_context *ctx, int argc, char **argv);
int cmd_gather(rg_context *ctx, int argc, char **argv);
int cmd_order(rg_context *ctx, int argc, char **argv);
int cmd_plot(rg_context *ctx, int argc, char **argv);
int cmd_methods(rg_context *ctx, int argc, char **argv);
int cmd_example(rg_context *ctx, int argc, char **argv);
int cmd_help(rg_context *ctx, int argc, char **argv);
int cmd_completion(rg_context *ctx, int argc, char **argv);
/* The commands by name; NULL behind the last one. */
const char *cli_command_at(int k);
/* Runs `regula NAME -h`. */
int cli_command_help(rg_context *ctx, const char *name);
/* What rg_method_at() tells of one method, with its variants; false: there is none. */
bool cli_write_method(const char *name);
void cli_write_help(FILE *to); /* the one screen */
/* `regula solve -h`, `regula check -h`. */
void cli_write_command_help(const char *command, FILE *to);
void cli_write_options(FILE *to, bool in_check);
/* What stands for the value of an option: X, N, WORD, TEXT, or nothing. */
const char *cli_option_value(const rg_option_info *o);
/* `regula help OPTION`; false: there is none. */
bool cli_write_option(const char *name);

/* Help topics with a fixed text. */
typedef struct {
    const char *name, *text;
} cli_topic;
extern const cli_topic cli_topics[];
extern const int cli_topic_count;

#endif
