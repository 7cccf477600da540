/* Numbers for data files: %.17g, whatever the locale of the program says. */
#ifndef RG_SOLUTION_NUMBER_H
#define RG_SOLUTION_NUMBER_H

#include "base/base.h"

/* "nan", "inf", "-inf" where the number is not finite. */
const char *rg_data_text(double value, char buffer[40]);
/* `digits` significant digits, for tables. */
const char *rg_short_text(double value, int digits, char buffer[40]);

#endif
