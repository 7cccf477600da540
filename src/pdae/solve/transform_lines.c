/* Real transforms of two lines a, b at a time by one complex transform of n numbers, z = a + i b.
 *
 * With Z its transform, the modes of the lines are
 *
 *     A_k = (Z_k + conj Z_(n-k))/2,     B_k = (Z_k - conj Z_(n-k))/(2 i)
 *
 * Cosines (Makhoul 1980): of the numbers in the order x_0, x_2, x_4, ..., x_5, x_3, x_1 the mode is
 * V_k, and 2 sum x_j cos(pi (j + 1/2) k/n) = 2 Re(exp(-i pi k/(2 n)) V_k).  Backwards
 * V_k = exp(i pi k/(2 n)) (X_k - i X_(n-k)), X_n = 0.  Sines are cosines of x_j (-1)^j with the
 * modes in opposite order.  The transforms with half modes go to FFTW line by line. */
#include "pdae/solve/transform_lines.h"

#include "base/tuning.h"
#include "base/vector.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { STRIP = 8 }; /* lines across memory that are taken together */

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static bool is_half(rg_lines_kind kind)
{
    return kind == RG_LINES_HALF_COSINE || kind == RG_LINES_HALF_SINE;
}

static void make_plans(rg_lines *t)
{
    double *in = t->buffer, *out = in + 2 * t->n;

    if (is_half(t->kind)) {
        const fftw_r2r_kind kind = t->kind == RG_LINES_HALF_COSINE ? FFTW_REDFT11 : FFTW_RODFT11;
        t->forward = fftw_plan_r2r_1d(t->n, in, out, kind, FFTW_ESTIMATE);
        t->backward = fftw_plan_r2r_1d(t->n, in, out, kind, FFTW_ESTIMATE);
        return;
    }
    t->forward = fftw_plan_dft_1d(t->n, (fftw_complex *)in, (fftw_complex *)out, FFTW_FORWARD,
                                  FFTW_ESTIMATE);
    t->backward = fftw_plan_dft_1d(t->n, (fftw_complex *)in, (fftw_complex *)out, FFTW_BACKWARD,
                                   FFTW_ESTIMATE);
}

rg_status rg_lines_create(const rg_grid *g, int d, rg_lines_kind kind, rg_lines *t)
{
    const double half = 0.5 * acos(-1.0);
    /* as many as there may ever be, for the threads of the context may change */
    const int64_t hands = 2 * g->size >= RG_CREW_NUMBERS ? RG_CREW_MOST : 1;

    *t = (rg_lines){.kind = kind, .n = g->axis[d].n, .inner = 1, .outer = 1, .is_first = d == 0};
    for (int e = 0; e < g->dims; e++)
        *(e < d ? &t->inner : &t->outer) *= e == d ? 1 : g->axis[e].n;
    t->room = (4 + STRIP + 1) * (int64_t)t->n;
    t->room += t->room % 2; /* the same alignment for all threads */
    t->turn = rg_alloc(g->ctx, 2 * (size_t)t->n, sizeof *t->turn);
    t->buffer = rg_alloc(g->ctx, (size_t)(hands * t->room), sizeof *t->buffer);
    if (t->turn == NULL || t->buffer == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < t->n; k++) {
        t->turn[2 * k] = cos(half * k / t->n);
        t->turn[2 * k + 1] = sin(half * k / t->n);
    }
    pthread_mutex_lock(&planner); /* plans are made by one thread at a time */
    make_plans(t);
    pthread_mutex_unlock(&planner);
    return t->forward && t->backward ? RG_OK
                                     : rg_fail(g->ctx, RG_ERR_MEMORY, "no plan of a transform");
}

void rg_lines_free(const rg_grid *g, rg_lines *t)
{
    pthread_mutex_lock(&planner);
    if (t->forward) fftw_destroy_plan(t->forward);
    if (t->backward) fftw_destroy_plan(t->backward);
    pthread_mutex_unlock(&planner);
    rg_free(g->ctx, t->turn);
    rg_free(g->ctx, t->buffer);
    *t = (rg_lines){.n = 0};
}

/* ---- two lines; number j of a line at a[j s] ------------------------------------------------- */
typedef struct {
    const double *a, *b;
} pair;

typedef struct {
    double *a, *b;
} pair_out;

/* Four numbers at a time of lines that are no strips, where the compiler can mix two vectors; what
 * is left is done one by one.  The operations on a number are the same. */
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
#define MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define HAS_MIX        true
#else
#define MIX(a, b, ...) (a)
#define HAS_MIX        false
#endif
#define TURNED(a) MIX(a, a, 3, 2, 1, 0)
#define PUT(at)   (*(rg_quad *)(at)) /* a place for four numbers */

/* In the order of the cosine transform; sign -1: of the odd numbers, for sines. */
RG_INLINE void reorder(int n, pair v, int s, double sign, double *z)
{
    double *last = z + 2 * (n - 1);
    int j = 0;

    for (; HAS_MIX && s == 1 && j + RG_LANES <= n; j += RG_LANES, z += 4, last -= 4) {
        const rg_quad a = RG_FOUR(v.a + j), b = RG_FOUR(v.b + j);
        PUT(z) = MIX(a, b, 0, 4, 2, 6);
        PUT(last - 2) = sign * MIX(a, b, 3, 7, 1, 5);
    }
    for (; j + 1 < n; j += 2, z += 2, last -= 2) {
        z[0] = v.a[j * s], z[1] = v.b[j * s];
        last[0] = sign * v.a[(j + 1) * s], last[1] = sign * v.b[(j + 1) * s];
    }
    if (n % 2) z[0] = v.a[(n - 1) * s], z[1] = v.b[(n - 1) * s];
}

RG_INLINE void order_back(int n, const double *z, double sign, pair_out v, int s)
{
    const double *last = z + 2 * (n - 1);
    int j = 0;

    for (; HAS_MIX && s == 1 && j + RG_LANES <= n; j += RG_LANES, z += 4, last -= 4) {
        const rg_quad even = RG_FOUR(z), odd = sign * RG_FOUR(last - 2);
        PUT(v.a + j) = MIX(even, odd, 0, 6, 2, 4);
        PUT(v.b + j) = MIX(even, odd, 1, 7, 3, 5);
    }
    for (; j + 1 < n; j += 2, z += 2, last -= 2) {
        v.a[j * s] = z[0], v.b[j * s] = z[1];
        v.a[(j + 1) * s] = sign * last[0], v.b[(j + 1) * s] = sign * last[1];
    }
    if (n % 2) v.a[(n - 1) * s] = z[0], v.b[(n - 1) * s] = z[1];
}

/* cos and sin of four modes. */
#define TURN(t, c, s)                                                                              \
    const rg_quad t##0 = RG_FOUR(t), t##1 = RG_FOUR((t) + 4), c = MIX(t##0, t##1, 0, 2, 4, 6),     \
                  s = MIX(t##0, t##1, 1, 3, 5, 7)

/* Cosine modes from Z, to places k step from A and B on. */
RG_INLINE void cosine_modes(int n, const double *turn, const double *z, pair_out v, int step)
{
    int k = 1;

    v.a[0] = 2.0 * z[0], v.b[0] = 2.0 * z[1];
    for (; HAS_MIX && step == 1 && 2 * k + 6 < n; k += RG_LANES) {
        const double *t = turn + 2 * k, *up = z + 2 * k, *down = z + 2 * (n - k - 3);
        TURN(t, c, s);
        const rg_quad z0 = RG_FOUR(up), z1 = RG_FOUR(up + 4), m0 = RG_FOUR(down),
                      m1 = RG_FOUR(down + 4);
        const rg_quad zr = MIX(z0, z1, 0, 2, 4, 6), zi = MIX(z0, z1, 1, 3, 5, 7),
                      mr = MIX(m0, m1, 6, 4, 2, 0), mi = MIX(m0, m1, 7, 5, 3, 1);
        const rg_quad re = zr + mr, im = zi + mi, dre = zr - mr, dim = zi - mi;
        PUT(v.a + k) = c * re + s * dim;
        PUT(v.b + k) = c * im - s * dre;
        const rg_quad far_a = s * re - c * dim, far_b = s * im + c * dre;
        PUT(v.a + n - k - 3) = TURNED(far_a);
        PUT(v.b + n - k - 3) = TURNED(far_b);
    }
    for (; 2 * k <= n; k++) {
        const double c = turn[2 * k], s = turn[2 * k + 1], *m = z + 2 * (n - k);
        const double re = z[2 * k] + m[0], im = z[2 * k + 1] + m[1], dre = z[2 * k] - m[0],
                     dim = z[2 * k + 1] - m[1];
        v.a[k * step] = c * re + s * dim;
        v.b[k * step] = c * im - s * dre;
        v.a[(n - k) * step] = s * re - c * dim;
        v.b[(n - k) * step] = s * im + c * dre;
    }
}

RG_INLINE void from_cosine_modes(int n, const double *turn, pair v, int step, double *z)
{
    int k = 1;

    z[0] = v.a[0], z[1] = v.b[0];
    for (; HAS_MIX && step == 1 && 2 * k + 6 < n; k += RG_LANES) {
        const double *t = turn + 2 * k;
        double *up = z + 2 * k, *down = z + 2 * (n - k - 3);
        TURN(t, c, s);
        const rg_quad a = RG_FOUR(v.a + k), b = RG_FOUR(v.b + k), A = RG_FOUR(v.a + n - k - 3),
                      B = RG_FOUR(v.b + n - k - 3), a2 = TURNED(A), b2 = TURNED(B);
        const rg_quad zr = c * (a + b2) - s * (b - a2), zi = s * (a + b2) + c * (b - a2),
                      mr = s * (a2 + b) - c * (b2 - a), mi = c * (a2 + b) + s * (b2 - a);
        PUT(up) = MIX(zr, zi, 0, 4, 1, 5);
        PUT(up + 4) = MIX(zr, zi, 2, 6, 3, 7);
        PUT(down) = MIX(mr, mi, 3, 7, 2, 6);
        PUT(down + 4) = MIX(mr, mi, 1, 5, 0, 4);
    }
    for (; 2 * k <= n; k++) {
        const double c = turn[2 * k], s = turn[2 * k + 1];
        const double a = v.a[k * step], b = v.b[k * step], a2 = v.a[(n - k) * step],
                     b2 = v.b[(n - k) * step];
        z[2 * k] = c * (a + b2) - s * (b - a2);
        z[2 * k + 1] = s * (a + b2) + c * (b - a2);
        z[2 * (n - k)] = s * (a2 + b) - c * (b2 - a);
        z[2 * (n - k) + 1] = c * (a2 + b) + s * (b2 - a);
    }
}

RG_INLINE void fourier_modes(int n, const double *z, pair_out v, int step)
{
    v.a[0] = z[0], v.b[0] = z[1];
    for (int k = 1; 2 * k < n; k++) {
        const double *m = z + 2 * (n - k);
        v.a[k * step] = 0.5 * (z[2 * k] + m[0]);
        v.a[(n - k) * step] = 0.5 * (z[2 * k + 1] - m[1]);
        v.b[k * step] = 0.5 * (z[2 * k + 1] + m[1]);
        v.b[(n - k) * step] = 0.5 * (m[0] - z[2 * k]);
    }
    if (n % 2 == 0) v.a[n / 2 * step] = z[n], v.b[n / 2 * step] = z[n + 1];
}

RG_INLINE void from_fourier_modes(int n, pair v, int step, double *z)
{
    z[0] = v.a[0], z[1] = v.b[0];
    for (int k = 1; 2 * k < n; k++) {
        const double ar = v.a[k * step], ai = v.a[(n - k) * step], br = v.b[k * step],
                     bi = v.b[(n - k) * step];
        z[2 * k] = ar - bi, z[2 * k + 1] = ai + br;
        z[2 * (n - k)] = ar + bi, z[2 * (n - k) + 1] = br - ai;
    }
    if (n % 2 == 0) z[n] = v.a[n / 2 * step], z[n + 1] = v.b[n / 2 * step];
}

/* The last place of every mode, for those in opposite order. */
RG_INLINE pair_out at_end(int n, pair_out v, int s)
{
    return (pair_out){v.a + (n - 1) * s, v.b + (n - 1) * s};
}

static void half_modes(const rg_lines *t, const double *a, int s, double *out, double *in)
{
    for (int j = 0; j < t->n; j++)
        in[j] = a[j * s];
    fftw_execute_r2r(t->forward, in, in + 2 * t->n);
    for (int j = 0; j < t->n; j++)
        out[j * s] = in[2 * t->n + j];
}

RG_INLINE void two_lines(const rg_lines *t, bool back, pair v, pair_out to, int s, double *in)
{
    const int n = t->n;
    double *out = in + 2 * n;
    const pair_out end = at_end(n, to, s);
    const pair last = {v.a + (n - 1) * s, v.b + (n - 1) * s};

    if (is_half(t->kind)) {
        half_modes(t, v.a, s, to.a, in);
        half_modes(t, v.b, s, to.b, in);
        return;
    }
    const double sign = t->kind == RG_LINES_SINE ? -1.0 : 1.0;
    if (!back && t->kind == RG_LINES_FOURIER) {
        for (int j = 0; j < n; j++)
            in[2 * j] = v.a[j * s], in[2 * j + 1] = v.b[j * s];
    } else if (!back) {
        reorder(n, v, s, sign, in);
    } else if (t->kind == RG_LINES_FOURIER) {
        from_fourier_modes(n, v, s, in);
    } else if (t->kind == RG_LINES_COSINE) {
        from_cosine_modes(n, t->turn, v, s, in);
    } else {
        from_cosine_modes(n, t->turn, last, -s, in);
    }
    fftw_execute_dft(back ? t->backward : t->forward, (fftw_complex *)in, (fftw_complex *)out);
    if (back && t->kind == RG_LINES_FOURIER) {
        for (int j = 0; j < n; j++)
            to.a[j * s] = out[2 * j], to.b[j * s] = out[2 * j + 1];
    } else if (back) {
        order_back(n, out, sign, to, s);
    } else if (t->kind == RG_LINES_FOURIER) {
        fourier_modes(n, out, to, s);
    } else if (t->kind == RG_LINES_COSINE) {
        cosine_modes(n, t->turn, out, to, s);
    } else {
        cosine_modes(n, t->turn, out, end, -s);
    }
}

/* ---- all lines ------------------------------------------------------------------------------- */
typedef struct {
    const rg_grid *g;
    const rg_lines *t;
    bool back;
    const double *from;
    double *to;
} loop;

/* Where a line begins that lies in one piece. */
static int64_t begin_of(const loop *w, int64_t line, bool is_padded)
{
    int j, k;

    if (!is_padded) return line * w->t->n;
    rg_cell_row(w->g, line, &j, &k);
    return rg_grid_at(w->g, 0, j, k);
}

/* Pairs of such lines; the last one may be alone. */
RG_FOR_QUADS
static void pairs_along(void *user, int hand, int64_t first, int64_t end)
{
    const loop *w = user;
    const rg_lines *t = w->t;
    double *in = t->buffer + hand * t->room, *spare = in + 4 * t->n;

    const bool reads_padded = t->is_first && !w->back, writes_padded = t->is_first && w->back;
    for (int64_t u = first; u < end; u++) {
        const bool is_pair = 2 * u + 1 < t->outer;
        const int64_t a = 2 * u, b = is_pair ? a + 1 : a;
        const pair v = {w->from + begin_of(w, a, reads_padded),
                        w->from + begin_of(w, b, reads_padded)};
        double *second = is_pair ? w->to + begin_of(w, b, writes_padded) : spare;
        two_lines(t, w->back, v, (pair_out){w->to + begin_of(w, a, writes_padded), second}, 1, in);
    }
}

/* Strips of lines that lie side by side, through a buffer: number j of all of them is one piece of
 * memory. */
static void strips_across(void *user, int hand, int64_t first, int64_t end)
{
    const loop *w = user;
    const rg_lines *t = w->t;
    const int64_t inner = t->inner, strips = (inner + STRIP - 1) / STRIP;
    const int n = t->n;
    double *in = t->buffer + hand * t->room, *stage = in + 4 * n;

    for (int64_t u = first; u < end; u++) {
        const int64_t at = u / strips * inner * n + u % strips * STRIP;
        const int64_t left = inner - u % strips * STRIP;
        const int lines = left < STRIP ? (int)left : STRIP;
        memset(stage, 0, (size_t)n * STRIP * sizeof *stage);
        for (int j = 0; j < n; j++)
            for (int m = 0; m < lines; m++)
                stage[j * STRIP + m] = w->from[at + j * inner + m];
        for (int m = 0; m < lines; m += 2)
            two_lines(t, w->back, (pair){stage + m, stage + m + 1},
                      (pair_out){stage + m, stage + m + 1}, STRIP, in);
        for (int j = 0; j < n; j++)
            for (int m = 0; m < lines; m++)
                w->to[at + j * inner + m] = stage[j * STRIP + m];
    }
}

static void run(const rg_grid *g, const rg_lines *t, bool back, const double *from, double *to)
{
    loop w = {g, t, back, from, to};

    if (t->inner == 1)
        rg_crew_run(g->ctx, (t->outer + 1) / 2, 2 * t->n, pairs_along, &w);
    else
        rg_crew_run(g->ctx, t->outer * ((t->inner + STRIP - 1) / STRIP), STRIP * t->n,
                    strips_across, &w);
}

void rg_lines_forward(const rg_grid *g, const rg_lines *t, const double *from, double *to)
{
    run(g, t, false, from, to);
}

void rg_lines_backward(const rg_grid *g, const rg_lines *t, const double *from, double *to)
{
    run(g, t, true, from, to);
}
