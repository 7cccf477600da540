# A full disk: what was computed until then is reported, the device is not replaced.
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --csv /dev/full --quiet
status=$?
[ -c /dev/full ] && [ ! -e /dev/full.part ] || echo "the device was touched"
exit $status
