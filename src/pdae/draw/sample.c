/* Values of a plane or a line as pixels and points; scales over all ranks. */
#include "pdae/draw/sample.h"

#include "figure/tuning.h"
#include "pdae/draw/tuning.h"
#include "pdae/mesh/block.h"

#include <math.h>
#include <string.h>

static const rg_colour solid_colour = {170, 170, 170}, white = {255, 255, 255};

typedef struct {
    rg_frame *f;
    const rg_form_draw *item;
    rg_sample *s;
    double *value, *one; /* on the cells of the plane that are here */
    int64_t n, first;    /* how many they are; the first of them among all that are here */
} job;

static bool counts(const job *j, int64_t k)
{
    return isfinite(j->value[k]) && !rg_frame_is_solid(j->f, j->first + k);
}

/* ---- values ---------------------------------------------------------------------------------- */
/* Of a vector its size. */
static rg_status take_values(job *j)
{
    const rg_grid *g = j->f->form->grid;
    double most[2] = {-INFINITY, -INFINITY}; /* of -value, value */

    for (int d = 0; d < (j->item->is_vector ? g->dims : 1); d++) {
        RG_TRY(rg_frame_eval(j->f, j->item->value[d], j->one));
        for (int64_t k = 0; k < j->n; k++)
            j->value[k] = j->item->is_vector ? j->value[k] + j->one[k] * j->one[k] : j->one[k];
    }
    for (int64_t k = 0; k < j->n; k++) {
        if (j->item->is_vector) j->value[k] = sqrt(j->value[k]);
        if (!counts(j, k)) continue;
        most[0] = fmax(most[0], -j->value[k]);
        most[1] = fmax(most[1], j->value[k]);
    }
    rg_grid_most(j->f->grid, 2, most);
    const bool is_empty = !(-most[0] <= most[1]);
    j->s->least = is_empty ? 0.0 : -most[0];
    j->s->most = is_empty ? 0.0 : most[1];
    const double size = fmax(fabs(j->s->least), fabs(j->s->most));
    if (j->s->most - j->s->least <= RG_SAME * size) j->s->most = j->s->least; /* no marks between */
    return RG_OK;
}

/* How many |values| have bits (which rise with them) up to these. */
static double count_below(const job *j, uint64_t bits)
{
    double count = 0.0, limit;

    memcpy(&limit, &bits, sizeof limit);
    for (int64_t k = 0; k < j->n; k++)
        count += fabs(j->value[k]) <= limit && counts(j, k);
    rg_grid_sum(j->f->grid, 1, &count);
    return count;
}

/* The size that `before` of them do not pass, by bisection of the bits: no rank has all values. */
static double find_size(const job *j, double before)
{
    const double largest = fmax(-j->s->least, j->s->most);
    uint64_t low = 0, high;

    memcpy(&high, &largest, sizeof high);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (count_below(j, middle) > before)
            high = middle;
        else
            low = middle + 1;
    }
    double found;
    memcpy(&found, &high, sizeof found);
    return found > 0.0 ? found : largest;
}

/* Values of both signs share a scale around 0; a few extreme ones (corners) do not set it. */
static void choose_scale(const job *j)
{
    rg_sample *s = j->s;
    uint64_t all;
    const double infinite = INFINITY;

    s->is_signed = s->least < 0.0 && s->most > 0.0 && -s->least > RG_DRAW_SIGNED * s->most
                   && s->most > -RG_DRAW_SIGNED * s->least;
    if (!s->is_signed || j->f->form->grid->dims == 1) return;
    memcpy(&all, &infinite, sizeof all);
    s->most = find_size(j, floor((count_below(j, all) - 1.0) * 98.0 / 100.0));
    s->least = -s->most;
}

rg_colour rg_sample_colour(const rg_sample *s, double value)
{
    const double part = s->most > s->least ? (value - s->least) / (s->most - s->least) : 0.5;

    return s->is_signed ? rg_colour_signed(part) : rg_colour_ramp(part);
}

/* ---- pixels ---------------------------------------------------------------------------------- */
static int cell_at(const rg_axis *a, double x)
{
    int low = 0, high = a->n;

    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (a->edge[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The cell here; -1: another rank has it. */
static int own_cell(const rg_frame *f, int d, double x)
{
    const rg_axis *a = &f->grid->axis[d];
    const int cell = cell_at(&f->form->grid->axis[d], x) - a->from;

    return cell >= 0 && cell < a->n ? cell : -1;
}

static rg_colour colour_at(const job *j, int64_t k)
{
    if (rg_frame_is_solid(j->f, j->first + k)) return solid_colour;
    return isfinite(j->value[k]) ? rg_sample_colour(j->s, j->value[k]) : white;
}

/* The pixels of other ranks, where this one has 0, as numbers of 24 bits. */
static void join_pixels(const rg_grid *g, size_t n, unsigned char *rgb)
{
    double part[4096];

    for (size_t done = 0; g->whole != NULL && done < n; done += sizeof part / sizeof *part) {
        const size_t rest = n - done, room = sizeof part / sizeof *part;
        const int count = (int)(rest < room ? rest : room);
        unsigned char *at = rgb + 3 * done;
        for (int i = 0; i < count; i++)
            part[i] = at[3 * i] + 256.0 * (at[3 * i + 1] + 256.0 * at[3 * i + 2]);
        rg_grid_sum(g, count, part);
        for (int i = 0; i < count; i++) {
            const uint32_t all = (uint32_t)part[i];
            at[3 * i] = all & 255;
            at[3 * i + 1] = all >> 8 & 255;
            at[3 * i + 2] = all >> 16 & 255;
        }
    }
}

static void fill_pixels(job *j, int *column)
{
    const rg_axis *x = &j->f->form->grid->axis[0], *y = &j->f->form->grid->axis[1];
    const double wide = x->edge[x->n] - x->edge[0], top = y->edge[y->n], high = top - y->edge[0];
    const rg_sample *s = j->s;

    for (int i = 0; i < s->nx; i++)
        column[i] = own_cell(j->f, 0, x->edge[0] + (i + 0.5) / s->nx * wide);
    for (int row = 0; row < s->ny; row++) {
        const int across = own_cell(j->f, 1, top - (row + 0.5) / s->ny * high);
        unsigned char *to = s->rgb + 3 * (size_t)s->nx * (size_t)row;
        for (int i = 0; j->n > 0 && across >= 0 && i < s->nx; i++) {
            if (column[i] < 0) continue;
            const rg_colour c = colour_at(j, column[i] + (int64_t)j->f->grid->axis[0].n * across);
            memcpy(to + 3 * (size_t)i, (unsigned char[]){c.r, c.g, c.b}, 3);
        }
    }
    join_pixels(j->f->grid, (size_t)s->nx * (size_t)s->ny, s->rgb);
}

static rg_status make_plane(job *j)
{
    rg_sample *s = j->s;
    int *column = rg_alloc(s->ctx, (size_t)s->nx, sizeof *column);

    s->rgb = rg_alloc(s->ctx, 3 * (size_t)s->nx * (size_t)s->ny, 1);
    const rg_status status = rg_grid_agree(j->f->grid, s->rgb && column ? RG_OK : RG_ERR_MEMORY);
    if (status == RG_OK) fill_pixels(j, column);
    rg_free(s->ctx, column);
    return status;
}

/* ---- curves ---------------------------------------------------------------------------------- */
static void fill_points(job *j)
{
    const rg_axis *all = &j->f->form->grid->axis[0], *a = &j->f->grid->axis[0];

    memcpy(j->s->x, all->centre, (size_t)all->n * sizeof *j->s->x);
    memcpy(j->s->y + a->from, j->value, (size_t)a->n * sizeof *j->s->y);
    rg_grid_sum(j->f->grid, j->s->n, j->s->y);
}

/* More cells than pixels: the lowest and the highest value in each column of them, the next one's
 * in the other order. */
static void fill_columns(job *j)
{
    const rg_axis *all = &j->f->form->grid->axis[0], *a = &j->f->grid->axis[0];
    const double from = all->edge[0], length = all->edge[all->n] - from;
    rg_sample *s = j->s;

    for (int k = 0; k < s->n; k++) {
        s->x[k] = from + (k / 2 + 0.5) / s->nx * length;
        s->y[k] = -INFINITY;
    }
    for (int i = 0; i < a->n; i++) {
        const int column = (int)((a->centre[i] - from) / length * s->nx);
        double *pair = s->y + 2 * (column < s->nx ? column : s->nx - 1);
        if (!isfinite(j->value[i])) continue;
        pair[0] = fmax(pair[0], -j->value[i]);
        pair[1] = fmax(pair[1], j->value[i]);
    }
    rg_grid_most(j->f->grid, s->n, s->y);
    for (int k = 0; k < s->n; k += 2) {
        const double least = -s->y[k], most = s->y[k + 1];
        s->y[k + k / 2 % 2] = least;
        s->y[k + 1 - k / 2 % 2] = most;
    }
}

static rg_status make_line(job *j)
{
    const int n = j->f->form->grid->axis[0].n;
    rg_sample *s = j->s;

    s->n = n < 2 * s->nx ? n : 2 * s->nx;
    s->x = rg_alloc(s->ctx, (size_t)s->n, sizeof *s->x);
    s->y = rg_alloc(s->ctx, (size_t)s->n, sizeof *s->y);
    RG_TRY(rg_grid_agree(j->f->grid, s->x && s->y ? RG_OK : RG_ERR_MEMORY));
    if (s->n == n)
        fill_points(j);
    else
        fill_columns(j);
    return RG_OK;
}

/* ---- an item --------------------------------------------------------------------------------- */
static rg_status make(job *j)
{
    rg_sample *s = j->s;

    RG_TRY(rg_grid_agree(j->f->grid, j->value && j->one ? RG_OK : RG_ERR_MEMORY));
    RG_TRY(take_values(j));
    choose_scale(j);
    if (j->f->form->grid->dims == 1) return make_line(j);
    RG_TRY(make_plane(j));
    s->has_stream = j->item->lines >= 0;
    return s->has_stream ? rg_stream_make(j->f, j->item->lines, s->nx, s->ny, &s->stream) : RG_OK;
}

rg_status rg_sample_make(rg_frame *f, const rg_form_draw *item, int nx, int ny, rg_sample *out)
{
    rg_context *ctx = f->form->ctx;
    job j = {.f = f, .item = item, .s = out, .n = rg_frame_plane(f)};

    *out = (rg_sample){.ctx = ctx, .nx = nx, .ny = ny};
    j.first = j.n * rg_frame_layer(f);
    j.value = rg_alloc(ctx, (size_t)j.n + 1, sizeof *j.value);
    j.one = rg_alloc(ctx, (size_t)j.n + 1, sizeof *j.one);
    const rg_status status = make(&j);
    rg_free(ctx, j.value);
    rg_free(ctx, j.one);
    return status;
}

void rg_sample_clear(rg_sample *s)
{
    if (s->ctx == NULL) return;
    rg_free(s->ctx, s->rgb);
    rg_free(s->ctx, s->x);
    rg_free(s->ctx, s->y);
    rg_stream_clear(&s->stream);
    *s = (rg_sample){0};
}
