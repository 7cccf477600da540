/* The chosen numbers of ivp/radau/tuning.def as constants. */
#ifndef RG_IVP_RADAU_TUNING_H
#define RG_IVP_RADAU_TUNING_H

#include "base/tuning.h"
#include "ivp/radau/tuning.def"

#endif
