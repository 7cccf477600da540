/* The chosen numbers of ivp/switching/tuning.def as constants. */
#ifndef RG_IVP_SWITCHING_TUNING_H
#define RG_IVP_SWITCHING_TUNING_H

#include "base/tuning.h"
#include "ivp/switching/tuning.def"

#endif
