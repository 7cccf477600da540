/* Options are what a user may choose for a run, one field per row of base/options.def.  Public
 * code sees an opaque type that is set and read by name; inside the library it is a plain value
 * that is copied freely. */
#ifndef RG_BASE_OPTIONS_H
#define RG_BASE_OPTIONS_H

#include "regula.h"

#include <stdbool.h>
#include <stdint.h>

enum { RG_ATOL_NAMES = 1024 };

#define RG_FIELD_REAL(field, high)      double field;
#define RG_FIELD_AUTO_REAL(field, high) double field;
#define RG_FIELD_INT(field, high)       int field;
#define RG_FIELD_AUTO_INT(field, high)  int field;
#define RG_FIELD_SCALES(field, high)    double field;
#define RG_FIELD_FLAG(field, high)      int field;
#define RG_FIELD_INT64(field, high)     int64_t field;
#define RG_FIELD_CHOICE(field, high)    char field[high];
#define RG_FIELD_WORD(field, high)      char field[high];
#define RG_FIELD_TEXT(field, high)      char field[high];

#define RG_OPTION(field, name, kind, low, high, ...) RG_FIELD_##kind(field, high)
#define RG_OPTION_PAIR(first, second, ...)
struct rg_options {
    rg_context *ctx;     /* of rg_options_create(); NULL: a value inside the library */
    uint64_t from_model; /* bit k: row k has the value that a model's solve line gave */
#include "base/options.def"
    /* atol of single unknowns, as the text "x=1e-12,u[3]=1e-9"; "auto"; a number for all */
    char atol_names[RG_ATOL_NAMES];
    bool atol_is_auto, atol_is_given;
    bool rtol_is_given;           /* false: the default, which grids have their own of */
    double rtol_model;            /* the rtol for which a model's own atol values were written */
    double atol_factor;           /* by which --tol has changed them */
    const struct rg_units *units; /* of a run, not owned: problem/units.h; NULL: atol for all */
    bool is_measured; /* no option: orders are measured, also where a component does not converge */
};
#undef RG_OPTION
#undef RG_OPTION_PAIR

/* The defaults as a value. */
rg_options rg_options_default(void);
/* rg_options_set() without clearing the errors, which go to `ctx`. */
rg_status rg_options_assign(rg_context *ctx, rg_options *o, const char *name, const char *text);
/* The same for a value in a model's solve line. */
rg_status rg_options_assign_model(rg_context *ctx, rg_options *o, const char *name,
                                  const char *text);
/* The option atol: a list of numbers, "auto" and NAME=number.  False: the text is not accepted,
 * nothing is changed, and the piece that is wrong is in `bad` (as much as fits). */
bool rg_scales_store(rg_options *o, const char *text, char *bad, size_t size);
int rg_scales_text(const rg_options *o, char *buffer, size_t size); /* like snprintf */
/* The next NAME=number of a list that was accepted; false: there is none.  The text moves on. */
bool rg_scales_next(const char **text, char *name, size_t size, double *value);
/* Does the value of atol come from the model's solve line? */
bool rg_options_has_model_atol(const rg_options *o);
/* What the model gave for another method than is taken, all but tolerances and the like, goes
 * back to its default (of an akin method only the variant); the names of these options, with
 * commas, into the buffer. */
void rg_options_drop_model(rg_options *o, bool is_akin, char *names, size_t size);

#endif
