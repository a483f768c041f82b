"""The files of results in `docs/benchmarks/`.

    {
      "about": "Time from an edit or a request to its answer",
      "command": "python3 lsp/benches/latency.py target/dist/tile",
      "date": "2026-11-27",
      "commit": "28473536e7d1…",
      "machine": "AMD EPYC, AVX2, 2 cores",
      "versions": {"NumPy": "2.4.6"},
      "sources": {"tile-lsp": "3c1a9b0f5d7e2468"},
      "figures": {"edit.10000": "0.41 ms"}
    }

A person writes `about`, `command`, and the names of the sources and figures; `measure` adds the rest. A figure that is
`null` is not measured yet. The figures of a file without sources do not depend on this repository, and never expire.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sources import Sources

NOT_MEASURED = "not measured"


@dataclass
class Result:
    about: str
    command: str
    date: str | None
    commit: str | None
    machine: str | None
    versions: dict[str, str]
    # The hashes by the names of the sources; `None` for one that did not exist.
    sources: dict[str, str | None]
    figures: dict[str, str | None]

    @property
    def origin(self) -> str:
        """When, where, and from which sources the figures come, as Markdown."""
        if self.date is None:
            return NOT_MEASURED
        commit = f", commit `{self.commit[:8]}`" if self.commit else ""
        return f"{self.date}{commit}, {self.environment}"

    @property
    def environment(self) -> str:
        """The machine, and the versions of other programs."""
        versions = (f"{name} {version}" for name, version in self.versions.items())
        return ", ".join([self.machine or "", *versions]) if self.machine else ", ".join(versions)

    def changed(self, sources: Sources) -> list[str]:
        """The sources that differ from those that were measured."""
        return [name for name, digest in self.sources.items() if digest is None or sources.digest(name) != digest]

    def missing(self) -> list[str]:
        """The figures that are not measured yet."""
        return [name for name, text in self.figures.items() if text is None]


def load(folder: Path) -> dict[str, Result]:
    """All results by name."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        try:
            found[path.stem] = Result(**json.loads(path.read_text(encoding="utf-8")))
        except (TypeError, ValueError) as error:
            raise SystemExit(f"benchmarks: {path.name} is not a valid result: {error}") from None
    return found


def save(folder: Path, name: str, result: Result) -> None:
    text = json.dumps(asdict(result), indent=2, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def unknown_sources(results: Mapping[str, Result], sources: Sources) -> Iterator[str]:
    """Messages about sources that do not exist (any more)."""
    for name, result in results.items():
        for source in result.sources:
            if sources.digest(source) is None:
                yield f"docs/benchmarks/{name}.json: the source `{source}` does not exist"


def stale(results: Mapping[str, Result], sources: Sources) -> Iterator[str]:
    """A message for each result that is not that of the current sources."""
    for name, result in results.items():
        changed = result.changed(sources) if result.date else []
        reasons = [f"changed since {result.date}, {(result.commit or '')[:8]}: {', '.join(changed)}"] if changed else []
        if missing := result.missing():
            reasons.append(f"not measured: {', '.join(missing)}")
        if reasons:
            yield f"{name}: {'; '.join(reasons)}"
