"""check_dist.py DIST VERSION HOST KIND TARGET:VSIX…: checks that the folder DIST contains all files for these platforms,
if KIND is `release` also the site, the bill of materials and the checksums, and no other file. Starts the programs for the
platform HOST. `-` as VSIX stands for no VS Code package.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
dist, version, host, kind, *platforms = sys.argv[1:]
dist = Path(dist)
documents = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]
manual = ["man/tile.1", "man/tile-fmt.1", "completions/tile.bash", "completions/_tile", "completions/tile.fish"]
# The tags of the wheels, by target.
wheels = {
    "x86_64-unknown-linux-gnu": "manylinux*_x86_64",
    "aarch64-unknown-linux-gnu": "manylinux*_aarch64",
    "x86_64-apple-darwin": "macosx_*_x86_64",
    "aarch64-apple-darwin": "macosx_*_arm64",
    "x86_64-pc-windows-msvc": "win_amd64",
}
expected = set()


def fail(message: str) -> None:
    sys.exit(f"release: {message}")


def file(pattern: str) -> Path:
    """The only file whose name matches a pattern."""
    found = [path for path in dist.iterdir() if fnmatch(path.name, pattern)]
    if len(found) != 1:
        fail(f"expected one file {pattern}, found {len(found)}")
    expected.add(found[0].name)
    return found[0]


def contents(archive: Path) -> dict[str, bytes]:
    if archive.name.endswith(".tar.gz"):
        with tarfile.open(archive) as packed:
            return {member.name: packed.extractfile(member).read() for member in packed if member.isfile()}
    with zipfile.ZipFile(archive) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def require(archive: Path, files: dict[str, bytes], names: list[str]) -> None:
    for name in names:
        if not files.get(name):
            fail(f"{archive.name} has no {name}")


def start(archive: Path, programs: dict[str, bytes]) -> None:
    """Starts the programs of an archive, which must state the version and run a kernel."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in programs.items():
            program = Path(folder, name)
            program.write_bytes(content)
            program.chmod(0o755)
            stated = run(program, "--version")
            if stated != f"{program.stem} {version}\n":
                fail(f"{name} in {archive.name} states the version `{stated.strip()}`")
        run(Path(folder, next(iter(programs))), "run", ROOT / "examples/hello_grid.tile")


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


for platform in platforms:
    target, vsix = platform.split(":")
    suffix, extension = (".exe", "zip") if "windows" in target else ("", "tar.gz")
    programs = [f"tile{suffix}", f"tile-fmt{suffix}"]

    name = f"tile-{version}-{target}"
    archive = file(f"{name}.{extension}")
    files = contents(archive)
    require(archive, files, [f"{name}/{path}" for path in programs + documents + manual])
    packed = {program: files[f"{name}/{program}"] for program in programs}

    wheel = file(f"tile_ir-{version}-cp310-abi3-{wheels[target]}.whl")
    files = contents(wheel)
    scripts = f"tile_ir-{version}.data/scripts"
    module = "tile_ir/_native.pyd" if suffix else "tile_ir/_native.abi3.so"
    require(wheel, files, [f"{scripts}/{program}" for program in programs] + ["tile_ir/__init__.py", module])
    for name in ["tile_ir/py.typed", "tile_ir/_native.pyi"]:
        if name not in files:
            fail(f"{wheel.name} has no {name}")
    installed = {program: files[f"{scripts}/{program}"] for program in programs}

    if vsix != "-":
        package = file(f"tile-{version}-{vsix}.vsix")
        files = contents(package)
        require(package, files, ["extension/package.json", "extension/dist/extension.js", "extension.vsixmanifest"])
        if files.get(f"extension/server/tile{suffix}") != packed[programs[0]]:
            fail(f"{package.name} does not contain the program of {archive.name}")
        stated = json.loads(files["extension/package.json"])["version"]
        if stated != version or f'TargetPlatform="{vsix}"' not in files["extension.vsixmanifest"].decode():
            fail(f"{package.name} has version {stated}, or is for another platform")

    if target == host:
        start(archive, packed)
        start(wheel, installed)

if kind == "release":
    site = file(f"tile-{version}-site.tar.gz")
    name = f"tile-{version}-site"
    require(site, contents(site), [f"{name}/index.html", f"{name}/book/index.html", f"{name}/book/reference/ops.html", f"{name}/playground/engine.bin"])

    bill = file(f"tile-{version}.cdx.json")
    component = json.loads(bill.read_bytes())["metadata"]["component"]
    if (component["name"], component["version"]) != ("tile", version):
        fail(f"{bill.name} describes {component['name']} {component['version']}")

    listed = {}
    for line in file("SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        listed[name] = digest
    for name in sorted(expected - {"SHA256SUMS"}):
        if listed.pop(name, None) != hashlib.sha256((dist / name).read_bytes()).hexdigest():
            fail(f"SHA256SUMS does not list {name} with its checksum")
    if listed:
        fail(f"SHA256SUMS lists other files: {', '.join(listed)}")

others = {path.name for path in dist.iterdir()} - expected
if others:
    fail(f"not part of a release: {', '.join(sorted(others))}")
print(f"complete: {len(expected)} files")
