/* The chosen numbers of pdae/darcy/tuning.def as constants. */
#ifndef RG_PDAE_DARCY_TUNING_H
#define RG_PDAE_DARCY_TUNING_H

#include "base/tuning.h"
#include "pdae/darcy/tuning.def"

#endif
