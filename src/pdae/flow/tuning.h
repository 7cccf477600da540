/* The chosen numbers of pdae/flow/tuning.def as constants. */
#ifndef RG_PDAE_FLOW_TUNING_H
#define RG_PDAE_FLOW_TUNING_H

#include "base/tuning.h"
#include "pdae/flow/tuning.def"

#endif
