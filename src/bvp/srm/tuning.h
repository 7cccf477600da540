/* The chosen numbers of bvp/srm/tuning.def as constants. */
#ifndef RG_BVP_SRM_TUNING_H
#define RG_BVP_SRM_TUNING_H

#include "base/tuning.h"
#include "bvp/srm/tuning.def"

#endif
