/* The equations of a model text as they stand in a book: MathML inside HTML. */
#ifndef RG_MODEL_MATHML_H
#define RG_MODEL_MATHML_H

#include "problem/problem.h"

/* A <div> for every equation, condition and definition; nothing for a problem of callbacks.  Lines
 * beyond `most` are left out, and counted in the last one. */
void rg_model_write_mathml(const rg_problem *p, int most, FILE *to);

#endif
