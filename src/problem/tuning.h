/* The chosen numbers of problem/tuning.def as constants. */
#ifndef RG_PROBLEM_TUNING_H
#define RG_PROBLEM_TUNING_H

#include "base/tuning.h"
#include "problem/tuning.def"

#endif
