/* The rows of a sweep are kept for a report, with 8 bytes per number. */
#ifndef RG_SOLUTION_SWEEP_TABLE_H
#define RG_SOLUTION_SWEEP_TABLE_H

#include "base/base.h"

typedef struct {
    int64_t run;
    rg_status status;
    char *message, *remedy; /* NULL: none */
    double t, estimate;
} rg_sweep_entry;

struct rg_sweep_table {
    rg_context *ctx;
    int n_set;
    int64_t n_values;  /* kept of every row */
    int64_t n_omitted; /* values that are not, for there are too many */
    char **set_names, **names;
    int64_t runs;          /* there are to be */
    int64_t count, failed; /* rows */
    int64_t capacity, number_capacity;
    rg_sweep_entry *entries;
    double *numbers; /* set and values of every row */
};

typedef struct { /* of one value over the runs that succeeded; NaN: none did */
    double mean, std, min, max, q05, median, q95;
} rg_statistics;

const double *rg_sweep_table_set(const rg_sweep_table *t, int64_t k);
const double *rg_sweep_table_values(const rg_sweep_table *t, int64_t k);
/* Of value number `value`.  RG_ERR_MEMORY. */
rg_status rg_sweep_table_statistics(const rg_sweep_table *t, int64_t value, rg_statistics *out);

#endif
