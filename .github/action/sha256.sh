#!/usr/bin/env bash
# sha256sum, also on macOS.
set -euo pipefail
if command -v sha256sum >/dev/null; then exec sha256sum "$@"; else exec shasum -a 256 "$@"; fi
