/* Functions that this language does not have: what to write for those of other languages. */
#include "model/compiler.h"

#include <string.h>

enum {
    LONGEST_QUOTE = 60, /* bytes of a term that a remedy repeats */
    MOST_NAMES = 64     /* of functions */
};

/* What other languages and textbooks call a function. */
static const char *other_name(const char *name)
{
    static const char *const names[][2] = {
        {"ln",         "log"      },
        {"lg",         "log10"    },
        {"arcsin",     "asin"     },
        {"arccos",     "acos"     },
        {"arctan",     "atan"     },
        {"sgn",        "sign"     },
        {"fabs",       "abs"      },
        {"step",       "heaviside"},
        {"int",        "floor"    },
        {"laplacian",  "lap"      },
        {"laplace",    "lap"      },
        {"gradient",   "grad"     },
        {"nabla",      "grad"     },
        {"divergence", "div"      },
        {"rot",        "curl"     },
    };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k][0], name) == 0) return names[k][1];
    return NULL;
}

/* What they have as a function and this language writes otherwise. */
static const char *other_form(const char *name)
{
    static const char *const forms[][2] = {
        {"pow",       "a power with '^': x^2"                                           },
        {"power",     "a power with '^': x^2"                                           },
        {"sqr",       "x^2"                                                             },
        {"square",    "x^2"                                                             },
        {"cbrt",      "sign(x)*abs(x)^(1/3)"                                            },
        {"hypot",     "sqrt(x^2 + y^2)"                                                 },
        {"log2",      "log(x)/log(2)"                                                   },
        {"log1p",     "log(1 + x)"                                                      },
        {"expm1",     "exp(x) - 1"                                                      },
        {"cot",       "1/tan(x)"                                                        },
        {"sec",       "1/cos(x)"                                                        },
        {"csc",       "1/sin(x)"                                                        },
        {"asinh",     "log(x + sqrt(x^2 + 1))"                                          },
        {"acosh",     "log(x + sqrt(x^2 - 1))"                                          },
        {"atanh",     "log((1 + x)/(1 - x))/2"                                          },
        {"erfc",      "1 - erf(x)"                                                      },
        {"round",     "floor(x + 0.5)"                                                  },
        {"integral",  "an integral as an unknown: var s = 0, with the equation s' = ..."},
        {"integrate", "an integral as an unknown: var s = 0, with the equation s' = ..."},
        {"prod",      "a product term by term, or exp(sum(i=1..N, log(x[i])))"          },
    };

    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (strcmp(forms[k][0], name) == 0) return forms[k][1];
    return NULL;
}

/* der(x), diff(x, t): the forms of other languages. */
static bool is_derivative(const char *name)
{
    static const char *const names[] = {"der", "ddt", "diff", "d", "D", "Dt", "derivative"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0) return true;
    return false;
}

static bool is_of_fields(const char *name)
{
    static const char *const names[] = {"lap", "grad", "div", "curl"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0) return true;
    return false;
}

rg_node rg_unknown_function(const scope *s, const rg_ast *ast)
{
    compiler *c = s->b->c;
    const rg_ast *callee = ast->args[0];
    const char *words[MOST_NAMES];
    int n = 0;

    if (is_derivative(callee->text) && ast->n_args > 1) {
        const rg_ast *of = ast->args[1];
        const rg_span span = of->span;
        const bool is_name = of->kind == RG_AST_NAME || of->kind == RG_AST_INDEX;
        rg_bad(c, callee->span, "a derivative is written with a prime");
        if (span.end - span.start > LONGEST_QUOTE)
            return rg_bad_remedy(c, "write x' for the derivative of x, (...)' for that of a term");
        return rg_bad_remedy(c, is_name ? "write %.*s'" : "write (%.*s)'",
                             (int)(span.end - span.start), c->source->text + span.start);
    }
    while (n < MOST_NAMES && rg_builtin_at(n) != NULL) {
        words[n] = rg_builtin_at(n);
        n++;
    }
    if (is_of_fields(callee->text)) {
        rg_bad(c, callee->span, "'%s' is for fields on a grid, and this model has none",
               callee->text);
        return rg_bad_remedy(c, "declare 'domain x = 0..1 cells 50' and 'field T = 0' in place of "
                                "'var'; see 'regula help grids'");
    }
    const char *form = other_form(callee->text);
    if (form != NULL) {
        rg_bad(c, callee->span, "there is no function '%s'", callee->text);
        return rg_bad_remedy(c, "write %s", form);
    }
    const char *near = other_name(callee->text);
    if (near == NULL) near = rg_nearest_word(callee->text, n, words);
    if (near == NULL) near = rg_nearest_name(s, callee->text);
    rg_bad(c, callee->span, "there is no function '%s'", callee->text);
    if (near != NULL) return rg_bad_remedy(c, "did you mean '%s'?", near);
    return rg_bad_remedy(c, "declare it: fun %s(x) = ...; a start value is: var %s = VALUE",
                         callee->text, callee->text);
}
