/* The chosen numbers of bvp/turning/tuning.def as constants. */
#ifndef RG_BVP_TURNING_TUNING_H
#define RG_BVP_TURNING_TUNING_H

#include "base/tuning.h"
#include "bvp/turning/tuning.def"

#endif
