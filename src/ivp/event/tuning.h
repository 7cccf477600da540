/* The chosen numbers of ivp/event/tuning.def as constants. */
#ifndef RG_IVP_EVENT_TUNING_H
#define RG_IVP_EVENT_TUNING_H

#include "base/tuning.h"
#include "ivp/event/tuning.def"

#endif
