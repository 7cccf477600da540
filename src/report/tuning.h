/* The chosen numbers of report/tuning.def as constants. */
#ifndef RG_REPORT_TUNING_H
#define RG_REPORT_TUNING_H

#include "base/tuning.h"
#include "report/tuning.def"

#endif
