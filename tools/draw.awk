# Draws columns of a CSV file over the first one as SVG, one panel for each, and points of a second file with the same header.
# usage: awk -f tools/draw.awk -v title=TEXT -v note=TEXT -v limits="a:b,a:b,..." -v ticks="s,s,..." CURVES.csv POINTS.csv
#        [-v lines="y,y,..."]     dashed lines across the first panel
#        [-v overlay=1]           all columns in one panel
# limits and ticks: the range and the distance of marks of each panel, the first one for the axis to the right.
# Panels stand one above the other; a curve in a column named "x (reference)" is drawn broad and grey, below the other, in the panel of "x".
BEGIN {
    FS = ","
    width = 760; left = 62; right = 18; top = 38; gap = 26; bottom = 62
    n_limits = split(limits, limit, ",")
    split(ticks, tick, ",")
    split("#1f4e79,#a23b2a,#2f6b3c,#6b4a8a", colour, ",")
}
FNR == 1 {
    file++
    if (file == 1) for (k = 2; k <= NF; k++) {
        name = header[k] = $k
        thin[k] = sub(/ \(reference\)$/, "", name)
        if (overlay) { panel[k] = n_panels = 1; continue }
        if (!(name in panel_of)) { panel_of[name] = ++n_panels; label[n_panels] = name }
        panel[k] = panel_of[name]
    }
    if (file == 1) { time_name = $1; n_columns = NF }
    next
}
file == 1 { n++; t[n] = $1; for (k = 2; k <= NF; k++) y[n, k] = $k }
file == 2 { m++; pt[m] = $1; for (k = 2; k <= NF; k++) py[m, k] = $k }

function right_of(value) { return left + (value - low[0]) / (high[0] - low[0]) * (width - left - right) }
function down_of(p, value) { return base[p] - (value - low[p]) / (high[p] - low[p]) * height }
function mark(value, step) { # no more digits than the distance of the marks has, a true minus sign
    value = sprintf("%.10g", int(value / step + (value < 0 ? -0.5 : 0.5)) * step)
    sub(/^-/, "\342\210\222", value)
    return value
}
function axis(p,   v, step, d) {
    printf "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" class=\"frame\"/>\n", left, base[p] - height, width - left - right, height
    step = tick[p + 1]
    for (v = step * int(low[p] / step + (low[p] > 0 ? 0.999999 : 0)); v <= high[p] + 1e-9 * step; v += step) {
        d = down_of(p, v)
        printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", \
            left, width - right, d, d, left - 7, d + 4, mark(v, step)
    }
    for (v = low[0]; v <= high[0] + 1e-9 * tick[1]; v += tick[1]) {
        d = right_of(v)
        printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", d, d, base[p] - height, base[p]
        if (p == n_panels) printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", d, base[p] + 17, mark(v, tick[1])
    }
    printf "<text x=\"%d\" y=\"%.1f\" class=\"label\" fill=\"%s\">%s</text>\n", left, base[p] - height - 6, colour[(p - 1) % 4 + 1], label[p]
}
function colour_of(k) { return colour[((overlay ? k - 1 : panel[k]) - 1) % 4 + 1] }
function legend(   k, d) {
    for (k = 2; k <= n_columns; k++) {
        d = left + (k - 2) * 130
        printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"%s/><text x=\"%d\" y=\"%.1f\">%s</text>\n", \
            d, d + 22, base[1] - height - 10, base[1] - height - 10, colour_of(k), dash(k), d + 28, base[1] - height - 6, header[k]
    }
}
function dash(k) { return overlay && k == n_columns ? " stroke-dasharray=\"6 4\"" : "" }
function curve(k,   i, d) {
    printf "<polyline class=\"%s\" %s points=\"", (thin[k] ? "thin" : "curve"), (thin[k] ? "" : "stroke=\"" colour_of(k) "\"" dash(k))
    for (i = 1; i <= n; i++) if (t[i] >= low[0] && t[i] <= high[0]) printf "%s%.1f,%.1f", (i == 1 ? "" : " "), right_of(t[i]), down_of(panel[k], y[i, k])
    print "\"/>"
}
function points(k,   i) {
    for (i = 1; i <= m; i++) if (pt[i] >= low[0] && pt[i] <= high[0] && py[i, k] != "")
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" class=\"point\"/>\n", right_of(pt[i]), down_of(panel[k], py[i, k])
}
END {
    height = n_panels == 1 ? 300 : 112
    for (p = 0; p <= n_panels; p++) {
        split(limit[p + 1], ends, ":")
        low[p] = ends[1] + 0; high[p] = ends[2] + 0
        base[p] = top + 20 + p * height + (p - 1) * gap
    }
    total = base[n_panels] + bottom
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n", width, total, width, total
    print "<style>.frame{fill:none;stroke:#888}.grid{stroke:#e4e4e4}.curve{fill:none;stroke-width:1.3}.thin{fill:none;stroke:#bbb;stroke-width:3}.dashed{stroke:#a23b2a;stroke-dasharray:5 4}.point{fill:#fff;stroke:#222;stroke-width:1}.label{font-weight:bold}</style>"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"24\" font-size=\"15\" fill=\"#111\">%s</text>\n", width, total, left, title
    for (p = 1; p <= n_panels; p++) axis(p)
    if (overlay) legend()
    n_lines = split(lines, line, ",")
    for (k = 1; k <= n_lines; k++)
        printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"dashed\"/>\n", left, width - right, down_of(1, line[k]), down_of(1, line[k])
    for (k = 2; k <= n_columns; k++) if (thin[k]) curve(k)
    for (k = 2; k <= n_columns; k++) if (!thin[k]) curve(k)
    for (k = 2; k <= n_columns; k++) if (!thin[k]) points(k)
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", (left + width - right) / 2, base[n_panels] + 34, time_name
    printf "<text x=\"%d\" y=\"%d\" fill=\"#666\" font-size=\"11\">%s</text>\n</svg>\n", left, total - 9, note
}
