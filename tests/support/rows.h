/* A model from text, solved with rows at equal distances and an estimate. */
#ifndef RG_TESTS_SUPPORT_ROWS_H
#define RG_TESTS_SUPPORT_ROWS_H

#include "regula.h"

#include <stdbool.h>

enum { ROWS_MOST = 64, ROWS_COLUMNS = 24 };

typedef struct {
    rg_status status;
    int n_rows;
    int64_t n_columns;
    double row[ROWS_MOST][ROWS_COLUMNS]; /* all columns that are written */
    double estimate;
    int64_t steps;
    int warnings;
    bool is_repeated; /* a warning says that the run was made again with another atol */
    char warning[512] /* the first one */, message[512], remedy[512];
} rows_result;

/* Options: words as those of options_from_words(), made with a format. */
rows_result rows_solve(rg_context *ctx, const char *text, int n_rows, const char *format, ...);

#endif
