/* Frames of what a model draws.  Points in space are shown in a fixed oblique projection,
 *
 *     X = x + y cos(30)/2,   Y = z + y sin(30)/2. */
#include "report/scene.h"

#include <math.h>

static double oblique_x(void)
{
    return 0.5 * cos(acos(-1.0) / 6.0);
}

static double oblique_y(void)
{
    return 0.5 * sin(acos(-1.0) / 6.0);
}

void rg_scene_clear(rg_scene *s)
{
    if (s->ctx == NULL) return;
    rg_free(s->ctx, s->shape);
    rg_free(s->ctx, s->trace);
    rg_free(s->ctx, s->t);
    rg_free(s->ctx, s->number);
    *s = (rg_scene){0};
}

static int64_t copies_of(const rg_problem *p, int shape)
{
    return p->drawn[p->shapes[shape].first].body->count;
}

enum { MOST_SHAPES = 2000 };

/* Shapes with their places in a frame; the last point of a line and every point leave a trace. */
static rg_status take_shapes(const rg_problem *p, rg_scene *out)
{
    int64_t total = 0;

    for (int k = 0; k < p->n_shapes; k++)
        total += copies_of(p, k);
    if (total > MOST_SHAPES) total = MOST_SHAPES;
    out->shape = rg_alloc(out->ctx, (size_t)total + 1, sizeof *out->shape);
    out->trace = rg_alloc(out->ctx, (size_t)total + 1, sizeof *out->trace);
    if (out->shape == NULL || out->trace == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_shapes; k++)
        for (int64_t i = 0; i < copies_of(p, k) && out->n_shapes < total; i++) {
            const rg_shape *shape = &p->shapes[k];
            const int count = shape->is_space ? shape->count / 3 * 2 : shape->count;
            out->shape[out->n_shapes++] = (rg_scene_shape){shape, i, out->width, count};
            if ((shape->kind == 'l' || shape->kind == 'p') && out->n_traces < RG_PENS)
                out->trace[out->n_traces++] = out->width + count - 2;
            out->width += count;
        }
    return RG_OK;
}

static double number_of(const rg_problem *p, const rg_scene_shape *s, const double *from, int k)
{
    return from[p->drawn[s->shape->first + k].first + s->copy];
}

/* The numbers of the model as those of a frame. */
static void project(const rg_problem *p, const rg_scene *s, const double *from, double *to)
{
    for (int k = 0; k < s->n_shapes; k++) {
        const rg_scene_shape *shape = &s->shape[k];
        double *out = to + shape->first;
        for (int i = 0; !shape->shape->is_space && i < shape->count; i++)
            out[i] = number_of(p, shape, from, i);
        for (int i = 0; shape->shape->is_space && i < shape->shape->count / 3; i++) {
            const double back = number_of(p, shape, from, 3 * i + 1);
            out[2 * i] = number_of(p, shape, from, 3 * i) + oblique_x() * back;
            out[2 * i + 1] = number_of(p, shape, from, 3 * i + 2) + oblique_y() * back;
        }
    }
}

static double frame_time(const rg_solution *s, int k, int n)
{
    const double a = s->time[0], b = s->time[s->n_rows - 1];

    if (k == n - 1) return b;
    if (s->keep == RG_KEEP_STEPS) return a + (b - a) * k / (n > 1 ? n - 1 : 1);
    return s->time[(s->n_rows - 1) * k / (n > 1 ? n - 1 : 1)];
}

static void take_range(rg_scene *s)
{
    s->low[0] = s->low[1] = INFINITY;
    s->high[0] = s->high[1] = -INFINITY;
    for (int f = 0; f < s->n; f++)
        for (int k = 0; k < s->n_shapes; k++) {
            const double *v = s->number + (size_t)f * (size_t)s->width + s->shape[k].first;
            const bool is_circle = s->shape[k].shape->kind == 'c';
            const double r = is_circle ? fabs(v[2]) : 0.0;
            for (int i = 0; i + 1 < (is_circle ? 2 : s->shape[k].count); i += 2)
                for (int d = 0; d < 2; d++) {
                    if (!isfinite(v[i + d]) || !isfinite(r)) continue;
                    s->low[d] = fmin(s->low[d], v[i + d] - r);
                    s->high[d] = fmax(s->high[d], v[i + d] + r);
                }
        }
}

static rg_status take_frames(const rg_solution *s, rg_values *values, double *work, rg_scene *out)
{
    for (int k = 0; k < out->n; k++) {
        double *to = out->number + (size_t)k * (size_t)out->width;
        out->t[k] = frame_time(s, k, out->n);
        const double *z = rg_solution_point_at(s, out->t[k]);
        for (int i = 0; i < out->width; i++)
            to[i] = NAN;
        if (z == NULL) continue;
        RG_TRY(rg_values_eval(values, out->t[k], z, work));
        project(s->problem, out, work, to);
    }
    take_range(out);
    return RG_OK;
}

rg_status rg_scene_take(const rg_solution *s, int most, rg_scene *out)
{
    const rg_problem *p = s->problem;
    rg_values *values = NULL;
    double *work = NULL;

    *out = (rg_scene){.ctx = s->ctx, .time_name = rg_problem_time_name(p)};
    if (p->n_shapes == 0 || s->n_rows == 0) return RG_OK;
    rg_status status = rg_values_create(p, p->n_drawn, p->drawn, s->layout, &values);
    if (status == RG_OK) status = take_shapes(p, out);
    if (status == RG_OK) {
        out->n = s->keep == RG_KEEP_STEPS && s->n_rows > 1 ? most
                 : s->n_rows < most                        ? (int)s->n_rows
                                                           : most;
        out->t = rg_alloc(s->ctx, (size_t)out->n + 1, sizeof *out->t);
        out->number =
            rg_alloc(s->ctx, (size_t)out->n * (size_t)out->width + 1, sizeof *out->number);
        work = rg_alloc(s->ctx, (size_t)rg_values_count(values) + 1, sizeof *work);
        status = out->t && out->number && work ? take_frames(s, values, work, out) : RG_ERR_MEMORY;
    }
    rg_values_destroy(&values);
    rg_free(s->ctx, work);
    if (status != RG_OK) rg_scene_clear(out);
    return status;
}

/* ---- on a sheet ------------------------------------------------------------------------------ */
enum { PHASES = 8, ROUND = 48 };

static const double *frame_of(const rg_scene *s, int k)
{
    return s->number + (size_t)k * (size_t)s->width;
}

static rg_status draw_circle(const rg_chart *c, const double *v, rg_canvas *sheet,
                             const char *extra)
{
    double x[ROUND + 1], y[ROUND + 1];

    for (int k = 0; k <= ROUND; k++) {
        const double a = 2.0 * acos(-1.0) * k / ROUND;
        x[k] = rg_chart_x(c, v[0] + v[2] * cos(a));
        y[k] = rg_chart_y(c, v[1] + v[2] * sin(a));
    }
    return rg_canvas_path(sheet, ROUND + 1, x, y, 1.2, RG_PEN_AXIS, false, extra);
}

static rg_status draw_line(const rg_chart *c, int n, const double *v, rg_canvas *sheet,
                           const char *extra)
{
    double *x = rg_alloc(sheet->ctx, 2 * (size_t)n + 1, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n; k++) {
        x[k] = rg_chart_x(c, v[2 * k]);
        x[n + k] = rg_chart_y(c, v[2 * k + 1]);
    }
    const rg_status status = rg_canvas_path(sheet, n, x, x + n, 1.6, RG_PEN_AXIS, false, extra);
    rg_free(sheet->ctx, x);
    return status;
}

static rg_status draw_frame(const rg_scene *s, const rg_chart *c, int k, bool is_last,
                            const char *extra, rg_canvas *sheet)
{
    for (int i = 0; i < s->n_shapes; i++) {
        const double *v = frame_of(s, k) + s->shape[i].first;
        const char kind = s->shape[i].shape->kind;
        if (kind == 'l') RG_TRY(draw_line(c, s->shape[i].count / 2, v, sheet, extra));
        if (kind == 'c') RG_TRY(draw_circle(c, v, sheet, extra));
        if (kind == 'p' && isfinite(v[0]) && isfinite(v[1]))
            rg_canvas_dot(sheet, rg_chart_x(c, v[0]), rg_chart_y(c, v[1]), is_last ? 2.5 : 1.6, 0);
        if (kind == 't' && is_last && isfinite(v[0]) && isfinite(v[1]))
            rg_canvas_label(sheet, rg_chart_x(c, v[0]), rg_chart_y(c, v[1]), 8.0, RG_TEXT_START,
                            RG_PEN_AXIS, false, s->shape[i].shape->text);
    }
    return RG_OK;
}

static rg_status draw_traces(const rg_scene *s, const rg_chart *c, bool is_curve, rg_canvas *sheet)
{
    double *x = rg_alloc(s->ctx, 2 * (size_t)s->n + 1, sizeof *x);
    rg_status status = x != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int i = 0; status == RG_OK && i < s->n_traces; i++) {
        for (int k = 0; k < s->n; k++) {
            x[k] = rg_chart_x(c, frame_of(s, k)[s->trace[i]]);
            x[s->n + k] = rg_chart_y(c, frame_of(s, k)[s->trace[i] + 1]);
        }
        status = rg_canvas_path(sheet, s->n, x, x + s->n, is_curve ? 1.2 : 0.6, i, false, "");
    }
    rg_free(s->ctx, x);
    return status;
}

rg_status rg_scene_draw(const rg_scene *s, bool is_curve, double x, double y, double w, double h,
                        rg_canvas *sheet)
{
    const double cx[2] = {s->low[0], s->high[0]}, cy[2] = {s->low[1], s->high[1]};
    const rg_trace box = {.name = "", .n = 2, .x = cx, .y = cy};
    rg_chart chart = {.n = 1, .trace = &box, .is_same_unit = true, .x_name = ""};
    char extra[40];

    rg_chart_fit(&chart, x, y, w, h);
    rg_chart_place(&chart, rg_chart_left(&chart), 8.0);
    chart.n = 0;
    RG_TRY(rg_chart_draw(&chart, sheet));
    RG_TRY(draw_traces(s, &chart, is_curve, sheet));
    for (int k = 0; !is_curve && k < PHASES && s->n > 0; k++) {
        const int frame = (s->n - 1) * k / (PHASES - 1);
        snprintf(extra, sizeof extra, " opacity=\".%d\"", 2 + k);
        const bool is_last = k == PHASES - 1;
        RG_TRY(draw_frame(s, &chart, frame, is_last, is_last ? "" : extra, sheet));
    }
    return RG_OK;
}

rg_status rg_scene_write_svg(const rg_scene *s, bool is_curve, const char *title, double width,
                             double height, const char *path)
{
    rg_canvas sheet;

    rg_status status = rg_canvas_open_mm(s->ctx, path, width, height, title, &sheet);
    if (status == RG_OK) {
        rg_canvas_label(&sheet, 0.5 * sheet.width, 12.0, 9.0, RG_TEXT_MIDDLE, RG_PEN_AXIS, false,
                        title);
        status =
            rg_scene_draw(s, is_curve, 4.0, 16.0, sheet.width - 6.0, sheet.height - 18.0, &sheet);
    }
    return rg_canvas_close(&sheet, status);
}

/* ---- for the script -------------------------------------------------------------------------- */
static void write_number(rg_json *j, double value)
{
    if (isfinite(value))
        fprintf(j->to, "%.5g", value);
    else
        fputs("null", j->to);
}

static const char *kind_name(char kind)
{
    return kind == 'l' ? "line" : kind == 'c' ? "circle" : kind == 'p' ? "point" : "text";
}

static void write_shapes(rg_json *j, const rg_scene *s)
{
    rg_json_key(j, "shapes");
    rg_json_open(j, '[');
    for (int k = 0; k < s->n_shapes; k++) {
        rg_json_open(j, '{');
        rg_json_key(j, "kind");
        rg_json_text(j, kind_name(s->shape[k].shape->kind));
        rg_json_key(j, "count");
        rg_json_integer(j, s->shape[k].count);
        if (s->shape[k].shape->text != NULL) {
            rg_json_key(j, "text");
            rg_json_text(j, s->shape[k].shape->text);
        }
        rg_json_close(j, '}');
    }
    rg_json_close(j, ']');
    rg_json_key(j, "traces");
    rg_json_open(j, '[');
    for (int k = 0; k < s->n_traces; k++)
        rg_json_integer(j, s->trace[k]);
    rg_json_close(j, ']');
}

/* x of the stage = place[0] + x place[2], y = place[1] - y place[2] */
static void write_place(rg_json *j, const rg_scene *s, double width, double height)
{
    const bool has_range = s->low[0] <= s->high[0] && s->low[1] <= s->high[1];
    const double w = has_range ? s->high[0] - s->low[0] : 1.0,
                 h = has_range ? s->high[1] - s->low[1] : 1.0;
    const double least = fmax(w, h) > 0.0 ? 0.0 : 1.0,
                 scale = fmin(0.9 * width / fmax(w, h * 1e-6 + least),
                              0.9 * height / fmax(h, w * 1e-6 + least));
    const double x = has_range ? 0.5 * (s->low[0] + s->high[0]) : 0.0,
                 y = has_range ? 0.5 * (s->low[1] + s->high[1]) : 0.0;
    const double place[3] = {0.5 * width - x * scale, 0.5 * height + y * scale, scale};

    rg_json_key(j, "place");
    rg_json_open(j, '[');
    for (int k = 0; k < 3; k++)
        rg_json_real(j, place[k]);
    rg_json_close(j, ']');
}

void rg_scene_json(rg_json *j, const rg_scene *s, double width, double height)
{
    rg_json_key(j, "draw");
    rg_json_open(j, '{');
    rg_json_key(j, "name");
    rg_json_text(j, s->time_name);
    write_shapes(j, s);
    write_place(j, s, width, height);
    rg_json_key(j, "t");
    rg_json_open(j, '[');
    for (int k = 0; k < s->n; k++)
        rg_json_real(j, s->t[k]);
    rg_json_close(j, ']');
    rg_json_key(j, "frames");
    rg_json_open(j, '[');
    for (int k = 0; k < s->n; k++) {
        rg_json_open(j, '[');
        for (int i = 0; i < s->width; i++) {
            if (i > 0) putc(',', j->to);
            write_number(j, frame_of(s, k)[i]);
        }
        rg_json_close(j, ']');
    }
    rg_json_close(j, ']');
    rg_json_close(j, '}');
}
