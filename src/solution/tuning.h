/* The chosen numbers of solution/tuning.def as constants. */
#ifndef RG_SOLUTION_TUNING_H
#define RG_SOLUTION_TUNING_H

#include "base/tuning.h"
#include "solution/tuning.def"

#endif
