/* The chosen numbers of solve/tuning.def as constants. */
#ifndef RG_SOLVE_TUNING_H
#define RG_SOLVE_TUNING_H

#include "base/tuning.h"
#include "solve/tuning.def"

#endif
