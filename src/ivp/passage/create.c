/* Life of a passage. */
#include "ivp/passage/passage.h"

#include "linalg/blas.h"
#include "linalg/rule.h"

#include <math.h>
#include <string.h>

/* Three stages of Radau IIA; estimate as in RADAU5: HW96 section IV.8. */
static void set_coefficients(rg_passage *k)
{
    rg_rule_modes m;

    rg_rule_modes_init(RG_RULE_RADAU, 3, &m);
    memcpy(k->c, m.c, sizeof k->c);
    memcpy(k->D, m.inverse, sizeof k->D);
    k->gamma0 = 1.0 / m.gamma;
    for (int i = 0; i < 3; i++)
        k->DD[i] = -m.P[i];
}

static rg_status allocate(rg_passage *k)
{
    const size_t N = (size_t)k->N, entries = (size_t)k->form->pattern->start[k->N];
    const size_t m = (size_t)k->form->constraints.m, n_q = (size_t)k->form->constraints.n_q;
    struct {
        double **to;
        size_t count;
    } wanted[] = {
        {&k->w,          N            },
        {&k->wp,         N            },
        {&k->W[0],       N            },
        {&k->W[1],       N            },
        {&k->W[2],       N            },
        {&k->Wp,         N            },
        {&k->F,          3 * N        },
        {&k->Jw[0],      entries      },
        {&k->Jw[1],      entries      },
        {&k->Jw[2],      entries      },
        {&k->Jwp[0],     entries      },
        {&k->Jwp[1],     entries      },
        {&k->Jwp[2],     entries      },
        {&k->weight,     N            },
        {&k->polynomial, 4 * N        },
        {&k->last,       4 * N        },
        {&k->point,      N            },
        {&k->slope,      N            },
        {&k->gap,        m * (n_q + 1)}
    };

    for (size_t e = 0; e < sizeof wanted / sizeof *wanted; e++)
        if ((*wanted[e].to = rg_alloc(k->ctx, wanted[e].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    RG_TRY(rg_matrix_create(k->ctx, k->form->pattern, false, &k->error_matrix));
    return rg_coupled_create(k->form, &k->coupled);
}

static void release_steps(rg_passage *k)
{
    double **owned[] = {&k->w,      &k->wp,     &k->W[0],   &k->W[1],   &k->W[2],
                        &k->Wp,     &k->F,      &k->Jw[0],  &k->Jw[1],  &k->Jw[2],
                        &k->Jwp[0], &k->Jwp[1], &k->Jwp[2], &k->weight, &k->polynomial,
                        &k->last,   &k->point,  &k->slope,  &k->gap};

    for (size_t e = 0; e < sizeof owned / sizeof *owned; e++) {
        rg_free(k->ctx, *owned[e]);
        *owned[e] = NULL;
    }
    rg_matrix_destroy(&k->error_matrix);
    rg_coupled_destroy(&k->coupled);
}

/* Most runs never come here. */
rg_status rg_passage_take_memory(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);

    if (k->coupled != NULL) return RG_OK;
    rg_status status = rg_stable_open(k->form);
    if (status == RG_OK) status = allocate(k);
    if (status != RG_OK) release_steps(k);
    return status;
}

/* What the watch needs: the matrix, a step back, and the states whose slopes are speeds:
 * y_j^(d_j - c), c the largest. */
static rg_status prepare_watch(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    const rg_stable *v = k->form;
    const size_t n = (size_t)g->n, bytes = n * sizeof *g->y;
    double signal;

    k->y0 = rg_alloc(k->ctx, 2 * n + 1, sizeof *k->y0);
    k->yp0 = rg_alloc(k->ctx, 2 * n + 1, sizeof *k->yp0);
    k->y_start = rg_alloc(k->ctx, n + 1, sizeof *k->y_start);
    k->yp_start = rg_alloc(k->ctx, n + 1, sizeof *k->yp_start);
    k->speed = rg_alloc(k->ctx, (size_t)v->p->n + 1, sizeof *k->speed);
    if (k->y0 == NULL || k->yp0 == NULL || k->y_start == NULL || k->yp_start == NULL
        || k->speed == NULL)
        return RG_ERR_MEMORY;
    memcpy(k->y_start, g->y, bytes);
    memcpy(k->yp_start, g->yp, bytes);
    for (int64_t i = 0; i < g->n; i++)
        k->w_start = fmax(k->w_start, fabs(g->y[i]));
    for (int64_t j = 0; j < v->p->n; j++) {
        const int order = v->a->d[j] - v->levels;
        const int64_t state = order >= 0 ? rg_system_state(g->system, j, order) : -1;
        if (state >= 0) k->speed[k->n_speeds++] = (int32_t)state;
    }
    RG_TRY(rg_rank_create(k->ctx, v->leading, &k->rank));
    return v->border.n == 0 ? RG_OK : rg_passage_look(g, g->t, &signal);
}

rg_status rg_passage_attach(rg_integrator *g, rg_stable **form)
{
    if (*form == NULL) return RG_OK;
    rg_passage *k = rg_alloc(g->ctx, 1, sizeof *k);
    if (k == NULL) return RG_ERR_MEMORY;
    k->ctx = g->ctx;
    k->form = *form;
    *form = NULL;
    k->main = g->method;
    k->N = k->form->size;
    k->jacobians = -1;
    k->watch = (rg_watch){rg_passage_guard, rg_passage_detach};
    g->watch = &k->watch;
    rg_blas_one_thread();
    set_coefficients(k);
    const rg_status status = prepare_watch(g);
    if (status != RG_OK || (k->form->border.n > 0 && !k->form->border.has_vectors))
        rg_passage_detach(g);
    return status;
}

void rg_passage_detach(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);

    if (k == NULL) return;
    g->method = k->main;
    release_steps(k);
    rg_rank_destroy(&k->rank);
    rg_stable_destroy(&k->form);
    void *const owned[] = {k->y0, k->yp0, k->y_start, k->yp_start,
                           k->Jy, k->Jyp, k->speed,   k->passed};
    for (size_t e = 0; e < sizeof owned / sizeof *owned; e++)
        rg_free(k->ctx, owned[e]);
    rg_free(k->ctx, k);
    g->watch = NULL;
}
