/* The chosen numbers of linalg/tuning.def as constants. */
#ifndef RG_LINALG_TUNING_H
#define RG_LINALG_TUNING_H

#include "base/tuning.h"
#include "linalg/tuning.def"

#endif
