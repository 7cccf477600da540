/* The chosen numbers of expr/tuning.def as constants. */
#ifndef RG_EXPR_TUNING_H
#define RG_EXPR_TUNING_H

#include "base/tuning.h"
#include "expr/tuning.def"

#endif
