/* The chosen numbers of ivp/srm/tuning.def as constants. */
#ifndef RG_IVP_SRM_TUNING_H
#define RG_IVP_SRM_TUNING_H

#include "base/tuning.h"
#include "ivp/srm/tuning.def"

#endif
