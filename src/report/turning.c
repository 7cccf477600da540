/* Turning points and layers of a boundary value problem, for the eye and in JSON. */
#include "report/report.h"

#include "problem/turning.h"
#include "solution/number.h"

#include <string.h>

static const char *const kind_name[] = {"repulsive", "attractive", "boundary", "double"};

static void write_points(const rg_turning_facts *f, const char *x, FILE *to)
{
    char number[40];

    if (f->n_points == 0) fputs("no turning point", to);
    for (int k = 0; k < f->n_points; k++) {
        if (k == 0) fputs(f->n_points == 1 ? "turning point at " : "turning points at ", to);
        fprintf(to, "%s%s = %s: %s", k > 0 ? "; " : "", x, rg_short_text(f->point[k].t, 10, number),
                kind_name[f->point[k].kind]);
    }
}

void rg_write_turning(const rg_problem *p, FILE *to)
{
    const rg_turning_facts *f = p->study->turning;
    const char *x = rg_problem_time_name(p);
    const double low = p->a < p->b ? p->a : p->b, high = p->a < p->b ? p->b : p->a;
    char number[40];
    int ends = 0;

    write_points(f, x, to);
    for (int k = 0; k < f->n_layers; k++)
        ends += f->layer[k].t == low || f->layer[k].t == high;
    if (f->n_layers == 2 && ends == 2) {
        fputs(", layers at both ends\n", to);
        return;
    }
    for (int k = 0; k < f->n_layers; k++)
        fprintf(to, "%s%s = %s", k == 0 ? f->n_layers == 1 ? ", layer at " : ", layers at " : ", ",
                x, rg_short_text(f->layer[k].t, 10, number));
    fputs("\n", to);
}

void rg_write_turning_json(rg_json *j, const rg_problem *p)
{
    const rg_turning_facts *f = p->study->turning;

    rg_json_key(j, "turning");
    rg_json_open(j, '[');
    for (int k = 0; k < f->n_points; k++) {
        rg_json_open(j, '{');
        rg_json_key(j, "t");
        rg_json_real(j, f->point[k].t);
        rg_json_key(j, "kind");
        rg_json_text(j, kind_name[f->point[k].kind]);
        rg_json_close(j, '}');
    }
    rg_json_close(j, ']');
    rg_json_key(j, "layers");
    rg_json_open(j, '[');
    for (int k = 0; k < f->n_layers; k++) {
        rg_json_open(j, '{');
        rg_json_key(j, "t");
        rg_json_real(j, f->layer[k].t);
        rg_json_key(j, "width");
        rg_json_real(j, f->layer[k].width);
        rg_json_close(j, '}');
    }
    rg_json_close(j, ']');
}
