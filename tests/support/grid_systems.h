/* Linear systems on grids with known solutions, for the tests of their solvers. */
#ifndef RG_TESTS_GRID_SYSTEMS_H
#define RG_TESTS_GRID_SYSTEMS_H

#include "base/random.h"
#include "pdae/solve/elliptic.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { WALL, VALUE, REPEAT } side;

typedef struct {
    rg_context *ctx;
    rg_grid *g;
    double *T[3], *s, *b, *x, *y;
} rig;

static inline rig make(int dims, const int *n, const double *length, const side sides[][2],
                       bool stretched)
{
    rig r = {0};
    rg_axis_spec spec[3];
    static double edge[1025];

    rg_context_create(&r.ctx);
    for (int d = 0; d < dims; d++) {
        spec[d] =
            (rg_axis_spec){.n = n[d], .a = 0.0, .b = length[d], .periodic = sides[d][0] == REPEAT};
        if (stretched && d == dims - 1) {
            for (int i = 0; i <= n[d]; i++)
                edge[i] = length[d] * (1.0 - cos(2.0 * i / n[d])) / (1.0 - cos(2.0));
            spec[d].edge = edge;
        }
    }
    rg_grid_create(r.ctx, dims, spec, &r.g);
    for (int d = 0; d < 3; d++)
        r.T[d] = rg_grid_array(r.g);
    r.s = rg_grid_array(r.g);
    r.b = rg_grid_array(r.g);
    r.x = rg_grid_array(r.g);
    r.y = rg_grid_array(r.g);
    return r;
}

static inline void drop(rig *r)
{
    for (int d = 0; d < 3; d++)
        rg_free(r->ctx, r->T[d]);
    rg_free(r->ctx, r->s);
    rg_free(r->ctx, r->b);
    rg_free(r->ctx, r->x);
    rg_free(r->ctx, r->y);
    rg_grid_destroy(&r->g);
    rg_context_destroy(&r->ctx);
}

typedef double coefficient(int i, int j, int k);

static inline double one(int i, int j, int k)
{
    return (void)i, (void)j, (void)k, 1.0;
}

static inline double white(int i, int j, int k)
{
    return pow(10.0, -3.0 + 6.0 * rg_random(7, (uint64_t)(i + 1000 * j + 1000000 * k)));
}

/* Two winding channels of high conductivity. */
static inline double channels(int i, int j, int k)
{
    const double low = 40.0 + 12.0 * sin(0.1 * i + 0.05 * k), high = 85.0 + 9.0 * cos(0.07 * i);
    return fabs(j - low) < 4.0 || fabs(j - high) < 5.0 ? 1e3 : 1e-3;
}

/* Transmissibilities: area over the sum of the two half-cell resistances. */
static inline void fill(rig *r, coefficient *c, const side sides[][2], double s)
{
    const rg_grid *g = r->g;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int at[3] = {i, j, k};
                const int64_t p = rg_grid_at(g, i, j, k);
                r->s[p] = s * rg_grid_volume(g, i, j, k);
                for (int d = 0; d < g->dims; d++) {
                    const int n = g->axis[d].n;
                    int to[3] = {i, j, k};
                    const double w = g->axis[d].width[at[d]], area = rg_grid_volume(g, i, j, k) / w;
                    to[d] = (at[d] + n - 1) % n;
                    const double w_to = g->axis[d].width[to[d]];
                    const bool inside = at[d] > 0 || sides[d][0] == REPEAT;
                    const double T =
                        area / (0.5 * w / c(i, j, k) + 0.5 * w_to / c(to[0], to[1], to[2]));
                    const double wall = area * c(i, j, k) / (0.5 * w);
                    r->T[d][p] = inside ? T : sides[d][0] == VALUE ? wall : 0.0;
                    if (at[d] == n - 1 && sides[d][1] != REPEAT)
                        r->T[d][p + g->stride[d]] = sides[d][1] == VALUE ? wall : 0.0;
                    if (at[d] == 0 && sides[d][0] == REPEAT) r->T[d][p + n * g->stride[d]] = T;
                }
                if (g->solid && g->solid[p])
                    for (int d = 0; d < g->dims; d++)
                        r->T[d][p] = r->T[d][p + g->stride[d]] = 0.0;
            }
    for (int64_t p = 0; g->solid && p < g->size; p++) /* the later neighbour has written again */
        for (int d = 0; g->solid[p] && d < g->dims; d++)
            r->T[d][p] = r->T[d][p + g->stride[d]] = 0.0;
}

/* b = A x for a random x (mean 0 where only that is determined). */
static inline void known_solution(rig *r, const side sides[][2], bool singular)
{
    const rg_grid *g = r->g;
    double mean = 0.0, volume = 0.0;
    uint64_t c = 0;

    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < g->axis[2].n; k++)
            for (int j = 0; j < g->axis[1].n; j++)
                for (int i = 0; i < g->axis[0].n; i++) {
                    const int64_t p = rg_grid_at(g, i, j, k);
                    const double V = rg_grid_volume(g, i, j, k);
                    if (g->solid && g->solid[p]) continue;
                    if (pass == 0) {
                        r->x[p] = rg_random(1, c++) - 0.5 + sin(0.1 * i) * cos(0.2 * j);
                        mean += V * r->x[p];
                        volume += V;
                    } else if (singular)
                        r->x[p] -= mean / volume;
                }
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int at[3] = {i, j, k};
                const int64_t p = rg_grid_at(g, i, j, k);
                r->b[p] = r->s[p] * r->x[p];
                for (int d = 0; d < g->dims; d++) {
                    const int n = g->axis[d].n;
                    const int64_t s = g->stride[d];
                    const bool repeat = sides[d][0] == REPEAT;
                    const double low = at[d] > 0 ? r->x[p - s]
                                       : repeat  ? r->x[p + (n - 1) * s]
                                                 : 0,
                                 high = at[d] < n - 1 ? r->x[p + s]
                                        : repeat      ? r->x[p - (n - 1) * s]
                                                      : 0;
                    r->b[p] += r->T[d][p] * (r->x[p] - low) + r->T[d][p + s] * (r->x[p] - high);
                }
            }
}

static inline double difference(const rig *r)
{
    const rg_grid *g = r->g;
    double most = 0.0;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t p = rg_grid_at(g, i, j, k);
                if (g->solid && g->solid[p]) continue;
                most = fmax(most, fabs(r->x[p] - r->y[p]));
            }
    return most;
}

/* Solves with one kind; the largest error, or NaN. */
static inline double run(rig *r, rg_elliptic_kind kind, int64_t *iterations)
{
    const rg_elliptic_matrix A = {
        r->g, {r->T[0], r->T[1], r->T[2]},
         r->s
    };
    const rg_elliptic_options o = {.kind = kind, .tol = 1e-12, .name = "test"};
    rg_elliptic *e = NULL;
    double error = NAN;

    memset(r->y, 0, (size_t)r->g->size * sizeof *r->y);
    if (rg_elliptic_create(r->ctx, &A, &o, &e) == RG_OK
        && rg_elliptic_solve(e, r->b, r->y) == RG_OK)
        error = difference(r);
    else
        printf("%s\n", rg_last_error(r->ctx)->message);
    if (iterations && e) *iterations = rg_elliptic_iterations(e);
    rg_elliptic_destroy(&e);
    return error;
}

#endif
