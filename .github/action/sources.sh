#!/usr/bin/env bash
# Identifies the program that the sources of this action build here. Outputs `key`, for the cache, and `folder`, where
# the cache or install.sh puts it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$GITHUB_ACTION_PATH"

# A downloaded action has no history, so the files identify the revision.
hash=$(find . \( -name .git -o -name target -o -name node_modules \) -prune -o -type f -print0 | LC_ALL=C sort -z |
    xargs -0 bash "$here/sha256.sh" | bash "$here/sha256.sh" | cut -c 1-32)
# A program for a newer C library does not start with an older one.
library=$(getconf GNU_LIBC_VERSION 2>/dev/null | tr ' ' - || true)
{
    echo "key=tile-$RUNNER_OS-$RUNNER_ARCH-$library-$hash"
    echo "folder=$RUNNER_TEMP/tile-$hash"
} >>"$GITHUB_OUTPUT"
