/* The parts of the Jacobian of the view, entry by entry: M = dF/da, B~ = dF/dy, G = dg/dx.
 * Everything here is linear in the number of entries: products with B = M^-1 B~ and with G need
 * neither B nor G B. */
#include "views/semi/semi_impl.h"

#include <math.h>
#include <string.h>

static bool belongs(const rg_semi *s, rg_semi_part_name name, int column, int32_t row)
{
    switch (name) {
    case RG_PART_MASS:
        return s->slot[column] == RG_SLOT_TOP && row < s->n_x;
    case RG_PART_B:
        return s->slot[column] == RG_SLOT_Y && row < s->n_x;
    default:
        return s->slot[column] == RG_SLOT_X && row >= s->n_x && row < s->n_x + s->n_y;
    }
}

static rg_status make_part(rg_semi *s, rg_semi_part_name name)
{
    const rg_pattern *p = rg_assembly_pattern(s->rows);
    rg_semi_part *part = &s->part[name];

    for (int pass = 0; pass < 2; pass++) {
        int64_t n = 0;
        for (int k = 0; k < s->n_columns; k++)
            for (int64_t e = p->start[k]; e < p->start[k + 1]; e++) {
                if (!belongs(s, name, k, p->row[e])) continue;
                if (pass > 0) {
                    part->entry[n] = e;
                    part->row[n] = p->row[e] - (name == RG_PART_G ? s->n_x : 0);
                    part->column[n] = s->place[k];
                }
                n++;
            }
        if (pass > 0) break;
        part->count = n;
        part->entry = rg_alloc(s->ctx, (size_t)n + 1, sizeof *part->entry);
        part->row = rg_alloc(s->ctx, (size_t)n + 1, sizeof *part->row);
        part->column = rg_alloc(s->ctx, (size_t)n + 1, sizeof *part->column);
        if (part->entry == NULL || part->row == NULL || part->column == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

/* The pattern of M.  A place has two columns where q' = v is written, q'' and v'; only one of them
 * occurs in the dynamics, so entries of a place follow each other with rows ascending. */
static rg_status make_mass(rg_semi *s)
{
    const rg_semi_part *part = &s->part[RG_PART_MASS];
    rg_pattern p = {s->n_x, s->n_x, rg_alloc(s->ctx, (size_t)s->n_x + 1, sizeof *p.start),
                    part->row};

    if (p.start == NULL) return RG_ERR_MEMORY;
    for (int64_t e = 0; e < part->count; e++)
        p.start[part->column[e] + 1]++;
    for (int k = 0; k < s->n_x; k++)
        p.start[k + 1] += p.start[k];
    rg_status status = rg_matrix_create(s->ctx, &p, false, &s->mass);
    rg_free(s->ctx, p.start);
    s->mass_values = rg_alloc(s->ctx, (size_t)part->count + 1, sizeof *s->mass_values);
    return status == RG_OK && s->mass_values == NULL ? RG_ERR_MEMORY : status;
}

rg_status rg_semi_make_parts(rg_semi *s)
{
    for (int k = 0; k < RG_PARTS; k++)
        RG_TRY(make_part(s, (rg_semi_part_name)k));
    return make_mass(s);
}

void rg_semi_clear_parts(rg_semi *s)
{
    for (int k = 0; k < RG_PARTS; k++) {
        rg_free(s->ctx, s->part[k].entry);
        rg_free(s->ctx, s->part[k].row);
        rg_free(s->ctx, s->part[k].column);
    }
    rg_matrix_destroy(&s->mass);
    rg_free(s->ctx, s->mass_values);
}

/* Factors M where its entries are not those of the last time: a constant one is factored once. */
rg_status rg_semi_factor_mass(rg_semi *s)
{
    const rg_semi_part *part = &s->part[RG_PART_MASS];
    bool is_same = s->has_mass;

    for (int64_t e = 0; e < part->count; e++) {
        const double value = s->J[part->entry[e]];
        if (s->mass_values[e] != value) is_same = false; /* also NaN */
        s->mass_values[e] = value;
    }
    if (is_same) return RG_OK;
    s->has_moved = s->has_moved || s->has_mass;
    s->has_mass = false;
    RG_TRY(rg_matrix_factor(s->mass, 0.0, 0.0, s->mass_values, NULL));
    s->has_mass = true;
    return RG_OK;
}

/* out += part in */
static void multiply(const rg_semi *s, rg_semi_part_name name, const double *in, double *out)
{
    const rg_semi_part *part = &s->part[name];

    for (int64_t e = 0; e < part->count; e++)
        out[part->row[e]] += s->J[part->entry[e]] * in[part->column[e]];
}

void rg_semi_force(rg_semi *s, const double *u, double *w)
{
    memset(w, 0, (size_t)s->n_x * sizeof *w);
    multiply(s, RG_PART_B, u, w);
    rg_matrix_solve(s->mass, w, NULL);
}

/* Equations and unknowns that M connects belong together. */
void rg_semi_mark_reached(const rg_semi *s, bool *is_reached)
{
    const rg_semi_part *m = &s->part[RG_PART_MASS], *b = &s->part[RG_PART_B];
    bool *const row = is_reached + s->n_x, goes_on = true;

    memset(is_reached, 0, 2 * (size_t)s->n_x * sizeof *is_reached);
    for (int64_t e = 0; e < b->count; e++)
        row[b->row[e]] = true;
    while (goes_on) {
        goes_on = false;
        for (int64_t e = 0; e < m->count; e++) {
            bool *const here = &row[m->row[e]], *const there = &is_reached[m->column[e]];
            goes_on = goes_on || *here != *there;
            *here = *there = *here || *there;
        }
    }
}

void rg_semi_gradient(const rg_semi *s, const double *w, double *u)
{
    memset(u, 0, (size_t)s->n_y * sizeof *u);
    multiply(s, RG_PART_G, w, u);
}

void rg_semi_gradient_size(const rg_semi *s, const double *w, double *u)
{
    const rg_semi_part *g = &s->part[RG_PART_G];

    memset(u, 0, (size_t)s->n_y * sizeof *u);
    for (int64_t e = 0; e < g->count; e++)
        u[g->row[e]] += fabs(s->J[g->entry[e]]) * w[g->column[e]];
}

void rg_semi_gradient_squares(const rg_semi *s, double *u)
{
    const rg_semi_part *g = &s->part[RG_PART_G];

    memset(u, 0, (size_t)s->n_y * sizeof *u);
    for (int64_t e = 0; e < g->count; e++)
        u[g->row[e]] += s->J[g->entry[e]] * s->J[g->entry[e]];
}

void rg_semi_matrices(rg_semi *s, double *B, double *G)
{
    const rg_semi_part *b = &s->part[RG_PART_B], *g = &s->part[RG_PART_G];
    const size_t n = (size_t)s->n_x, m = (size_t)s->n_y;

    memset(B, 0, n * m * sizeof *B);
    memset(G, 0, n * m * sizeof *G);
    for (int64_t e = 0; e < b->count; e++)
        B[(size_t)b->column[e] * n + (size_t)b->row[e]] += s->J[b->entry[e]];
    for (int64_t e = 0; e < g->count; e++)
        G[(size_t)g->column[e] * m + (size_t)g->row[e]] += s->J[g->entry[e]];
    for (size_t k = 0; k < m; k++)
        rg_matrix_solve(s->mass, B + k * n, NULL);
}
