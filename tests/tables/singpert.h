/* What the tests of singularly perturbed problems share: a table of numbers from a CSV file,
 * and a comparison of entries.  Accepted: 2 percent, 10 percent below 1e-5, where what the
 * reference solution has wrong shows. */
#ifndef RG_TESTS_TABLES_SINGPERT_H
#define RG_TESTS_TABLES_SINGPERT_H

#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_ROWS = 80, CSV_COLUMNS = 16 };

typedef struct {
    int n_rows, n_columns;
    char name[CSV_COLUMNS][48];
    double value[CSV_ROWS][CSV_COLUMNS];
} csv_table;

static inline bool csv_read(const char *path, csv_table *t)
{
    FILE *file = fopen(path, "r");
    char text[512];

    *t = (csv_table){0};
    if (!CHECK(file != NULL)) return false;
    for (int row = -1; row < CSV_ROWS && fgets(text, sizeof text, file) != NULL; row++) {
        int k = 0;
        for (char *at = strtok(text, ",\n"); at != NULL && k < CSV_COLUMNS;
             at = strtok(NULL, ",\n"), k++) {
            if (row < 0)
                snprintf(t->name[k], sizeof t->name[k], "%s", at);
            else
                t->value[row][k] = atof(at);
        }
        if (row < 0) t->n_columns = k;
        t->n_rows = row + 1;
    }
    fclose(file);
    return CHECK(t->n_rows > 0);
}

static inline int csv_column(const csv_table *t, const char *name)
{
    for (int k = 0; k < t->n_columns; k++)
        if (strcmp(t->name[k], name) == 0) return k;
    CHECK(!"no such column");
    return 0;
}

/* The entry of the row with this eps and n. */
static inline double csv_entry(const csv_table *t, double eps, int n, const char *name)
{
    const int e = csv_column(t, "eps"), c = csv_column(t, "n"), k = csv_column(t, name);

    for (int row = 0; row < t->n_rows; row++)
        if (fabs(t->value[row][e] - eps) <= 1e-12 * eps && t->value[row][c] == n)
            return t->value[row][k];
    CHECK(!"no such row");
    return NAN;
}

static inline void check_entry(const char *what, double eps, int n, double ours, double theirs)
{
    const double part = theirs < 1e-5 ? 0.1 : 0.02;
    const bool is_near = fabs(ours - theirs) <= part * theirs;

    if (!is_near) printf("    %s eps %g n %d: %.4e, table %.4e\n", what, eps, n, ours, theirs);
    CHECK(is_near);
}

#endif
