# tol: 1e-3
# First derivatives of every unknown, and sums over arrays.
printf "var u[i=1..3] = i\nvar z\nfor i = 1..3 { u[i]' = -u[i] }\nz = sum(i=1..3, u[i])\nover t = 0 .. 1\noutput total = z, rate = z', u[2]\n" > m.rg
"$REGULA" solve m.rg --csv - --at 0,1 --tol 1e-8 --quiet
