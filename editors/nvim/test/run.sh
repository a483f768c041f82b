#!/usr/bin/env bash
# Tests the plugin in a headless Neovim: run.sh [TILE]. TILE is the program to test; defaults to the release build.
# $NVIM names the Neovim to test, $NVIM_DAP a folder with nvim-dap to debug with; with --require as the second argument,
# a missing program is a failure.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tile=${1:-$here/../../../target/release/tile}
nvim=${NVIM:-nvim}

skip() {
    echo "skipped: $1"
    [ "${required:-}" ] && exit 1
    exit 0
}
if [ "${2:-}" = --require ]; then required=1; fi
command -v "$nvim" >/dev/null || skip "no $nvim on PATH"
[ -x "$tile" ] || skip "no tile program at $tile"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# A separate home keeps the user's configuration and state out of the test.
export HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" XDG_DATA_HOME="$scratch/data" XDG_STATE_HOME="$scratch/state" XDG_CACHE_HOME="$scratch/cache"
# The parser of the repository's grammar, if there is a C compiler.
parser=()
if command -v cc >/dev/null; then
    mkdir -p "$scratch/site/parser"
    cc -shared -fPIC -O1 -I "$here/../../../grammar/src" -o "$scratch/site/parser/tile.so" "$here"/../../../grammar/src/{parser,scanner}.c
    parser=(--cmd "set runtimepath+=$scratch/site")
    export TILE_PARSER=1
fi
# A user-defined machine, which is this one, and scripts in place of NVIDIA's tools, also of installed ones.
mkdir -p "$XDG_CONFIG_HOME/tile"
printf '#!/bin/sh\ntouch "%s"\nshift\nexec "%s" "$@"\n' "$scratch/used" "$(realpath "$tile")" >"$scratch/box"
chmod +x "$scratch/box"
echo "box = '$scratch/box'" >"$XDG_CONFIG_HOME/tile/targets"
export PATH="$here/../../../vscode-extension/test/toolkit/bin:$PATH" TILE_CACHE_DIR="$scratch/cache"
dap=()
if [ -n "${NVIM_DAP:-}" ]; then dap=(--cmd "set runtimepath+=$NVIM_DAP"); fi
TILE=$(realpath "$tile") SCRATCH="$scratch" timeout 900 "$nvim" --headless --clean -i NONE -n \
    --cmd "set runtimepath^=$(dirname "$here")" "${parser[@]}" "${dap[@]}" -c "luafile $here/test.lua" </dev/null
