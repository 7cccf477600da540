/* As many conditions as degrees of freedom. */
#include "bvp/posed.h"

#include <string.h>

/* Lines of the conditions that are left, for the message: "lines 12, 13, 14". */
static void list_lines(const rg_bvp_conditions *c, char *buffer, size_t size)
{
    char name[160];

    buffer[0] = '\0';
    for (int i = 0; i < c->n_rows; i++) {
        if (c->is_dropped[i]) continue;
        const size_t used = strlen(buffer);
        rg_bvp_condition_name(c, i, name, sizeof name);
        const char *text = strncmp(name, "the condition in ", 17) == 0 ? name + 17 : name;
        if (used + strlen(text) + 8 > size) {
            snprintf(buffer + used, size - used, ", ...");
            return;
        }
        snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "", text);
    }
}

rg_status rg_bvp_conditions_check_count(const rg_bvp_form *f, const rg_bvp_conditions *c)
{
    const long long count = rg_bvp_conditions_count(c), dof = f->a->dof;
    const rg_problem *p = f->p;
    char lines[300];

    if (count == dof) return RG_OK;
    list_lines(c, lines, sizeof lines);
    rg_fail(p->ctx, RG_ERR_STRUCTURE, "%lld boundary condition%s for %lld degree%s of freedom (%s)",
            count, count == 1 ? "" : "s", dof, dof == 1 ? "" : "s", lines);
    if (count < dof)
        return rg_remedy(p->ctx, "give %lld more, as 'boundary' lines or start values with '='",
                         dof - count);
    return rg_remedy(p->ctx, "take %lld away", count - dof);
}
