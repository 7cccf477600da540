/* A scene is what the model draws, at some times of a solution. */
#ifndef RG_REPORT_SCENE_H
#define RG_REPORT_SCENE_H

#include "figure/chart.h"
#include "report/json.h"
#include "solution/solution.h"

typedef struct { /* a shape: its numbers are x, y, x, y, ... (a circle: and its radius) */
    const rg_shape *shape;
    int64_t copy; /* its iteration */
    int first, count;
} rg_scene_shape;

typedef struct {
    rg_context *ctx;
    const char *time_name;
    int n_shapes, width; /* numbers of a frame */
    rg_scene_shape *shape;
    int n_traces, *trace; /* where the points that leave traces stand among the numbers */
    int n;                /* frames */
    double *t, *number;   /* n; n*width, NaN: cannot be computed there */
    double low[2], high[2];
} rg_scene;

/* At most `most` frames at equal distances.  n_shapes is 0 where the model draws nothing. */
rg_status rg_scene_take(const rg_solution *s, int most, rg_scene *out);
void rg_scene_clear(rg_scene *s);
/* Eight phases on a sheet with axes, early ones pale, and the traces; of boundary value problems
 * the traces alone. */
rg_status rg_scene_draw(const rg_scene *s, bool is_curve, double x, double y, double w, double h,
                        rg_canvas *sheet);
rg_status rg_scene_write_svg(const rg_scene *s, bool is_curve, const char *title, double width,
                             double height, const char *path);
/* The member "draw" of a page, for a stage of so many units. */
void rg_scene_json(rg_json *j, const rg_scene *s, double width, double height);

#endif
