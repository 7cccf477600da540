/* The option table.  One row serves rg_options_set(), "solve NAME = VALUE" in a model, --NAME on the
 * command line, "regula help options" and the manual page. */
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* OPT_AUTO_*: a number, or "auto", stored as 0 where 0 is not accepted, else as -1 */
typedef enum {
    OPT_REAL,
    OPT_INT,
    OPT_INT64,
    OPT_WORD,
    OPT_TEXT,
    OPT_AUTO_REAL,
    OPT_AUTO_INT
} option_kind;

static const char *const kind_name[] = {"real", "integer", "integer", "word",
                                        "text", "real",    "integer"};
static const char *const E_words[] = {"auto", "identity", "inverse", "transpose", "shifted", NULL};
static const char *const initial_words[] = {"8ab", "8cd", NULL};
static const char *const layer_words[] = {"fit", "back", "keep", NULL};
static const char *const newton_words[] = {"none", "modified", "full", NULL};
static const char *const node_kinds[] = {"gauss", "radau", "lobatto", NULL};
static const char *const formulations[] = {"auto", "direct", "ggl", "projected", NULL};
static const char *const natives[] = {"auto", "on", "off", NULL};

typedef struct {
    const char *name;
    option_kind kind;
    size_t offset, second; /* fields of rg_options; `second` differs when one option sets two */
    double low, high;      /* numbers: what is accepted; words: `high` is the size of the field */
    const char *const *words; /* accepted ones; NULL: any word */
    const char *range, *value, *text;
} option_row;

#define FIELD(f) offsetof(rg_options, f), offsetof(rg_options, f)
#define ROOM(f)  sizeof(((rg_options *)0)->f)

/* In alphabetical order.  (clang-format 14 crashes on this table.) */
/* clang-format off */
static const option_row option_table[] = {
    {"E", OPT_WORD, FIELD(E), 0, ROOM(E), E_words, "auto, identity, inverse, transpose or shifted",
     "auto", "srm: the matrix E of the regularization"},
    {"alpha1", OPT_AUTO_REAL, FIELD(alpha1), 0, DBL_MAX, NULL, "0 or more, or auto", "auto",
     "srm: weight of the highest derivative of the constraint"},
    {"alpha2", OPT_AUTO_REAL, FIELD(alpha2), 0, DBL_MAX, NULL, "0 or more, or auto", "auto",
     "srm: weight of the next derivative (index 2: of the constraint)"},
    {"alpha3", OPT_AUTO_REAL, FIELD(alpha3), 0, DBL_MAX, NULL, "0 or more, or auto", "auto",
     "srm: weight of the constraint, index 3"},
    {"atol", OPT_REAL, FIELD(atol), 0, DBL_MAX, NULL, "0 or more", "1e-6",
     "absolute error per step"},
    {"continue", OPT_TEXT, FIELD(continuation), 0, ROOM(continuation), NULL, "NAME=A..B", "",
     "boundary values: solve for NAME = A, then step by step up to B"},
    {"delta", OPT_REAL, FIELD(delta), 0, DBL_MAX, NULL, "0 or more", "1e-8",
     "srm: the shift of E = shifted; augmented-lagrangian: iterated until forces change by less"},
    {"eps", OPT_AUTO_REAL, FIELD(eps), DBL_MIN, DBL_MAX, NULL, "greater than 0, or auto", "auto",
     "srm, penalty, park-chiou, augmented-lagrangian: the regularization parameter"},
    {"formulation", OPT_WORD, FIELD(formulation), 0, ROOM(formulation), formulations,
     "auto, direct, ggl or projected", "auto",
     "how a higher index is treated: direct (as written), ggl or projected"},
    {"gamma", OPT_AUTO_REAL, FIELD(gamma), DBL_MIN, DBL_MAX, NULL, "greater than 0, or auto", "auto",
     "baumgarte, invariant, penalty, augmented-lagrangian: strength of the stabilization"},
    {"guess", OPT_TEXT, FIELD(guess), 0, ROOM(guess), NULL, "a file name", "",
     "boundary values: a CSV file with values to start from"},
    {"h_first", OPT_REAL, FIELD(h_first), 0, DBL_MAX, NULL, "0 or more", "0",
     "first step; 0: chosen by the solver"},
    {"h_max", OPT_REAL, FIELD(h_max), 0, DBL_MAX, NULL, "0 or more", "0",
     "largest step; 0: no limit"},
    {"initial", OPT_WORD, FIELD(initial), 0, ROOM(initial), initial_words, "8ab or 8cd", "8cd",
     "transfer: conditions as they stand, or normalised"},
    {"iterations", OPT_AUTO_INT, FIELD(iterations), 1, 100, NULL, "1 to 100, or auto", "auto",
     "srm: iterates; augmented-lagrangian: repetitions at every evaluation"},
    {"layer", OPT_WORD, FIELD(layer), 0, ROOM(layer), layer_words, "fit, back or keep", "fit",
     "srm, boundary values: how the initial layer is removed"},
    {"max_newton", OPT_INT, FIELD(max_newton), 0, 1000, NULL, "0 to 1000", "0",
     "Newton iterations per step; 0: chosen by the solver"},
    {"max_steps", OPT_INT64, FIELD(max_steps), 1, 1e15, NULL, "1 to 1e15", "1e7",
     "steps, rejected ones included, before the run gives up"},
    {"method", OPT_WORD, FIELD(method), 0, ROOM(method), NULL,
     "a name listed by 'regula methods', or auto", "auto", "the method"},
    {"native", OPT_WORD, FIELD(native), 0, ROOM(native), natives, "auto, on or off", "auto",
     "equations as machine code, by a C compiler in the background"},
    {"newton", OPT_WORD, FIELD(newton), 0, ROOM(newton), newton_words, "none, modified or full",
     "none", "transfer: linearize a nonlinear model again and again"},
    {"nodes", OPT_WORD, FIELD(nodes), 0, ROOM(nodes), node_kinds, "gauss, radau or lobatto", "gauss",
     "boundary values: collocation points"},
    {"passes", OPT_INT, FIELD(passes), 1, 10, NULL, "1 to 10", "2",
     "post-stabilization: corrections per step"},
    {"rtol", OPT_REAL, FIELD(rtol), 1e-14, 1, NULL, "1e-14 to 1", "1e-6",
     "relative error per step"},
    {"scheme", OPT_WORD, FIELD(scheme), 0, ROOM(scheme), NULL, "a scheme, or auto", "auto",
     "srm and its rivals: forward-euler, heun, rk4, backward-euler, midpoint, gauss1-3, radau1-3, without a step radau, "
     "dopri5; transfer: gauss, radau, bdf"},
    {"stages", OPT_INT, FIELD(stages), 0, 100, NULL, "0 to 100", "0",
     "stages of the method; 0: chosen by the solver"},
    {"step", OPT_REAL, FIELD(step), 0, DBL_MAX, NULL, "0 or more", "0",
     "fixed step; 0: the step follows the error"},
    {"tol", OPT_REAL, offsetof(rg_options, rtol), offsetof(rg_options, atol), 1e-14, 1, NULL,
     "1e-14 to 1", "1e-6", "sets rtol and atol together"},
    {"variant", OPT_WORD, FIELD(variant), 0, ROOM(variant), NULL,
     "a name listed by 'regula methods srm', or auto", "auto",
     "srm, penalty: the variant; transfer: 14 or 16, the invariant that is kept"},
    {"y0", OPT_TEXT, FIELD(y0), 0, ROOM(y0), NULL, "auto, zero, start, start1, start2, or expressions of up to 127 characters", "auto",
     "srm: the iterate 0: zero, the multipliers at the start (start1, start2: with derivatives), or expressions of time"},
};
/* clang-format on */
enum { N_OPTIONS = sizeof option_table / sizeof *option_table };

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

static rg_status fail_value(rg_context *ctx, const option_row *row, const char *text)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "%s = '%s' is not accepted", row->name, text);
    if (row->kind == OPT_WORD || row->kind == OPT_TEXT)
        return rg_remedy(ctx, "give %s", row->range);
    const bool is_real = row->kind == OPT_REAL || row->kind == OPT_AUTO_REAL;
    return rg_remedy(ctx, "give %s number, %s", is_real ? "a real" : "a whole", row->range);
}

static bool is_word_accepted(const option_row *row, const char *text)
{
    if (row->words == NULL) {
        const size_t length = strlen(text);
        return length > 0 && (double)length < row->high
               && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length;
    }
    for (const char *const *w = row->words; *w != NULL; w++)
        if (strcmp(*w, text) == 0) return true;
    return false;
}

static bool is_number_accepted(const option_row *row, double value)
{
    const bool is_real = row->kind == OPT_REAL || row->kind == OPT_AUTO_REAL;
    return (is_real || value == floor(value)) && value >= row->low && value <= row->high;
}

static void store_number(rg_options *o, const option_row *row, size_t offset, double value)
{
    void *field = (char *)o + offset;
    if (row->kind == OPT_REAL || row->kind == OPT_AUTO_REAL) *(double *)field = value;
    if (row->kind == OPT_INT || row->kind == OPT_AUTO_INT) *(int *)field = (int)value;
    if (row->kind == OPT_INT64) *(int64_t *)field = (int64_t)value;
}

/* False: the text is not accepted, and nothing is stored. */
static bool store(rg_options *o, const option_row *row, const char *text)
{
    double value;

    if (row->kind == OPT_WORD || row->kind == OPT_TEXT) {
        const bool fits = (double)strlen(text) < row->high;
        if (row->kind == OPT_WORD ? !is_word_accepted(row, text) : !fits) return false;
        memcpy((char *)o + row->offset, text, strlen(text) + 1);
        return true;
    }
    const bool has_auto = row->kind == OPT_AUTO_REAL || row->kind == OPT_AUTO_INT;
    if (has_auto && strcmp(text, "auto") == 0)
        value = row->low > 0.0 ? 0.0 : -1.0;
    else if (!rg_parse_real(text, &value) || !is_number_accepted(row, value))
        return false;
    store_number(o, row, row->offset, value);
    store_number(o, row, row->second, value);
    return true;
}

rg_options rg_options_default(void)
{
    rg_options o;

    memset(&o, 0, sizeof o);
    for (int k = 0; k < N_OPTIONS; k++)
        store(&o, &option_table[k], option_table[k].value);
    return o;
}

rg_status rg_options_assign(rg_context *ctx, rg_options *o, const char *name, const char *text)
{
    const option_row *row = find_option(name);

    if (row == NULL) return fail_unknown(ctx, name);
    return store(o, row, text) ? RG_OK : fail_value(ctx, row, text);
}

rg_status rg_options_set(rg_context *ctx, rg_options *o, const char *name, const char *text)
{
    if (ctx == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(ctx);
    if (o == NULL || name == NULL || text == NULL) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "rg_options_set() was given a null pointer");
        return rg_remedy(ctx, "give options, the name of one of them, and its value as text");
    }
    return rg_options_assign(ctx, o, name, text);
}
