# RADAU5 and DASPK of the package deSolve on the compiled models.
#     Rscript desolve.R LIBRARY RTOL,RTOL,... NAME FORM [NAME FORM ...]
# Prints per run:  solver name form rtol status n steps rejected evaluations jacobians factorizations milliseconds y_1 y_2 ...
# A call through R costs 0.1 to 1 ms by itself.  Jacobians are exact; RADAU5 starts with the step 0.01 rtol.
suppressMessages(library(deSolve))
args <- commandArgs(trailingOnly = TRUE)
library_file <- args[1]
tols <- as.numeric(strsplit(args[2], ",")[[1]])
dll <- dyn.load(library_file)
name_of_dll <- sub("\\.so$", "", basename(library_file))

choose <- function(name, form) {
  r <- .C("peer_select", name, form, n = 0L, setting = c(0, 0), index = c(0L, 0L, 0L))
  s <- .C("peer_start", y = double(r$n), yp = double(r$n))
  m <- .C("peer_mass", M = double(r$n * r$n))$M
  list(n = r$n, t_end = r$setting[1], factor = r$setting[2], index = r$index, y = s$y, yp = s$yp,
       M = matrix(m, r$n, r$n))
}

run_radau <- function(p, rtol) {
  identity <- all(p$M == diag(p$n))
  h <- max(0.01 * rtol, if (p$t_end < 1) 1e-8 * p$t_end else 0)
  radau(p$y, c(0, p$t_end), "peer_derivs", NULL, nind = p$index, rtol = rtol, atol = rtol * p$factor,
        jacfunc = "peer_jac", jactype = "fullusr", mass = if (identity) NULL else p$M, massup = p$n - 1, massdown = p$n - 1,
        hini = h, maxsteps = 2000000, dllname = name_of_dll, initfunc = NULL)
}

run_daspk <- function(p, rtol) {
  daspk(p$y, c(0, p$t_end), func = NULL, parms = NULL, nind = p$index, dy = p$yp, res = "peer_res", rtol = rtol,
        atol = rtol * p$factor, jacres = "peer_jacres", jactype = "fullusr", maxsteps = 2000000, dllname = name_of_dll,
        initfunc = NULL)
}

once <- function(run, p, rtol) {
  invisible(.C("peer_counts", c(0, 0)))
  begin <- proc.time()
  out <- tryCatch(suppressWarnings(run(p, rtol)), error = function(e) NULL)
  took <- proc.time() - begin
  list(out = out, ms = 1e3 * sum(took[1:2]), counts = .C("peer_counts", c(0, 0))[[1]])
}

report <- function(solver, name, form, rtol, p, run) {
  r <- once(run, p, rtol)
  if (r$ms < 500) { # the clock of R ticks in milliseconds
    repeats <- max(3, min(50, ceiling(300 / max(r$ms, 1))))
    begin <- proc.time()
    for (k in 1:repeats) again <- tryCatch(suppressWarnings(run(p, rtol)), error = function(e) NULL)
    r$ms <- 1e3 * sum((proc.time() - begin)[1:2]) / repeats
  }
  good <- !is.null(r$out) && nrow(r$out) == 2 && abs(r$out[2, 1] - p$t_end) <= 1e-9 * p$t_end
  if (!good) {
    cat(solver, name, form, format(rtol), "failed", p$n, "\n")
    return(invisible())
  }
  state <- attr(r$out, "istate")
  steps <- state[2]
  values <- sprintf("%.17g", r$out[2, -1])
  cat(solver, name, form, format(rtol), "ok", p$n, steps, "nan", r$counts[1], r$counts[2], "nan", sprintf("%.5g", r$ms),
      values, "\n")
}

pairs <- matrix(args[-(1:2)], 2)
for (k in seq_len(ncol(pairs))) {
  p <- choose(pairs[1, k], pairs[2, k])
  for (rtol in tols) {
    report("radau5", pairs[1, k], pairs[2, k], rtol, p, run_radau)
    report("daspk", pairs[1, k], pairs[2, k], rtol, p, run_daspk)
  }
}
