/* Stream lines: inside the domain, never through a solid, one in every row of squares. */
#include "pdae/draw/lines.h"
#include "problem/problem.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    int lines, in_solid, outside;
    double lowest, highest;
} seen;

static void look(void *user, const rg_stream_line *line)
{
    seen *s = user;

    s->lines++;
    for (int k = 0; k < line->n; k++) {
        const double x = line->x[k], y = line->y[k];
        s->in_solid += x > 1.0 && x < 1.5 && y > 0.25 && y < 0.75;
        s->outside += x < 0.0 || x > 4.0 || y < 0.0 || y > 1.0;
        s->lowest = fmin(s->lowest, y);
        s->highest = fmax(s->highest, y);
    }
}

/* A uniform stream, in the solid too, where files keep what the walls have. */
static void lines_keep_out_of_solids(void)
{
    static const char model[] = "domain x = 0..4 cells 32, y = 0..1 cells 8\n"
                                "solid block = x > 1 and x < 1.5 and y > .25 and y < .75\n"
                                "vector u = (1, 0)\nfield p\n"
                                "u' + div(u*u) = lap(u) - grad(p)\ndiv(u) = 0\n"
                                "boundary u(left) = (1, 0), p(right) = 0\nover t = 0 .. 1\n";
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_frame frame;
    rg_stream stream;
    seen s = {.lowest = 1.0};

    CHECK(rg_context_create(&ctx) == RG_OK);
    if (!CHECK(rg_problem_from_text(ctx, model, &p) >= 0)) return;
    double *u = calloc((size_t)p->n, sizeof *u);
    for (int k = 0; k < 33 * 8; k++)
        u[k] = 1.0;
    CHECK(rg_frame_create(p->form, &frame) == RG_OK);
    rg_frame_set(&frame, 0.0, u);
    CHECK(rg_stream_make(&frame, 0, 100, 100, &stream) == RG_OK);
    CHECK(rg_stream_lines(&stream, 30, look, &s) == RG_OK);
    rg_stream_clear(&stream);
    CHECK(s.lines == 8 + 4); /* 8 rows of squares, four of them cut in two */
    CHECK(s.in_solid == 0 && s.outside == 0);
    CHECK(fabs(s.lowest - 1.0 / 16) < 1e-12 && fabs(s.highest - 15.0 / 16) < 1e-12);
    rg_frame_clear(&frame);
    free(u);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"lines keep out of solids", lines_keep_out_of_solids},
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
