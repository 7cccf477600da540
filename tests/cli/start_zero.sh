# Values that begin at 0, in units of 1 and 1e8 and 1e12, from t = 0 and from t = 1e6: every method begins with steps that
# the rounding of t allows, and ends within 1e-4 of the largest value.  From t = 1e6 only radau did.
# skips: bdf
model() { # the name, the unit, the start
    case $1 in
    source) echo "var x = 0"; echo "x' = $2*cos(t - $3)"; echo "exact x = $2*sin(t - $3)" ;;
    ramp) echo "var x = 0"; echo "x' = $2*sin(t - $3)"; echo "exact x = $2*(1 - cos(t - $3))" ;;
    push) printf '%s\n' "var x = 0, v = 0" "x' = v" "v' = $2 - x" "exact x = $2*(1 - cos(t - $3))" ;;
    signal) printf '%s\n' "var x = 0, z ~ 0" "x' = -x" "z = $2*sin(t - $3) + x" "exact z = $2*sin(t - $3)" ;;
    esac
    echo "over t = $3 .. $3 + 5"
}
for method in radau ${BDF:+bdf} gauss lobatto3a lobatto3c sdirk rosenbrock dopri extrapolation; do
    right=0
    wrong=
    for name in source ramp push signal; do
        [ "$method $name" = "dopri signal" ] && continue
        for unit in 1 1e8 1e12; do
            for start in 0 1e6; do
                model $name $unit $start > m.rg
                if "$REGULA" solve m.rg --method $method --points 6 --json 2> /dev/null > m.json \
                    && tr ',{' '\n\n' < m.json | awk -v unit=$unit '/"errors"/ { is_error = 1; next }
                        is_error { gsub(/[^0-9.e+-]/, "", $2); exit !($2 + 0 < 1e-4*unit) } END { if (!is_error) exit 1 }'
                then
                    right=$((right + 1))
                else
                    wrong="$wrong $name,$unit,$start"
                fi
            done
        done
    done
    echo "$method: $right right$wrong"
done
