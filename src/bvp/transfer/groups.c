/* Conditions by place, and their initial values.
 *
 * Since Q_s y = Q G^-1 f is known, C y = C P_s y + C Q G^-1 f.  What is carried is
 *
 *     u(t_i) = (C_i P_s)^T,     h(t_i) = g_i - C_i Q G^-1 f(t_i),                              (E5)
 *
 * which lifts the restriction C_i P = C_i of Petry (Remark 6.1).  A row with C_i P_s = 0 speaks of
 * known quantities only: it is dropped when it holds, and refused otherwise. */
#include "bvp/transfer/transfer_impl.h"
#include "bvp/transfer/tuning.h"
#include "bvp/tuning.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* ---- sorting --------------------------------------------------------------------------------- */

static const double *coefficients(const rg_transfer_rows *c, int row, int point)
{
    return c->row + ((int64_t)row * c->n_points + point) * 2 * c->m;
}

static bool has_point(const rg_transfer_rows *c, int row, int point)
{
    const double *C = coefficients(c, row, point);

    for (int j = 0; j < c->m; j++)
        if (C[j] != 0.0) return true;
    return false;
}

/* The only point of a row; -1: none, -2: several. */
static int place_of(const rg_transfer_rows *c, int row)
{
    int place = -1;

    for (int k = 0; k < c->n_points; k++)
        if (has_point(c, row, k)) place = place == -1 ? k : -2;
    return place;
}

static rg_status fail_row(const rg_transfer *t, int row, rg_status code, const char *message,
                          const char *remedy)
{
    const rg_span span = t->conditions->span[row];

    rg_fail(t->ctx, code, "%s", message);
    if (span.end > span.start) rg_fail_at(t->ctx, t->problem->source, span);
    return rg_remedy(t->ctx, "%s", remedy);
}

/* Is folding needed, and possible?  It is when every condition is at the ends. */
static rg_status decide_folding(rg_transfer *t)
{
    const rg_transfer_rows *c = t->conditions;
    int joined = -1;

    for (int i = 0; i < c->n_rows; i++) {
        const int place = place_of(c, i);
        if (place == -1)
            return fail_row(t, i, RG_ERR_INCONSISTENT, "a boundary condition without an unknown",
                            "name an unknown in it, or take it out");
        if (place == -2) joined = i;
    }
    t->is_folded = joined >= 0;
    for (int i = 0; i < c->n_rows && joined >= 0; i++)
        for (int k = 0; k < c->n_points; k++)
            if (has_point(c, i, k) && c->point[k] != t->a && c->point[k] != t->b)
                return fail_row(t, joined, RG_ERR_METHOD,
                                "'transfer' cannot take a condition that joins several points "
                                "beside one at an inner point",
                                "take --method collocation");
    return RG_OK;
}

static rg_status take_group(rg_transfer *t, double at, int k_max, rg_group **out)
{
    rg_group *group = &t->groups[t->n_groups++];

    group->t = at;
    group->k = 0;
    if (group->C == NULL) /* otherwise the same groups are filled again */
        group->C = rg_alloc(t->ctx, (size_t)t->size * (size_t)k_max + 1, sizeof *group->C);
    if (group->g == NULL) group->g = rg_alloc(t->ctx, (size_t)k_max + 1, sizeof *group->g);
    *out = group;
    return group->C == NULL || group->g == NULL ? RG_ERR_MEMORY : RG_OK;
}

static rg_status check_inside(const rg_transfer *t, int row, double at)
{
    if (at >= t->low && at <= t->high) return RG_OK;
    return fail_row(t, row, RG_ERR_INCONSISTENT, "a condition at a point outside the interval",
                    "move the point or the interval of the 'over' line");
}

static rg_status sort_plain(rg_transfer *t)
{
    const rg_transfer_rows *c = t->conditions;
    const size_t bytes = (size_t)t->m * sizeof(double);

    for (int k = 0; k < c->n_points; k++) {
        rg_group *group = NULL;
        for (int i = 0; i < c->n_rows; i++) {
            if (place_of(c, i) != k) continue;
            RG_TRY(check_inside(t, i, c->point[k]));
            if (group == NULL) RG_TRY(take_group(t, c->point[k], c->n_rows, &group));
            memcpy(group->C + group->k * t->m, coefficients(c, i, k), bytes);
            group->g[group->k++] = c->g[i];
        }
    }
    return RG_OK;
}

/* All conditions at a; V^T (y - yb) = 0 in the middle, V the right singular vectors of A that
 * belong to its rank. */
static rg_status sort_folded(rg_transfer *t)
{
    const rg_transfer_rows *c = t->conditions;
    const int m = t->m;
    rg_field *field = t->worker[0].field;
    rg_group *group;

    RG_TRY(take_group(t, t->a, c->n_rows, &group));
    memset(group->C, 0, (size_t)t->size * (size_t)c->n_rows * sizeof *group->C);
    for (int i = 0; i < c->n_rows; i++, group->k++) {
        for (int k = 0; k < c->n_points; k++)
            for (int j = 0; j < m && has_point(c, i, k); j++)
                group->C[i * 2 * m + (c->point[k] == t->a ? 0 : m) + j] = coefficients(c, i, k)[j];
        group->g[i] = c->g[i];
    }
    RG_TRY(take_group(t, 0.5 * (t->a + t->b), m, &group));
    RG_TRY(rg_field_at(field, group->t));
    for (int j = 0; j < m; j++) { /* P = I - Q of the first half; a basis of im P by Gram-Schmidt */
        double *v = group->C + group->k * 2 * m, length = 0.0;
        for (int i = 0; i < m; i++)
            v[i] = (i == j) - field->Q[j * 2 * m + i];
        for (int pass = 0; pass < 2; pass++)
            for (int l = 0; l < group->k; l++) {
                const double *x = group->C + l * 2 * m;
                double sum = 0.0;
                for (int i = 0; i < m; i++)
                    sum += x[i] * v[i];
                for (int i = 0; i < m; i++)
                    v[i] -= sum * x[i];
            }
        for (int i = 0; i < m; i++)
            length += v[i] * v[i];
        length = sqrt(length);
        const bool is_new = length > RG_CONDITION_PART && 2 * group->k < field->rank;
        for (int i = 0; i < m; i++) {
            v[i] = is_new ? v[i] / length : 0.0;
            v[m + i] = -v[i];
        }
        group->k += is_new;
    }
    return RG_OK;
}

/* ---- initial values -------------------------------------------------------------------------- */

static double norm(int n, const double *x)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static rg_status refuse_implied(const rg_transfer *t, const rg_group *group, double miss)
{
    char number[32], at[32];

    rg_fail(t->ctx, RG_ERR_INCONSISTENT,
            "a condition at %s contradicts the constraints, which already fix what it speaks of: "
            "it misses by %s",
            rg_real_text(group->t, at), rg_real_text(miss, number));
    return rg_remedy(t->ctx, "take the condition out, or correct its value");
}

/* (E5) for condition i: C <- P_s^T C, g <- g - C Q G^-1 f.  is_carried false: implied by the
 * constraints. */
static rg_status prepare_row(rg_transfer *t, rg_group *group, int i, const double *Ps,
                             const double *known, bool *is_carried)
{
    const int n = t->size;
    double *C = group->C + i * n, *x = t->y;
    const double before = norm(n, C);
    double scale = fmax(fabs(group->g[i]), before); /* unknowns are of size 1 in their units */

    for (int j = 0; j < n; j++) {
        group->g[i] -= C[j] * known[j];
        scale = fmax(scale, fabs(C[j] * known[j]));
        x[j] = 0.0;
        for (int l = 0; l < n; l++)
            x[j] += C[l] * Ps[j * n + l];
    }
    *is_carried = norm(n, x) > RG_TRANSFER_RANK_TOL * before;
    memcpy(C, x, (size_t)n * sizeof *x);
    if (*is_carried) return RG_OK;
    return fabs(group->g[i]) <= RG_REPAIR_LIMIT * scale ? RG_OK
                                                        : refuse_implied(t, group, group->g[i]);
}

/* P_s = I - Q G^-1 B, column by column, and Q G^-1 f, at the place of the group. */
static rg_status prepare_group(rg_transfer *t, rg_group *group, double *Ps, double *known)
{
    rg_field *field = t->worker[0].field;
    const int n = t->size;
    int carried = 0;

    RG_TRY(rg_field_decouple(field, group->t));
    memcpy(known, field->f, (size_t)n * sizeof *known);
    rg_field_algebraic(field, known);
    for (int j = 0; j < n; j++) {
        double *x = Ps + j * n;
        memcpy(x, field->B + j * n, (size_t)n * sizeof *x);
        rg_field_algebraic(field, x);
        for (int i = 0; i < n; i++)
            x[i] = (i == j) - x[i];
    }
    for (int i = 0; i < group->k; i++) {
        bool is_carried;
        RG_TRY(prepare_row(t, group, i, Ps, known, &is_carried));
        if (!is_carried) continue;
        memmove(group->C + carried * n, group->C + i * n, (size_t)n * sizeof *group->C);
        group->g[carried++] = group->g[i];
    }
    t->dropped += group->k - carried;
    group->k = carried;
    return RG_OK;
}

static rg_status prepare_all(rg_transfer *t)
{
    const size_t n = (size_t)t->size;
    double *Ps = rg_alloc(t->ctx, n * n + n, sizeof *Ps);
    rg_status status = RG_OK;

    if (Ps == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < t->n_groups && status == RG_OK; k++)
        status = prepare_group(t, &t->groups[k], Ps, Ps + n * n);
    rg_free(t->ctx, Ps);
    return status;
}

static rg_status check_count(rg_transfer *t)
{
    const int rank = t->worker[0].field->rank;
    int count = 0;

    for (int k = 0; k < t->n_groups; k++)
        count += t->groups[k].k;
    if (t->dropped > 0 && !t->has_warned)
        RG_TRY(rg_problem_warn(
            t->problem, "%d boundary condition%s dropped: the constraints imply %s", t->dropped,
            t->dropped > 1 ? "s were" : " was", t->dropped > 1 ? "them" : "it"));
    t->has_warned = true;
    if (count == rank) return RG_OK;
    const int half = t->is_folded ? rank / 2 : 0; /* those in the middle are ours */
    rg_fail(t->ctx, RG_ERR_STRUCTURE, "%d boundary condition%s for %d degrees of freedom",
            count - half, count - half == 1 ? "" : "s", rank - half);
    return rg_remedy(t->ctx, "%s",
                     count < rank ? "give more, as 'boundary' lines" : "take some out");
}

rg_status rg_groups_create(rg_transfer *t)
{
    const rg_transfer_rows *c = t->conditions;

    RG_TRY(decide_folding(t));
    t->size = t->is_folded ? 2 * t->m : t->m;
    t->low = fmin(t->a, t->b);
    t->high = fmax(t->a, t->b);
    if (t->is_folded) {
        const double middle = 0.5 * (t->a + t->b);
        t->low = fmin(t->a, middle);
        t->high = fmax(t->a, middle);
    }
    t->groups = rg_alloc(t->ctx, (size_t)c->n_points + 2, sizeof *t->groups);
    t->y = rg_alloc(t->ctx, (size_t)t->size + 1, sizeof *t->y);
    if (t->groups == NULL || t->y == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_worker_start(&t->worker[0]));
    return rg_groups_refresh(t);
}

rg_status rg_groups_refresh(rg_transfer *t)
{
    t->n_groups = t->dropped = 0;
    RG_TRY(t->is_folded ? sort_folded(t) : sort_plain(t));
    RG_TRY(prepare_all(t));
    return check_count(t);
}

void rg_groups_destroy(rg_transfer *t)
{
    for (int k = 0; t->groups != NULL && k < t->n_groups; k++) {
        rg_sweep_destroy(&t->groups[k].forward);
        rg_sweep_destroy(&t->groups[k].backward);
        rg_free(t->ctx, t->groups[k].C);
        rg_free(t->ctx, t->groups[k].g);
    }
    rg_free(t->ctx, t->groups);
    t->groups = NULL;
    t->n_groups = 0;
}
