/* The chosen numbers of ivp/lobatto_pair/tuning.def as constants. */
#ifndef RG_IVP_LOBATTO_PAIR_TUNING_H
#define RG_IVP_LOBATTO_PAIR_TUNING_H

#include "base/tuning.h"
#include "ivp/lobatto_pair/tuning.def"

#endif
