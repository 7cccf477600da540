/* The chosen numbers of ivp/relay/tuning.def as constants. */
#ifndef RG_IVP_RELAY_TUNING_H
#define RG_IVP_RELAY_TUNING_H

#include "base/tuning.h"
#include "ivp/relay/tuning.def"

#endif
