/* As many conditions as degrees of freedom. */
#include "bvp/wellposed.h"

#include <string.h>

typedef struct {
    char text[400];
    int used;
} list;

static void add(list *l, const char *text)
{
    const int room = (int)sizeof l->text - l->used;

    if (room > 40)
        l->used += snprintf(l->text + l->used, (size_t)room, "%s%s", l->used > 0 ? ", " : "", text);
    else if (room > 8 && l->text[l->used - 1] != '.')
        l->used += snprintf(l->text + l->used, (size_t)room, ", ...");
}

/* "line 12, line 13 (100 conditions), y = 1 at the start": those that are left, or those that
 * were dropped. */
static void list_conditions(const rg_bvp_conditions *c, int is_dropped, list *out)
{
    char name[160], next[160], text[220];

    memset(out, 0, sizeof *out);
    for (int i = 0, count = 0; i < c->n_rows; i++) {
        if (c->is_dropped[i] != is_dropped) continue;
        rg_bvp_condition_name(c, i, name, sizeof name);
        count++;
        int k = i + 1;
        while (k < c->n_rows && c->is_dropped[k] != is_dropped)
            k++;
        if (k < c->n_rows) {
            rg_bvp_condition_name(c, k, next, sizeof next);
            if (strcmp(name, next) == 0) continue; /* of one loop */
        }
        const char *place = strncmp(name, "the condition in ", 17) == 0 ? name + 17 : name;
        if (count > 1)
            snprintf(text, sizeof text, "%s (%d conditions)", place, count);
        else
            snprintf(text, sizeof text, "%s", place);
        add(out, text);
        count = 0;
    }
}

/* " (T among them)": every unknown constant is a degree of freedom. */
static void list_constants(const rg_problem *p, list *out)
{
    char name[220];

    memset(out, 0, sizeof *out);
    for (int k = 0; k < p->n_families; k++) {
        if (!p->families[k].is_constant) continue;
        snprintf(name, sizeof name, "'%.200s'", p->families[k].name);
        add(out, name);
    }
}

static void point_at_last(const rg_bvp_conditions *c)
{
    rg_span span;

    for (int i = c->n_rows - 1; i >= 0; i--)
        if (!c->is_dropped[i] && rg_bvp_condition_span(c, i, &span)) {
            rg_fail_at(c->ctx, c->form->p->source, span);
            return;
        }
}

rg_status rg_bvp_conditions_check_count(const rg_bvp_form *f, const rg_bvp_conditions *c)
{
    const long long count = rg_bvp_conditions_count(c), dof = f->a->dof;
    const rg_problem *p = f->p;
    list given, dropped, constants;

    if (count == dof) return RG_OK;
    list_conditions(c, 0, &given);
    list_conditions(c, 1, &dropped);
    list_constants(p, &constants);
    rg_fail(p->ctx, RG_ERR_STRUCTURE,
            "%lld boundary condition%s for %lld degree%s of freedom%s%s%s: %s%s%s%s", count,
            count == 1 ? "" : "s", dof, dof == 1 ? "" : "s",
            constants.used > 0 ? ", the unknown constant " : "", constants.text,
            constants.used > 0 ? " included" : "", count > 0 ? given.text : "none",
            dropped.used > 0 ? " (implied by the equations or by others, and dropped: " : "",
            dropped.text, dropped.used > 0 ? ")" : "");
    point_at_last(c);
    if (count < dof)
        return rg_remedy(p->ctx, "give %lld more, as 'boundary' lines or start values with '='",
                         dof - count);
    return rg_remedy(p->ctx, "take %lld away", count - dof);
}
