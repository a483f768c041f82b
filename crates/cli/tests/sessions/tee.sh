#!/bin/sh
# A launcher that records the messages between a worker and its caller: tee.sh SENT RECEIVED TILE, before `tile worker`. Each
# message is recorded before it is passed on, because the caller can kill the launcher as soon as a job ends.
tee "$1" | "$3" worker | { tee /dev/fd/4 > "$2"; } 4>&1
