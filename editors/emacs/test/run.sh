#!/usr/bin/env bash
# Tests tile-mode in Emacs without a display: run.sh [TILE]. TILE is the program to test; defaults to the release build.
# $EMACS names the Emacs to test, $DAPE a folder with dape.el to debug with.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tile=${1:-$here/../../../target/release/tile}
emacs=${EMACS:-emacs}
command -v "$emacs" >/dev/null || { echo "skipped: no $emacs on PATH"; exit 0; }
[ -x "$tile" ] || { echo "skipped: no tile program at $tile"; exit 0; }
tile=$(realpath "$tile")
"$emacs" --batch --eval "(progn (require 'package) (package-initialize) (require 'eglot))" 2>/dev/null || { echo "skipped: this emacs has no eglot"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" TILE="$tile" SCRATCH="$scratch"
# A user-defined machine, which is this one, and scripts in place of NVIDIA's tools, also of installed ones.
mkdir -p "$XDG_CONFIG_HOME/tile"
printf '#!/bin/sh\ntouch "%s"\nshift\nexec "%s" "$@"\n' "$scratch/used" "$tile" >"$scratch/box"
chmod +x "$scratch/box"
echo "box = '$scratch/box'" >"$XDG_CONFIG_HOME/tile/targets"
export PATH="$here/../../../vscode-extension/test/toolkit/bin:$PATH" TILE_CACHE_DIR="$scratch/cache"
timeout 900 "$emacs" --batch --eval "(progn (require 'package) (package-initialize))" -L "$here/.." ${DAPE:+-L "$DAPE"} -l "$here/test.el" -f ert-run-tests-batch-and-exit </dev/null
