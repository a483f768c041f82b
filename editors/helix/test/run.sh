#!/usr/bin/env bash
# Tests the configuration in Helix, in a pseudo-terminal: run.sh [TILE]. TILE is the program to test; defaults to the
# release build. $HELIX names the Helix to test; with --require as the second argument, a missing program is a failure.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tile=${1:-$here/../../../target/release/tile}
helix=${HELIX:-hx}

skip() {
    echo "skipped: $1"
    [ "${2:-}" ] && exit 1
    exit 0
}
required=
if [ "${2:-}" = --require ]; then required=1; fi
command -v "$helix" >/dev/null || skip "no $helix on PATH" "$required"
[ -x "$tile" ] || skip "no tile program at $tile" "$required"
command -v python3 >/dev/null || skip "no python3 on PATH" "$required"
command -v cc >/dev/null || skip "no C compiler for the grammar" "$required"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
config=$scratch/home/.config/helix
mkdir -p "$config/runtime/grammars" "$config/runtime/queries" "$scratch/bin" "$scratch/work"
ln -s "$(realpath "$tile")" "$scratch/bin/tile"
cp "$here/../languages.toml" "$here/../config.toml" "$config/"
cp -r "$here/../../../grammar/queries" "$config/runtime/queries/tile"
cc -shared -fPIC -O1 -I "$here/../../../grammar/src" -o "$config/runtime/grammars/tile.so" "$here"/../../../grammar/src/{parser,scanner}.c
HELIX=$helix SCRATCH=$scratch timeout 900 python3 "$here/test.py"
