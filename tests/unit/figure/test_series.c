/* Thinning: every extremum of every column stays, gaps too; grouping of lines by their size. */
#include "figure/chart.h"
#include "figure/series.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 200000, COLUMNS = 5, MOST = 1500 };

/* A wave, a spike of one row, noise, a constant, a wave with gaps. */
static double value_at(int column, int64_t row)
{
    switch (column) {
    case 0:
        return sin((double)row * 0.002);
    case 1:
        return row == 123457 ? -40.0 : row == 77 ? 50.0 : 0.0;
    case 2:
        return 1e-6 * (double)((row * 7919) % 10007);
    case 3:
        return 3.0;
    default:
        return row % 50000 == 17 ? NAN : row == 60000 ? INFINITY : 1000.0 * cos((double)row * 1e-4);
    }
}

static rg_status row(void *user, int64_t r, double *values)
{
    (void)user;
    values[0] = (double)r;
    for (int c = 0; c < COLUMNS; c++)
        values[c + 1] = value_at(c, r);
    return RG_OK;
}

static int name(void *user, int column, char *buffer, int size)
{
    (void)user;
    return snprintf(buffer, (size_t)size, column < 0 ? "t" : "c[%d]", column + 1);
}

static bool has_row(const rg_series *s, int64_t wanted)
{
    for (int64_t k = 0; k < s->n; k++)
        if (s->x[k] == (double)wanted) return true;
    return false;
}

static void check_extremes(const rg_series *s)
{
    for (int c = 0; c < COLUMNS; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t k = 0; k < s->n; k++) {
            const double v = rg_series_column(s, c)[k];
            if (!isfinite(v)) continue;
            low = fmin(low, v);
            high = fmax(high, v);
            CHECK(v == value_at(c, (int64_t)s->x[k]));
        }
        CHECK(low == s->low[c] && high == s->high[c]);
    }
    for (double wave = 0.5; wave < 60.0; wave += 1.0) /* all turns of the first column */
    {
        double best = 0.0;
        const double at = wave * acos(-1.0) / 0.002;
        for (int64_t k = 0; k < s->n; k++)
            if (fabs(s->x[k] - at) < 100.0) best = fmax(best, fabs(rg_series_column(s, 0)[k]));
        CHECK(best > 0.9999);
    }
}

static void test_thin(void)
{
    rg_context *ctx = NULL;
    const rg_samples samples = {NULL, ROWS, COLUMNS, row, name};
    rg_series s;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_series_take(ctx, &samples, MOST, &s) == RG_OK);
    CHECK(s.n <= MOST && s.n > MOST / 8 && s.n_all == ROWS);
    CHECK(has_row(&s, 0) && has_row(&s, ROWS - 1) && has_row(&s, 123457) && has_row(&s, 77));
    CHECK(s.gaps[4] == 5 && s.gaps[0] == 0);
    CHECK(has_row(&s, 17) && has_row(&s, 60000));
    check_extremes(&s);
    CHECK_TEXT(s.x_name, "t");
    CHECK_TEXT(s.name[4], "c[5]");
    rg_series_clear(&s);
    rg_context_destroy(&ctx);
}

static void test_groups(void)
{
    rg_context *ctx = NULL;
    const rg_samples samples = {NULL, 2000, COLUMNS, row, name};
    rg_series s;
    rg_panels p;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_series_take(ctx, &samples, MOST, &s) == RG_OK);
    CHECK(rg_panels_all(&s, &p) == RG_OK);
    CHECK(p.n == 4); /* the constant 3 goes with the spike of 50 */
    rg_panels_clear(&p);
    CHECK(rg_panels_choose(&s, "c[1]:c[5],c[3]", "y", 4, &p) == RG_OK);
    CHECK(p.n == 2 && p.panel[0].across == 0 && p.panel[0].column[0] == 4 && p.log_y && !p.log_x);
    rg_panels_clear(&p);
    CHECK(rg_panels_choose(&s, "c", "", 4, &p) == RG_OK && p.n == 4);
    rg_panels_clear(&p);
    CHECK(rg_panels_choose(&s, "d", "", 4, &p) == RG_ERR_ARGUMENT);
    CHECK(strstr(rg_last_error(ctx)->message, "'d'") != NULL && rg_last_error(ctx)->remedy[0]);
    CHECK(rg_panels_choose(&s, "", "z", 4, &p) == RG_ERR_ARGUMENT);
    rg_series_clear(&s);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"thin",   test_thin  },
        {"groups", test_groups}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
