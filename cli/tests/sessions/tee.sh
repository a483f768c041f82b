#!/bin/sh
# A launcher that keeps what a worker and its caller say: tee.sh SENT SAID TILE, before `tile worker`. What is said is kept
# before it is passed on: whoever hears the end of a job may kill all this at once.
tee "$1" | "$3" worker | { tee /dev/fd/4 > "$2"; } 4>&1
