#!/usr/bin/env bash
# Puts `tile` on PATH, as $INPUT_VERSION says: built from the sources of this action into the folder $BUILD, the one that
# is installed, or a release below the address $RELEASES. Outputs `reports`, an empty folder for step.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# fail MESSAGE: ends with an annotation.
fail() {
    local message=${1//'%'/%25}
    message=${message//$'\r'/%0D}
    message=${message//$'\n'/%0A}
    printf '::error title=tile::%s\n' "$message"
    exit 1
}

suffix=''
[ "$RUNNER_OS" != Windows ] || suffix=.exe

# build: sets `folder` to that of the program, which exists already if the cache had it.
build() {
    folder=$BUILD
    [ ! -x "$folder/tile$suffix" ] || return 0
    command -v cargo >/dev/null ||
        fail 'building tile needs Rust, which is not installed; set the input `version` to download a release'
    # Flags for the repository that uses this action do not apply.
    (cd "$GITHUB_ACTION_PATH" &&
        env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS -u CARGO_BUILD_TARGET CARGO_TARGET_DIR="$folder-target" \
            cargo build --release --locked --package tile --bin tile)
    mkdir -p "$folder"
    cp "$folder-target/release/tile$suffix" "$folder"
}

# target: prints the name of this platform in a release.
target() {
    case $RUNNER_OS-$RUNNER_ARCH in
    Linux-X64) echo x86_64-unknown-linux-gnu ;;
    Linux-ARM64) echo aarch64-unknown-linux-gnu ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    Windows-X64) echo x86_64-pc-windows-msvc ;;
    esac
}

# download RELEASE: downloads the archive for this platform, and sets `folder` to that of the program. RELEASE is a path
# below $RELEASES.
download() {
    local platform sums archive
    platform=$(target)
    [ -n "$platform" ] || fail "no release has a program for $RUNNER_OS-$RUNNER_ARCH; leave out the input \`version\`"
    folder=$(mktemp -d "$RUNNER_TEMP/tile.XXXXXX")
    sums=$(get "$1/SHA256SUMS" "$folder/SHA256SUMS" && grep -E "  tile-[0-9.]+-$platform\.(tar\.gz|zip)$" "$folder/SHA256SUMS") ||
        fail "no release $RELEASES/$1 with a program for $platform"
    archive=${sums#*  }
    get "$1/$archive" "$folder/$archive" || fail "cannot download $RELEASES/$1/$archive"
    echo "$sums" >"$folder/SHA256SUM"
    (
        cd "$folder"
        bash "$here/sha256.sh" -c SHA256SUM || fail "$archive does not have the checksum that the release states"
        case $archive in *.zip) unzip -q "$archive" ;; *) tar -xzf "$archive" ;; esac
    )
    archive=${archive%.zip}
    folder=$folder/${archive%.tar.gz}
}

# get PATH FILE
get() { curl --fail --silent --show-error --location --retry 3 --output "$2" "$RELEASES/$1"; }

folder=''
program=tile
case $INPUT_VERSION in
'') build ;;
installed) command -v tile >/dev/null || fail 'tile is not on PATH; set the input `version` to download a release' ;;
latest) download latest/download ;;
*)
    [[ $INPUT_VERSION =~ ^v?[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
        fail "expected a version such as 1.2.3, \`latest\` or \`installed\`, found \`$INPUT_VERSION\`"
    download "download/v${INPUT_VERSION#v}"
    ;;
esac
if [ -n "$folder" ]; then
    echo "$folder" >>"$GITHUB_PATH"
    program=$folder/tile
fi
"$program" --version
echo "reports=$(mktemp -d "$RUNNER_TEMP/tile-reports.XXXXXX")" >>"$GITHUB_OUTPUT"
