/* What the parts of `regula compare` share. */
#ifndef RG_CLI_COMPARE_H
#define RG_CLI_COMPARE_H

#include "cli.h"

enum { COMPARE_MOST = 16, COMPARE_LEVELS = 8 };

typedef struct {       /* one method with its options, and what it did */
    char text[128];    /* as given: srm:eps=1e-3:iterations=3 */
    char method[32];   /* that ran */
    char message[512]; /* of a failure */
    bool is_done;      /* reached the end */
    double t;          /* reached */
    double error;      /* the largest one, NaN: not known */
    int64_t worst;     /* the unknown that has it, -1: none */
    double *errors;    /* per unknown; NULL: none */
    int n_levels;
    double drift[COMPARE_LEVELS];
    rg_stats stats;
} compare_row;

typedef struct {
    const char *model;
    const rg_problem *problem;
    int64_t n;                     /* unknowns */
    bool has_exact, has_reference; /* what errors are against */
    char reference[32];            /* the method that made the reference */
    int n_rows;
    compare_row row[COMPARE_MOST];
} comparison;

void compare_write_help(FILE *to);
void compare_write_table(const comparison *c, FILE *to);
void compare_write_csv(const comparison *c, FILE *to);
void compare_write_json(const comparison *c, FILE *to);
int cmd_compare(rg_context *ctx, int argc, char **argv);

#endif
