"""How notebooks show programs, diagnostics and reports."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from ._diagnostics import Diagnostic
    from ._program import Program
    from ._report import OpCost, Report

#: Colors with a contrast of at least 4.5 on white and on dark backgrounds, chosen by the notebook's color scheme.
STYLE = """<style>
.tile-ir pre { margin: 0; line-height: 1.35; font-family: monospace; white-space: pre; overflow-x: auto; }
.tile-ir { --op: #7a3e9d; --type: #0b6e75; --number: #9a5700; --string: #3b7a1a; --comment: #6a6a6a; --name: #1a56b0; }
@media (prefers-color-scheme: dark) { .tile-ir { --op: #c792ea; --type: #4ec9b0; --number: #e5a06b; --string: #9ccc65;
  --comment: #9a9a9a; --name: #82aaff; } }
[data-jp-theme-light="true"] .tile-ir { --op: #7a3e9d; --type: #0b6e75; --number: #9a5700; --string: #3b7a1a;
  --comment: #6a6a6a; --name: #1a56b0; }
[data-jp-theme-light="false"] .tile-ir { --op: #c792ea; --type: #4ec9b0; --number: #e5a06b; --string: #9ccc65;
  --comment: #9a9a9a; --name: #82aaff; }
.tile-ir .op { color: var(--op); } .tile-ir .type { color: var(--type); } .tile-ir .number { color: var(--number); }
.tile-ir .string, .tile-ir .directive { color: var(--string); } .tile-ir .comment { color: var(--comment); }
.tile-ir .name { color: var(--name); }
.tile-ir td, .tile-ir th { text-align: right; font-family: monospace; }
.tile-ir td.text, .tile-ir th.text { text-align: left; }
</style>"""


def program_html(program: Program) -> str:
    """The highlighted text, and the diagnostics below it."""
    text = f"<pre>{_native.highlight(program.text)}</pre>"
    return f'{STYLE}<div class="tile-ir">{text}{_listed(program.check())}</div>'


def diagnostics_html(found: Sequence[Diagnostic]) -> str:
    """Diagnostics with their source lines."""
    return f'{STYLE}<div class="tile-ir">{_listed(found)}</div>'


def _listed(found: Sequence[Diagnostic]) -> str:
    return "".join(f"<pre>{escape(str(diagnostic))}</pre>" for diagnostic in found)


HEADINGS = ("line", "op", "runs", "time", "share", "read", "written")


def table(report: Report) -> str:
    """The profile as aligned columns, most expensive op first."""
    rows = [HEADINGS, *map(tuple, _rows(report))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]

    def line(row: tuple[str, ...]) -> str:
        cells = (
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        )
        return "  ".join(cells).rstrip()

    return "\n".join(map(line, rows))


def report_html(report: Report) -> str:
    """A summary, the profile and the trace."""
    summary = f"@{report.kernel}: {report.blocks} tile blocks, {report.ops} ops, {seconds(report.seconds)}"
    parts = [f"<p>{escape(summary)}</p>"]
    if report.profile:
        parts.append(_table(HEADINGS, _rows(report), text_columns={1}))
    if report.trace:
        rows = [
            [traced.name, str(traced.block), "/".join(map(str, traced.iterations)), traced.type, traced.text]
            for traced in report.trace
        ]
        parts.append(_table(("value", "block", "iteration", "type", "elements"), rows, text_columns={0, 3, 4}))
    return f'{STYLE}<div class="tile-ir">{"".join(parts)}</div>'


def _table(headings: tuple[str, ...], rows: list[list[str]], text_columns: set[int]) -> str:
    def cells(tag: str, row: list[str] | tuple[str, ...]) -> str:
        shown = (
            f"<{tag}{' class=text' if column in text_columns else ''}>{escape(cell)}</{tag}>"
            for column, cell in enumerate(row)
        )
        return f"<tr>{''.join(shown)}</tr>"

    body = "".join(cells("td", row) for row in rows)
    return f"<table><thead>{cells('th', headings)}</thead><tbody>{body}</tbody></table>"


def _rows(report: Report) -> list[list[str]]:
    total = sum(cost.seconds for cost in report.profile) or 1.0

    def row(cost: OpCost) -> list[str]:
        share = f"{100 * cost.seconds / total:.1f} %"
        numbers = [str(cost.runs), seconds(cost.seconds), share, size(cost.read), size(cost.written)]
        return [str(cost.place.line), cost.op, *numbers]

    return [row(cost) for cost in sorted(report.profile, key=lambda cost: -cost.seconds)]


def seconds(time: float) -> str:
    """A time in a unit that fits it."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if time * factor >= 1:
            return f"{time * factor:.3g} {unit}"
    return f"{time * 1e9:.3g} ns"


def size(count: int) -> str:
    """A number of bytes in a unit that fits it; `-` for none."""
    if count == 0:
        return "-"
    value, units = float(count), ["bytes", "KiB", "MiB", "GiB"]
    while value >= 1024 and len(units) > 1:
        value, units = value / 1024, units[1:]
    return f"{value:.4g} {units[0]}"
