/* Life of a passage. */
#include "ivp/passage/passage.h"

#include "linalg/blas.h"

#include <math.h>
#include <string.h>

/* c: nodes of Radau IIA;  D = A^-1:  D_ij = l_j'(c_i),  l_j the polynomials of degree 3 with l_j(0) = 0, l_j(c_k) = delta_jk
 * (the collocation polynomial passes through 0 and the stages).  HW96 section IV.5; estimate: IV.8, RADAU5. */
static void set_coefficients(rg_passage *k)
{
    const double root = sqrt(6.0);

    k->c[0] = (4.0 - root) / 10.0;
    k->c[1] = (4.0 + root) / 10.0;
    k->c[2] = 1.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double x = k->c[i], a = k->c[(j + 1) % 3], b = k->c[(j + 2) % 3], c = k->c[j];
            k->D[i][j] = (3 * x * x - 2 * (a + b) * x + a * b) / (c * (c - a) * (c - b));
        }
    const double third = cbrt(81.0) - cbrt(9.0); /* gamma0: the real eigenvalue of A */
    k->gamma0 = (6.0 + third) / 30.0;
    k->DD[0] = -(13.0 + 7.0 * root) / 3.0;
    k->DD[1] = (-13.0 + 7.0 * root) / 3.0;
    k->DD[2] = -1.0 / 3.0;
}

static rg_status take_memory(rg_passage *k, int64_t n_run)
{
    const size_t N = (size_t)k->N, n = (size_t)k->form->n;
    const size_t rows = (size_t)k->form->n_rows;
    struct {
        double **to;
        size_t count;
    } wanted[] = {
        {&k->w,              N                },
        {&k->wp,             N                },
        {&k->W[0],           N                },
        {&k->W[1],           N                },
        {&k->W[2],           N                },
        {&k->Wp,             N                },
        {&k->F,              3 * N            },
        {&k->Jw,             N * N            },
        {&k->Jwp,            N * N            },
        {&k->weight,         N                },
        {&k->polynomial,     4 * N            },
        {&k->last,           4 * N            },
        {&k->column_scale,   3 * N            },
        {&k->point,          N                },
        {&k->slope,          N                },
        {&k->A,              n * n + rows     },
        {&k->row_largest,    2 * n            },
        {&k->column_largest, 2 * n            },
        {&k->singular,       n                },
        {&k->y_start,        (size_t)n_run    },
        {&k->yp_start,       (size_t)n_run    },
        {&k->y0,             2 * (size_t)n_run},
        {&k->yp0,            2 * (size_t)n_run}
    };

    for (size_t e = 0; e < sizeof wanted / sizeof *wanted; e++)
        if ((*wanted[e].to = rg_alloc(k->ctx, wanted[e].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    RG_TRY(rg_stable_constraints_init(k->form, &k->constraints));
    const size_t m = (size_t)k->constraints.m, n_q = (size_t)k->constraints.n_q;
    if ((k->gap = rg_alloc(k->ctx, m * (n_q + 1) + 1, sizeof *k->gap)) == NULL)
        return RG_ERR_MEMORY;
    RG_TRY(rg_lu_create(k->ctx, 3 * k->N, false, &k->lu));
    RG_TRY(rg_lu_create(k->ctx, k->form->n, false, &k->lu_signal));
    RG_TRY(rg_lu_create(k->ctx, k->form->n, false, &k->lu_transposed));
    for (int i = 0; i < k->form->n; i++)
        k->singular[i] = 1.0 + 0.1 * (i % 7); /* any vector that is not special */
    return rg_lu_create(k->ctx, k->N, false, &k->lu_error);
}

rg_status rg_passage_attach(rg_integrator *g, rg_stable **form)
{
    if (*form == NULL) return RG_OK;
    rg_passage *k = rg_alloc(g->ctx, 1, sizeof *k);
    if (k == NULL) return RG_ERR_MEMORY;
    k->ctx = g->ctx;
    k->form = *form;
    *form = NULL;
    k->system = g->system;
    k->main = g->method;
    k->N = k->form->size;
    g->passage = k;
    rg_blas_one_thread();
    set_coefficients(k);
    const rg_status status = take_memory(k, g->n);
    if (status == RG_OK) {
        memcpy(k->y_start, g->y, (size_t)g->n * sizeof *g->y);
        memcpy(k->yp_start, g->yp, (size_t)g->n * sizeof *g->yp);
    } else {
        rg_passage_detach(g);
    }
    return status;
}

void rg_passage_detach(rg_integrator *g)
{
    rg_passage *k = g->passage;

    if (k == NULL) return;
    g->method = k->main;
    double *owned[] = {
        k->w,           k->wp,         k->W[0],     k->W[1],         k->W[2],
        k->Wp,          k->F,          k->Jw,       k->Jwp,          k->weight,
        k->last,        k->polynomial, k->A,        k->point,        k->slope,
        k->singular,    k->y0,         k->yp0,      k->column_scale, k->column_largest,
        k->row_largest, k->y_start,    k->yp_start, k->gap};
    for (size_t e = 0; e < sizeof owned / sizeof *owned; e++)
        rg_free(k->ctx, owned[e]);
    rg_stable_constraints_clear(k->form, &k->constraints);
    rg_lu_destroy(&k->lu);
    rg_lu_destroy(&k->lu_error);
    rg_lu_destroy(&k->lu_signal);
    rg_lu_destroy(&k->lu_transposed);
    rg_stable_destroy(&k->form);
    rg_free(k->ctx, k->passed);
    rg_free(k->ctx, k);
    g->passage = NULL;
}
