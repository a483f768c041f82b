#!/usr/bin/env bash
# Tests the extension without Zed, which no package registry provides: builds the extension and the grammar as Zed does,
# and uses the results as Zed does.
# run.sh [TILE]: TILE is the program to test; defaults to the release build. $WASM names a folder created by .ci/wasm,
# $TILE_EDITOR_CACHE a folder for Node's packages; with --require as the second argument, a missing program is a failure.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tile=${1:-$here/../../../target/release/tile}
grammar=$here/../../../grammar

skip() {
    echo "skipped: $1"
    [ "${2:-}" ] && exit 1
    exit 0
}
required=
if [ "${2:-}" = --require ]; then required=1; fi
[ -x "$tile" ] || skip "no tile program at $tile" "$required"
[ -x "${WASM:-}/cargo-wasm" ] || skip "\$WASM is not a folder created by .ci/wasm" "$required"
command -v npm >/dev/null || skip "no npm on PATH" "$required"

modules=${TILE_EDITOR_CACHE:-${HOME:-/root}/.cache/tile-editors}/zed
jco=1.35.0 tree_sitter=0.27.1 smol_toml=1.9.1
if [ "$(cat "$modules/complete" 2>/dev/null)" != "$jco $tree_sitter $smol_toml" ]; then
    mkdir -p "$modules"
    npm install --prefix "$modules" --no-save --ignore-scripts --silent "@bytecodealliance/jco@$jco" "web-tree-sitter@$tree_sitter" "smol-toml@$smol_toml"
    echo "$jco $tree_sitter $smol_toml" >"$modules/complete"
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$WASM/cargo-wasm" --quiet --locked --release --manifest-path "$here/../Cargo.toml" --target-dir "$modules/target"
cp "$modules/target/wasm32-wasip2/release/zed_tile.wasm" "$scratch/extension.wasm"
"$WASM/grammar-wasm" tile "$scratch/tile.wasm" "$grammar/src/parser.c" "$grammar/src/scanner.c"
"$modules/node_modules/.bin/jco" transpile "$scratch/extension.wasm" --quiet --instantiation async -o "$scratch/extension"
ln -s "$modules/node_modules" "$scratch/node_modules"
cp "$here"/*.mjs "$scratch/"
ZED=$(realpath "$here/..") TILE=$(realpath "$tile") SCRATCH=$scratch timeout 900 node --test "$scratch/"*.test.mjs
