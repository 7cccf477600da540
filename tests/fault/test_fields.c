/* Every allocation of a picture or a table of fields may fail: no crash, no leak, message and
 * remedy set. */
#include "pdae/draw/picture.h"
#include "pdae/draw/vtk.h"
#include "problem/problem.h"
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

#include <stdlib.h>

static const char plane[] = "domain x = 0..1 cells 4, y = 0 .. .2 cells 3 periodic\n"
                            "solid post = x < .3 and y < .1\nvector u = (0, 0)\nfield p\n"
                            "u' + div(u*u) = lap(u) - grad(p)\ndiv(u) = 0\n"
                            "over t = 0 .. 1\ndraw lines(u), curl(u)\n",
                  line[] = "domain x = 0..1 cells 3\nfield c = x\nc' = lap(c)\nover t = 0 .. 1\n"
                           "draw c, log(c - .5)\n";

/* Values of both signs, of a flow round and round. */
static rg_status draw(rg_context *ctx, void *text)
{
    rg_problem *p = NULL;
    rg_frame frame = {0};
    double *v = NULL;

    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status >= 0) status = rg_frame_create(p->form, &frame);
    if (status >= 0) {
        v = malloc((size_t)p->n * sizeof *v);
        for (int64_t k = 0; v != NULL && k < p->n; k++)
            v[k] = k % 3 == 0 ? 1.0 : -0.5;
        rg_frame_set(&frame, 0.0, v);
        status = rg_picture_write(ctx, &frame, "title", "/dev/null", text == line);
    }
    if (status >= 0) status = rg_frame_write_csv(ctx, &frame, "/dev/null");
    rg_frame_clear(&frame);
    rg_problem_destroy(&p);
    free(v);
    return status;
}

static void test_plane(void)
{
    CHECK(fault_run("plane", draw, (void *)plane) > 100);
}

static void test_line(void)
{
    CHECK(fault_run("line", draw, (void *)line) > 50);
}

static const test_case cases[] = {
    {"plane", test_plane},
    {"line",  test_line },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
