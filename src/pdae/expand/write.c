/* Texts of indices and coordinates. */
#include "pdae/expand/write.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

const char *rg_write_text(writer *w, const char *format, ...)
{
    va_list arguments, again;

    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = rg_arena_take(w->ctx, &w->arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
    if (text == NULL)
        w->is_out_of_memory = true;
    else
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text != NULL ? text : "";
}

static bool is_taken(writer *w, const char *name)
{
    if (rg_is_builtin(name) || rg_find_symbol(&w->in->c, name) != NULL) return true;
    for (int l = 0; l < w->form->n_leaves; l++) {
        const char *const used[] = {w->array[l], w->inside[l], w->ghost[l]};
        for (int k = 0; k < 3; k++)
            if (used[k] != NULL && strcmp(used[k], name) == 0) return true;
    }
    return false;
}

const char *rg_write_unique(writer *w, const char *base)
{
    const char *name = rg_write_text(w, "%s", base);

    while (is_taken(w, name) && !w->is_out_of_memory)
        name = rg_write_text(w, "%s_", name);
    return name;
}

int rg_write_cells(const writer *w, int axis)
{
    return w->form->grid->axis[axis].n;
}

bool rg_write_is_periodic(const writer *w, int axis)
{
    return w->form->grid->axis[axis].periodic;
}

double rg_write_width(const writer *w, int axis)
{
    return w->form->grid->axis[axis].width[0];
}

spot rg_write_spot(const writer *w)
{
    spot s;

    memset(&s, 0, sizeof s);
    for (int d = 0; d < w->form->grid->dims; d++)
        snprintf(s.index[d], INDEX_TEXT, "%.80s", w->i[d]);
    return s;
}

/* Periodic: numbers 1 .. n come again. */
spot rg_write_shift(const writer *w, spot s, int axis, int by)
{
    char text[INDEX_TEXT];

    if (by == 0) return s;
    memcpy(text, s.index[axis], sizeof text);
    if (rg_write_is_periodic(w, axis))
        snprintf(s.index[axis], INDEX_TEXT, "mod(%.60s%+d, %d)+1", text, by - 1,
                 rg_write_cells(w, axis));
    else
        snprintf(s.index[axis], INDEX_TEXT, "%.80s%+d", text, by);
    return s;
}

spot rg_write_fix(spot s, int axis, int index)
{
    snprintf(s.index[axis], INDEX_TEXT, "%d", index);
    return s;
}

const char *rg_write_element(writer *w, const char *name, spot s)
{
    const int dims = w->form->grid->dims;

    return rg_write_text(w, "%s[%s%s%s%s%s]", name, s.index[0], dims > 1 ? "," : "",
                         dims > 1 ? s.index[1] : "", dims > 2 ? "," : "",
                         dims > 2 ? s.index[2] : "");
}

const char *rg_write_ranges(writer *w, int axis, int low, int high)
{
    const char *text = "";

    for (int d = 0; d < w->form->grid->dims; d++)
        text = rg_write_text(w, "%s%s%s=%d..%d", text, d > 0 ? ", " : "", w->i[d],
                             d == axis ? low : 1, d == axis ? high : rg_write_cells(w, d));
    return text;
}

const char *rg_write_number(writer *w, double value)
{
    char text[32];

    rg_real_text(value, text);
    return value < 0 ? rg_write_text(w, "(%s)", text) : rg_write_text(w, "%s", text);
}

/* a + (i - 1/2) h */
const char *rg_write_centre(writer *w, int axis, const char *index)
{
    const rg_axis *a = &w->form->grid->axis[axis];

    return rg_write_text(w, "(%s + (%s - .5)*%s)", rg_write_number(w, a->edge[0]), index,
                         rg_write_number(w, a->width[0]));
}

/* a + i h */
const char *rg_write_edge(writer *w, int axis, const char *index)
{
    const rg_axis *a = &w->form->grid->axis[axis];

    return rg_write_text(w, "(%s + (%s)*%s)", rg_write_number(w, a->edge[0]), index,
                         rg_write_number(w, a->width[0]));
}

where rg_at_cell(spot s)
{
    return (where){.kind = AT_CELL, .s = s};
}

where rg_at_face(const writer *w, int d, spot s)
{
    (void)w;
    return (where){.kind = AT_FACE, .s = s, .d = d, .low = true, .high = true};
}

where rg_at_side(writer *w, int side, spot s)
{
    const int d = side / 2;
    const bool is_high = side % 2 == 1;

    return (where){.kind = AT_FACE,
                   .s = rg_write_fix(s, d, is_high ? rg_write_cells(w, d) : 0),
                   .d = d,
                   .low = is_high,
                   .high = !is_high};
}
