/* Finds the coefficients of Radau IIA for a number of stages. */
#include "ivp/radau/coefficients.h"

#include <stddef.h>

const rg_radau_table *rg_radau_table_for(int stages)
{
    switch (stages) {
    case 1:
        return &rg_radau_table_1;
    case 3:
        return &rg_radau_table_3;
    case 5:
        return &rg_radau_table_5;
    case 7:
        return &rg_radau_table_7;
    default:
        return NULL;
    }
}
