"""Tests of the table and of the inputs. `.ci/budgets` runs them."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import inputs
import run
import scenarios
import table
from table import Table, accept, compare


class Comparing(unittest.TestCase):
    def compared(self, before: int, after: int, metric: str = "instructions") -> table.Comparison:
        return compare({"a": {metric: before}}, {"a": {metric: after}}, {"a"})

    def test_a_cost_may_grow_by_the_limit(self) -> None:
        self.assertEqual(self.compared(1000, 1030, "bytes_sent").failures, [])
        self.assertEqual(self.compared(1000, 1031, "bytes_sent").failures, ["a: bytes sent 1,000 -> 1,031 (+3.1 %)"])

    def test_a_few_instructions_more_do_not_count(self) -> None:
        self.assertEqual(self.compared(100_000, 110_000).failures, [])
        self.assertEqual(self.compared(100_000, 110_001).failures, ["a: instructions 100,000 -> 110,001 (+10.0 %)"])
        self.assertEqual(self.compared(1_000_000, 1_030_001).failures,
                         ["a: instructions 1,000,000 -> 1,030,001 (+3.0 %)"])

    def test_each_new_folder_counts(self) -> None:
        self.assertEqual(self.compared(100, 101, "folders").failures, ["a: folders 100 -> 101 (+1.0 %)"])

    def test_a_much_lower_cost_is_a_remark(self) -> None:
        self.assertEqual(self.compared(1000, 900).remarks, [])
        self.assertEqual(self.compared(1000, 899).remarks, ["a: instructions 1,000 -> 899 (-10.1 %)"])
        self.assertEqual(self.compared(1000, 899).failures, [])

    def test_a_cost_that_was_zero(self) -> None:
        self.assertEqual(self.compared(0, 0, "bytes_sent").failures, [])
        self.assertEqual(self.compared(0, 1, "bytes_sent").failures, ["a: bytes sent 0 -> 1 (+inf %)"])

    def test_missing_and_additional_rows_and_metrics_fail(self) -> None:
        kept = {"a": {"instructions": 1, "bytes_sent": 1}, "b": {"instructions": 1}}
        found = {"a": {"instructions": 1, "bytes_in_use": 1}, "c": {"instructions": 1}}
        self.assertEqual(compare(kept, found, {"a", "b"}).failures, [
            "a: bytes in use: are not in the table",
            "a: bytes sent: are in the table, but were not measured",
            "b: is in the table, but was not measured",
            "c: is not in the table",
        ])
        # Rows of scenarios that did not run are not expected.
        self.assertEqual(compare(kept, {"a": kept["a"]}, {"a"}).failures, [])

    def test_all_failures_are_reported(self) -> None:
        kept = {row: {"bytes_allocated": 1, "bytes_sent": 1} for row in ("a", "b")}
        found = {row: {"bytes_allocated": 2, "bytes_sent": 2} for row in ("a", "b")}
        self.assertEqual(len(compare(kept, found, {"a", "b"}).failures), 4)


class Accepting(unittest.TestCase):
    def test_accepting_changes_only_the_named_rows(self) -> None:
        kept = Table({}, {"a": {"bytes": 1}, "b": {"bytes": 1}, "c": {"bytes": 1}}, dict.fromkeys("abc", "first"))
        accept(kept, {"a": {"bytes": 9}, "b": {"bytes": 9}, "d": {"bytes": 9}}, {"a", "c", "d"}, "why", {"rustc": "1"})
        self.assertEqual(kept.rows, {"a": {"bytes": 9}, "b": {"bytes": 1}, "d": {"bytes": 9}})
        self.assertEqual(kept.reasons, {"a": "why", "b": "first", "d": "why"})

    def test_a_file_has_a_line_for_each_row_in_natural_order(self) -> None:
        rows = {f"check, {size}": {"instructions": 1} for size in ("100k", "1k", "10k")}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "values.json")
            Table({"rustc": "1"}, rows, dict.fromkeys(rows, "größer")).write(path)
            lines = path.read_text().splitlines()
            self.assertEqual([line.split('"')[1] for line in lines if "reason" in line],
                             ["check, 1k", "check, 10k", "check, 100k"])
            self.assertEqual(Table.read(path), Table({"rustc": "1"}, rows, dict.fromkeys(rows, "größer")))


class Inputs(unittest.TestCase):
    def test_texts_have_the_wanted_size_and_are_the_same_each_time(self) -> None:
        for kind, generate in inputs.KINDS.items():
            for lines in (1_000, 10_000):
                text = generate(lines)
                self.assertEqual(text, generate(lines))
                self.assertTrue(0.9 * lines < text.count("\n") <= lines, kind)
                self.assertTrue(text.startswith("cuda_tile.module @bench {\n") and text.endswith("  }\n}\n"), kind)
                self.assertNotIn("NUMBER", text)

    def test_names_of_entries_are_unique(self) -> None:
        names = [line.split("(")[0] for line in inputs.source(10_000).splitlines() if line.startswith("  entry @")]
        self.assertEqual(len(names), len(set(names)))

    def test_a_changed_program_differs_in_a_few_lines(self) -> None:
        text = inputs.source(10_000)
        pairs = zip(text.split("\n"), inputs.changed(text).split("\n"), strict=True)
        self.assertTrue(5 < sum(before != after for before, after in pairs) < 20)


class Scenarios(unittest.TestCase):
    def test_names_are_unique(self) -> None:
        names = [scenario.name for scenario in scenarios.all_scenarios(scenarios.Programs(Path("tile")))]
        self.assertEqual(len(names), len(set(names)))

    def test_each_committed_row_belongs_to_a_scenario(self) -> None:
        names = {scenario.name for scenario in scenarios.all_scenarios(scenarios.Programs(Path("tile")))}
        for row in Table.read(run.VALUES).rows:
            self.assertIn(run.scenario_of(row), names, row)

    def test_rows_of_a_session_are_medians(self) -> None:
        def costs(instructions: int) -> dict[str, int]:
            return {"instructions": instructions, "bytes_allocated": 2, "peak_bytes": 3, "bytes_in_use": 4}

        counted = [("", costs(1)), ("hover", costs(9)), ("hover", costs(10)), ("hover", costs(99)),
                   ("broken edit", costs(20))]
        phases = [(name, 8) for name, _ in counted]
        self.assertEqual(scenarios.server_rows(phases, counted, "!"), {
            "hover!": {"instructions": 10, "bytes_allocated": 2, "bytes_sent": 8},
            "broken edit!": {"instructions": 10, "bytes_allocated": 1, "bytes_sent": 4, "bytes_in_use": 4},
        })


if __name__ == "__main__":
    unittest.main()
