/* The faces of solids: which are given, and which unknown faces touch them. */
#include "pdae/ops/vector.h"

#include <string.h>

void rg_vector_mask(const rg_vector_space *s, int c, double *v)
{
    for (int64_t k = 0; k < s->solid[c].n_fixed; k++)
        v[s->solid[c].fixed[k]] = 0.0;
}

static bool is_on_side(const rg_grid *g, int c, int face)
{
    return (face == 0 && rg_axis_is_side(&g->axis[c], 0))
           || (face == g->axis[c].n && rg_axis_is_side(&g->axis[c], 1));
}

/* All faces across c of the box (face n of a periodic axis is face 0) that touch a solid. */
static void list_fixed(const rg_vector_space *s, int c, bool is_counting, rg_solid_faces *out)
{
    const rg_grid *g = s->grid;
    int index[RG_AXES], end[RG_AXES];

    for (int d = 0; d < RG_AXES; d++)
        end[d] = g->axis[d].n + (d == c && rg_axis_is_side(&g->axis[d], 1));
    out->n_fixed = 0;
    for (index[2] = 0; index[2] < end[2]; index[2]++)
        for (index[1] = 0; index[1] < end[1]; index[1]++)
            for (index[0] = 0; index[0] < end[0]; index[0]++) {
                const int64_t at = rg_grid_at(g, index[0], index[1], index[2]);
                const bool is_side = is_on_side(g, c, index[c]);
                const int behind = g->solid[at], before = g->solid[at - g->stride[c]];
                if (!s->fixed[c][at]) continue;
                if (!is_counting) {
                    const bool inside = is_side || (behind && before);
                    out->fixed[out->n_fixed] = at;
                    out->of[out->n_fixed] = (unsigned char)(inside ? 0 : behind ? behind : before);
                }
                out->n_fixed++;
            }
}

/* Is a place with this number along axis d one of the next rank? */
static bool is_beyond(const rg_vector_space *s, int d, int i)
{
    const rg_axis *a = &s->grid->axis[d];

    return (i < 0 && a->joined[0]) || (i >= a->n && a->joined[1]);
}

/* Is the unknown face beside a given one along axis d?  Then what lies between. */
static bool find_contact(const rg_vector_space *s, int c, int d, int high, const int *index,
                         const bool *slip, rg_contact *out)
{
    const rg_grid *g = s->grid;
    const int64_t at = rg_grid_at(g, index[0], index[1], index[2]),
                  beyond = at + (high ? g->stride[d] : -g->stride[d]);
    const int to = index[d] + (high ? 1 : -1), last = g->axis[d].n - (d != c);

    if (rg_axis_is_side(&g->axis[d], high) && (to < 0 || to > last)) return false;
    if (!s->fixed[c][beyond]) return false;
    const int behind = g->solid[beyond], before = g->solid[beyond - g->stride[c]];
    const int solid = behind ? behind : before;
    const bool is_side = is_on_side(g, c, index[c]);
    /* on an open side there is a cell on one side of the face only */
    const bool is_whole = d != c && (is_side ? behind || before : behind && before);
    const bool is_slip = d != c && slip[solid - 1];
    double area = 1.0;
    for (int e = 0; e < g->dims; e++)
        if (e != d) area *= e == c ? g->axis[e].gap[index[e]] : g->axis[e].width[index[e]];
    if (is_side && d != c) area *= 0.5; /* an open side: half a control volume */
    const bool is_other = is_beyond(s, d, index[d]);
    *out = (rg_contact){.at = at,
                        .beyond = beyond,
                        .coefficient =
                            is_other ? 0.0 : (high ? s->upper : s->lower)[d][c == d][index[d]],
                        .area = area,
                        .width = d == c ? g->axis[d].gap[index[d]] : g->axis[d].width[index[d]],
                        .axis = (unsigned char)d,
                        .high = (unsigned char)high,
                        .kind = (unsigned char)(is_slip    ? RG_CONTACT_SLIP
                                                : is_whole ? RG_CONTACT_WALL
                                                           : RG_CONTACT_PLAIN),
                        .is_inside = is_whole,
                        .at_is_other = is_other,
                        .beyond_is_other = is_beyond(s, d, to),
                        .solid = (unsigned char)solid};
    out->over = out->coefficient * out->width;
    return true;
}

/* Along which axis does the face lie in another rank?  -1: in none; RG_AXES: too far away. */
static int axis_beyond(const rg_vector_space *s, int c, const int *index)
{
    int found = -1;

    for (int d = 0; d < RG_AXES; d++) {
        if (index[d] >= s->first[c][d] && index[d] < s->end[c][d]) continue;
        if (found >= 0 || d == c || d >= s->grid->dims || !is_beyond(s, d, index[d]))
            return RG_AXES;
        found = d;
    }
    return found;
}

static void list_contacts(const rg_vector_space *s, int c, const bool *slip, bool is_counting,
                          rg_solid_faces *out)
{
    const rg_grid *g = s->grid;
    const int *first = s->first[c], *end = s->end[c],
              beside = g->whole != NULL; /* faces of other ranks, for what lies beyond them here */
    int index[RG_AXES];
    rg_contact found;

    out->n_contacts = 0;
    for (index[2] = first[2] - beside; index[2] < end[2] + beside; index[2]++)
        for (index[1] = first[1] - beside; index[1] < end[1] + beside; index[1]++)
            for (index[0] = first[0] - beside; index[0] < end[0] + beside; index[0]++) {
                const int other = axis_beyond(s, c, index);
                if (other == RG_AXES || s->fixed[c][rg_grid_at(g, index[0], index[1], index[2])])
                    continue;
                for (int side = 0; side < 2 * g->dims; side++) {
                    const int d = side / 2;
                    if (other >= 0 && (d != other || side % 2 != (index[d] < first[d]))) continue;
                    if (!find_contact(s, c, d, side % 2, index, slip, &found)) continue;
                    if (!is_counting) out->contact[out->n_contacts] = found;
                    out->n_contacts++;
                }
            }
}

rg_status rg_vector_space_set_solids(rg_vector_space *s, const bool *slip)
{
    const rg_grid *g = s->grid;

    for (int c = 0; g->solid && c < g->dims; c++) {
        rg_solid_faces *out = &s->solid[c];
        s->fixed[c] = rg_alloc(g->ctx, (size_t)g->size, sizeof *s->fixed[c]);
        if (!s->fixed[c]) return RG_ERR_MEMORY;
        for (int64_t at = g->stride[c]; at < g->size; at++)
            s->fixed[c][at] = g->solid[at] || g->solid[at - g->stride[c]];
        list_fixed(s, c, true, out);
        list_contacts(s, c, slip, true, out);
        out->fixed = rg_alloc(g->ctx, (size_t)out->n_fixed + 1, sizeof *out->fixed);
        out->of = rg_alloc(g->ctx, (size_t)out->n_fixed + 1, sizeof *out->of);
        out->contact = rg_alloc(g->ctx, (size_t)out->n_contacts + 1, sizeof *out->contact);
        out->value =
            rg_alloc(g->ctx, (size_t)(out->n_fixed + out->n_contacts) + 1, sizeof *out->value);
        if (!out->fixed || !out->of || !out->contact || !out->value) return RG_ERR_MEMORY;
        list_fixed(s, c, false, out);
        list_contacts(s, c, slip, false, out);
    }
    return RG_OK;
}
