/* The chosen numbers of model/tuning.def as constants. */
#ifndef RG_MODEL_TUNING_H
#define RG_MODEL_TUNING_H

#include "base/tuning.h"
#include "model/tuning.def"

#endif
