/* Makes the view of half-explicit methods: four assemblies and the matrix that two of them fill. */
#include "views/semi/half_impl.h"

#include "linalg/join.h"

#include <math.h>
#include <string.h>

/* Columns: x, v (order 2), a, y, states of events, branches, one 0 for the derivatives of these;
 * names of one derivative share a column. */
static void number_columns(const rg_half *h, int32_t **column)
{
    const rg_semi *s = h->sorted;
    const int32_t n = s->n_x, behind = (s->order + 1) * n + s->n_y;

    for (int32_t k = 0; k < n; k++) {
        for (int r = 0; r <= s->order; r++)
            column[r][s->x_unknown[k]] = r * n + k;
        for (int r = 0; s->v_unknown[k] >= 0 && r < 2; r++)
            column[r][s->v_unknown[k]] = (r + 1) * n + k;
    }
    for (int32_t k = 0; k < s->n_y; k++)
        column[0][s->y_unknown[k]] = (s->order + 1) * n + k;
    for (int32_t k = 0; k < s->n_held; k++) {
        column[0][s->held_unknown[k]] = behind + k;
        for (int r = 1; r < RG_HALF_LEVELS; r++)
            column[r][s->held_unknown[k]] = h->n_columns - 1;
    }
    for (int32_t k = 0; k < h->n_branches; k++)
        for (int r = 0; r < RG_HALF_LEVELS; r++)
            column[r][s->system->p->n + k] = r == 0 ? behind + s->n_held + k : h->n_columns - 1;
}

/* Derivatives of constraint k: of a kinematic one they come one level earlier. */
static int level_of(const rg_half *h, int k, rg_half_part_name part)
{
    const int top = h->sorted->order - (h->is_kinematic[k] ? 1 : 0);

    return part == RG_HALF_POSITION ? (h->is_kinematic[k] ? -1 : 0)
           : part == RG_HALF_HIDDEN ? top
                                    : top - 1;
}

static void number_rows(const rg_half *h, rg_half_part_name part, int32_t **row)
{
    const rg_semi *s = h->sorted;

    for (int k = 0; k < h->n_branches && part == RG_HALF_SWITCHES; k++)
        row[0][k] = k;
    if (part == RG_HALF_SWITCHES) return;
    for (int k = 0; k < s->n_x && part == RG_HALF_DYNAMICS; k++)
        row[0][s->dynamic[k]] = k;
    for (int k = 0; k < s->n_y && part != RG_HALF_DYNAMICS; k++) {
        const int level = level_of(h, k, part);
        if (level >= 0) row[level][s->constraint[k]] = k;
    }
}

/* The equations with their branches as unknowns, where there are any; what branches follow. */
static const rg_problem *written_for(const rg_half *h, rg_half_part_name part)
{
    const rg_system *s = h->sorted->system;

    if (h->n_branches == 0) return s->p;
    return part == RG_HALF_SWITCHES ? s->switches.auxiliary : s->switches.held;
}

static int64_t rows_of(const rg_half *h, rg_half_part_name part)
{
    const rg_semi *s = h->sorted;

    if (part == RG_HALF_SWITCHES) return h->n_branches;
    return part == RG_HALF_DYNAMICS ? s->n_x : s->n_y;
}

/* map: rows, then columns, n numbers each. */
static rg_status make_part(rg_half *h, rg_half_part_name part, int32_t *map, uint8_t *is_wanted)
{
    const rg_semi *s = h->sorted;
    const rg_problem *p = written_for(h, part);
    const int64_t n = s->system->p->n + h->n_branches;
    int32_t *row[RG_HALF_LEVELS], *column[RG_HALF_LEVELS];
    const bool has_jacobian = part == RG_HALF_DYNAMICS || part == RG_HALF_VELOCITY;

    for (int64_t k = 0; k < 2 * RG_HALF_LEVELS * n; k++)
        map[k] = -1;
    for (int k = 0; k < RG_HALF_LEVELS; k++) {
        row[k] = map + k * n;
        column[k] = map + (RG_HALF_LEVELS + k) * n;
    }
    number_columns(h, column);
    number_rows(h, part, row);
    for (int k = 0; k < h->n_columns; k++) {
        const bool is_top = k >= s->order * s->n_x && k < (s->order + 1) * s->n_x + s->n_y;
        const bool is_u = k >= (s->order - 1) * s->n_x && k < s->order * s->n_x;
        is_wanted[k] = part == RG_HALF_DYNAMICS ? is_top : is_u;
    }
    const rg_assembly_spec spec = {RG_HALF_LEVELS,   RG_HALF_LEVELS,
                                   h->n_columns,     (const int32_t *const *)row,
                                   rows_of(h, part), (const int32_t *const *)column};
    RG_TRY(has_jacobian ? rg_assembly_create_part(p, &spec, is_wanted, &h->part[part])
                        : rg_assembly_create(p, &spec, false, &h->part[part]));
    RG_TRY(rg_assembly_work_create(h->part[part], &h->work[part]));
    return has_jacobian ? rg_assembly_work_keep(h->part[part], h->work[part]) : RG_OK;
}

static rg_status make_parts(rg_half *h)
{
    const rg_semi *s = h->sorted;
    const size_t n = (size_t)(s->system->p->n + h->n_branches);
    int32_t *map = rg_alloc(h->ctx, 2 * RG_HALF_LEVELS * n + 1, sizeof *map);
    uint8_t *is_wanted = rg_alloc(h->ctx, (size_t)h->n_columns + 1, sizeof *is_wanted);
    rg_status status = map == NULL || is_wanted == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int k = 0; k < RG_HALF_PARTS && status == RG_OK; k++) {
        if (k == RG_HALF_SWITCHES ? h->n_branches == 0 : k != RG_HALF_DYNAMICS && s->n_y == 0)
            continue;
        if (k == RG_HALF_POSITION && !rg_half_has_positions(h)) continue;
        status = make_part(h, (rg_half_part_name)k, map, is_wanted);
    }
    rg_free(h->ctx, map);
    rg_free(h->ctx, is_wanted);
    return status;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

/* Entries of one part: those in its wanted columns and in the rows of the matrix. */
static int64_t put(rg_half *h, rg_half_part_name part, rg_nonzero *items, int64_t count)
{
    const rg_semi *s = h->sorted;

    if (h->part[part] == NULL) return count;
    const rg_pattern *p = rg_assembly_pattern(h->part[part]);
    const int first = part == RG_HALF_DYNAMICS ? s->order * s->n_x : (s->order - 1) * s->n_x;
    const int last = first + s->n_x + (part == RG_HALF_DYNAMICS ? s->n_y : 0);
    for (int j = 0; j < h->n_columns; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const bool is_in =
                j >= first && j < last && (part != RG_HALF_DYNAMICS || p->row[e] < s->n_x);
            const int32_t row = p->row[e] + (part == RG_HALF_DYNAMICS ? 0 : s->n_x);
            h->place[part][e] = -1;
            if (is_in) items[count++] = (rg_nonzero){row, j - first, &h->place[part][e]};
        }
    return count;
}

static int64_t entries_of(const rg_half *h, rg_half_part_name part)
{
    return h->part[part] != NULL ? rg_assembly_pattern(h->part[part])->start[h->n_columns] : 0;
}

/* place: from one number per entry of the part, -1 where it is not in the matrix, to those that
 * are, with `from` beside it. */
static rg_status list_copies(rg_half *h, rg_half_part_name part)
{
    const int64_t count = entries_of(h, part);
    int64_t *from = rg_alloc(h->ctx, (size_t)count + 1, sizeof *from), used = 0;

    if (from == NULL) return RG_ERR_MEMORY;
    for (int64_t e = 0; e < count; e++) {
        if (h->place[part][e] < 0) continue;
        from[used] = e;
        h->place[part][used++] = h->place[part][e];
    }
    h->from[part] = from;
    h->n_copied[part] = used;
    return RG_OK;
}

static rg_status make_matrix(rg_half *h)
{
    const int n = h->sorted->n_x + h->sorted->n_y;
    const int64_t most = entries_of(h, RG_HALF_DYNAMICS) + entries_of(h, RG_HALF_VELOCITY);
    rg_nonzero *items = rg_alloc(h->ctx, (size_t)most + 1, sizeof *items);
    rg_pattern p = {n, n, rg_alloc(h->ctx, (size_t)n + 1, sizeof *p.start),
                    rg_alloc(h->ctx, (size_t)most + 1, sizeof *p.row)};
    rg_status status = items == NULL || p.start == NULL || p.row == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int k = RG_HALF_DYNAMICS; k <= RG_HALF_VELOCITY; k++) {
        h->place[k] =
            rg_alloc(h->ctx, (size_t)entries_of(h, (rg_half_part_name)k) + 1, sizeof *h->place[k]);
        if (h->place[k] == NULL) status = RG_ERR_MEMORY;
    }
    if (status == RG_OK) {
        int64_t count = put(h, RG_HALF_DYNAMICS, items, 0);
        count = put(h, RG_HALF_VELOCITY, items, count);
        status = rg_pattern_join(h->ctx, count, items, &p);
    }
    for (int k = RG_HALF_DYNAMICS; k <= RG_HALF_VELOCITY && status == RG_OK; k++)
        status = list_copies(h, (rg_half_part_name)k);
    if (status == RG_OK) {
        h->n_entries = p.start[n];
        status = rg_matrix_create(h->ctx, &p, false, &h->use.matrix);
    }
    rg_free(h->ctx, items);
    rg_free(h->ctx, p.start);
    rg_free(h->ctx, p.row);
    return status;
}

static rg_status take_entries(const rg_half *h, rg_half_factors *f)
{
    f->values = rg_alloc(h->ctx, 2 * (size_t)h->n_entries + 1, sizeof *f->values);
    if (f->values == NULL) return RG_ERR_MEMORY;
    f->factored = f->values + h->n_entries;
    return RG_OK;
}

static rg_status take_memory(rg_half *h)
{
    const size_t n = (size_t)(h->sorted->n_x + h->sorted->n_y) + 1;

    h->z = rg_alloc(h->ctx, (size_t)h->n_columns + RG_HALF_LEVELS, sizeof *h->z);
    RG_TRY(take_entries(h, &h->use));
    h->right = rg_alloc(h->ctx, n, sizeof *h->right);
    h->other = rg_alloc(h->ctx, n, sizeof *h->other);
    h->functions = rg_alloc(h->ctx, (size_t)h->n_branches + 1, sizeof *h->functions);
    return h->z == NULL || h->right == NULL || h->other == NULL || h->functions == NULL
               ? RG_ERR_MEMORY
               : RG_OK;
}

static rg_status make(rg_half *h, const char *method)
{
    rg_semi *s = h->sorted;

    RG_TRY(rg_semi_sort(s, method));
    RG_TRY(rg_semi_check_definitions(s, method));
    h->is_kinematic = rg_alloc(h->ctx, (size_t)s->n_y + 1, sizeof *h->is_kinematic);
    if (h->is_kinematic == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < s->n_y; k++) {
        h->is_kinematic[k] = s->order == 2 && s->is_velocity[s->constraint[k]];
        if (!h->is_kinematic[k]) h->n_geometric++;
    }
    if (rg_system_can_hold(s->system)) h->n_branches = (int)s->system->switches.n;
    const int n_held = s->n_held + h->n_branches;
    h->n_columns = (s->order + 1) * s->n_x + s->n_y + n_held + (n_held > 0);
    RG_TRY(make_parts(h));
    RG_TRY(make_matrix(h));
    RG_TRY(take_memory(h));
    return rg_half_check(h);
}

rg_status rg_half_create(const rg_system *system, const char *method, rg_half **out)
{
    rg_half *h = rg_alloc(system->p->ctx, 1, sizeof *h);
    rg_status status = RG_ERR_MEMORY;

    *out = h;
    if (h == NULL) return RG_ERR_MEMORY;
    h->ctx = system->p->ctx;
    h->sorted = rg_alloc(h->ctx, 1, sizeof *h->sorted);
    if (h->sorted != NULL) {
        h->sorted->ctx = h->ctx;
        h->sorted->system = system;
        h->sorted->is_half = true;
        status = make(h, method);
    }
    if (status != RG_OK) rg_half_destroy(out);
    return status;
}

static void exchange(rg_half *h)
{
    const rg_half_factors used = h->use;

    h->use = h->aside;
    h->aside = used;
}

rg_status rg_half_go_aside(rg_half *h)
{
    rg_half_factors *f = &h->aside;

    if (f->values == NULL) RG_TRY(take_entries(h, f));
    if (f->matrix == NULL) RG_TRY(rg_matrix_create_like(h->use.matrix, false, &f->matrix));
    memcpy(f->values, h->use.values, (size_t)h->n_entries * sizeof *f->values);
    f->has_factors = false;
    exchange(h);
    return RG_OK;
}

void rg_half_come_back(rg_half *h)
{
    exchange(h);
}

void rg_half_destroy(rg_half **half)
{
    rg_half *h = *half;

    if (h == NULL) return;
    for (int k = 0; k < RG_HALF_PARTS; k++) {
        rg_assembly_work_destroy(&h->work[k]);
        rg_assembly_destroy(&h->part[k]);
    }
    for (int k = RG_HALF_DYNAMICS; k <= RG_HALF_VELOCITY; k++) {
        rg_free(h->ctx, h->place[k]);
        rg_free(h->ctx, h->from[k]);
    }
    rg_matrix_destroy(&h->use.matrix);
    rg_matrix_destroy(&h->aside.matrix);
    rg_free(h->ctx, h->z);
    rg_free(h->ctx, h->use.values);
    rg_free(h->ctx, h->aside.values);
    rg_free(h->ctx, h->right);
    rg_free(h->ctx, h->other);
    rg_free(h->ctx, h->change);
    rg_free(h->ctx, h->entries);
    rg_free(h->ctx, h->functions);
    rg_free(h->ctx, h->is_kinematic);
    rg_semi_destroy(&h->sorted);
    rg_free(h->ctx, h);
    *half = NULL;
}
