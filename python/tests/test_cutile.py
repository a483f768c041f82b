"""Kernels of cuTile Python on the CPU."""

import importlib.metadata
import importlib.util
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import tile_ir
import tile_ir.cutile
from tile_ir.cutile import cpu

ct = pytest.importorskip("cuda.tile", reason="cuTile Python is not installed (pip install cuda-tile)")

HAS_TORCH = importlib.util.find_spec("torch") is not None


def line_of(text: str) -> int:
    """The line of this file with a comment, counted from 1."""
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.rstrip().endswith(f"# {text}"))


@ct.kernel
def add(x, y, z, TILE: ct.Constant[int]):
    i = ct.bid(0)
    a = ct.load(x, index=(i,), shape=(TILE,))
    b = ct.load(y, index=(i,), shape=(TILE,))
    ct.store(z, index=(i,), tile=a + b)  # the sum


def test_arrays_are_changed_in_place():
    x, y, z = np.arange(100, dtype=np.float32), np.ones(100, np.float32), np.zeros(100, np.float32)
    with cpu():
        ct.launch(0, (ct.cdiv(100, 16),), add, (x, y, z, 16))
    assert np.array_equal(z, x + 1)


def test_launch_is_put_back():
    before = ct.launch
    with cpu():
        assert ct.launch is not before
    assert ct.launch is before


def test_arrays_can_have_strides():
    x = np.arange(64, dtype=np.int32).reshape(8, 8)
    z = np.zeros((8, 8), np.int32)

    @ct.kernel
    def copy(x, z):
        ct.store(z, index=(0, 0), tile=ct.load(x, index=(0, 0), shape=(8, 8)))

    with cpu():
        ct.launch(0, (1,), copy, (x.T, z))
    assert np.array_equal(z, x.T)


def test_scalars_tuples_and_lists():
    @ct.kernel
    def combine(pair, arrays, factor, z, TILE: ct.Constant[int]):
        total = ct.load(pair[0], index=(0,), shape=(TILE,)) * factor
        for index in range(len(arrays)):
            total = total + ct.load(arrays[index], index=(0,), shape=(TILE,))
        ct.store(z, index=(0,), tile=total + pair[1])

    x, z = np.ones(8, np.float32), np.zeros(8, np.float32)
    arrays = [np.full(8, value, np.float32) for value in (1, 2, 3)]
    with cpu(sanitize=True):
        ct.launch(0, (1,), combine, ((x, 10), arrays, 0.5, z, 8))
    assert np.array_equal(z, np.full(8, 16.5))


def test_a_finding_is_at_the_line_of_the_kernel():
    @ct.kernel
    def outside(x, z):
        i = ct.arange(16, dtype=ct.int32) + ct.bid(0) * 16
        ct.scatter(z, i, ct.gather(x, i, check_bounds=False))  # outside

    with cpu(), pytest.raises(tile_ir.Finding) as caught:
        ct.launch(0, (2,), outside, (np.zeros(20, np.float32), np.zeros(20, np.float32)))
    assert (caught.value.code, caught.value.place.line) == ("R0102", line_of("outside"))
    assert caught.value.place.path == __file__
    assert "element 20 of `x`, which has 20 elements of f32" in caught.value.message
    assert "ct.gather(x, i, check_bounds=False)" in str(caught.value)


def test_isolated_launches_report_the_same_place():
    x, z = np.zeros(16, np.float32), np.zeros(16, np.float32)
    places = []
    for isolated in (False, True):
        tile_ir.isolate(isolated)
        try:
            with cpu(), pytest.raises(tile_ir.Finding) as caught:
                ct.launch(0, (2,), add, (x, x, z, 16))
        finally:
            tile_ir.isolate(False)
        places.append(caught.value.place)
    assert places[0] == places[1] and places[0].column == 9


def test_a_race_is_at_both_lines():
    @ct.kernel
    def race(x, z):
        i = ct.bid(0)
        old = ct.gather(z, 0)  # the load
        ct.scatter(z, 0, old + ct.gather(x, i))  # the store

    x, z = np.ones(4, np.float32), np.zeros(1, np.float32)
    with cpu(sanitize=True), pytest.raises(tile_ir.Finding) as caught:
        ct.launch(0, (4,), race, (x, z))
    lines = {caught.value.place.line, *(place.line for place, _ in caught.value.others)}
    assert caught.value.name == "race" and lines <= {line_of("the load"), line_of("the store")}


def test_arrays_that_share_memory_are_found():
    x = np.ones(16, np.float32)

    @ct.kernel
    def double(x, z):
        i = ct.arange(16, dtype=ct.int32)
        ct.scatter(z, i, 2 * ct.gather(x, i))

    with cpu(sanitize=True), pytest.raises(tile_ir.Finding, match="do not share memory") as caught:
        ct.launch(0, (1,), double, (x, x))
    assert caught.value.code == "R0106" and "token" not in "".join(caught.value.notes)


def test_an_unspecified_element_is_found():
    @ct.kernel
    def padded(x, z):
        tile = ct.load(x, index=(0,), shape=(16,))
        ct.store(z, index=(0,), tile=ct.sum(tile, axis=0, keepdims=True))

    with cpu(sanitize=True), pytest.raises(tile_ir.Finding) as caught:
        ct.launch(0, (1,), padded, (np.ones(10, np.float32), np.zeros(1, np.float32)))
    assert caught.value.code == "R0105"


def test_prints_and_assertions(capsys):
    @ct.kernel
    def prints(x):
        tile = ct.load(x, index=(0,), shape=(4,))
        ct.print("tile", tile)
        ct.assert_(tile < 3, "too large")

    with cpu(), pytest.raises(tile_ir.Finding, match="too large"):
        ct.launch(0, (1,), prints, (np.arange(4, dtype=np.int32),))
    printed = capsys.readouterr().out
    assert "tile [0, 1, 2, 3]" in printed and "too large" in printed


def test_reports_have_traces_and_profiles():
    reports = []
    x = np.arange(32, dtype=np.float32)
    with cpu(trace=[line_of("the sum")], profile=True, on_report=reports.append):
        ct.launch(0, (2,), add, (x, x, np.zeros(32, np.float32), 16))
    (report,) = reports
    sums = [traced for traced in report.trace if traced.type == "tile<16xf32>"]
    assert [traced.block for traced in sums] == [(0, 0, 0), (1, 0, 0)]
    assert np.array_equal(sums[1].value, x[16:] * 2)
    assert any(cost.place.line == line_of("the sum") and cost.written == 128 for cost in report.profile)


def test_tuning_takes_the_first_valid_configuration():
    x, z = np.ones(64, np.float32), np.zeros(64, np.float32)
    with cpu():
        result = ct.tune.exhaustive_search(
            [3, 16, 32], 0, lambda tile: (64 // tile,), add, lambda tile: (x, x, z, tile), quiet=True
        )
    assert result.best.config == 16 and result.failures[0][0] == 3
    assert np.array_equal(z, x * 2)


def rejected(error: type[Exception], message: str, *launch: object) -> None:
    with cpu(), pytest.raises(error, match=message):
        ct.launch(*launch)


def test_wrong_launches_are_rejected():
    x = np.ones(16, np.float32)
    rejected(TypeError, "Stream is required", None, (1,), add, (x, x, x, 16))
    rejected(TypeError, "Grid must be a tuple", 0, 1, add, (x, x, x, 16))
    rejected(ValueError, "24-bit", 0, (1 << 24,), add, (x, x, x, 16))
    rejected(TypeError, "argument x: cuTile has no arrays of complex64", 0, (1,), add, (x.astype("c8"), x, x, 16))
    rejected(TypeError, "expects 4 arguments", 0, (1,), add, (x, x))


def test_without_cutile_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install cuda-tile"), cpu():
        pass


def test_another_cutile_is_refused(monkeypatch):
    monkeypatch.delattr(ct, "launch")
    with pytest.raises(RuntimeError, match="has no `launch`, which tile_ir.cutile replaces"), cpu():
        pass


SCRIPT = """
import sys
import numpy as np
import cuda.tile as ct
from cuda.tile import launch

@ct.kernel
def double(x, z):
    ct.store(z, index=(ct.bid(0),), tile=2 * ct.load(x, index=(ct.bid(0),), shape=(16,)))

x, z = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
launch(0, (int(sys.argv[1]),), double, (x, z))
print(z.sum())
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(SCRIPT))
    return path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True)


def test_scripts_run_from_the_command_line(script):
    ended = run("-m", "tile_ir.cutile", script, 2)
    assert (ended.returncode, ended.stdout) == (0, "992\n"), ended.stderr
    ended = run("-m", "tile_ir.cutile", "--sanitize", script, 3)
    assert ended.returncode == 1 and "error[R0501]" in ended.stderr and "script.py:9" in ended.stderr
    ended = run("-m", "tile_ir.cutile", "missing.py")
    assert (ended.returncode, ended.stderr) == (2, "error: file `missing.py` not found\n")


def test_other_processes_inherit_the_settings(script):
    with cpu(subprocesses=True):
        ended = run(script, 2)
    assert (ended.returncode, ended.stdout) == (0, "992\n"), ended.stderr


def test_the_plugin_of_pytest(tmp_path):
    test = tmp_path / "test_kernel.py"
    test.write_text(SCRIPT.replace("int(sys.argv[1])", "2") + "\n\ndef test_sum():\n    assert z.sum() == 992\n")
    # An installed package registers the plugin.
    installed = importlib.metadata.entry_points(group="pytest11", name="tile_ir")
    plugin = [] if installed else ["-p", "tile_ir_pytest"]
    ended = run("-m", "pytest", *plugin, "--cutile-cpu", "-q", test)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_the_device_of_pytorch_is_the_cpu():
    import torch

    with cpu():
        x = torch.arange(32, device="cuda", dtype=torch.bfloat16)
        y, z = torch.ones(32).cuda().to(x.dtype), torch.zeros_like(x)
        assert x.is_cuda and torch.cuda.is_available()
        ct.launch(torch.cuda.current_stream(), (2,), add, (x, y, z, 16))
        torch.cuda.synchronize()
        assert torch.equal(z, x + y)
        with pytest.raises(NotImplementedError, match="does not emulate CUDA graphs"):
            torch.cuda.CUDAGraph()
    assert not x.is_cuda


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is installed")
def test_cupy_has_a_stand_in():
    with cpu():
        import cupy

        x = cupy.random.default_rng(1).random(32)
        z = cupy.zeros_like(x)
        ct.launch(cupy.cuda.get_current_stream(), (2,), add, (x, x, z, 16))
        assert np.array_equal(cupy.asnumpy(z), x.get() * 2)
    with pytest.raises(ImportError):
        import cupy  # noqa: F401
