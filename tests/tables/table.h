/* A published table beside what regula computes.
 *
 * TABLE.csv: row,iteration,quantity,t,printed,reproduced,mark.  `printed` is what the paper says,
 * `reproduced` what an independent implementation of the recipe gives.  Every entry must agree with
 * `reproduced` to 1.5 percent (or absolutely to rounding, 2e-15) and with `printed` to one unit of
 * its second digit, except for these marks:
 *     x        the printed value is a misprint or follows a convention that is not stated: only
 *              `reproduced` counts
 *     factor5  rounding errors of a system of condition 1/eps: within a factor 5 of `printed`
 *     nan      must not be a number
 *     shown    cannot be reproduced from the paper: shown beside ours, not checked */
#ifndef RG_TESTS_TABLES_TABLE_H
#define RG_TESTS_TABLES_TABLE_H

#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *quantity;
    double t; /* NaN: the maximum over the mesh points behind the start */
    double value;
} table_entry;

enum { TABLE_ENTRIES = 64 };
typedef struct { /* one run: what it found */
    const char *row;
    int iteration;
    int n;
    table_entry entry[TABLE_ENTRIES];
} table_run;

#define REPRODUCED 0.015
#define ROUNDING   2e-15

typedef struct { /* a line of the table */
    char row[64], quantity[32], mark[16];
    int iteration;
    double t, printed, reproduced, unit;
} table_line;

/* .12e-3: one unit of the second digit is 1e-2 * 1e-3. */
static inline double unit_of(const char *printed)
{
    const char *e = strchr(printed, 'e');

    return 0.01 * pow(10.0, e != NULL ? atof(e + 1) : 0.0);
}

static inline bool read_line(char *text, table_line *l)
{
    char *field[7];
    int n = 0;

    text[strcspn(text, "\n")] = '\0';
    for (char *at = text; n < 7; at += strlen(at) + 1) {
        field[n++] = at;
        char *comma = strchr(at, ',');
        if (comma == NULL) break;
        *comma = '\0';
    }
    if (n != 7) return false;
    snprintf(l->row, sizeof l->row, "%s", field[0]);
    snprintf(l->quantity, sizeof l->quantity, "%s", field[2]);
    snprintf(l->mark, sizeof l->mark, "%s", field[6]);
    l->iteration = atoi(field[1]);
    l->t = strcmp(field[3], "max") == 0 ? NAN : atof(field[3]);
    l->printed = atof(field[4]);
    l->reproduced = atof(field[5]);
    l->unit = unit_of(field[4]);
    return true;
}

static inline bool find(const table_line *l, int n_runs, const table_run *runs, double *value)
{
    for (int r = 0; r < n_runs; r++) {
        if (strcmp(runs[r].row, l->row) != 0 || runs[r].iteration != l->iteration) continue;
        for (int k = 0; k < runs[r].n; k++) {
            const table_entry *e = &runs[r].entry[k];
            const bool is_time = isnan(e->t) ? isnan(l->t) : fabs(e->t - l->t) < 1e-9;
            if (!is_time || strcmp(e->quantity, l->quantity) != 0) continue;
            *value = e->value;
            return true;
        }
    }
    return false;
}

static inline bool agrees(const table_line *l, double value)
{
    const bool is_near = fabs(value - l->reproduced) <= REPRODUCED * fabs(l->reproduced) + ROUNDING;

    if (strcmp(l->mark, "shown") == 0) return true;
    if (strcmp(l->mark, "nan") == 0) return isnan(value);
    if (strcmp(l->mark, "factor5") == 0)
        return value <= 5.0 * l->printed && value >= l->printed / 5.0;
    if (strcmp(l->mark, "x") == 0) return is_near;
    return is_near && fabs(value - l->printed) <= 1.05 * l->unit + ROUNDING;
}

/* Compares the runs with all rows of the table; prints both beside each other. */
static inline void table_compare(const char *path, int n_runs, const table_run *runs)
{
    FILE *file = fopen(path, "r");
    char text[256];
    int checked = 0;
    table_line l;

    if (!CHECK(file != NULL)) return;
    printf("%s\n", path);
    if (fgets(text, sizeof text, file) == NULL) text[0] = '\0'; /* the heading */
    while (fgets(text, sizeof text, file) != NULL) {
        double value = NAN;
        if (!CHECK(read_line(text, &l))) continue;
        if (!CHECK(find(&l, n_runs, runs, &value))) printf("no run for:\n");
        printf("  %-32s it. %d  %-6s t = %-6g  printed %-9.2g ours %-9.3g %s\n", l.row, l.iteration,
               l.quantity, l.t, l.printed, value, l.mark);
        CHECK(agrees(&l, value));
        checked++;
    }
    CHECK(checked > 0);
    fclose(file);
}

#endif
