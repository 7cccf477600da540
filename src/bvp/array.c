/* Derivative array of a boundary value form: layout and the choice of mu; see array.h. */
#include "bvp/array_impl.h"

#include "bvp/tuning.h"
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

static rg_status take_memory(rg_form_array *a)
{
    const size_t R = (size_t)a->R, n = (size_t)a->n, nx = (size_t)a->nx;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&a->z,      nx + R     },
        {&a->row,    R          },
        {&a->column, nx + R     },
        {&a->b,      R          },
        {&a->M,      R * R      },
        {&a->step,   R          },
        {&a->part,   R * (n + 1)},
        {&a->open,   n * n      },
        {&a->PiN,    R * nx     },
        {&a->norm,   R          }
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(a->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    RG_TRY(rg_cod_create(a->ctx, a->R, &a->cod));
    a->chosen = rg_alloc(a->ctx, nx + 1, sizeof *a->chosen);
    return a->chosen != NULL ? RG_OK : RG_ERR_MEMORY;
}

void rg_form_array_destroy(rg_form_array **array)
{
    rg_form_array *a = *array;

    if (a == NULL) return;
    rg_context *ctx = a->ctx;
    rg_array_destroy(&a->array);
    rg_cod_destroy(&a->cod);
    void *const arrays[] = {a->z,   a->row,  a->column, a->b, a->step,      a->part,       a->open,
                            a->PiN, a->norm, a->chosen, a->M, a->choices.t, a->choices.row};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, a);
    *array = NULL;
}

/* The point of the array, and the scaling of the first one. */
static rg_status take_point(rg_form_array *a, double t, bool is_first)
{
    rg_array_point(a->array, a->z);
    if (!is_first) return RG_OK;
    RG_TRY(rg_array_eval(a->array, t, a->z, true, NULL, NULL));
    rg_equilibrate(a->R, a->nx + a->R, a->array->A, a->row, a->column);
    return RG_OK;
}

/* The conditions on mu at the point in z. */
static rg_status judge(rg_form_array *a, double t, bool is_first, bool *is_good)
{
    double least, left, open_least, open_left, moved;
    const int before = a->rank;

    *is_good = a->has_M = false;
    a->rank = 0;
    RG_TRY(rg_form_array_linearize(a, t, true));
    RG_TRY(rg_svd(a->ctx, a->R, a->R, a->M, a->b, NULL, NULL));
    const int rank = (int)rg_rank_from_values(a->R, a->b, a->b[0], RG_NOISE_EXACT);
    if (!is_first && rank != before) return RG_OK;
    a->rank = rank;
    a->has_M = false;
    RG_TRY(rg_form_array_linearize(a, t, true));
    rg_form_array_project(a);
    rg_form_array_choose(a, a->n_invariants, &least, &left);
    rg_form_array_open(a, a->n_open, &open_least, &open_left, &moved);
    rg_log(a->ctx, 3,
           "derivative array, mu = %d: rank %d of %d, invariants %.1e (%.1e left), open %.1e (%.1e "
           "left), moved %.1e",
           a->array->mu, rank, a->R, least, left, open_least, open_left, moved);
    *is_good = fmin(least, open_least) > RG_RANK_DOUBT
               && fmax(fmax(left, open_left), moved) < RG_RANK_DOUBT;
    return RG_OK;
}

/* Two points on the solution set must agree. */
static rg_status examine(rg_form_array *a, const rg_analysis *an, bool *is_good)
{
    const rg_problem *p = a->array->p;
    const double t = p->a + RG_SAMPLE_INSIDE * (p->b - p->a);
    int n_good = 0;
    rg_status status = RG_OK;

    for (int draw = 0; draw < RG_FORM_ARRAY_DRAWS && n_good < 2 && status == RG_OK; draw++) {
        rg_point_kind kind;
        bool is_good_here = false;
        status = rg_array_visit(a->array, an->transversal, draw, &kind);
        if (status == RG_OK && kind == RG_POINT_SOLVED) {
            status = take_point(a, t, n_good == 0);
            if (status == RG_OK) status = judge(a, t, n_good == 0, &is_good_here);
            if (status == RG_OK && !is_good_here) break;
            n_good += is_good_here;
        }
        if (status == (rg_status)RG_RETRY) status = RG_OK;
    }
    *is_good = n_good == 2;
    return status;
}

static rg_status create(const rg_problem *p, const rg_analysis *an, int mu, rg_form_array **out)
{
    rg_form_array *a = *out = rg_alloc(p->ctx, 1, sizeof *a);
    bool is_good;

    if (a == NULL) return RG_ERR_MEMORY;
    *a = (rg_form_array){.ctx = p->ctx, .n = (int)p->n};
    if (p->max_order + mu + 1 > RG_MAX_ORDER) return RG_RETRY;
    RG_TRY(rg_array_create(p, &an->signature, 0, mu, &a->array));
    a->nx = (int)a->array->n_states;
    a->R = (mu + 1) * a->n;
    a->n_invariants = a->nx - (int)an->dof;
    a->n_open = (int)an->n_redundant;
    if (a->n_invariants < 0) return RG_RETRY;
    RG_TRY(take_memory(a));
    RG_TRY(examine(a, an, &is_good));
    return is_good ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_form_array_create(const rg_problem *p, const rg_analysis *a, rg_form_array **out)
{
    const int first = a->levels > 1 ? a->levels - 1 : 0;
    rg_status status = (rg_status)RG_RETRY;

    *out = NULL;
    if (p->n_blocks == 0) return RG_OK; /* callbacks have no derivatives */
    for (int mu = first; mu < first + RG_FORM_ARRAY_LEVELS && status == (rg_status)RG_RETRY; mu++) {
        if ((mu + 1) * p->n > RG_FORM_ARRAY_MOST) break;
        status = create(p, a, mu, out);
        if (status != RG_OK) rg_form_array_destroy(out);
    }
    return status < 0 ? status : RG_OK;
}

int rg_form_array_invariants(const rg_form_array *a)
{
    return a->n_invariants;
}

double rg_form_array_pivot(const rg_form_array *a)
{
    return a->is_lost ? 0.0 : rg_cod_ratio(a->cod);
}

void rg_form_array_rest(rg_form_array *a)
{
    memset(a->z, 0, (size_t)(a->nx + a->R) * sizeof *a->z);
}
