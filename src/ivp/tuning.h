/* The chosen numbers of ivp/tuning.def as constants. */
#ifndef RG_IVP_TUNING_H
#define RG_IVP_TUNING_H

#include "base/tuning.h"
#include "ivp/tuning.def"

#endif
