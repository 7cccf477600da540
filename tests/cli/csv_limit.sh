# A file that may not grow: the partial file stays and is named.
trap '' XFSZ
ulimit -f 8
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --points 10000 --csv out.csv --quiet
status=$?
ls
exit $status
