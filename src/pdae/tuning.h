/* The chosen numbers of pdae/tuning.def as constants. */
#ifndef RG_PDAE_TUNING_H
#define RG_PDAE_TUNING_H

#include "base/tuning.h"
#include "pdae/tuning.def"

#endif
