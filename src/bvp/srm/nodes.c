/* Boundary conditions in the states of the regularized equations. */
#include "bvp/srm/nodes.h"
#include "bvp/srm/tuning.h"
#include "ivp/srm/tuning.h"

#include <math.h>
#include <string.h>

enum { SLOT_NONE, SLOT_Z, SLOT_TOP, SLOT_Y };

/* What state number `state` of the system is. */
static void find_state(const rg_bvp_srm_field *f, int64_t state, int *slot, int *component)
{
    const rg_semi *v = f->core->view;

    *slot = SLOT_NONE;
    *component = 0;
    for (int k = 0; k < f->n_x && state >= 0; k++) {
        const bool is_x = rg_semi_x(v)[k] == state;
        if (!is_x && !(f->order == 2 && rg_semi_v(v)[k] == state)) continue;
        *slot = SLOT_Z;
        *component = is_x ? k : f->n_x + k;
        return;
    }
    for (int k = 0; k < f->n_y && state >= 0; k++)
        if (rg_semi_y(v)[k] == state) {
            *slot = SLOT_Y;
            *component = k;
        }
}

/* Derivative `order` of an unknown: a state, or the derivative of the state below it. */
static void find_place(const rg_bvp_srm_field *f, int64_t unknown, int order, int *slot,
                       int *component)
{
    find_state(f, rg_system_state(f->system, unknown, order), slot, component);
    if (*slot != SLOT_NONE || order == 0) return;
    int below;
    find_place(f, unknown, order - 1, slot, &below);
    if (*slot != SLOT_Z) {
        *slot = SLOT_NONE;
    } else if (f->order == 2 && below < f->n_x) {
        *component = f->n_x + below; /* x' = v */
    } else {
        *slot = SLOT_TOP;
        *component = below % f->n_x;
    }
}

static rg_status check_count(const rg_bvp_srm_field *f, const rg_bvp_conditions *c)
{
    const int rows = rg_bvp_conditions_count(c) + f->order * f->n_y;

    if (rows == f->n_z) return RG_OK;
    rg_fail(f->ctx, RG_ERR_METHOD,
            "'srm' does not fit this model: with its constraints it has %d conditions for %d "
            "differential unknowns",
            rows, f->n_z);
    return rg_remedy(f->ctx, "take --method collocation, which solves any form");
}

static rg_status fill(rg_bvp_srm_nodes *n)
{
    const rg_bvp_srm_field *f = n->field;
    const rg_bvp_form *form = n->conditions->form;
    const size_t nz = (size_t)form->nz + 1, z = (size_t)f->n_z, nodes = (size_t)n->n_nodes;

    n->slot = rg_alloc(n->ctx, nz, sizeof *n->slot);
    n->component = rg_alloc(n->ctx, nz, sizeof *n->component);
    n->form = rg_alloc(n->ctx, nodes * nz, sizeof *n->form);
    n->values = rg_alloc(n->ctx, (size_t)n->conditions->n_rows + 1, sizeof *n->values);
    n->moved = rg_alloc(n->ctx, 2 * z + 1, sizeof *n->moved);
    n->before = rg_alloc(n->ctx, nz, sizeof *n->before);
    n->J = rg_alloc(n->ctx, (size_t)n->conditions->n_rows * nodes * nz + 1, sizeof *n->J);
    n->z = rg_alloc(n->ctx, nodes * z + 1, sizeof *n->z);
    n->at.f = rg_alloc(n->ctx, 2 * (size_t)f->n_x + (size_t)f->n_y + 1, sizeof *n->at.f);
    if (!n->slot || !n->component || !n->form || !n->values || !n->moved || !n->z || !n->at.f
        || !n->before || !n->J)
        return RG_ERR_MEMORY;
    n->at.By = n->at.f + f->n_x;
    n->at.y = n->at.By + f->n_x;
    for (int r = 0; r < form->n_orders; r++)
        for (int j = 0; j < form->n; j++)
            if (form->place[r][j] >= 0)
                find_place(f, j, r, &n->slot[form->place[r][j]], &n->component[form->place[r][j]]);
    return check_count(f, n->conditions);
}

rg_status rg_bvp_srm_nodes_create(rg_bvp_srm_field *f, rg_bvp_conditions *c, rg_bvp_srm_nodes **out)
{
    rg_bvp_srm_nodes *n = rg_alloc(f->ctx, 1, sizeof *n);

    *out = NULL;
    if (n == NULL) return RG_ERR_MEMORY;
    *n = (rg_bvp_srm_nodes){
        .ctx = f->ctx, .field = f, .conditions = c, .n_nodes = c->n_points, .time = c->point};
    const rg_status status = fill(n);
    if (status == RG_OK)
        *out = n;
    else
        rg_bvp_srm_nodes_destroy(&n);
    return status;
}

void rg_bvp_srm_nodes_destroy(rg_bvp_srm_nodes **nodes)
{
    rg_bvp_srm_nodes *n = *nodes;

    if (n == NULL) return;
    rg_context *ctx = n->ctx;
    void *const arrays[] = {n->slot, n->component, n->form,   n->values, n->moved,
                            n->z,    n->at.f,      n->before, n->J,      n};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    *nodes = NULL;
}

/* (x, w) of the conditions at node k: multipliers and highest derivatives are those that the
 * constraints give.  Where GB is singular they are not numbers, which only matters to conditions
 * that read them. */
static rg_status fill_form(rg_bvp_srm_nodes *n, int k, const double *z)
{
    const int nz = n->conditions->form->nz;
    double *to = n->form + (int64_t)k * nz;

    const rg_status status = rg_bvp_srm_field_exact(n->field, n->time[k], z, &n->at);
    if (status < 0) return status;
    for (int j = 0; j < nz; j++) {
        const int at = n->component[j];
        switch (n->slot[j]) {
        case SLOT_Z:
            to[j] = z[at];
            break;
        case SLOT_TOP:
            to[j] = status == RG_OK ? n->at.f[at] - n->at.By[at] : NAN;
            break;
        case SLOT_Y:
            to[j] = status == RG_OK ? n->at.y[at] : NAN;
            break;
        default:
            to[j] = NAN;
        }
    }
    return RG_OK;
}

/* g, and dg/dt (index 3), at the start. */
static rg_status constraint_rows(rg_bvp_srm_nodes *n, const double *z, double *values)
{
    rg_srm_core *b = n->field->core;
    const int m = n->field->n_y;

    RG_TRY(rg_semi_eval(b->view, n->time[0], z, b->order == 2 ? z + b->n_x : NULL, &b->space.v));
    memcpy(values, b->space.v.g, (size_t)m * sizeof *values);
    if (b->order == 2) memcpy(values + m, b->space.v.g1, (size_t)m * sizeof *values);
    return RG_OK;
}

static rg_status all_rows(rg_bvp_srm_nodes *n, const double *z, double *values)
{
    const int n_z = n->field->n_z;
    int to = 0;

    if (n->end != NULL) {
        for (int k = 0; k < n_z; k++)
            values[k] = z[(n->n_nodes - 1) * n_z + k] - n->end[k];
        return RG_OK;
    }
    for (int k = 0; k < n->n_nodes; k++)
        RG_TRY(fill_form(n, k, z + (int64_t)k * n_z));
    RG_TRY(rg_bvp_conditions_eval(n->conditions, n->form, n->values, NULL));
    for (int i = 0; i < n->conditions->n_rows; i++)
        if (!n->conditions->is_dropped[i]) values[to++] = n->values[i];
    RG_TRY(constraint_rows(n, z, values + to));
    for (int i = 0; i < n_z; i++)
        if (!isfinite(values[i])) return RG_RETRY;
    return RG_OK;
}

/* Adds to column c of node k what conditions on x', v' or y make of a change of z, by differences
 * of these. */
static rg_status add_others(rg_bvp_srm_nodes *n, int k, int c, double scale, double *column)
{
    const int nz = n->conditions->form->nz, width = n->n_nodes * nz;
    double *z = n->z + (int64_t)k * n->field->n_z, *now = n->form + (int64_t)k * nz;
    const double old = z[c];

    memcpy(n->before, now, (size_t)nz * sizeof *now);
    z[c] = old + RG_SRM_DIFFERENCE * scale;
    const double delta = z[c] - old;
    const rg_status status = fill_form(n, k, z);
    z[c] = old;
    for (int i = 0, to = 0; i < n->conditions->n_rows && status == RG_OK; i++) {
        if (n->conditions->is_dropped[i]) continue;
        const double *row = n->J + (int64_t)i * width + (int64_t)k * nz;
        for (int q = 0; q < nz; q++)
            if ((n->slot[q] == SLOT_TOP || n->slot[q] == SLOT_Y) && row[q] != 0.0)
                column[to] += row[q] * (now[q] - n->before[q]) / delta;
        to++;
    }
    memcpy(now, n->before, (size_t)nz * sizeof *now);
    return status;
}

/* Does a condition ask for x', v' or y at node k? */
static bool asks_for_others(const rg_bvp_srm_nodes *n, int k)
{
    const int nz = n->conditions->form->nz, width = n->n_nodes * nz;

    for (int i = 0; i < n->conditions->n_rows; i++)
        for (int q = 0; q < nz && !n->conditions->is_dropped[i]; q++)
            if ((n->slot[q] == SLOT_TOP || n->slot[q] == SLOT_Y)
                && n->J[(int64_t)i * width + (int64_t)k * nz + q] != 0.0)
                return true;
    return false;
}

/* The user's conditions, with their derivatives from the graphs. */
static rg_status condition_slopes(rg_bvp_srm_nodes *n, const double *scale, double *J)
{
    const rg_bvp_conditions *c = n->conditions;
    const int nz = c->form->nz, n_z = n->field->n_z, width = n->n_nodes * nz;

    RG_TRY(rg_bvp_conditions_eval(n->conditions, n->form, n->values, n->J));
    for (int k = 0; k < n->n_nodes; k++) {
        for (int i = 0, to = 0; i < c->n_rows; i++) {
            if (c->is_dropped[i]) continue;
            for (int q = 0; q < nz; q++)
                if (n->slot[q] == SLOT_Z)
                    J[(int64_t)(k * n_z + n->component[q]) * n_z + to] +=
                        n->J[(int64_t)i * width + (int64_t)k * nz + q];
            to++;
        }
        for (int j = 0; j < n_z && asks_for_others(n, k); j++)
            RG_TRY(add_others(n, k, j, scale[j], J + (int64_t)(k * n_z + j) * n_z));
    }
    return RG_OK;
}

/* The constraints at the start, from the graphs, or by differences where the mass matrix moves. */
static rg_status constraint_slopes(rg_bvp_srm_nodes *n, const double *scale, double *J)
{
    rg_bvp_srm_field *f = n->field;
    const int n_z = f->n_z, rows = f->order * f->n_y, size = n_z + rows, first = n_z - rows;
    double *now = n->moved, *moved = n->moved + rows;

    RG_TRY(constraint_rows(n, n->z, now));
    const rg_status status = rg_bvp_srm_field_system_slopes(f, size, f->columns);
    if (status < 0) return status;
    for (int j = 0; j < n_z; j++) {
        double *column = J + (int64_t)j * n_z + first;
        if (status == RG_OK) {
            memcpy(column, f->columns + (int64_t)j * size + n_z, (size_t)rows * sizeof *column);
            continue;
        }
        const double old = n->z[j];
        n->z[j] = old + RG_SRM_DIFFERENCE * scale[j];
        const double delta = n->z[j] - old;
        RG_TRY(constraint_rows(n, n->z, moved));
        n->z[j] = old;
        for (int i = 0; i < rows; i++)
            column[i] = (moved[i] - now[i]) / delta;
    }
    return RG_OK;
}

rg_status rg_bvp_srm_nodes_eval(rg_bvp_srm_nodes *n, const rg_curve *it, const double *scale,
                                double *values, double *J)
{
    const int n_z = n->field->n_z;
    const int64_t columns = (int64_t)n->n_nodes * n_z;

    for (int k = 0; k < n->n_nodes; k++)
        memcpy(n->z + k * n_z, it->x + it->node[k] * n_z, (size_t)n_z * sizeof *n->z);
    RG_TRY(all_rows(n, n->z, values));
    if (J == NULL) return RG_OK;
    memset(J, 0, (size_t)(columns * n_z) * sizeof *J);
    if (n->end != NULL) {
        for (int k = 0; k < n_z; k++)
            J[(columns - n_z + k) * n_z + k] = 1.0;
        return RG_OK;
    }
    RG_TRY(condition_slopes(n, scale, J));
    RG_TRY(constraint_slopes(n, scale, J));
    for (int64_t k = 0; k < columns * n_z; k++)
        if (!isfinite(J[k])) return RG_RETRY;
    return RG_OK;
}

void rg_bvp_srm_nodes_take(const rg_bvp_srm_nodes *n, const double *form_x, const double *form_w,
                           double *z)
{
    const rg_bvp_form *form = n->conditions->form;

    for (int j = 0; j < form->nz; j++)
        if (n->slot[j] == SLOT_Z)
            z[n->component[j]] = j < form->nx ? form_x[j] : form_w[j - form->nx];
}

void rg_bvp_srm_nodes_give(const rg_bvp_srm_nodes *n, const double *z, double *form)
{
    for (int j = 0; j < n->conditions->form->nz; j++)
        form[j] = n->slot[j] == SLOT_Z ? z[n->component[j]] : 0.0;
}
