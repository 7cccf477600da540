/* What the writers of MathML share: names and numbers, trees, statements. */
#ifndef RG_MODEL_MATHML_IMPL_H
#define RG_MODEL_MATHML_IMPL_H

#include "model/ast.h"

#include <stdbool.h>
#include <stdio.h>

/* What binds how tightly, from the loosest to the tightest. */
enum {
    RG_MATHML_LOOSE,
    RG_MATHML_OR,
    RG_MATHML_AND,
    RG_MATHML_NOT,
    RG_MATHML_COMPARE,
    RG_MATHML_SUM,
    RG_MATHML_PRODUCT,
    RG_MATHML_SIGN,
    RG_MATHML_POWER,
    RG_MATHML_ATOM
};

typedef struct {
    FILE *to;
    const char *source;
    int n, most;
    int raised; /* inside so many exponents, where fractions are written in a line */
} rg_mathml;

/* x1, x_max and x[i, j] have an index; several of them are one. */
void rg_mathml_name(rg_mathml *w, const char *name, int n_indices, rg_ast *const *indices);
/* A number as it was written; 1e-3 is a power of ten. */
void rg_mathml_number(rg_mathml *w, const rg_ast *a);
bool rg_mathml_has_power(const rg_mathml *w, const rg_ast *a);
/* In brackets where it binds less tightly than what is around it. */
void rg_mathml_tree(rg_mathml *w, const rg_ast *a, int around);

#endif
