/* The chosen numbers of ivp/irk/tuning.def as constants. */
#ifndef RG_IVP_IRK_TUNING_H
#define RG_IVP_IRK_TUNING_H

#include "base/tuning.h"
#include "ivp/irk/tuning.def"

#endif
