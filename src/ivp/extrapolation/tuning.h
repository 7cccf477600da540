/* The chosen numbers of ivp/extrapolation/tuning.def as constants. */
#ifndef RG_IVP_EXTRAPOLATION_TUNING_H
#define RG_IVP_EXTRAPOLATION_TUNING_H

#include "base/tuning.h"
#include "ivp/extrapolation/tuning.def"

#endif
