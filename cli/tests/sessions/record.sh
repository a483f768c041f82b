#!/bin/sh
# Records the sessions that need a GPU, on a machine that has one: record.sh TILE FOLDER. Then, where the tests can be built:
#   TILE_RECORD=1 TILE_RECORDED=FOLDER cargo test -p tile --test sessions
tile=$(realpath "$1"); mkdir -p "$2"; to=$(realpath "$2")
cd "$(dirname "$0")" || exit 2
for session in cuda-*.session; do
  name=${session%.session}
  case $name in cuda-no-driver | cuda-crash) continue ;; esac
  # The arguments of a session hold no blanks.
  set -- $(sed -n 's/^\$ tile //p' "$session")
  echo "== $name: $*"
  "$tile" "$@" --launcher "sh '$PWD/tee.sh' '$to/$name.sent' '$to/$name.said' '$tile'"
done
