/* The chosen numbers of bvp/transfer/tuning.def as constants. */
#ifndef RG_BVP_TRANSFER_TUNING_H
#define RG_BVP_TRANSFER_TUNING_H

#include "base/tuning.h"
#include "bvp/transfer/tuning.def"

#endif
