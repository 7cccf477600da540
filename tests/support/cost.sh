# What a run costs.  Sourced by tests/cli/cost_*.sh, which store the counts: a change that makes runs longer, or other
# than they were, is to be seen there.  Counts within a tenth of the stored ones pass: rounding differs between machines.
# usage: cost MODEL ... [-- OPTIONS]
# prints model, status, steps, rejected, evaluations, Jacobians, factorizations, and the exponent of the estimated error
cost() {
    local models=() model
    while [ $# -gt 0 ] && [ "$1" != -- ]; do models+=("$1"); shift; done
    [ $# -gt 0 ] && shift
    for model in "${models[@]}"; do
        "$REGULA" solve "$model" --json "$@" 2> /dev/null | awk -v name="$(basename "$model" .rg)" -v options="$*" '
            function value(key, text) {
                if (!match($0, "\"" key "\": [^,}]*")) return "none"
                text = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
                gsub(/"/, "", text)
                return text
            }
            /"status"/ {
                e = value("estimate")
                e = e + 0 > 0 ? sprintf("%.1f", log(e) / log(10)) : "none"
                print name, options, value("status"), value("steps"), value("rejected"), value("evaluations"),
                    value("jacobians"), value("factorizations"), e
            }'
    done
}
