# Ctrl-C: exit 130; the rows until then are in out.csv.part, and a complete file of an earlier run stays.
. "$(dirname "$0")/../support/stop.sh"
stopped INT
