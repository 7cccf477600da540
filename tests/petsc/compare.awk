# Compares two CSV files of --fields: every column within `tol` of its size.
# usage: paste -d , A B | awk -f compare.awk -v name=NAME -v tol=1e-11 [-v few=1: a file of few rows]
BEGIN { FS = "," }
NR == 1 { split($0, head, ",") }
NR > 1 {
    n = NF/2
    for (k = 1; k <= n; k++) {
        d = $k - $(k + n); if (d < 0) d = -d; if (!(d <= miss[k])) miss[k] = d
        v = $k < 0 ? -$k : $k; if (v > size[k]) size[k] = v
    }
}
END {
    for (k = 1; k <= n; k++)
        if (!(miss[k] <= tol*size[k] + 1e-300)) { print name ": " head[k] " differs by " miss[k] ", size " size[k]; bad = 1 }
    exit bad || NR < (few ? 2 : 10)
}
