/* The chosen numbers of pdae/solve/tuning.def as constants. */
#ifndef RG_PDAE_SOLVE_TUNING_H
#define RG_PDAE_SOLVE_TUNING_H

#include "base/tuning.h"
#include "pdae/solve/tuning.def"

#endif
