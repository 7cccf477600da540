/* Solves by cosine, sine and Fourier transforms: constant coefficients on uniform axes without
 * solids; along at most one axis a tridiagonal system per mode is left.  That is the stretched
 * axis, or the last one that is not periodic: the elimination costs less than transforms.
 *
 * Along a uniform axis with n cells the matrix of (x_i - x_(i-1)) + (x_i - x_(i+1)) has the modes
 *
 *     wall, wall          cos(pi k (i + 1/2)/n)              2 - 2 cos(pi k/n)
 *     value 0, value 0    sin(pi (k + 1)(i + 1/2)/n)         2 - 2 cos(pi (k + 1)/n)
 *     wall, value 0       cos(pi (k + 1/2)(i + 1/2)/n)       2 - 2 cos(pi (k + 1/2)/n)
 *     value 0, wall       sin(pi (k + 1/2)(i + 1/2)/n)       2 - 2 cos(pi (k + 1/2)/n)
 *     periodic            cos, sin(2 pi k i/n)               2 - 2 cos(2 pi k/n)
 *
 * where "value 0" is the value at the side, half a cell away (the transmissibility there is twice
 * that of the others). */
#include "base/pieces.h"
#include "base/vector.h"
#include "pdae/solve/elliptic_impl.h"
#include "pdae/solve/transform_lines.h"
#include "pdae/tuning.h"

#include <float.h>
#include <math.h>

typedef enum { END_WALL, END_VALUE, END_PERIODIC, END_OTHER } end_kind;

typedef struct {
    int line; /* the axis of the tridiagonal systems; -1: none          */
    end_kind end[RG_AXES][2];
    double T[RG_AXES];       /* of the transformed axes, divided by the width of `line` */
    double s;                /* of the diagonal, divided by the width of `line`         */
    double *lambda[RG_AXES]; /* eigenvalues times T                                     */
    double scale;            /* of forward and backward transform together              */
    double *work;            /* the cells in order, between the transforms along x      */
    double *memory;          /* of it and of what follows                               */
    double *inverse;         /* 1/pivot of the tridiagonal systems, in the order of `work`  */
    rg_lines lines[RG_AXES]; /* of the transformed axes                                 */
} transform;

static bool near(double a, double b)
{
    return fabs(a - b) <= RG_GRID_SAME * fmax(fabs(a), fabs(b));
}

/* Are n numbers of a row, divided by the widths (NULL: none), near the value?  NAN: near the
 * first of them, which it becomes. */
RG_FOR_ALL_VECTORS
static bool row_is(int n, const double *restrict T, const double *restrict width, double *value)
{
    int64_t far = 0;

    if (n > 0 && isnan(*value)) *value = T[0] / (width ? width[0] : 1.0);
    const double b = *value;
    for (int i = 0; i < n; i++) {
        const double a = width ? T[i] / width[i] : T[i], large = fabs(a) > fabs(b) ? a : b;
        far += !(fabs(a - b) <= RG_GRID_SAME * fabs(large));
    }
    return far == 0;
}

/* The width by which the coefficients of a row are divided: that of the line axis, if it is not
 * along the row. */
static double line_width(const rg_grid *g, int line, const int *index)
{
    return line <= 0 ? 1.0 : g->axis[line].width[index[line]];
}

/* Along the line axis: does T depend on the place along it only? */
static bool line_is_plain(const rg_elliptic *e, int line)
{
    const rg_grid *g = e->A.grid;
    const double *T = e->A.T[line];

    for (int k = 0; k < g->axis[2].n + (line == 2); k++)
        for (int j = 0; j < g->axis[1].n + (line == 1); j++) {
            const double *row = T + rg_grid_at(g, 0, j, k);
            double same = T[rg_grid_at(g, 0, line == 1 ? j : 0, line == 2 ? k : 0)];
            if (line > 0 && !row_is(g->axis[0].n, row, NULL, &same)) return false;
            for (int i = 0; line == 0 && i <= g->axis[0].n; i++)
                if (!near(row[i], T[g->origin + i])) return false;
        }
    return true;
}

/* Of a row of T along d, and those before and behind: are they, divided by the width of the line
 * axis, the numbers found so far? */
static bool row_is_plain(const rg_elliptic *e, int d, int line, const int index[RG_AXES],
                         double *inside, double first[2])
{
    const rg_grid *g = e->A.grid;
    const int n = g->axis[0].n, last = g->axis[d].n;
    const double *T = e->A.T[d] + rg_grid_at(g, 0, index[1], index[2]), *width = g->axis[0].width;
    const double w = line_width(g, line, index);
    double values[3] = {*inside, first[0], first[1]}; /* times w */
    bool is_plain;

    for (int m = 0; m < 3; m++)
        values[m] *= w;
    if (d > 0) { /* all of one kind */
        const bool is_end = !g->axis[d].periodic && (index[d] == 0 || index[d] == last);
        const int which = !is_end ? 0 : index[d] == 0 ? 1 : 2;
        is_plain = row_is(n, T, line == 0 ? width : NULL, &values[which]);
    } else if (g->axis[0].periodic) {
        is_plain = row_is(n + 1, T, NULL, &values[0]);
    } else {
        is_plain = row_is(n - 1, T + 1, NULL, &values[0]) && row_is(1, T, NULL, &values[1])
                   && row_is(1, T + n, NULL, &values[2]);
    }
    if (isnan(*inside)) *inside = values[0] / w;
    for (int m = 0; m < 2; m++)
        if (isnan(first[m])) first[m] = values[m + 1] / w;
    return is_plain;
}

/* Is T along d, divided by the width of the line axis, one number inside, and 0 or twice it at the
 * two ends? */
static bool axis_is_plain(const rg_elliptic *e, int d, int line, end_kind end[2], double *T)
{
    const rg_grid *g = e->A.grid;
    int index[RG_AXES] = {0, 0, 0};
    double inside = NAN, first[2] = {NAN, NAN};

    if (d == line) return line_is_plain(e, line);
    for (index[2] = 0; index[2] < g->axis[2].n + (d == 2); index[2]++)
        for (index[1] = 0; index[1] < g->axis[1].n + (d == 1); index[1]++)
            if (!row_is_plain(e, d, line, index, &inside, first)) return false;
    if (isnan(inside)) inside = fmax(first[0], first[1]) / 2.0;
    for (int side = 0; side < 2; side++)
        end[side] = g->axis[d].periodic             ? END_PERIODIC
                    : first[side] == 0.0            ? END_WALL
                    : near(first[side], 2 * inside) ? END_VALUE
                                                    : END_OTHER;
    *T = inside;
    return end[0] != END_OTHER && end[1] != END_OTHER;
}

static bool diagonal_is_plain(const rg_elliptic *e, int line, double *s)
{
    const rg_grid *g = e->A.grid;
    double first = 0.0;

    *s = 0.0;
    if (e->A.s == NULL) return true;
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const int index[RG_AXES] = {0, j, k};
            const double *row = e->A.s + rg_grid_at(g, 0, j, k), w = line_width(g, line, index);
            const double *width = line == 0 ? g->axis[0].width : NULL;
            if (j == 0 && k == 0) first = row[0] / (width ? width[0] : w);
            double same = first * w;
            if (!row_is(g->axis[0].n, row, width, &same)) return false;
        }
    *s = first;
    return true;
}

/* Is the line axis not one that must be it? */
static bool is_chosen(const rg_grid *g, int line)
{
    return line < 0 || g->axis[line].uniform;
}

/* Finds the line axis and the numbers of the transformed ones. */
static bool inspect(const rg_elliptic *e, int *line, end_kind end[RG_AXES][2], double *T, double *s,
                    const char **why)
{
    const rg_grid *g = e->A.grid;

    *why = "there are solids";
    if (g->solid) return false;
    *line = -1;
    *why = "more than one axis is stretched";
    for (int d = 0; d < g->dims; d++)
        if (!g->axis[d].uniform) {
            if (*line >= 0) return false;
            *line = d;
        }
    for (int d = 1; d < g->dims && is_chosen(g, *line); d++)
        if (!g->axis[d].periodic) *line = d;
    *why = "the stretched axis is periodic";
    if (*line >= 0 && g->axis[*line].periodic) return false;
    *why = "the coefficients are not constant";
    for (int d = 0; d < g->dims; d++)
        if (!axis_is_plain(e, d, *line, end[d], &T[d])) return false;
    return diagonal_is_plain(e, *line, s);
}

bool rg_elliptic_can_transform(const rg_elliptic *e, const char **why)
{
    end_kind end[RG_AXES][2];
    double T[RG_AXES], s;
    int line;

    return inspect(e, &line, end, T, &s, why);
}

/* The transform of an axis, the shift and stride of its modes. */
static rg_lines_kind kind_of(const end_kind end[2], double *shift, double *period)
{
    const bool low = end[0] == END_WALL, high = end[1] == END_WALL;

    *period = end[0] == END_PERIODIC ? 2.0 : 1.0;
    *shift = 0.0;
    if (end[0] == END_PERIODIC) return RG_LINES_FOURIER;
    if (low && high) return RG_LINES_COSINE;
    *shift = low || high ? 0.5 : 1.0;
    return low ? RG_LINES_HALF_COSINE : high ? RG_LINES_HALF_SINE : RG_LINES_SINE;
}

static void find_eigenvalues(const rg_elliptic *e, transform *f)
{
    for (int d = 0; d < e->A.grid->dims; d++) {
        const int n = e->A.grid->axis[d].n;
        double shift, period;
        if (d == f->line) continue;
        (void)kind_of(f->end[d], &shift, &period);
        for (int k = 0; k < n; k++) { /* 2 - 2 cos a = 4 sin^2(a/2) */
            const double half = sin(0.5 * acos(-1.0) * period * (k + shift) / n);
            f->lambda[d][k] = n == 1 && f->end[d][0] == END_PERIODIC ? 0.0 : 4.0 * half * half;
            f->lambda[d][k] *= f->T[d];
        }
    }
}

static rg_status make_lines(rg_elliptic *e, transform *f)
{
    const rg_grid *g = e->A.grid;

    f->scale = 1.0;
    for (int d = 0; d < g->dims; d++) {
        const int n = g->axis[d].n;
        double shift, period;
        if (d == f->line) continue;
        const rg_lines_kind kind = kind_of(f->end[d], &shift, &period);
        f->scale /= f->end[d][0] == END_PERIODIC ? n : 2.0 * n;
        f->lambda[d] = rg_alloc(e->ctx, (size_t)n, sizeof(double));
        if (f->lambda[d] == NULL) return RG_ERR_MEMORY;
        RG_TRY(rg_lines_create(g, d, kind, &f->lines[d]));
    }
    return RG_OK;
}

static void destroy(rg_elliptic *e, void *state)
{
    transform *f = state;

    for (int d = 0; d < RG_AXES; d++) {
        rg_lines_free(e->A.grid, &f->lines[d]);
        rg_free(e->ctx, f->lambda[d]);
    }
    rg_free(e->ctx, f->memory);
    rg_free(e->ctx, f);
}

/* The number that a mode adds to s: the sum of the eigenvalues of the transformed axes. */
static double mode_sum(const rg_elliptic *e, const transform *f, const int *index)
{
    double sum = f->s;

    for (int d = 0; d < e->A.grid->dims; d++)
        if (d != f->line) sum += f->lambda[d][index[d]];
    return sum;
}

/* The pivots of n modes at one place of the line axis, `step` numbers from each other, from what
 * they add to s and the inverse ones at the place before; NULL: it is the first one. */
RG_FOR_ALL_VECTORS
static void pivot_row(int n, int64_t step, const double *restrict sum, double width, double low,
                      double high, const double *before, double *restrict inverse)
{
    if (before == NULL)
        for (int k = 0; k < n; k++)
            inverse[k * step] = 1.0 / (width * sum[k] + low + high);
    else if (step == 1)
        for (int k = 0; k < n; k++)
            inverse[k] = 1.0 / (width * sum[k] + low + high - low * low * before[k]);
    else
        for (int k = 0; k < n; k++)
            inverse[k * step] = 1.0 / (width * sum[k] + low + high - low * low * before[k * step]);
}

/* The pivots of all tridiagonal systems.  In the constant mode of a singular system, or of one with
 * an s that is lost in rounding, the last equation follows from the others: its value is 0.  A
 * pivot that is lost has an inverse beyond 1/(n rounding), or none that is positive. */
static void find_pivots(rg_elliptic *e, transform *f)
{
    const rg_grid *g = e->A.grid;
    const int d = f->line, e1 = d == 0 ? 1 : 0, e2 = 3 - d - e1, n = g->axis[d].n,
              modes = g->axis[e1].n;
    const int64_t stride[RG_AXES] = {1, g->axis[0].n, (int64_t)g->axis[0].n * g->axis[1].n};
    const double *T = e->A.T[d] + g->origin;
    double *sum = f->work; /* nothing is solved now */
    int index[RG_AXES] = {0, 0, 0};

    for (index[e2] = 0; index[e2] < g->axis[e2].n; index[e2]++) {
        double *inverse = f->inverse + index[e2] * stride[e2];
        for (index[e1] = 0; index[e1] < modes; index[e1]++)
            sum[index[e1]] = mode_sum(e, f, index);
        for (int i = 0; i < n; i++) {
            const double low = T[i * g->stride[d]], high = T[(i + 1) * g->stride[d]];
            double *row = inverse + i * stride[d];
            pivot_row(modes, stride[e1], sum, g->axis[d].width[i], low, high,
                      i > 0 ? row - stride[d] : NULL, row);
            for (int k = 0; i == n - 1 && k < modes; k++) {
                const double pivot = 1.0 / row[k * stride[e1]];
                if (!(pivot > n * DBL_EPSILON * (low + high))) row[k * stride[e1]] = 0.0;
            }
        }
        if (e->singular && index[e2] == 0) inverse[(n - 1) * stride[d]] = 0.0;
    }
}

static void find_numbers(rg_elliptic *e, transform *f)
{
    find_eigenvalues(e, f);
    if (f->line >= 0) find_pivots(e, f);
}

static rg_status create(rg_elliptic *e, void **state)
{
    transform *f = rg_alloc(e->ctx, 1, sizeof *f);
    const char *why;

    if (f == NULL) return RG_ERR_MEMORY;
    *state = f;
    inspect(e, &f->line, f->end, f->T, &f->s, &why);
    RG_TRY(make_lines(e, f));
    RG_TRY(RG_TAKE(e->ctx, &f->memory, RG_PIECE(f->work, e->n),
                   RG_PIECE(f->inverse, f->line >= 0 ? e->n : 0)));
    find_numbers(e, f);
    return RG_OK;
}

/* Other numbers, the same transforms. */
static rg_status renew(rg_elliptic *e, void *state)
{
    transform *f = state;
    end_kind end[RG_AXES][2];
    const char *why;
    int line;

    if (!inspect(e, &line, end, f->T, &f->s, &why) || line != f->line) return RG_RETRY;
    for (int d = 0; d < e->A.grid->dims; d++)
        if (d != line && (end[d][0] != f->end[d][0] || end[d][1] != f->end[d][1])) return RG_RETRY;
    find_numbers(e, f);
    return RG_OK;
}

typedef struct {
    const rg_elliptic *e;
    const transform *f;
} loop;

/* All axes are transformed: divide.  The constant mode of a singular system is 0. */
RG_FOR_ALL_VECTORS
static void divide_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const transform *f = w->f;
    const rg_grid *g = w->e->A.grid;
    const int nx = g->axis[0].n;
    const double scale = f->scale, *lambda = f->lambda[0];

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int index[RG_AXES] = {0, 0, 0};
        double *v = f->work + r * nx;
        rg_cell_row(g, r, &index[1], &index[2]);
        const double rest = mode_sum(w->e, f, index) - lambda[0];
        const bool constant = w->e->singular && r == 0;
        for (int i = constant; i < nx; i++)
            v[i] *= scale / (rest + lambda[i]);
        if (constant) v[0] = 0.0;
    }
}

/* Numbers of one step along the line axis: all modes of the axes before it. */
static int64_t modes_before(const rg_elliptic *e, const transform *f)
{
    int64_t n = 1;

    for (int d = 0; d < f->line; d++)
        n *= e->A.grid->axis[d].n;
    return n;
}

enum { STRIP = 64 }; /* modes side by side whose numbers stay in the cache from end to end */

/* Elimination of w (sum) x + T (x - before) + T (x - behind) = b without pivoting, for the matrix
 * is diagonally dominant:
 *     y_i = (scale b_i + T_i y_(i-1))/pivot_i,     x_i = y_i + T_(i+1)/pivot_i x_(i+1) */
RG_FOR_ALL_VECTORS
static void solve_strips(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const transform *f = w->f;
    const rg_grid *g = w->e->A.grid;
    const int n = g->axis[f->line].n;
    const int64_t all = modes_before(w->e, f), strips = (all + STRIP - 1) / STRIP,
                  s = g->stride[f->line];
    const double *T = w->e->A.T[f->line] + g->origin, scale = f->scale;

    (void)hand;
    for (int64_t u = from; u < end; u++) {
        const int64_t first = u % strips * STRIP, start = u / strips * all * n + first;
        const int64_t width = all - first < STRIP ? all - first : STRIP;
        double *v = f->work + start;
        const double *inverse = f->inverse + start;
        for (int64_t m = 0; m < width; m++)
            v[m] *= scale * inverse[m];
        for (int i = 1; i < n; i++) {
            const double *before = v, of = T[i * s];
            v += all, inverse += all;
            for (int64_t m = 0; m < width; m++)
                v[m] = (scale * v[m] + of * before[m]) * inverse[m];
        }
        for (int i = n - 2; i >= 0; i--) {
            const double *behind = v, of = T[(i + 1) * s];
            v -= all, inverse -= all;
            for (int64_t m = 0; m < width; m++)
                v[m] += of * inverse[m] * behind[m];
        }
    }
}

static void solve_lines(const rg_elliptic *e, const transform *f)
{
    const int64_t n = e->A.grid->axis[f->line].n, all = modes_before(e, f);
    loop w = {e, f};

    rg_crew_run(e->ctx, e->n / (all * n) * ((all + STRIP - 1) / STRIP),
                n * (all < STRIP ? all : STRIP), solve_strips, &w);
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    transform *f = state;
    const rg_grid *g = e->A.grid;
    double *v = f->work;
    loop w = {e, f};

    if (f->line == 0)
        rg_grid_pack(g, b, v);
    else
        rg_lines_forward(g, &f->lines[0], b, v);
    for (int d = 1; d < g->dims; d++)
        if (d != f->line) rg_lines_forward(g, &f->lines[d], v, v);
    if (f->line < 0)
        rg_grid_cell_rows(g, divide_rows, &w);
    else
        solve_lines(e, f);
    for (int d = g->dims - 1; d > 0; d--)
        if (d != f->line) rg_lines_backward(g, &f->lines[d], v, v);
    if (f->line == 0)
        rg_grid_unpack(g, v, x);
    else
        rg_lines_backward(g, &f->lines[0], v, x);
    return RG_OK;
}

const rg_elliptic_method rg_elliptic_transform = {.name = "transform",
                                                  .create = create,
                                                  .solve = solve,
                                                  .destroy = destroy,
                                                  .renew = renew,
                                                  .renews_fully = true,
                                                  .is_padded = true,
                                                  .needs_no_guess = true,
                                                  .is_direct = true};
