/* Which columns are drawn, and which of them together: lines that would not be flat beside each
 * other share a panel. */
#include "figure/chart.h"
#include "figure/tuning.h"

#include <math.h>
#include <string.h>

/* Lines of a long array, when all columns are drawn, or more than so many are asked for. */
enum { ARRAY_LINES = 6, SHOWN_LINES = 32 };

/* Line k of so many, spread evenly over the elements of an array. */
static int place_of(int k, int lines, int count)
{
    return lines > 1 ? (int)((int64_t)k * (count - 1) / (lines - 1)) : 0;
}

void rg_panels_clear(rg_panels *p)
{
    if (p->ctx != NULL) rg_free(p->ctx, p->panel);
    *p = (rg_panels){0};
}

static rg_panel *add_panel(rg_panels *p)
{
    int64_t capacity = p->capacity;

    if (rg_grow(p->ctx, &p->panel, p->n, &capacity, sizeof *p->panel) != RG_OK) return NULL;
    p->capacity = (int)capacity;
    p->panel[p->n] = (rg_panel){.across = -1};
    return &p->panel[p->n++];
}

/* ---- lines of one size ---------------------------------------------------------------------- */
/* The height that a line needs to be seen; a constant one needs none. */
static double height_of(const rg_series *s, int column)
{
    const double length = s->high[column] - s->low[column];
    const double size = fmax(fabs(s->low[column]), fabs(s->high[column]));

    return length > RG_SAME * size ? length : INFINITY;
}

static bool fits(const rg_series *s, const rg_panel *p, int column)
{
    double low = s->low[column], high = s->high[column], least = height_of(s, column);

    if (p->is_phase || p->n == RG_PANEL_LINES) return false;
    for (int k = 0; k < p->n; k++) {
        low = fmin(low, s->low[p->column[k]]);
        high = fmax(high, s->high[p->column[k]]);
        least = fmin(least, height_of(s, p->column[k]));
    }
    return high - low <= RG_FIGURE_GROUP * least || !(low <= high);
}

static bool has_column(const rg_panels *p, int column)
{
    for (int k = 0; k < p->n; k++)
        for (int i = 0; i < p->panel[k].n && !p->panel[k].is_phase; i++)
            if (p->panel[k].column[i] == column) return true;
    return false;
}

static rg_status add_column(const rg_series *s, rg_panels *p, int column)
{
    rg_panel *to = NULL;

    if (has_column(p, column)) return RG_OK;
    for (int k = 0; to == NULL && k < p->n; k++)
        if (fits(s, &p->panel[k], column)) to = &p->panel[k];
    if (to == NULL) to = add_panel(p);
    if (to == NULL) return RG_ERR_MEMORY;
    to->column[to->n++] = column;
    return RG_OK;
}

/* ---- what is asked for ---------------------------------------------------------------------- */
static rg_status fail_name(const rg_series *s, const char *name)
{
    const char *nearest = rg_nearest_word(name, s->n_columns, (const char *const *)s->name);
    char list[256] = "";

    rg_fail(s->ctx, RG_ERR_ARGUMENT, "there is no output '%.100s' to show", name);
    if (nearest != NULL) return rg_remedy(s->ctx, "did you mean '%s'?", nearest);
    for (int c = 0; c < s->n_columns && strlen(list) + strlen(s->name[c]) + 8 < sizeof list; c++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", c > 0 ? ", " : "",
                 s->name[c]);
    return rg_remedy(s->ctx, "give some of: %s", list);
}

/* The column of this name, or the first element of an array. */
static int find_column(const rg_series *s, const char *name)
{
    for (int c = 0; c < s->n_columns; c++)
        if (strcmp(s->name[c], name) == 0) return c;
    return -1;
}

static bool is_element(const char *column, const char *array)
{
    const size_t n = strlen(array);

    return n > 0 && strncmp(column, array, n) == 0 && column[n] == '[';
}

static rg_status add_phase(const rg_series *s, rg_panels *p, const char *x, const char *y)
{
    const int across = find_column(s, x), up = find_column(s, y);

    if (across < 0 && strcmp(x, s->x_name) != 0) return fail_name(s, x);
    if (up < 0) return fail_name(s, y);
    rg_panel *to = add_panel(p);
    if (to == NULL) return RG_ERR_MEMORY;
    *to = (rg_panel){.across = across, .n = 1, .column = {up}, .is_phase = true};
    return RG_OK;
}

static rg_status add_item(const rg_series *s, rg_panels *p, char *item)
{
    char *colon = strchr(item, ':');
    int count = 0, seen = 0;

    if (colon != NULL) {
        *colon = '\0';
        return add_phase(s, p, item, colon + 1);
    }
    const int column = find_column(s, item);
    if (column >= 0) return add_column(s, p, column);
    for (int c = 0; c < s->n_columns; c++)
        count += is_element(s->name[c], item);
    const int lines = count > SHOWN_LINES ? ARRAY_LINES : count;
    for (int c = 0, next = 0; c < s->n_columns; c++) {
        if (!is_element(s->name[c], item) || seen++ != place_of(next, lines, count)) continue;
        RG_TRY(add_column(s, p, c));
        next++;
    }
    p->left_out += count - lines;
    return count > 0 ? RG_OK : fail_name(s, item);
}

enum { ITEM = 600 };

/* item { ',' item }; a comma inside brackets belongs to a name.  What follows; NULL: the end. */
static const char *next_item(const char *at, char item[ITEM])
{
    size_t n = 0;
    int depth = 0;

    for (;; at++) {
        depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
        if (*at == '\0' || (*at == ',' && depth <= 0)) break;
        if (n + 1 < ITEM && (*at != ' ' || n > 0)) item[n++] = *at;
    }
    while (n > 0 && item[n - 1] == ' ')
        n--;
    item[n] = '\0';
    return *at == '\0' ? NULL : at + 1;
}

static rg_status add_shown(const rg_series *s, rg_panels *p, const char *show)
{
    char item[ITEM];

    for (const char *at = show; at != NULL;) {
        at = next_item(at, item);
        RG_TRY(add_item(s, p, item));
    }
    return RG_OK;
}

bool rg_panels_wants(const char *show, const char *name)
{
    char item[ITEM];

    for (const char *at = show; at != NULL;) {
        at = next_item(at, item);
        char *colon = strchr(item, ':');
        if (colon != NULL) *colon = '\0';
        if (strcmp(item, name) == 0 || is_element(name, item)) return true;
        if (colon != NULL && strcmp(colon + 1, name) == 0) return true;
    }
    return false;
}

/* ---- all of them ---------------------------------------------------------------------------- */
/* Columns from `first` on that are elements of the same array. */
static int array_length(const rg_series *s, int first)
{
    const char *bracket = strchr(s->name[first], '[');
    int n = 1;

    if (bracket == NULL) return 1;
    const size_t length = (size_t)(bracket - s->name[first]) + 1;
    while (first + n < s->n_columns && strncmp(s->name[first], s->name[first + n], length) == 0)
        n++;
    return n;
}

static rg_status add_some(const rg_series *s, rg_panels *p, int most_panels)
{
    for (int c = 0; c < s->n_columns;) {
        const int n = array_length(s, c), lines = n > ARRAY_LINES ? ARRAY_LINES : n;
        for (int k = 0; k < lines; k++) {
            const int column = c + place_of(k, lines, n);
            const int before = p->n;
            RG_TRY(add_column(s, p, column));
            if (p->n <= most_panels) continue;
            p->n = before;
            p->left_out++;
        }
        p->left_out += n - lines;
        c += n;
    }
    return RG_OK;
}

static rg_status read_log(const rg_series *s, const char *log, rg_panels *out)
{
    for (; log != NULL && *log != '\0'; log++) {
        if (*log == 'x')
            out->log_x = true;
        else if (*log == 'y')
            out->log_y = true;
        else {
            rg_fail(s->ctx, RG_ERR_ARGUMENT, "there is no axis '%.20s'", log);
            return rg_remedy(s->ctx, "name the logarithmic axes: x, y or xy");
        }
    }
    return RG_OK;
}

rg_status rg_panels_choose(const rg_series *s, const char *show, const char *log, int most_panels,
                           rg_panels *out)
{
    *out = (rg_panels){.ctx = s->ctx};
    rg_status status = read_log(s, log, out);
    if (status == RG_OK)
        status = show != NULL && show[0] != '\0' ? add_shown(s, out, show)
                                                 : add_some(s, out, most_panels);
    if (status == RG_OK && out->n > most_panels) {
        rg_fail(s->ctx, RG_ERR_ARGUMENT, "these outputs need %d panels, and a figure has %d",
                out->n, most_panels);
        status = rg_remedy(s->ctx, "name fewer of them, or those of one size");
    }
    if (status != RG_OK) rg_panels_clear(out);
    return status;
}

rg_status rg_panels_all(const rg_series *s, rg_panels *out)
{
    rg_status status = RG_OK;

    *out = (rg_panels){.ctx = s->ctx};
    for (int c = 0; status == RG_OK && c < s->n_columns; c++)
        status = add_column(s, out, c);
    if (status != RG_OK) rg_panels_clear(out);
    return status;
}
