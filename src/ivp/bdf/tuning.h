/* The chosen numbers of ivp/bdf/tuning.def as constants. */
#ifndef RG_IVP_BDF_TUNING_H
#define RG_IVP_BDF_TUNING_H

#include "base/tuning.h"
#include "ivp/bdf/tuning.def"

#endif
