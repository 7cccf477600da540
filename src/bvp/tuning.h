/* The chosen numbers of bvp/tuning.def as constants. */
#ifndef RG_BVP_TUNING_H
#define RG_BVP_TUNING_H

#include "base/tuning.h"
#include "bvp/tuning.def"

#endif
