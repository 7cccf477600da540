/* The chosen numbers of pdae/run/tuning.def as constants. */
#ifndef RG_PDAE_RUN_TUNING_H
#define RG_PDAE_RUN_TUNING_H

#include "base/tuning.h"
#include "pdae/run/tuning.def"

#endif
