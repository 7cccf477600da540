/* The chosen numbers of base/tuning.def as constants. */
#ifndef RG_BASE_TUNING_H
#define RG_BASE_TUNING_H

#include <float.h>

#define RG_TUNE_REAL(name, value, why, noticed)  static const double name = value;
#define RG_TUNE_COUNT(name, value, why, noticed) enum { name = value };
#include "base/tuning.def"
#undef RG_TUNE_REAL
#undef RG_TUNE_COUNT

#endif
