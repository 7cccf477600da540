/* Which equation a combination replaces, and by which columns its factors are made: see
 * cancel_impl.h.
 *
 * In place of F_l the combination tells the same where w_l, the minor of the other rows, is not 0.
 * So among the equations of least c and the sets of columns the minor is taken that stays away from
 * 0 over the whole interval: that of the largest min |w_l|/max |w_l| over many times, at one
 * generic point, without a change of its sign.  Where all of them change it nothing is better than
 * the largest one at the start. */
#include "structure/cancel_impl.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_canceller *k;
    int m, n_columns, n_times;
    int32_t column[RG_CANCEL_COLUMNS]; /* those with entries in the rows */
    double *J;                         /* per time: the rows of the combination, in these columns */
    double best;
    int row; /* of the combination */
    int32_t columns[RG_CANCEL_MOST];
} choice;

static double *entries_at(const choice *c, int time)
{
    return c->J + (int64_t)time * c->k->count * c->n_columns;
}

/* The entries of the rows at the time that the sampler has been evaluated at. */
static void take_entries(const choice *c, double *J)
{
    const rg_canceller *k = c->k;
    const rg_sampler *s = k->at;

    memset(J, 0, (size_t)(k->count * c->n_columns) * sizeof *J);
    for (int b = 0; b < c->n_columns; b++)
        for (int r = 0; r < s->n_orders; r++) {
            const int64_t col = r * k->n + c->column[b];
            for (int64_t e = s->pattern->start[col]; e < s->pattern->start[col + 1]; e++)
                for (int i = 0; i < k->count; i++)
                    if (s->pattern->row[e] == k->rows[i]
                        && r == k->d[c->column[b]] - k->c[k->rows[i]])
                        J[i * c->n_columns + b] = s->J[e];
        }
}

/* The point stays, the time goes over the interval. */
static rg_status take_times(choice *c)
{
    rg_sampler *s = c->k->at;
    const rg_problem *p = s->p;
    const double before = s->t;

    for (int i = 0; i < RG_CANCEL_TIMES; i++) {
        s->t = p->a + (p->b - p->a) * i / (RG_CANCEL_TIMES - 1);
        const rg_status status = rg_sampler_eval(s);
        if (status < 0) return status;
        if (status == RG_OK) take_entries(c, entries_at(c, c->n_times++));
    }
    s->t = before;
    const rg_status status = rg_sampler_eval(s);
    return status < 0 ? status : RG_OK;
}

/* |A|, m x m, by elimination; A is overwritten. */
static double determinant(int m, double A[RG_CANCEL_MOST][RG_CANCEL_MOST])
{
    double product = 1.0;

    for (int q = 0; q < m; q++) {
        int at = q;
        for (int i = q + 1; i < m; i++)
            if (fabs(A[i][q]) > fabs(A[at][q])) at = i;
        if (A[at][q] == 0.0) return 0.0;
        for (int j = 0; j < m && at != q; j++) {
            const double x = A[q][j];
            A[q][j] = A[at][j];
            A[at][j] = x;
        }
        product *= at != q ? -A[q][q] : A[q][q];
        for (int i = q + 1; i < m; i++)
            for (int j = m - 1; j >= q; j--)
                A[i][j] -= A[i][q] / A[q][q] * A[q][j];
    }
    return product;
}

/* The minor without row `row` in the columns at one time. */
static double minor(const choice *c, int row, const int *set, int time)
{
    const double *J = entries_at(c, time);
    double A[RG_CANCEL_MOST][RG_CANCEL_MOST];

    for (int i = 0, at = 0; i < c->k->count; i++) {
        if (i == row) continue;
        for (int b = 0; b < c->m; b++)
            A[at][b] = J[i * c->n_columns + set[b]];
        at++;
    }
    return determinant(c->m, A);
}

static void judge(choice *c, int row, const int *set)
{
    double least = INFINITY, most = 0.0, first = 0.0;

    for (int time = 0; time < c->n_times; time++) {
        const double w = minor(c, row, set, time);
        if (time == 0) first = w;
        if (w * first <= 0.0) return;
        least = fmin(least, fabs(w));
        most = fmax(most, fabs(w));
    }
    if (!(least > c->best * most * (1.0 + RG_SAME))) return;
    c->best = least / most;
    c->row = row;
    for (int b = 0; b < c->m; b++)
        c->columns[b] = c->column[set[b]];
}

/* All sets of m columns, in their order; too many: the first ones. */
static void judge_sets(choice *c, int row)
{
    int set[RG_CANCEL_MOST], left = RG_CANCEL_SETS;

    for (int b = 0; b < c->m; b++)
        set[b] = b;
    while (left-- > 0) {
        judge(c, row, set);
        int b = c->m - 1;
        while (b >= 0 && set[b] == c->n_columns - c->m + b)
            b--;
        if (b < 0) return;
        set[b]++;
        for (b++; b < c->m; b++)
            set[b] = set[b - 1] + 1;
    }
}

/* Those taken so far come first: they are kept where nothing is better. */
static void list_columns(choice *c)
{
    const rg_canceller *k = c->k;

    for (int b = 0; b < c->m; b++)
        c->column[c->n_columns++] = k->columns[b];
    for (int64_t j = 0; j < k->n && c->n_columns < RG_CANCEL_COLUMNS; j++) {
        bool is_there = false, is_new = true;
        for (int i = 0; i < k->count; i++)
            is_there = is_there || k->J[k->rows[i] * k->n + j] != 0.0;
        for (int b = 0; b < c->m; b++)
            is_new = is_new && k->columns[b] != j;
        if (is_there && is_new) c->column[c->n_columns++] = (int32_t)j;
    }
}

static void take(const choice *c)
{
    rg_canceller *k = c->k;
    const int32_t last = k->rows[c->row];

    k->rows[c->row] = k->rows[k->count - 1];
    k->rows[k->count - 1] = last;
    memcpy(k->columns, c->columns, (size_t)c->m * sizeof *k->columns);
}

rg_status rg_cancel_choose(rg_canceller *k)
{
    choice c = {.k = k, .m = k->count - 1};

    list_columns(&c);
    c.J = rg_alloc(k->ctx, (size_t)(RG_CANCEL_TIMES * k->count * c.n_columns) + 1, sizeof *c.J);
    if (c.J == NULL) return RG_ERR_MEMORY;
    const rg_status status = take_times(&c);
    const int32_t least = k->c[k->rows[k->count - 1]];
    for (int row = k->count - 1; row >= 0 && status == RG_OK && c.n_times > 0; row--)
        if (k->c[k->rows[row]] == least) judge_sets(&c, row);
    if (status == RG_OK && c.best > 0.0) take(&c);
    rg_free(k->ctx, c.J);
    return status;
}
