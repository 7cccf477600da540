/* A CSV file (RFC 4180, lines end with LF) that appears as a whole (base/output.h). */
#ifndef RG_SOLUTION_CSV_H
#define RG_SOLUTION_CSV_H

#include "base/output.h"

typedef struct rg_csv rg_csv;

/* "-": standard output. */
rg_status rg_csv_open(rg_context *ctx, const char *path, rg_csv **out);
void rg_csv_text(rg_csv *csv, const char *text); /* one field, quoted where needed */
void rg_csv_real(rg_csv *csv, double value);
void rg_csv_integer(rg_csv *csv, int64_t value);
/* Ends the line; RG_ERR_IO once something could not be written. */
rg_status rg_csv_end_row(rg_csv *csv);
/* Forgets all rows; only where they go to PATH.part first. */
bool rg_csv_can_rewind(const rg_csv *csv);
rg_status rg_csv_rewind(rg_csv *csv);
/* rg_output_show(); after it every row arrives as a whole line. */
rg_status rg_csv_show(rg_csv *csv);
/* rg_output_mark(), rg_output_resume(): a file to go on with, which is shown. */
rg_status rg_csv_mark(rg_csv *csv, int64_t *size, uint64_t *hash);
rg_status rg_csv_resume(rg_context *ctx, const char *path, int64_t size, uint64_t hash,
                        rg_csv **out);
/* rg_output_close().  NULL afterwards; accepts NULL. */
rg_status rg_csv_close(rg_csv **csv, bool is_complete);

#endif
