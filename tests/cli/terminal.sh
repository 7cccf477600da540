# On a terminal: lines of its width, colours unless NO_COLOR is set.  script(1) makes the terminal.
command -v script > /dev/null || exit 0
on_terminal() { script -qec "stty cols 60; $1" /dev/null < /dev/null | tr -d '\r'; }
unset NO_COLOR
export TERM=xterm
for topic in "" options compare order language grids json csv methods; do
    on_terminal "'$REGULA' help $topic" | sed 's/\x1b\[[0-9;]*m//g' \
        | awk -v topic="$topic" 'length($0) > 60 && !/^(regula|  regula|  --)/ { print topic ": " $0 }'
done
"$REGULA" example pendulum | sed 's/^0 = .*/0 = p^2 + q^2 - L^2/' > p.rg
show() { sed 's/\x1b\[1;31m/<red>/g; s/\x1b\[1;32m/<green>/g; s/\x1b\[1m/<bold>/g; s/\x1b\[0m/<plain>/g'; }
on_terminal "'$REGULA' check p.rg" | show
on_terminal "NO_COLOR=1 '$REGULA' check p.rg" | show
on_terminal "TERM=dumb '$REGULA' check p.rg" | show | head -n 1
on_terminal "'$REGULA' example" | show | grep -A 1 '^<bold>Circuits'
