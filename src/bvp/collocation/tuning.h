/* The chosen numbers of bvp/collocation/tuning.def as constants. */
#ifndef RG_BVP_COLLOCATION_TUNING_H
#define RG_BVP_COLLOCATION_TUNING_H

#include "base/tuning.h"
#include "bvp/collocation/tuning.def"

#endif
