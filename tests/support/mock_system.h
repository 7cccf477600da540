/* A system F(t, y, y') = 0 written in C, in place of src/views: include in one file of a test
 * program only. The linker then takes these functions and leaves those of the library alone. */
#ifndef RG_TESTS_SUPPORT_MOCK_SYSTEM_H
#define RG_TESTS_SUPPORT_MOCK_SYSTEM_H

#include "linalg/matrix.h"
#include "views/recover.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOCK_MOST = 64 };

struct rg_system {
    rg_context *ctx;
    int n;
    int index[MOCK_MOST];
    /* status as rg_system_residual */
    rg_status (*F)(double t, const double *y, const double *yp, double *F);
    /* dense, column-major, zeroed; NULL: central differences */
    void (*J)(double t, const double *y, const double *yp, double *Jy, double *Jyp);
    int redundant; /* equations that follow from the others */
    rg_status (*project)(double t, const double *weight, double *y, double *yp);
    rg_pattern pattern; /* full; mock_init fills it */
    int64_t start[MOCK_MOST + 1];
    int32_t row[MOCK_MOST * MOCK_MOST];
};

struct rg_system_work {
    rg_context *ctx;
    double y[MOCK_MOST], yp[MOCK_MOST], high[MOCK_MOST], low[MOCK_MOST];
    double point[2 * MOCK_MOST + 4];
};

static inline void mock_init(rg_system *s)
{
    for (int j = 0; j <= s->n; j++)
        s->start[j] = (int64_t)j * s->n;
    for (int k = 0; k < s->n * s->n; k++)
        s->row[k] = k % s->n;
    s->pattern = (rg_pattern){s->n, s->n, s->start, s->row};
    for (int j = 0; j < s->n; j++)
        if (s->index[j] == 0) s->index[j] = 1;
}

bool rg_system_units(const rg_system *s, const rg_options *o, double *unit)
{
    (void)s, (void)o, (void)unit;
    return false;
}

int64_t rg_system_state(const rg_system *s, int64_t unknown, int order)
{
    (void)s;
    return order == 0 ? unknown : -1;
}

int64_t rg_system_switch_count(const rg_system *s)
{
    (void)s;
    return 0;
}

rg_status rg_system_switch_modes(const rg_system *s, rg_system_work *w, double t, const double *y,
                                 const double *yp, double *mode)
{
    (void)s, (void)w, (void)t, (void)y, (void)yp, (void)mode;
    return RG_OK;
}

/* No switches: none of these is called. */
bool rg_system_can_hold(const rg_system *s)
{
    (void)s;
    return false;
}

rg_switch_nature rg_system_switch_nature(const rg_system *s, int64_t k)
{
    (void)s, (void)k;
    return (rg_switch_nature){.is_whole = false};
}

bool rg_system_fail_table(const rg_system *s, double t, const double *y, const double *yp)
{
    (void)s, (void)t, (void)y, (void)yp;
    return false;
}

void rg_system_hold(const rg_system *s, rg_system_work *w, const double *branch)
{
    (void)s, (void)w, (void)branch;
}

int rg_system_drift_levels(const rg_system *s)
{
    (void)s;
    return 0;
}

void rg_system_entry_kinds(const rg_system *s, uint8_t *kinds)
{
    memset(kinds, 3, (size_t)(s->n * s->n));
}

bool rg_system_is_held(const rg_system_work *w)
{
    (void)w;
    return false;
}

void rg_system_join(rg_system_work *w, bool is_on)
{
    (void)w;
    (void)is_on;
}

void rg_system_hold_as(const rg_system *s, rg_system_work *w, const rg_system_work *from)
{
    (void)s, (void)w, (void)from;
}

rg_status rg_system_switch_values(const rg_system *s, rg_system_work *w, double t, const double *y,
                                  const double *yp, double *values)
{
    return rg_system_switch_modes(s, w, t, y, yp, values);
}

double rg_system_switch_mode(const rg_system *s, int64_t k, double value)
{
    (void)s, (void)k;
    return value;
}

rg_status rg_system_switch_sizes(const rg_system *s, rg_system_work *w, double t, const double *y,
                                 const double *yp, const double *unit, double *sizes, double *spans)
{
    (void)unit;
    rg_status status = rg_system_switch_modes(s, w, t, y, yp, sizes);
    if (!status) status = rg_system_switch_modes(s, w, t, y, yp, spans);
    return status;
}

rg_status rg_system_switch_prints(const rg_system *s, rg_system_work *w, double t, const double *y,
                                  const double *yp, double *prints)
{
    return rg_system_switch_modes(s, w, t, y, yp, prints);
}

int rg_system_switch_name(const rg_system *s, int64_t k, char *buffer, int size)
{
    (void)s;
    return snprintf(buffer, (size_t)size, "switch %d", (int)k);
}

rg_status rg_system_slide_create(const rg_system *base, const rg_sliding *sliding, rg_system **out)
{
    (void)base, (void)sliding;
    *out = NULL;
    return RG_ERR_MEMORY;
}

void rg_system_slide_hold(rg_system_work *w, const uint8_t *slides, const double *branch)
{
    (void)w, (void)slides, (void)branch;
}

void rg_system_destroy(rg_system **s)
{
    *s = NULL;
}

rg_status rg_recovery_create(const rg_system *view, rg_recovery **out)
{
    (void)view;
    *out = NULL;
    return RG_OK;
}

void rg_recovery_forget(rg_recovery *r)
{
    (void)r;
}

void rg_recovery_destroy(rg_recovery **r)
{
    *r = NULL;
}

rg_status rg_recovery_run(rg_recovery *r, const rg_options *o, bool is_rough, double t, double *y,
                          double *yp, rg_stats *stats)
{
    (void)r, (void)o, (void)is_rough, (void)t, (void)y, (void)yp, (void)stats;
    return RG_OK;
}

bool rg_recovery_gives(const rg_recovery *r, int64_t state)
{
    (void)r, (void)state;
    return false;
}

double rg_recovery_gain(const rg_recovery *r)
{
    (void)r;
    return INFINITY;
}

int rg_system_state_name(const rg_system *s, int64_t state, char *buffer, int size)
{
    (void)s;
    return snprintf(buffer, (size_t)size, "state %d", (int)state + 1);
}

rg_status rg_system_restart(const rg_system *s, double t, double *y, double *yp)
{
    (void)s, (void)t, (void)y, (void)yp;
    return RG_RETRY;
}

bool rg_system_is_linear(const rg_system *s)
{
    (void)s;
    return false;
}

bool rg_system_has_mass(const rg_system *s)
{
    (void)s;
    return false;
}

bool rg_system_is_regular(const rg_system *s)
{
    (void)s;
    return false;
}

int rg_system_index(const rg_system *s)
{
    (void)s;
    return 1;
}

int64_t rg_system_redundant(const rg_system *s)
{
    return s->redundant;
}

rg_status rg_system_find_pins(const rg_system *s, double x, const double *Jy, const double *Jyp,
                              double *most, int *rows, int *columns)
{
    return rg_matrix_find_dependent(s->ctx, &s->pattern, x, Jy, Jyp, most, s->redundant, rows,
                                    columns);
}

bool rg_system_is_open(const rg_system *s, int64_t state)
{
    (void)s, (void)state;
    return false;
}

rg_context *rg_system_context(const rg_system *s)
{
    return s->ctx;
}

int64_t rg_system_size(const rg_system *s)
{
    return s->n;
}

const rg_pattern *rg_system_pattern(const rg_system *s)
{
    return &s->pattern;
}

const int *rg_system_variable_index(const rg_system *s)
{
    return s->index;
}

rg_status rg_system_work_create(const rg_system *s, rg_system_work **out)
{
    *out = rg_alloc(s->ctx, 1, sizeof **out);
    if (*out == NULL) return RG_ERR_MEMORY;
    (*out)->ctx = s->ctx;
    return RG_OK;
}

void rg_system_work_destroy(rg_system_work **w)
{
    if (*w != NULL) rg_free((*w)->ctx, *w);
    *w = NULL;
}

rg_status rg_system_residual(const rg_system *s, rg_system_work *w, double t, const double *y,
                             const double *yp, double *F)
{
    (void)w;
    return s->F(t, y, yp, F);
}

double *rg_system_point(rg_system_work *w)
{
    return w->point;
}

rg_status rg_system_residual_here(const rg_system *s, rg_system_work *w, double t, double *F)
{
    return s->F(t, w->point, w->point + s->n, F);
}

/* Column j of dF/d(y or y') by central differences: (F(x + d) - F(x - d)) / 2d. */
static inline rg_status mock_column(const rg_system *s, rg_system_work *w, double t, double *x,
                                    double *column)
{
    const double kept = *x, d = 1e-6 * fmax(1e-3, fabs(kept));
    const size_t bytes = (size_t)s->n * sizeof(double);

    memset(w->high, 0, bytes);
    memset(w->low, 0, bytes);
    *x = kept + d;
    const double high = *x;
    rg_status status = s->F(t, w->y, w->yp, w->high);
    *x = kept - d;
    if (status == RG_OK) status = s->F(t, w->y, w->yp, w->low);
    for (int i = 0; i < s->n; i++)
        column[i] = (w->high[i] - w->low[i]) / (high - *x);
    *x = kept;
    return status;
}

rg_status rg_system_jacobian(const rg_system *s, rg_system_work *w, double t, const double *y,
                             const double *yp, double *Jy, double *Jyp)
{
    const size_t n = (size_t)s->n;

    if (s->J != NULL) {
        memset(Jy, 0, n * n * sizeof *Jy);
        memset(Jyp, 0, n * n * sizeof *Jyp);
        s->J(t, y, yp, Jy, Jyp);
        return RG_OK;
    }
    memcpy(w->y, y, n * sizeof *y);
    memcpy(w->yp, yp, n * sizeof *yp);
    for (size_t j = 0; j < n; j++) {
        RG_TRY(mock_column(s, w, t, w->y + j, Jy + j * n));
        RG_TRY(mock_column(s, w, t, w->yp + j, Jyp + j * n));
    }
    return RG_OK;
}

int rg_system_hidden_levels(const rg_system *s)
{
    (void)s;
    return 0;
}

rg_status rg_system_violation(const rg_system *s, rg_system_work *w, double t, const double *y,
                              int e, double *b)
{
    (void)s, (void)w, (void)t, (void)y, (void)e, (void)b;
    return RG_OK;
}

void rg_system_move(const rg_system *s, int e, const double *change, double *y)
{
    (void)s, (void)e, (void)change, (void)y;
}

double rg_system_move_size(const rg_system *s, int e, const double *change, const double *weight)
{
    (void)s, (void)e, (void)change, (void)weight;
    return 0.0;
}

bool rg_system_projects(const rg_system *s)
{
    return s->project != NULL;
}

rg_status rg_system_project(const rg_system *s, rg_system_work *w, double t, const double *weight,
                            double *y, double *yp)
{
    (void)w;
    return s->project(t, weight, y, yp);
}

int rg_system_row_name(const rg_system *s, int64_t row, char *buffer, int size)
{
    (void)s;
    return snprintf(buffer, (size_t)size, "equation %d", (int)row + 1);
}

#endif
