/* A CSV file (RFC 4180, lines end with LF) that appears as a whole: rows go to PATH.part,
 * renamed at the end. */
#ifndef RG_SOLUTION_CSV_H
#define RG_SOLUTION_CSV_H

#include "base/base.h"

typedef struct rg_csv rg_csv;

/* "-": standard output.  Devices and pipes are written directly. */
rg_status rg_csv_open(rg_context *ctx, const char *path, rg_csv **out);
void rg_csv_text(rg_csv *csv, const char *text); /* one field, quoted where needed */
void rg_csv_real(rg_csv *csv, double value);
/* Ends the line; RG_ERR_IO once something could not be written. */
rg_status rg_csv_end_row(rg_csv *csv);
/* Forgets all rows; only where they go to PATH.part first. */
bool rg_csv_can_rewind(const rg_csv *csv);
rg_status rg_csv_rewind(rg_csv *csv);
/* Closes, and renames when everything was written.  After RG_ERR_IO the message names the file that
 * holds what could be written.  NULL afterwards. */
rg_status rg_csv_close(rg_csv **csv);

#endif
