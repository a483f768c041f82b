"""version.py check VERSION: checks that all manifests and lock files have this version.
version.py cut VERSION: cuts a release: sets the version everywhere, dates the section `Unreleased` of the changelogs,
commits and tags. If a condition is not met, it changes nothing. It pushes nothing.
"""

import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The crates of this repository in a lock file.
LOCKED = r'^name = "(?:tile|tile-(?!fuzz)[a-z]+|tree-sitter-tile|zed-tile)"\nversion = "(.*)"\n(?!source)'
# The files that state the version, and where.
PLACES = {
    "Cargo.toml": r'^\[workspace\.package\]\nversion = "(.*)"$',
    "Cargo.lock": LOCKED,
    "fuzz/Cargo.lock": LOCKED,
    "grammar/package.json": r'^  "version": "(.*)",$',
    "grammar/tree-sitter.json": r'^  "metadata": \{\n    "version": "(.*)",$',
    "vscode-extension/package.json": r'^  "version": "(.*)",$',
    "vscode-extension/package-lock.json": r'^ *"name": "tile",\n *"version": "(.*)",$',
    "editors/emacs/tile-mode.el": r"^;; Version: (.*)$",
    "editors/zed/Cargo.toml": r'^version = "(.*)"$',
    "editors/zed/Cargo.lock": LOCKED,
    "editors/zed/extension.toml": r'^version = "(.*)"$',
}
CHANGELOGS = ["CHANGELOG.md", "vscode-extension/CHANGELOG.md"]
UNRELEASED = "## Unreleased"


def fail(message: str) -> None:
    sys.exit(f"release: {message}")


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"`git {' '.join(arguments)}` fails: {done.stderr.strip()}")
    return done.stdout.strip()


def read(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def check(version: str) -> None:
    for file, place in PLACES.items():
        stated = re.findall(place, read(file), re.MULTILINE)
        if set(stated) != {version}:
            fail(f"expected version {version} in {file}, found {', '.join(sorted(set(stated))) or 'none'}")


def with_version(file: str, version: str) -> str:
    def replaced(match: re.Match) -> str:
        start, end = (at - match.start() for at in match.span(1))
        return match[0][:start] + version + match[0][end:]

    return re.sub(PLACES[file], replaced, read(file), flags=re.MULTILINE)


def with_date(file: str, version: str) -> str:
    """A changelog whose first section, `Unreleased`, is that of the version."""
    text = read(file)
    first, _, rest = text.partition("\n## ")[2].partition("\n")
    if f"## {first}" != UNRELEASED:
        fail(f"expected the section `{UNRELEASED}` first in {file}, found `## {first}`")
    if not rest.partition("\n## ")[0].strip():
        fail(f"the section `{UNRELEASED}` in {file} is empty")
    return text.replace(UNRELEASED, f"## {version} - {datetime.date.today()}", 1)


def cut(version: str) -> None:
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        fail(f"expected a version such as 1.2.3, found `{version}`")
    current = re.search(PLACES["Cargo.toml"], read("Cargo.toml"), re.MULTILINE)[1]
    check(current)
    number = lambda text: [int(part) for part in text.split(".")]
    # The first release has the version that the manifests state already.
    if number(version) < number(current):
        fail(f"version {version} is lower than {current}, which Cargo.toml states")
    tag = f"v{version}"
    if git("tag", "--list", tag):
        fail(f"the tag {tag} exists already")
    branch = git("rev-parse", "--abbrev-ref", "HEAD")
    if branch != "main":
        fail(f"releases are cut on the branch main, not on {branch}")
    if changed := git("status", "--porcelain"):
        fail(f"the working tree has changes:\n{changed}")
    benchmarks = [sys.executable, ROOT / ".ci/benchmarks", "check", "--release"]
    done = subprocess.run(benchmarks, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        fail(f"the benchmarks are not current:\n{done.stderr.strip()}")
    git("var", "GIT_COMMITTER_IDENT")
    new = {file: with_version(file, version) for file in PLACES}
    new |= {file: with_date(file, version) for file in CHANGELOGS}

    for file, text in new.items():
        (ROOT / file).write_text(text, encoding="utf-8", newline="\n")
    check(version)
    git("commit", "--all", "--message", f"Release {version}")
    git("tag", "--annotate", tag, "--message", f"tile {version}")
    print(f"release {version} is committed and tagged; to publish it:\n  git push --atomic origin main {tag}")


match sys.argv[1:]:
    case ["check", version]:
        check(version)
    case ["cut", version]:
        cut(version)
    case _:
        fail("expected `check VERSION` or `cut VERSION`")
