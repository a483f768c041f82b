"""The sources that a result measures, and their hashes.

A source has one of these names:

- `tile-engine`: `src/` and `build.rs` of this package, without its tests.
- `tile-engine:benches/kernels`: a file or folder of this package.
- `tile+dependencies`: this package and all packages of the workspace that it depends on.
- `examples/tuned`: a file or folder of the repository.

A hash covers the contents of the files and their paths inside the package, so that it stays the same when a package
moves to another folder. Manifests are not part of it: they change with every version and with the lints, and moving a
package changes their paths. So a hash does not notice a new version of another crate, or other compiler options.
"""

import glob
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

# The sources of a package. Tests in them do not change what is measured.
MEASURED = ["src", "build.rs"]
TESTS = {"tests", "tests.rs", "snapshots"}
WITH_DEPENDENCIES = "+dependencies"
DEPENDENCIES = re.compile(r"^\[(?:target\..*\.)?(?:build-)?dependencies\]$")


class UnknownSource(Exception):
    """A name that matches no file."""


class Sources:
    """The sources of a checkout."""

    def __init__(self, root: Path):
        self.root = root
        self.packages = dict(_packages(root))
        # A result file names few sources, but many files name the same ones.
        self.digest = lru_cache(maxsize=None)(self._digest)

    def _digest(self, source: str) -> str | None:
        """The hash of a source, or `None` if it does not exist."""
        sums = hashlib.sha256()
        found = False
        for name, path, content in self._files(source):
            found = True
            sums.update(f"{name}/{path}\0{len(content)}\0".encode())
            sums.update(content)
        return sums.hexdigest()[:16] if found else None

    def _files(self, source: str) -> Iterator[tuple[str, str, bytes]]:
        """The package, the path inside it, and the content of each file of a source. A file of no package has an empty
        name."""
        package, _, inside = source.partition(":")
        if inside:
            yield from self._within(package, [inside], set())
        elif source.endswith(WITH_DEPENDENCIES):
            for name in sorted(self._closure(source.removesuffix(WITH_DEPENDENCIES))):
                yield from self._within(name, MEASURED, TESTS)
        elif "/" in source:
            yield from (("", *file) for file in _read(self.root, [source], set()))
        else:
            yield from self._within(source, MEASURED, TESTS)

    def _within(self, package: str, parts: list[str], skipped: set[str]) -> Iterator[tuple[str, str, bytes]]:
        if package in self.packages:
            yield from ((package, *file) for file in _read(self.packages[package], parts, skipped))

    def _closure(self, package: str) -> set[str]:
        """A package and the packages of the workspace that it depends on."""
        found: set[str] = set()
        waiting = [package]
        while waiting:
            name = waiting.pop()
            if name in self.packages and name not in found:
                found.add(name)
                waiting += _dependencies((self.packages[name] / "Cargo.toml").read_text(encoding="utf-8"))
        return found


def _packages(root: Path) -> Iterator[tuple[str, Path]]:
    """The packages of the workspace by name."""
    manifest = (root / "Cargo.toml").read_text(encoding="utf-8")
    members = re.search(r"^members = \[(.*?)\]", manifest, re.MULTILINE | re.DOTALL)
    for member in re.findall(r'"([^"]+)"', members[1] if members else ""):
        for folder in sorted(glob.glob(member, root_dir=root)):
            path = root / folder / "Cargo.toml"
            # A folder of crates can contain other files.
            if path.exists():
                name = re.search(r'^name = "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
                if name:
                    yield name[1], root / folder


def _dependencies(manifest: str) -> Iterator[str]:
    """The names in the tables of dependencies of a manifest, without those for tests."""
    is_inside = False
    for line in manifest.splitlines():
        if line.startswith("["):
            is_inside = bool(DEPENDENCIES.match(line.strip()))
        elif is_inside and (name := re.match(r"[\w-]+", line)):
            yield name[0]


def _read(folder: Path, parts: list[str], skipped: set[str]) -> Iterator[tuple[str, bytes]]:
    """The path inside the folder and the content of each file, in the order of the paths."""
    files = []
    for part in parts:
        path = folder / part
        files += [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    for file in sorted(files, key=lambda file: file.relative_to(folder).as_posix()):
        inside = file.relative_to(folder)
        # Left by tools: compiled Python, and snapshots that nobody has accepted.
        if not skipped.intersection(inside.parts) and "__pycache__" not in inside.parts and file.suffix != ".new":
            yield inside.as_posix(), file.read_bytes()
