# A polite kill acts like Ctrl-C (interrupted.sh).
. "$(dirname "$0")/../support/stop.sh"
stopped TERM
