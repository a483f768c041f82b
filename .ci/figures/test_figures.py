import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import GROUPS, MEASUREMENTS, quantity, read_divan, read_engine
from page import HEAD, PageError, render
from quotes import Allowed, errors, quantities, update
from results import Result, load, save, stale
from sources import Sources

ROOT = Path(__file__).resolve().parents[2]


def result(figures: dict[str, str | None], sources: dict[str, str | None] | None = None) -> Result:
    return Result("latency", "tile check FILE", "2026-11-27", "0123456789abcdef", "two cores", {"NumPy": "2.4"}, sources or {}, figures)


class Workspace(unittest.TestCase):
    """Hashes in a workspace of two packages, of which `b` depends on `a`."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.write("Cargo.toml", '[workspace]\nmembers = ["x", "y"]\n')
        self.write("x/Cargo.toml", '[package]\nname = "a"\n')
        self.write("x/src/lib.rs", "fn a() {}")
        self.write("x/benches/kernel.tile", "")
        self.write("y/Cargo.toml", '[package]\nname = "b"\n[dependencies]\na = { workspace = true }\n[dev-dependencies]\nc = "1"\n')
        self.write("y/src/lib.rs", "fn b() {}")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def digest(self, name: str) -> str | None:
        return Sources(self.root).digest(name)

    def test_a_package_can_move(self):
        names = ["a", "b+dependencies", "a:benches/kernel.tile", "a:benches"]
        before = [self.digest(name) for name in names]
        self.assertEqual(before[2], before[3])
        (self.root / "crates").mkdir()
        for folder in "xy":
            (self.root / folder).rename(self.root / "crates" / folder)
        self.write("Cargo.toml", '[workspace]\nmembers = ["crates/*"]\n')
        self.write("crates/README.md", "# Crates\n")
        self.assertEqual([self.digest(name) for name in names], before)

    def test_contents_and_names_count(self):
        seen = {self.digest("a")}
        self.write("x/src/lib.rs", "fn a() { }")
        seen.add(self.digest("a"))
        (self.root / "x/src/lib.rs").rename(self.root / "x/src/main.rs")
        seen.add(self.digest("a"))
        self.write("x/build.rs", "")
        seen.add(self.digest("a"))
        self.assertEqual(len(seen), 4)

    def test_tests_and_manifests_do_not_count(self):
        before = self.digest("a")
        for file in ["src/tests.rs", "src/tests/one.rs", "src/ops/tests.rs", "src/snapshots/one.snap", "Cargo.toml", "tests/it.rs"]:
            self.write(f"x/{file}", '[package]\nname = "a"\n')
        self.assertEqual(self.digest("a"), before)

    def test_dependencies_count(self):
        before = self.digest("b"), self.digest("b+dependencies")
        self.write("x/src/lib.rs", "")
        after = self.digest("b"), self.digest("b+dependencies")
        self.assertEqual((before[0] == after[0], before[1] == after[1]), (True, False))

    def test_missing_sources_have_no_hash(self):
        self.assertEqual([self.digest(name) for name in ["c", "c+dependencies", "a:other", "other/file"]], [None] * 4)

    def test_a_result_expires(self):
        current = result({"x": "1 ms"}, {"a": self.digest("a")})
        self.assertEqual(list(stale({"r": current, "pinned": result({"x": "1 ms"})}, Sources(self.root))), [])
        self.write("x/src/lib.rs", "")
        current.figures["y"] = None
        message = "r: changed since 2026-11-27, 01234567: a; not measured: y"
        self.assertEqual(list(stale({"r": current}, Sources(self.root))), [message])


class Pages(unittest.TestCase):
    RESULTS = {"lsp": result({"edit.10000": "0.41 ms", "hover": None})}

    def test_placeholders_become_figures(self):
        text = "<!-- note -->\n\n{{lsp.edit.10000}}, {{lsp.hover}}, {{lsp.date}}, {{lsp.origin}}"
        origin = "2026-11-27, commit `01234567`, two cores, NumPy 2.4"
        self.assertEqual(render(text, self.RESULTS), f"{HEAD}0.41 ms, not measured, 2026-11-27, {origin}")
        self.assertIn("| [lsp](benchmarks/lsp.json) | latency | 2026-11-27 |", render(text + "{{results}}", self.RESULTS))

    def test_unknown_and_unused_figures_are_errors(self):
        for text in ["{{lsp.other}}", "{{other.edit}}", "{{lsp.edit.10000}}", ""]:
            with self.assertRaises(PageError):
                render(text, self.RESULTS)

    def test_quotes_are_updated(self):
        old = 'An edit takes [0.5 ms](../benchmarks.md#language-server "lsp.edit.10000").'
        new = old.replace("0.5 ms", "0.41 ms")
        self.assertEqual((update(old, self.RESULTS), update(new, self.RESULTS)), (new, new))
        self.assertEqual(list(quantities(new)), [])
        with self.assertRaises(PageError):
            update(old.replace("edit", "other"), self.RESULTS)

    def test_results_are_the_same_after_saving_them(self):
        with tempfile.TemporaryDirectory() as folder:
            save(Path(folder), "lsp", self.RESULTS["lsp"])
            self.assertEqual(load(Path(folder)), self.RESULTS)


class Quantities(unittest.TestCase):
    def found(self, page: str) -> list[str]:
        return [quantity.text for quantity in quantities(page)]

    def test_numbers_with_units_are_quantities(self):
        for text in ["3.4 s", "55 ms", "55ms", "15 MB", "64 MiB", "250 MB/s", "4,084 GB/s", "92 GFLOP/s", "5.8 µs", "60 seconds",
                     "three minutes", "half a second", "4 times faster", "4 to 5 times as long", "twice as fast", "1.5x faster",
                     "40 % of the time", "5 % slower", "a third longer", "less than half of the time", "1.1 to 35 times the"]:
            with self.subTest(text):
                self.assertEqual(len(self.found(f"It takes {text} estimate.")), 1)

    def test_lines_can_break_inside_a_quantity(self):
        self.assertEqual(self.found("It takes three\nminutes, 5 times as\nlong."), ["three minutes", "5 times as long"])

    def test_other_numbers_are_not(self):
        for text in ["32 bytes", "13.4", "64x64 tiles", "64 times", "1024 elements", "missing ones", "`10 s`", "sm_90", "2026-11-28",
                     "8 of 16", "1.1 %", "```\n10 ms\n```", "<!-- 10 ms -->", "[x](y.md#10-ms)", "{{lsp.10 ms}}"]:
            with self.subTest(text):
                self.assertEqual(self.found(f"{text}\n"), [])

    def test_headings_of_tables_have_units(self):
        page = "| kernel | tile, ms | ratio | size |\n|---|---|---|---|\n| add 2 | 1.5 | ~70.7 | 512 |\n\n| ratio | 3 |\n"
        self.assertEqual(self.found(page), ["1.5", "~70.7"])

    def test_limits_are_allowed_with_a_reason(self):
        page = "# A\n\nat most 1 MiB, after 5 s\n\n## B\n\n10 s\n"
        allowed = [Allowed("a.md", "", ["1 MiB", "2 MiB"]), Allowed("a.md", "", section="B"), Allowed("b.md", "", ["5 s"])]
        found = list(errors("a.md", page, allowed))
        self.assertEqual(found, ["a.md:3: `5 s` is neither a quoted figure nor in .ci/figures/allowed.json"])
        self.assertEqual([entry.unused for entry in allowed], [{"2 MiB"}, set(), {"5 s"}])


class Measurements(unittest.TestCase):
    def test_quantities_have_two_digits(self):
        values = [0.0123, 0.412, 4.06, 12.3, 148.2]
        self.assertEqual([quantity(value, "ms") for value in values], ["0.012 ms", "0.41 ms", "4.1 ms", "12 ms", "148 ms"])

    def test_rates_of_divan_are_medians(self):
        output = (
            "parse        fastest       │ slowest       │ median        │ mean          │ samples │ iters\n"
            "├─ lexing    1.1 ms        │ 1.5 ms        │ 1.2 ms        │ 1.2 ms        │ 100     │ 100\n"
            "│            900 MB/s      │ 700 MB/s      │ 800 MB/s      │ 810 MB/s      │         │\n"
            "╰─ parsing   4.1 ms        │ 6.5 ms        │ 4.4 ms        │ 4.5 ms        │ 100     │ 100\n"
            "             268.4 MB/s    │ 170 MB/s      │ 250.1 MB/s    │ 244 MB/s      │         │\n"
        )
        self.assertEqual(read_divan("parsing")(output), ({"rate": "250 MB/s"}, {}))

    def test_ratios_have_their_range(self):
        benches = {"a": {"tile": 12.34, "other": 3.21, "ratio": [0.3, 0.25, 0.4]}, "b": {"tile": 2.8}}
        expected = {"a.tile": "12.3 ms", "a.other": "3.2 ms", "a.ratio": "0.30 (0.25 to 0.40)", "b.tile": "2.8 ms"}
        self.assertEqual(read_engine({"numpy": "2.4", "benches": benches}), (expected, {"NumPy": "2.4"}))

    def test_all_measurements_have_results(self):
        results = load(ROOT / "docs/benchmarks")
        self.assertLessEqual({name for names in GROUPS.values() for name in names}, set(MEASUREMENTS))
        self.assertLessEqual(set(MEASUREMENTS), set(results))


if __name__ == "__main__":
    unittest.main()
