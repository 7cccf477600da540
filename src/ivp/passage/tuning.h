/* The chosen numbers of ivp/passage/tuning.def as constants. */
#ifndef RG_IVP_PASSAGE_TUNING_H
#define RG_IVP_PASSAGE_TUNING_H

#include "base/tuning.h"
#include "ivp/passage/tuning.def"

#endif
