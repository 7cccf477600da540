# A rotating pair of solutions, one growing and one decaying like e^(+-lambda t).
# Source: T. Petry, On the stability of the Abramov transfer for differential-algebraic equations of index 1, section 6.1
# (Ascher, Mattheij, Russell, Example 3.13).  For omega > lambda the eigenvalues of the matrix are imaginary and say
# nothing about growth; the conditions sit where they belong: the decaying part at the start, the growing part at the end.
# alpha and beta: how much of either.  With lambda above 200 take shift = pi: the growing part then ends at 1 instead of e^(lambda pi).
# Look at: regula solve --set omega=1000 --tol 1e-10
title "Rotating growth and decay (Petry, section 6.1)"
param lambda = 10, omega = 10, alpha = 1, beta = 1, shift = 0
param t0 = 0.001, t1 = pi - 0.001
var y[i=1..2]

y[1]' = -lambda*cos(2*omega*t)*y[1] + (omega + lambda*sin(2*omega*t))*y[2]
y[2]' = (-omega + lambda*sin(2*omega*t))*y[1] + lambda*cos(2*omega*t)*y[2]

over t = t0 .. t1
boundary cos(omega*t0)*y[1](t0) - sin(omega*t0)*y[2](t0) = alpha*exp(-lambda*t0)
boundary sin(omega*t1)*y[1](t1) + cos(omega*t1)*y[2](t1) = beta*exp(lambda*(t1 - shift))
exact y[1] = alpha*cos(omega*t)*exp(-lambda*t) + beta*sin(omega*t)*exp(lambda*(t - shift))
exact y[2] = -alpha*sin(omega*t)*exp(-lambda*t) + beta*cos(omega*t)*exp(lambda*(t - shift))
solve method = transfer
