/* What cycles of multigrid do with one row of a level. */
#include "pdae/solve/multigrid_rows.h"

#include "base/vector.h"

/* ---- smoothing ------------------------------------------------------------------------------- */
/* The conductances of a row from its first cell on. */
typedef struct {
    int n;
    int64_t sy, sz; /* 0: no such axis */
    const float *Tx, *Ty, *Tz, *s, *inverse;
} row;

static row row_at(const rg_multigrid_level *l, int64_t at)
{
    return (row){.n = l->n[0],
                 .sy = l->T[1] ? l->stride[1] : 0,
                 .sz = l->T[2] ? l->stride[2] : 0,
                 .Tx = l->T[0] ? l->T[0] + at : NULL,
                 .Ty = l->T[1] ? l->T[1] + at : NULL,
                 .Tz = l->T[2] ? l->T[2] + at : NULL,
                 .s = l->s ? l->s + at : NULL,
                 .inverse = l->inverse + at};
}

/* out = (b + sum T x)/diagonal */
RG_FOR_ALL_VECTORS
static void relax_row(const row *w, const float *b, const float *x, float *restrict out)
{
    const float *Tx = w->Tx, *Ty = w->Ty, *Tz = w->Tz, *inverse = w->inverse;
    const int64_t sy = w->sy, sz = w->sz;
    const int n = w->n;

    if (Tx && Ty && !Tz) {
        for (int i = 0; i < n; i++)
            out[i] = inverse[i]
                     * (b[i] + Tx[i] * x[i - 1] + Tx[i + 1] * x[i + 1] + Ty[i] * x[i - sy]
                        + Ty[i + sy] * x[i + sy]);
        return;
    }
    if (Tx && Ty && Tz) {
        for (int i = 0; i < n; i++)
            out[i] = inverse[i]
                     * (b[i] + Tx[i] * x[i - 1] + Tx[i + 1] * x[i + 1] + Ty[i] * x[i - sy]
                        + Ty[i + sy] * x[i + sy] + Tz[i] * x[i - sz] + Tz[i + sz] * x[i + sz]);
        return;
    }
    for (int i = 0; i < n; i++) {
        float sum = b[i];
        if (Tx) sum += Tx[i] * x[i - 1] + Tx[i + 1] * x[i + 1];
        if (Ty) sum += Ty[i] * x[i - sy] + Ty[i + sy] * x[i + sy];
        if (Tz) sum += Tz[i] * x[i - sz] + Tz[i + sz] * x[i + sz];
        out[i] = inverse[i] * sum;
    }
}

/* Takes the new value where the pattern is 1. */
RG_FOR_ALL_VECTORS
static void take(int n, const float *restrict pattern, const float *restrict from,
                 float *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] = pattern[i] > 0.0F ? from[i] : x[i];
}

/* x = b/diagonal on one colour, 0 on the other. */
RG_FOR_ALL_VECTORS
static void begin(int n, const float *restrict pattern, const float *restrict inverse,
                  const float *restrict b, float *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] = pattern[i] * inverse[i] * b[i];
}

RG_FOR_ALL_VECTORS
static void shorten(int64_t n, const double *restrict from, double scale, float *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)(scale * from[i]);
}

void rg_multigrid_shorten(int64_t n, const double *from, double scale, float *to)
{
    shorten(n, from, scale, to);
}

/* The first colour of x = 0; where b comes from double numbers it is made of them. */
void rg_multigrid_begin_at(const rg_multigrid_loop *w, int64_t unit)
{
    int j, k;
    const int64_t at = rg_multigrid_row(w->l, unit, &j, &k);

    if (w->r) shorten(w->l->n[0], w->r + at, w->by, w->l->b + at);
    begin(w->l->n[0], w->m->pattern + ((j + k) & 1), w->l->inverse + at, w->b + at, w->x + at);
}

void rg_multigrid_relax_at(const rg_multigrid_loop *w, int64_t unit, float *kept)
{
    int j, k;
    const int64_t at = rg_multigrid_row(w->l, unit, &j, &k);
    const row r = row_at(w->l, at);

    relax_row(&r, w->b + at, w->x + at, kept);
    take(r.n, w->m->pattern + ((w->colour + j + k) & 1), kept, w->x + at);
}

RG_FOR_ALL_VECTORS
static void residual_row(const row *w, const float *b, const float *x, float *restrict out)
{
    const float *Tx = w->Tx, *Ty = w->Ty, *Tz = w->Tz, *s = w->s;
    const int64_t sy = w->sy, sz = w->sz;
    const int n = w->n;

    if (Tx && Ty && !Tz && !s) {
        for (int i = 0; i < n; i++)
            out[i] = Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1])
                     + Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]);
    } else if (Tx && Ty && !Tz) {
        for (int i = 0; i < n; i++)
            out[i] = s[i] * x[i] + (Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1]))
                     + (Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]));
    } else if (Tx && Ty && !s) {
        for (int i = 0; i < n; i++)
            out[i] = (Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1]))
                     + (Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]))
                     + (Tz[i] * (x[i] - x[i - sz]) + Tz[i + sz] * (x[i] - x[i + sz]));
    } else {
        for (int i = 0; i < n; i++) {
            float sum = s ? s[i] * x[i] : 0.0F;
            if (Tx) sum += Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1]);
            if (Ty) sum += Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]);
            if (Tz) sum += Tz[i] * (x[i] - x[i - sz]) + Tz[i + sz] * (x[i] - x[i + sz]);
            out[i] = sum;
        }
    }
    for (int i = 0; i < n; i++)
        out[i] = b[i] - out[i];
}

void rg_multigrid_residual_at(const rg_multigrid_loop *w, int64_t unit, float *out)
{
    int j, k;
    const int64_t at = rg_multigrid_row(w->l, unit, &j, &k);
    const row of = row_at(w->l, at);

    residual_row(&of, w->b + at, w->x + at, out);
}

/* ---- between levels -------------------------------------------------------------------------- */
/* to[i] from cells 2 i - 1 .. 2 i + 2 of a line along x. */
RG_FOR_ALL_VECTORS
static void down_along(int n, int N, const float *restrict w, const float *restrict r,
                       float *restrict to)
{
    const int pairs = n / 2;

    for (int I = 0; I < pairs; I++) {
        const int i = 2 * I;
        to[I] = w[i - 1] * r[i - 1] + (1.0F - w[i]) * r[i] + (1.0F - w[i + 1]) * r[i + 1]
                + w[i + 2] * r[i + 2];
    }
    if (pairs < N) {
        const int i = 2 * pairs;
        to[pairs] = w[i - 1] * r[i - 1] + r[i] + w[i + 1] * r[i + 1];
    }
}

/* The same for rows that are joined with their neighbours across x. */
RG_FOR_ALL_VECTORS
static void down_rows(int n, int64_t s, bool is_pair, const float *w, const float *r,
                      float *restrict to)
{
    const int64_t next = is_pair ? 2 * s : s;

    for (int i = 0; i < n; i++) {
        float sum = w[i - s] * r[i - s] + (1.0F - w[i]) * r[i] + w[i + next] * r[i + next];
        if (is_pair) sum += (1.0F - w[i + s]) * r[i + s];
        to[i] = sum;
    }
}

/* b of the coarse level = P^T r; what lies beyond the ends of an axis has weight 0 or is a copy. */
void rg_multigrid_down_at(const rg_multigrid_loop *w, int64_t unit)
{
    const rg_multigrid_level *f = w->l, *c = w->c;
    const int d = f->axis;
    int j, k;
    const int64_t to = rg_multigrid_row(c, unit, &j, &k),
                  from = rg_multigrid_at(f, 0, d == 1 ? 2 * j : j, d == 2 ? 2 * k : k);
    const int group = d == 1 ? j : k;

    if (d == 0)
        down_along(f->n[0], c->n[0], f->weight + from, w->b + from, c->b + to);
    else
        down_rows(f->n[0], f->stride[d], 2 * group + 1 < f->n[d], f->weight + from, w->b + from,
                  c->b + to);
}

/* The residual of a row goes down along x at once. */
void rg_multigrid_sink_at(const rg_multigrid_loop *w, int64_t unit, float *r)
{
    int j, k;
    const int64_t at = rg_multigrid_row(w->l, unit, &j, &k), to = rg_multigrid_at(w->c, 0, j, k);

    rg_multigrid_residual_at(w, unit, r);
    down_along(w->l->n[0], w->c->n[0], w->l->weight + at, r, w->c->b + to);
}

RG_FOR_ALL_VECTORS
static void up_row(int n, const float *w, const float *own, const float *far, float *restrict x,
                   bool adds)
{
    if (adds)
        for (int i = 0; i < n; i++)
            x[i] += own[i] + w[i] * (far[i] - own[i]);
    else
        for (int i = 0; i < n; i++)
            x[i] = own[i] + w[i] * (far[i] - own[i]);
}

/* Both cells of the pairs along x; of an odd number the last one is alone. */
RG_FOR_ALL_VECTORS
static void up_along(int n, const float *restrict w, const float *restrict coarse,
                     float *restrict x, bool adds)
{
    for (int i = 0; i < n && !adds; i++)
        x[i] = 0.0F;
    for (int I = 0; I < n / 2; I++) {
        const float own = coarse[I];
        x[2 * I] += own + w[2 * I] * (coarse[I - 1] - own);
        x[2 * I + 1] += own + w[2 * I + 1] * (coarse[I + 1] - own);
    }
    if (n % 2 == 1) {
        const float own = coarse[n / 2];
        x[n - 1] += own + w[n - 1] * (coarse[n / 2 - 1] - own);
    }
}

void rg_multigrid_up_at(const rg_multigrid_loop *w, int64_t unit)
{
    const rg_multigrid_level *f = w->l, *c = w->c;
    const int d = f->axis;
    int j, k;
    const int64_t to = rg_multigrid_row(f, unit, &j, &k),
                  from = rg_multigrid_at(c, 0, d == 1 ? j / 2 : j, d == 2 ? k / 2 : k);
    const int i = d == 1 ? j : k;

    if (d == 0)
        up_along(f->n[0], f->weight + to, c->x + from, w->x + to, w->adds);
    else
        up_row(f->n[0], f->weight + to, c->x + from,
               c->x + from + (i % 2 == 1 ? c->stride[d] : -c->stride[d]), w->x + to, w->adds);
}

/* ---- sums ------------------------------------------------------------------------------------ */
typedef float quarter __attribute__((vector_size(16), aligned(4), may_alias));
#define QUAD(at) __builtin_convertvector(*(const quarter *)(at), rg_quad)

enum { SUMS = 2 * RG_LANES };

/* Eight sums side by side. */
RG_FOR_ALL_VECTORS
static double dot(int n, const float *x, const float *b)
{
    rg_quad low = {0.0}, high = {0.0};
    int i = 0;

    for (; i + SUMS <= n; i += SUMS) {
        low += QUAD(x + i) * QUAD(b + i);
        high += QUAD(x + i + RG_LANES) * QUAD(b + i + RG_LANES);
    }
    low += high;
    for (int k = 0; i < n; i++, k++)
        low[k % RG_LANES] += (double)x[i] * (double)b[i];
    return (low[0] + low[1]) + (low[2] + low[3]);
}

static double sum(int n, const float *x)
{
    double all = 0.0;

    for (int i = 0; i < n; i++)
        all += x[i];
    return all;
}

void rg_multigrid_sums_at(const rg_multigrid_loop *w, int64_t unit, double out[RG_CREW_SUMS])
{
    const bool has_mean = w->m->e->singular;
    const int n = w->l->n[0];
    int j, k;
    const int64_t at = rg_multigrid_row(w->l, unit, &j, &k);

    out[0] = dot(n, w->x + at, w->b + at);
    out[1] = has_mean ? sum(n, w->x + at) : 0.0;
    out[2] = has_mean ? sum(n, w->b + at) : 0.0;
}
