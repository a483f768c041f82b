"""sbom.py TARGET…: prints the software bill of materials of a release for these platforms, as CycloneDX JSON.

Lists the crates in the programs `tile` and `tile-fmt` and in the Python package, from `cargo tree` and Cargo.lock, and the npm packages in the
VS Code extension, from its lock file. Contains no time and no path, so that a commit always has the same list.
"""

import base64
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent


def component(kind: str, reference: str, name: str, version: str, license: str) -> dict:
    """A component; `reference` is its package URL if a registry has it."""
    # Crates write `MIT/Apache-2.0` for `MIT OR Apache-2.0`.
    licenses = [{"expression": re.sub(r"\s*/\s*", " OR ", license)}]
    found = {"type": kind, "bom-ref": reference, "name": name, "version": version, "licenses": licenses}
    return found | ({"purl": reference} if reference.startswith("pkg:") else {})


def crates(targets: list[str]) -> tuple[list[dict], dict[str, set[str]]]:
    """The crates of the programs and the Python package, the first of which is `tile`, and what they depend on."""
    command = ["cargo", "tree", "--locked", "--package", "tile", "--package", "tile-python"]
    command += ["--edges", "normal", "--prefix", "depth", "--format", "|{p}|{l}"]
    command += [f"--target={target}" for target in targets]
    tree = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    components, edges, path = {}, {}, []
    for line in filter(None, tree.splitlines()):
        depth, package, license = line.split("|")
        name, version = package.split()[:2]
        version = version.removeprefix("v")
        checksum = checksums[name, version]
        reference = f"pkg:cargo/{name}@{version}" if checksum else f"{name}@{version}"
        if reference not in components:
            kind = "library" if path else "application"
            # `(*)` marks a crate whose dependencies were listed before.
            components[reference] = component(kind, reference, name, version, license.removesuffix(" (*)"))
            if checksum:
                components[reference]["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        path[int(depth) :] = [reference]
        edges.setdefault(reference, set())
        if len(path) > 1:
            edges[path[-2]].add(reference)
    return list(components.values()), edges


def packages() -> tuple[list[dict], dict[str, set[str]]]:
    """The extension and the npm packages in it, and what they depend on."""
    lock = json.loads((ROOT / "vscode-extension/package-lock.json").read_text())["packages"]
    components, edges = {}, {}

    def reference(path: str) -> str:
        name = path.rpartition("node_modules/")[2]
        return f"pkg:npm/{quote(name)}@{lock[path]['version']}" if path else f"vscode-extension@{lock['']['version']}"

    def found(name: str, user: str) -> str:
        """Where Node finds a package: in the folder of its user or in one above it."""
        while (path := f"{user}/node_modules/{name}".lstrip("/")) not in lock:
            if not user:
                sys.exit(f"sbom.py: package-lock.json has no `{name}`; run `npm install` in vscode-extension")
            user = user.rpartition("node_modules/")[0].rstrip("/")
        return path

    for path, package in lock.items():
        if package.get("dev"):
            continue
        name = path.rpartition("node_modules/")[2] or "vscode-extension"
        kind = "library" if path else "application"
        # A package in two places is listed once.
        listed = component(kind, reference(path), name, package["version"], package["license"])
        components[reference(path)] = listed
        if path:
            algorithm, _, content = package["integrity"].partition("-")
            hashes = [{"alg": algorithm.replace("sha", "SHA-"), "content": base64.b64decode(content).hex()}]
            listed["hashes"] = hashes
        edges[reference(path)] = {reference(found(name, path)) for name in package.get("dependencies", {})}
    return list(components.values()), edges


(tile, *libraries), edges = crates(sys.argv[1:])
extension, edges_of_extension = packages()
edges |= edges_of_extension
bill = {
    "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "version": 1,
    "metadata": {"component": tile},
    "components": sorted(libraries + extension, key=lambda found: found["bom-ref"]),
    "dependencies": [{"ref": user, "dependsOn": sorted(used)} for user, used in sorted(edges.items())],
}
print(json.dumps(bill, indent=2))
