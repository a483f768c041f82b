"""The committed values, and how a run is compared with them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Costs = dict[str, int]

# How much more than its value a cost may be, and how much less it may be without a remark, in percent.
LIMIT, REMARK = 3, 10
# How much more it may be in any case. Whether a thread waits for another one, or finds it ready, is a matter of a few
# thousand instructions, which is more than 3 % of a small request.
SLACK = {"instructions": 10_000}
NAMES = {
    "instructions": "instructions",
    "bytes_allocated": "bytes allocated",
    "peak_bytes": "peak bytes in use",
    "bytes_in_use": "bytes in use",
    "bytes_sent": "bytes sent",
}
# Costs for which each increase counts.
EXACT = {"folders"}


@dataclass
class Table:
    """What was counted, the machine on which, and why costs were accepted, by row."""

    machine: dict[str, str]
    rows: dict[str, Costs]
    reasons: dict[str, str]

    @staticmethod
    def read(path: Path) -> Table:
        """Reads the file. Without one, the table is empty."""
        if not path.exists():
            return Table({}, {}, {})
        data: dict[str, Any] = json.loads(path.read_text())
        rows = {row: {metric: n for metric, n in kept.items() if metric != "reason"} for row, kept in data["rows"].items()}
        return Table(data["machine"], rows, {row: kept["reason"] for row, kept in data["rows"].items()})

    def write(self, path: Path) -> None:
        """Writes the file, with a line for each row, so that a diff shows which rows change."""
        rows = [
            f"    {json.dumps(row)}: {json.dumps({**costs, 'reason': self.reasons[row]}, ensure_ascii=False)}"
            for row, costs in sorted(self.rows.items(), key=lambda item: natural(item[0]))
        ]
        machine = json.dumps(self.machine)
        path.write_text(f'{{\n  "machine": {machine},\n  "rows": {{\n' + ",\n".join(rows) + "\n  }\n}\n")


def natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts 1k before 10k before 100k."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


@dataclass
class Comparison:
    """The differences between the table and a run, as lines to print."""

    failures: list[str]
    remarks: list[str]
    # The rows that accepting changes.
    changed: set[str]


def percent(before: int, after: int) -> str:
    change = 100 * (after - before) / before if before else float("inf")
    return f"{change:+.1f} %" if abs(change) < 100 else f"{change:+.0f} %"


def compare(kept: dict[str, Costs], found: dict[str, Costs], expected: set[str]) -> Comparison:
    """Compares the rows of the table with those of a run that should have found the rows `expected`."""
    result = Comparison([], [], set())

    def add(lines: list[str], row: str, text: str) -> None:
        lines.append(f"{row}: {text}")
        result.changed.add(row)

    for row in sorted(expected | set(found), key=natural):
        if row not in found:
            add(result.failures, row, "is in the table, but was not measured")
            continue
        if row not in kept:
            add(result.failures, row, "is not in the table")
            continue
        for metric in sorted(set(kept[row]) | set(found[row])):
            name = NAMES.get(metric, metric)
            if metric not in found[row]:
                add(result.failures, row, f"{name}: are in the table, but were not measured")
                continue
            if metric not in kept[row]:
                add(result.failures, row, f"{name}: are not in the table")
                continue
            before, after = kept[row][metric], found[row][metric]
            text = f"{name} {before:,} -> {after:,} ({percent(before, after)})"
            limit = 0 if metric in EXACT else LIMIT
            if after * 100 > before * (100 + limit) and after > before + SLACK.get(metric, 0):
                add(result.failures, row, text)
            elif after * 100 < before * (100 - REMARK) or (metric in EXACT and after < before):
                add(result.remarks, row, text)
    return result


def accept(table: Table, found: dict[str, Costs], rows: set[str], reason: str, machine: dict[str, str]) -> None:
    """Replaces the values of these rows by those of a run. Rows that were not measured are removed."""
    for row in rows:
        if row in found:
            table.rows[row], table.reasons[row] = found[row], reason
        else:
            table.rows.pop(row, None)
            table.reasons.pop(row, None)
    table.machine = machine
