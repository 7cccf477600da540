/* The chosen numbers of ivp/half_explicit/tuning.def as constants. */
#ifndef RG_IVP_HALF_EXPLICIT_TUNING_H
#define RG_IVP_HALF_EXPLICIT_TUNING_H

#include "base/tuning.h"
#include "ivp/half_explicit/tuning.def"

#endif
