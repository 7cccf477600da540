/* The functions of UMFPACK that are called, loaded when they are first needed:
 * included instead of umfpack.h. */
#ifndef RG_LINALG_LAZY_UMFPACK_H
#define RG_LINALG_LAZY_UMFPACK_H

#define umfpack_dl_symbolic      rg_umfpack_dl_symbolic
#define umfpack_dl_numeric       rg_umfpack_dl_numeric
#define umfpack_dl_wsolve        rg_umfpack_dl_wsolve
#define umfpack_dl_free_symbolic rg_umfpack_dl_free_symbolic
#define umfpack_dl_free_numeric  rg_umfpack_dl_free_numeric
#define umfpack_dl_defaults      rg_umfpack_dl_defaults
#define umfpack_dl_get_lunz      rg_umfpack_dl_get_lunz
#define umfpack_dl_get_numeric   rg_umfpack_dl_get_numeric
#define umfpack_zl_symbolic      rg_umfpack_zl_symbolic
#define umfpack_zl_numeric       rg_umfpack_zl_numeric
#define umfpack_zl_wsolve        rg_umfpack_zl_wsolve
#define umfpack_zl_free_symbolic rg_umfpack_zl_free_symbolic
#define umfpack_zl_free_numeric  rg_umfpack_zl_free_numeric
#define umfpack_zl_defaults      rg_umfpack_zl_defaults
#define umfpack_zl_get_lunz      rg_umfpack_zl_get_lunz
#define umfpack_zl_get_numeric   rg_umfpack_zl_get_numeric

#include <umfpack.h>

#endif
