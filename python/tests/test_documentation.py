"""The code and the output in `docs/python.md` and the README, and the scripts in `examples/python`."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs/python.md", ROOT / "README.md"]
SCRIPTS = sorted((ROOT / "examples/python").glob("*.py"))


def blocks(page: Path) -> list[tuple[str, str]]:
    """The blocks of a page: the language, and the text."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_code_prints_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    program = next(text for language, text in found if language == "tile" and "entry @scale" in text)
    Path("scale.tile").write_text(program, encoding="utf-8")
    names: dict[str, object] = {}
    ran = 0
    for (language, code), (following, expected) in zip(found, [*found[1:], ("end", "")]):
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(code, str(page), "exec"), names)
            assert output.getvalue() == ("" if following else expected)
            ran += 1
    assert ran


def test_every_script_is_listed():
    page = PAGES[0].read_text(encoding="utf-8")
    assert len(SCRIPTS) >= 4
    for script in SCRIPTS:
        assert f"(../examples/python/{script.name})" in page


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_scripts_run(script: Path):
    command = [sys.executable, "-c", "import runpy, sys; sys.path = sys.argv[2:]; runpy.run_path(sys.argv[1])"]
    ended = subprocess.run(
        [*command, str(script), *sys.path], check=False, capture_output=True, text=True, encoding="utf-8"
    )
    if "this example needs" in ended.stderr:
        pytest.skip(ended.stderr.strip())
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout
