# A face on the seam of a periodic axis stands for both ends of it: expressions of the axis are there the mean of both,
# in the kernels and in the expanded equations; integrals of the linear ones are exact.
# tol: 1e-7
# floor: 1e-9
cat > seam.rg << 'END'
param N = 8
domain x = 1..3 cells N periodic, y = -1..1 cells 4 periodic
vector u = (1 + .5*(x - 2), 2)
field p
u' + div(u*u) = div((1 + .1*x + .05*y)*grad(u)) - grad(p) + (.3*x + .1*x*y - 1, .2*y*sin(t*x))
div(u) = 0
over t = 0 .. .25
output a = integral(x*u[x]), b = mean((x - 2)^2*u[x]), c = integral(y*u[y]), d = minimum(x*u[x]), e = maximum(x*u[x]),
       f = integral(x*u[x], y = .1), g = mean(y*u[y] + x), h = p(1.5, .25), i = u[x](1, .25), j = u[x](2.9, .3),
       k = mean(x*u[x], x = 1.1), l = mean(x*u[x], x = 2.9), m = mean(x*u[x], x = 1), n = mean(x*u[x], x = 3)
END
"$REGULA" solve seam.rg --step 1e-3 --no-estimate --at .25 --csv kernels.csv --quiet
"$REGULA" solve seam.rg --method radau --tol 1e-9 --no-estimate --at .25 --csv radau.csv --quiet
cat kernels.csv radau.csv
awk -F, 'FNR == 2 { for (k = 2; k <= NF; k++) if (FILENAME == "radau.csv") { d = $k - v[k]; if (d < 0) d = -d; if (d > m) m = d }
                    else v[k] = $k }
         END { print (m < 1e-6 ? "agree" : "differ by " m) }' kernels.csv radau.csv

# exactly: a plain flow u = (2, 3), the integral of x u[x] over the box is 2 * 2 * 4 = 16, that of y u[y] is 0,
# and the mean of (x - 2)^2 u[x] is 2/3 with an error of second order, 2 h^2/6
cat > plain.rg << 'END'
param N = 8
domain x = 1..3 cells N periodic, y = -1..1 cells 4 periodic
vector u = (2, 3)
field p
u' + div(u*u) = lap(u) - grad(p)
div(u) = 0
over t = 0 .. .01
output a = integral(x*u[x]), b = integral(y*u[y]), c = mean((x - 2)^2*u[x]), d = mean(x*u[x], x = 2.95)
END
for n in 8 16; do
    for method in srm radau; do
        "$REGULA" solve plain.rg --method $method --set N=$n --at .01 --csv out.csv --quiet --no-estimate
        awk -F, -v n=$n 'NR == 2 { h = 2/n; ok = abs($2 - 16) < 1e-7 && abs($3) < 1e-7 &&
                                               abs($4 - 2/3 - h*h/3) < 1e-7 && abs($5 - 5.9) < 1e-7
                                   print ok ? "exact" : $0 }
                         function abs(x) { return x < 0 ? -x : x }' out.csv
    done
done
