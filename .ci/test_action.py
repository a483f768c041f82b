"""test_action.py PROGRAM: tests action.yml with the program `tile` at this path."""

import hashlib
import os
import platform
import shutil
import stat
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import composite_action
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(sys.argv.pop(1)).resolve()
TARGET = f"{'aarch64' if platform.machine() in ('arm64', 'aarch64') else 'x86_64'}-unknown-linux-gnu"

CLEAN = """cuda_tile.module @m {
  //@ launch
  //@ expect print "hello\\n"
  entry @k() {
    print_tko "hello\\n" -> token
  }
}
"""
UNFORMATTED = CLEAN.replace("    print_tko", "  print_tko")
WRONG = CLEAN.replace("print_tko", "%x = addi %y, %y : tile<i32>\n    print_tko")
FAILING = CLEAN.replace('expect print "hello', 'expect print "50%, <b>::warning')
RACE = """cuda_tile.module @m {
  //@ launch grid=(2, 1, 1)
  //@   %p = i32[1] zeros
  entry @k(%p: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
  }
}
"""


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class ActionTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.workspace = self.scratch / "workspace"
        for folder in ["workspace", "bin", "temporary"]:
            (self.scratch / folder).mkdir()
        (self.scratch / "bin/tile").symlink_to(PROGRAM)

    def run_action(self, files: dict[str, str], **inputs: str) -> composite_action.Run:
        """Runs the action on files, with the program under test on PATH."""
        for name, text in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        github = {"server_url": self.scratch.as_uri(), "action_repository": "", "repository": "owner/name"}
        env = {
            "PATH": f"{self.scratch / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_OS": "Linux",
            "RUNNER_ARCH": "ARM64" if TARGET.startswith("aarch64") else "X64",
            "RUNNER_TEMP": str(self.scratch / "temporary"),
            "RUSTFLAGS": "--deny warnings",
        }
        return composite_action.run(ROOT, self.workspace, {"version": "installed"} | inputs, github, env)


class Steps(ActionTest):
    def test_a_clean_folder_passes(self):
        done = self.run_action({"a.tile": CLEAN, "in/b c.tile": CLEAN})
        self.assertTrue(done.succeeded, done.log)
        self.assertEqual(done.annotations(), [])
        passed = [f"### `tile {step}`: passed\n" for step in ["fmt", "check", "test"]]
        self.assertEqual(done.summary, "\n".join([*passed, "<pre>\n2 passed, 0 failed\n</pre>\n"]))

    def test_every_problem_is_annotated_and_listed(self):
        files = {"a.tile": UNFORMATTED, "b.tile": WRONG, "in/c.tile": FAILING, "d,e.tile": RACE, "fine.tile": CLEAN}
        done = self.run_action(files)
        ended = [done.outcomes[step] for step in ["Install the program", "Format", "Check", "Test"]]
        self.assertEqual(ended, ["success", "failure", "failure", "failure"])
        expected = [
            "::error file=a.tile,line=5,endLine=5,title=tile fmt::not formatted",
            "::error file=b.tile,line=5,col=15,endLine=5,endColumn=17,title=E0101::unknown value `%25y`",
            "::error file=d%2Ce.tile,line=6,col=10,endLine=6,endColumn=23,title=@k%3A R0107::this writes element 0 of",
            "::error file=in/c.tile,line=3,col=7,endLine=3,endColumn=41,title=@k%3A expectation failed::",
        ]
        self.assertEqual(len(done.annotations()), len(expected), done.log)
        for annotation, start in zip(done.annotations(), expected):
            self.assertTrue(annotation.startswith(start), annotation)
        for listed in [
            "### `tile fmt`: failed\n\n<pre>\na.tile:5: tile fmt: not formatted; run `tile fmt`\n</pre>\n",
            "b.tile:5: E0101: unknown value `%y`\n",
            "d,e.tile:6: @k: R0107: this writes element 0 of `%p`",
            "in/c.tile:3: @k: expectation failed: ",
            "50%, &lt;b&gt;::warning",
            "\n2 passed, 3 failed\n</pre>\n",
        ]:
            self.assertIn(listed, done.summary)
        self.assertNotIn("<b>", done.summary)

    def test_the_paths_are_one_per_line(self):
        done = self.run_action({"a b.tile": CLEAN, "in/c.tile": CLEAN, "d.tile": WRONG}, paths="  a b.tile\n\nin\n")
        self.assertTrue(done.succeeded, done.log)
        self.assertIn("2 passed, 0 failed", done.summary)

    def test_a_missing_file_fails(self):
        for path in ["no.tile", "--help"]:
            done = self.run_action({}, paths=path)
            self.assertFalse(done.succeeded)
            self.assertIn(f"file `{path}` not found", done.summary)

    def test_files_without_launches_pass(self):
        done = self.run_action({"a.tile": "cuda_tile.module @m {\n  entry @k() {\n  }\n}\n"})
        self.assertTrue(done.succeeded, done.log)

    def test_steps_can_be_left_out(self):
        done = self.run_action({"a.tile": WRONG}, format="false", check="False", test="no")
        self.assertTrue(done.succeeded, done.log)
        self.assertEqual(list(done.outcomes.values()).count("skipped"), 5)
        self.assertEqual(done.summary, "")

    def test_the_gpu_is_checked(self):
        text = CLEAN.replace("print_tko", "%a = constant <f8E8M0FNU: 1.0> : tile<8xf8E8M0FNU>\n    print_tko")
        self.assertTrue(self.run_action({"a.tile": text}).succeeded)
        done = self.run_action({"a.tile": text}, gpu="sm_90")
        self.assertFalse(done.succeeded)
        self.assertIn("title=E0804::`f8E8M0FNU` needs sm_100 or later", done.log)

    def test_a_long_report_is_cut_in_the_summary_only(self):
        body = "\n".join(f"    %x{number} = addi %a{number}, %b{number} : tile<i32>" for number in range(150))
        done = self.run_action({"a.tile": CLEAN.replace("    print_tko", f"{body}\n    print_tko")})
        self.assertEqual(len(done.annotations()), 300)
        self.assertEqual(done.summary.count("E0101"), 100)
        self.assertIn("… and 200 more, which the log lists\n", done.summary)

    def test_inputs_are_not_executed(self):
        commands = ["$(touch pwned)", "`touch pwned`", "; touch pwned", "'; touch pwned; '", '"; touch pwned; "', "\ntouch pwned"]
        for command in commands:
            for inputs in [{"paths": f"a.tile{command}"}, {"gpu": f"sm_90{command}"}, {"version": f"1.2.3{command}"}]:
                done = self.run_action({"a.tile": CLEAN}, **inputs)
                self.assertFalse(done.succeeded, inputs)
                self.assertFalse((self.workspace / "pwned").exists(), inputs)


class Versions(ActionTest):
    def release(self, version: str) -> Path:
        """Creates a release with a program that states its version. Returns its folder."""
        folder = self.scratch / f"owner/name/releases/download/v{version}"
        name = f"tile-{version}-{TARGET}"
        executable(folder / name / "tile", f'#!/bin/sh\nif [ "$1" = --version ]; then echo tile {version}; else exec "{PROGRAM}" "$@"; fi\n')
        with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as packed:
            packed.add(folder / name, name)
        shutil.rmtree(folder / name)
        self.write_sums(folder)
        return folder

    def write_sums(self, folder: Path):
        archives = sorted(folder.glob("*.gz"))
        lines = [f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n" for archive in archives]
        (folder / "SHA256SUMS").write_text("".join([f"{'0' * 64}  tile-0.0.0-x86_64-pc-windows-msvc.zip\n", *lines]))

    def test_a_release_is_downloaded(self):
        folder = self.release("0.7.1")
        for version in ["0.7.1", "v0.7.1"]:
            done = self.run_action({"a.tile": CLEAN}, version=version)
            self.assertTrue(done.succeeded, done.log)
            self.assertIn("tile 0.7.1\n", done.log)
        folder.rename(self.scratch / "files")
        (self.scratch / "owner/name/releases/latest").mkdir(parents=True)
        (self.scratch / "files").rename(self.scratch / "owner/name/releases/latest/download")
        done = self.run_action({"a.tile": CLEAN}, version="latest")
        self.assertTrue(done.succeeded and "tile 0.7.1\n" in done.log, done.log)

    def assert_not_installed(self, version: str, message: str):
        done = self.run_action({"a.tile": CLEAN}, version=version)
        self.assertIn(message, done.log)
        self.assertEqual(list(done.outcomes.values()), ["skipped", "skipped", "failure", "skipped", "skipped", "skipped"])

    def test_an_archive_with_a_wrong_checksum_is_rejected(self):
        folder = self.release("0.7.1")
        with open(next(folder.glob("*.gz")), "ab") as archive:
            archive.write(b"more")
        self.assert_not_installed("0.7.1", f"::error title=tile::tile-0.7.1-{TARGET}.tar.gz does not have the checksum")

    def test_a_missing_release_is_reported(self):
        self.assert_not_installed("0.7.1", "releases/download/v0.7.1 with a program for ")
        folder = self.release("0.7.1")
        next(folder.glob("*.gz")).unlink()
        self.assert_not_installed("0.7.1", "::error title=tile::cannot download ")
        self.assert_not_installed("1.2", "::error title=tile::expected a version such as 1.2.3")

    def test_the_installed_program_is_required(self):
        (self.scratch / "bin/tile").unlink()
        (self.scratch / "bin/tile").symlink_to("/no/such/program")
        if not shutil.which("tile"):
            self.assert_not_installed("installed", "::error title=tile::tile is not on PATH")

    def test_the_sources_are_built_once(self):
        calls = self.scratch / "calls"
        executable(
            self.scratch / "bin/cargo",
            f'#!/bin/sh\necho "$PWD: $* ${{RUSTFLAGS-unset}}" >>{calls}\n'
            f'mkdir -p "$CARGO_TARGET_DIR/release" && cp {PROGRAM} "$CARGO_TARGET_DIR/release"\n',
        )
        for _ in range(2):
            done = self.run_action({"a.tile": CLEAN}, version="")
            self.assertTrue(done.succeeded, done.log)
        self.assertEqual(calls.read_text(), f"{ROOT}: build --release --locked --package tile --bin tile unset\n")


class Definition(unittest.TestCase):
    action = yaml.safe_load((ROOT / "action.yml").read_text())

    def test_scripts_contain_no_expressions(self):
        for step in self.action["runs"]["steps"]:
            self.assertNotIn("${{", step.get("run", ""))

    def test_every_script_names_its_shell(self):
        for step in self.action["runs"]["steps"]:
            self.assertEqual("run" in step, step.get("shell") == "bash", step)

    def test_every_input_is_described_and_has_a_default(self):
        for name, value in self.action["inputs"].items():
            self.assertTrue(value["description"], name)
            self.assertIsInstance(value["default"], str, name)

    def test_every_platform_of_a_release_is_known(self):
        workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
        script = (ROOT / ".github/action/install.sh").read_text()
        for platform_of_release in workflow["jobs"]["build"]["strategy"]["matrix"]["include"]:
            self.assertIn(f"echo {platform_of_release['target']} ;;", script)


if __name__ == "__main__":
    unittest.main(verbosity=2)
