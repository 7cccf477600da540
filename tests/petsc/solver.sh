# --solver petsc on one rank: same fields as the own solvers, for flow (nothing fixes p), Darcy flow with wells, solids,
# an elliptic equation; words of --petsc reach PETSc; what is wrong is told.
. "$(dirname "$0")/support"
"$REGULA" example cavity > cavity.rg || fail "no example"
cat > wells.rg <<'END'
domain x = 0..1 cells 40, y = 0..1 cells 30
solid rock = (x - .5)^2 + (y - .5)^2 < .03
field p
vector u
(1 + x*x)*u = -grad(p)
div(u) = 0
well a at (.2, .3) rate 1
well b at (.8, .7) rate -1
output drop = p(a) - p(b), m = maximum(u[x])
END
cat > heat.rg <<'END'
domain x = 0..1 cells 30 periodic, y = 0..2 cells 20, z = 0..1 cells 10
field T
0 = div((1 + y)*grad(T)) + sin(6.283185307179586*x)
boundary T(bottom) = 1, T(top) = x*(1 - x)
output m = mean(T), most = maximum(T)
END
for model in "cavity --set N=16 --to 1" wells heat; do
    set -- $model
    for solver in auto petsc; do
        "$REGULA" solve "$1.rg" "${@:2}" --solver $solver --solver_tol 1e-13 --no-estimate --fields $1-$solver.csv \
            --quiet || fail "$1 --solver $solver: exit $?"
    done
    paste -d , $1-auto.csv $1-petsc.csv | awk -F , -v name=$1 'NR > 1 {
        n = NF/2
        for (k = 1; k <= n; k++) {
            d = $k - $(k + n); if (d < 0) d = -d; if (d > miss[k]) miss[k] = d
            v = $k < 0 ? -$k : $k; if (v > size[k]) size[k] = v } }
        END { for (k = 1; k <= n; k++) if (miss[k] > 1e-11*size[k]) { print name, "column", k, miss[k], size[k]; bad = 1 }
            exit bad || NR < 10 }' || fail "$1: fields differ"
done
"$REGULA" solve wells.rg --solver petsc --petsc "-ksp_view -pc_type jacobi" --no-estimate > view.txt || fail "--petsc"
grep -q "type: jacobi" view.txt || fail "-pc_type was not read"
"$REGULA" solve wells.rg --solver petsc --petsc "-ksp_nonsense 1" --no-estimate > /dev/null 2> told.txt || fail "a warning"
grep -q "nothing in PETSc has read -ksp_nonsense" told.txt || fail "an unknown option is not told"
"$REGULA" solve wells.rg --solver petsc --petsc "-ksp_max_it 2" --no-estimate > /dev/null 2> told.txt
[ $? -eq 1 ] && grep -q "relative residual" told.txt || fail "two iterations are not enough, and that is not told"
"$REGULA" solve wells.rg --petsc "-ksp_view" > /dev/null 2> told.txt
[ $? -eq 2 ] && grep -q "goes with --solver petsc" told.txt || fail "--petsc alone"
"$REGULA" solve - --solver petsc < wells.rg > /dev/null 2> told.txt
[ $? -eq 2 ] && grep -q "standard input" told.txt || fail "a model from standard input"
# The command links nothing of PETSc, and tells where regula-grid is missing.
ldd "$REGULA" | grep -qiE "petsc|mpi" && fail "regula links PETSc"
cp "$REGULA" alone && PATH=/usr/bin:/bin ./alone solve wells.rg --solver petsc > /dev/null 2> told.txt
[ $? -eq 2 ] && grep -q "petsc-dev" told.txt || fail "regula-grid is missing, and that is not told"
exit 0
