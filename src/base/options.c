/* Options by name: the table is base/options.def. */
#include "base/options.h"

#include "base/base.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum {
    REAL,
    AUTO_REAL,
    INT,
    AUTO_INT,
    FLAG,
    INT64,
    SCALES,
    CHOICE,
    WORD,
    TEXT
} option_kind;

static const char *const kind_name[] = {"real",    "real", "integer", "integer", "flag",
                                        "integer", "text", "word",    "word",    "text"};

typedef struct {
    const char *name;
    option_kind kind;
    size_t offset, second; /* fields of rg_options; `second` differs when one option sets two */
    double low, high;      /* numbers: what is accepted; texts: `high` is the size of the field */
    const char *value, *range, *text;
} option_row;

#define RG_OPTION(field, name, kind, ...)                                                          \
    {name, kind, offsetof(rg_options, field), offsetof(rg_options, field), __VA_ARGS__},
#define RG_OPTION_PAIR(first, other, name, kind, ...)                                              \
    {name, kind, offsetof(rg_options, first), offsetof(rg_options, other), __VA_ARGS__},
static const option_row option_table[] = {
#include "base/options.def"
};
#undef RG_OPTION
#undef RG_OPTION_PAIR
enum { N_OPTIONS = sizeof option_table / sizeof *option_table };
_Static_assert(N_OPTIONS <= 64, "rg_options.from_model has one bit per option");

int rg_option_count(void)
{
    return N_OPTIONS;
}

rg_option_info rg_option_at(int k)
{
    const option_row *row = &option_table[k >= 0 && k < N_OPTIONS ? k : 0];
    return (rg_option_info){row->name, kind_name[row->kind], row->range, row->value, row->text};
}

/* '-' and '_' are the same in a name: max-steps, max_steps. */
static bool is_same_name(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        const char ca = (char)(*a == '-' ? '_' : *a), cb = (char)(*b == '-' ? '_' : *b);
        if (ca != cb) return false;
    }
    return *a == *b;
}

static const option_row *find_option(const char *name)
{
    for (int k = 0; k < N_OPTIONS; k++)
        if (is_same_name(option_table[k].name, name)) return &option_table[k];
    return NULL;
}

static rg_status fail_unknown(rg_context *ctx, const char *name)
{
    const char *names[N_OPTIONS];
    char list[512] = "";

    for (int k = 0; k < N_OPTIONS; k++) {
        names[k] = option_table[k].name;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", names[k]);
    }
    const char *nearest = rg_nearest_word(name, N_OPTIONS, names);
    rg_fail(ctx, RG_ERR_ARGUMENT, "unknown option '%s'", name);
    if (nearest != NULL) return rg_remedy(ctx, "did you mean '%s'?", nearest);
    return rg_remedy(ctx, "the options are %s", list);
}

static bool is_real(const option_row *row)
{
    return row->kind == REAL || row->kind == AUTO_REAL || row->kind == SCALES;
}

static bool has_auto(const option_row *row)
{
    return row->kind == AUTO_REAL || row->kind == AUTO_INT;
}

static rg_status fail_value(rg_context *ctx, const option_row *row, const char *text)
{
    char bad[64];

    rg_fail(ctx, RG_ERR_ARGUMENT, "%s = '%s' is not accepted", row->name, text);
    if (row->kind == SCALES) {
        rg_options unused = rg_options_default();
        (void)rg_scales_store(&unused, text, bad, sizeof bad);
        return rg_remedy(ctx, "write '%s' as a number of 0 or more, as auto, or as NAME=NUMBER",
                         bad);
    }
    if (row->kind == FLAG || row->kind >= CHOICE) return rg_remedy(ctx, "give %s", row->range);
    return rg_remedy(ctx, "give %s number, %s", is_real(row) ? "a real" : "a whole", row->range);
}

/* Is the text one of the words of a range such as "auto, direct, ggl or projected"? */
static bool is_listed(const char *range, const char *text)
{
    const size_t length = strlen(text);

    if (strcmp(text, "or") == 0) return false;
    while (*range != '\0') {
        const size_t here = strcspn(range, ", ");
        if (here == length && memcmp(range, text, length) == 0) return length > 0;
        range += here;
        range += strspn(range, ", ");
    }
    return false;
}

static bool is_text_accepted(const option_row *row, const char *text)
{
    const size_t length = strlen(text);

    if (row->kind == CHOICE) return is_listed(row->range, text);
    if (!((double)length < row->high)) return false;
    return row->kind == TEXT
           || (length > 0 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length);
}

/* The text as a number that the row accepts. */
static bool read_number(const option_row *row, const char *text, double *value)
{
    if (row->kind == FLAG) {
        *value = strcmp(text, "on") == 0;
        return is_listed(row->range, text);
    }
    if (has_auto(row) && strcmp(text, "auto") == 0) {
        *value = row->low > 0.0 ? 0.0 : -1.0;
        return true;
    }
    return rg_parse_real(text, value) && (is_real(row) || *value == floor(*value))
           && *value >= row->low && *value <= row->high;
}

static void store_number(const option_row *row, void *field, double value)
{
    if (is_real(row))
        *(double *)field = value;
    else if (row->kind == INT64)
        *(int64_t *)field = (int64_t)value;
    else
        *(int *)field = (int)value;
}

static double stored_number(const option_row *row, const void *field)
{
    if (is_real(row)) return *(const double *)field;
    return row->kind == INT64 ? (double)*(const int64_t *)field : *(const int *)field;
}

/* False: the text is not accepted, and nothing is stored. */
static bool store(rg_options *o, const option_row *row, const char *text)
{
    double value;
    char bad[64];

    if (row->kind == SCALES) return rg_scales_store(o, text, bad, sizeof bad);
    if (row->kind >= CHOICE) {
        if (!is_text_accepted(row, text)) return false;
        memcpy((char *)o + row->offset, text, strlen(text) + 1);
        return true;
    }
    if (!read_number(row, text, &value)) return false;
    store_number(row, (char *)o + row->offset, value);
    store_number(row, (char *)o + row->second, value);
    return true;
}

rg_options rg_options_default(void)
{
    rg_options o;

    memset(&o, 0, sizeof o);
    for (int k = 0; k < N_OPTIONS; k++)
        store(&o, &option_table[k], option_table[k].value);
    o.atol_is_given = false;
    o.atol_factor = 1.0;
    o.rtol_model = o.rtol;
    return o;
}

static uint64_t bit_of(const option_row *row)
{
    return (uint64_t)1 << (row - option_table);
}

bool rg_options_has_model_atol(const rg_options *o)
{
    return (o->from_model & bit_of(find_option("atol"))) != 0;
}

rg_status rg_options_assign(rg_context *ctx, rg_options *o, const char *name, const char *text)
{
    const option_row *row = find_option(name);

    if (row == NULL) return fail_unknown(ctx, name);
    const rg_options before = *o;
    const bool is_atol_of_model = rg_options_has_model_atol(o);
    if (row->kind == SCALES && is_atol_of_model) o->atol_names[0] = '\0';
    if (!store(o, row, text)) {
        *o = before;
        return fail_value(ctx, row, text);
    }
    /* tol: a model's own atol keeps its proportion to rtol */
    if (row->offset != row->second) {
        if (is_atol_of_model) o->atol = before.atol / before.rtol * o->rtol;
        o->atol_factor = o->rtol / o->rtol_model;
    }
    if (row->offset == offsetof(rg_options, rtol)) o->rtol_is_given = true;
    o->from_model &= ~bit_of(row);
    return RG_OK;
}

rg_status rg_options_assign_model(rg_context *ctx, rg_options *o, const char *name,
                                  const char *text)
{
    RG_TRY(rg_options_assign(ctx, o, name, text));
    o->from_model |= bit_of(find_option(name));
    o->rtol_model = o->rtol; /* what the model says of atol goes with what it says of rtol */
    o->atol_factor = 1.0;
    return RG_OK;
}

/* Options that say what is wanted, not how a method is to work. */
static bool is_for_all_methods(const char *name)
{
    static const char *const names[] = {"accept_doubt", "atol",   "continue", "fields", "guess",
                                        "max_steps",    "method", "native",   "png",    "rtol",
                                        "svg",          "tol",    "vtk"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0) return true;
    return false;
}

void rg_options_drop_model(rg_options *o, bool is_akin, char *names, size_t size)
{
    names[0] = '\0';
    for (int k = 0; k < N_OPTIONS; k++) {
        const option_row *row = &option_table[k];
        if ((o->from_model & bit_of(row)) == 0 || is_for_all_methods(row->name)) continue;
        if (is_akin && strcmp(row->name, "variant") != 0) continue;
        const size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", row->name);
        store(o, row, row->value);
        o->from_model &= ~bit_of(row);
    }
}

rg_status rg_options_create(rg_context *ctx, rg_options **out)
{
    if (ctx == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(ctx);
    if (out == NULL) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "rg_options_create() was given a null pointer");
        return rg_remedy(ctx, "give the address of a pointer for the options");
    }
    *out = rg_alloc(ctx, 1, sizeof **out);
    if (*out == NULL) return RG_ERR_MEMORY;
    **out = rg_options_default();
    (*out)->ctx = ctx;
    return RG_OK;
}

rg_status rg_options_copy(const rg_options *o, rg_options **out)
{
    if (o == NULL) return RG_ERR_ARGUMENT;
    RG_TRY(rg_options_create(o->ctx, out));
    **out = *o;
    return RG_OK;
}

rg_status rg_options_set(rg_options *o, const char *name, const char *text)
{
    if (o == NULL || o->ctx == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(o->ctx);
    if (name == NULL || text == NULL) {
        rg_fail(o->ctx, RG_ERR_ARGUMENT, "rg_options_set() was given a null pointer");
        return rg_remedy(o->ctx, "give the name of an option and its value as text");
    }
    return rg_options_assign(o->ctx, o, name, text);
}

int rg_options_get(const rg_options *o, const char *name, char *buffer, int size)
{
    const option_row *row = o != NULL && name != NULL ? find_option(name) : NULL;
    const size_t room = buffer != NULL && size > 0 ? (size_t)size : 0;
    char number[32];

    if (row == NULL) return RG_ERR_ARGUMENT;
    if (row->kind == SCALES) return rg_scales_text(o, room > 0 ? buffer : NULL, room);
    const void *field = (const char *)o + row->offset;
    const char *text = field;
    if (row->kind < CHOICE) {
        const double value = stored_number(row, field);
        if (has_auto(row) && value < row->low)
            text = "auto";
        else
            text = row->kind != FLAG ? rg_real_text(value, number) : value != 0.0 ? "on" : "off";
    }
    return snprintf(room > 0 ? buffer : NULL, room, "%s", text);
}

void rg_options_destroy(rg_options **o)
{
    if (o == NULL || *o == NULL) return;
    rg_free((*o)->ctx, *o);
    *o = NULL;
}
