"""Isolated launches: their process, and its end."""

import contextlib
import io
import multiprocessing
import os
import sys
import threading

import numpy as np
import pytest
import sources
import tile_ir
from tile_ir import _isolated, _native


@pytest.fixture(autouse=True)
def default():
    yield
    tile_ir.isolate(False)


def scaled(**options) -> np.ndarray:
    x, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    sources.scale()[2](x, y, **options)
    assert np.array_equal(y, 2 * x)
    return y


def process_ids() -> set[int]:
    return {worker.process.pid for worker in [*_isolated.Worker.idle, *_isolated.Worker.busy]}


class Killing(io.StringIO):
    """An output that kills the process that prints."""

    def write(self, text: str) -> int:
        for worker in list(_isolated.Worker.busy):
            worker.process.kill()
        return len(text)


def test_the_end_of_the_process_is_an_exception():
    for name in ["endless", "hello"]:
        with contextlib.redirect_stdout(Killing()), pytest.raises(tile_ir.WorkerError) as caught:
            sources.other(name)[1_000_000](isolated=True)
        assert str(caught.value).startswith(f"the worker process ended while running `@{name}`: ")
        if sys.platform != "win32":
            assert "signal 9 (SIGKILL)" in str(caught.value)
    scaled(isolated=True)


def test_arrays_are_unchanged_after_the_end_of_the_process():
    text = sources.NUMBER.replace("ELEMENT", "f32").replace("  }\n}", '    print_tko "stored\\n" -> token\n  }\n}')
    array = np.zeros(1, np.float32)
    with contextlib.redirect_stdout(Killing()), pytest.raises(tile_ir.WorkerError):
        # The process can be faster than its end.
        while True:
            array[0] = 0
            tile_ir.loads(text)["number"][1](array, 1.0, isolated=True)
    assert array[0] == 0


def test_a_process_that_ended_between_launches_is_replaced():
    scaled(isolated=True)
    for worker in _isolated.Worker.idle:
        worker.process.kill()
        worker.process.wait()
    scaled(isolated=True)


def test_the_process_is_used_again():
    scaled(isolated=True)
    before = process_ids()
    scaled(isolated=True)
    with pytest.raises(tile_ir.Finding):
        sources.other("asserts")[1](0, isolated=True)
    with pytest.raises(TypeError):
        sources.other("asserts")[1](1.5, isolated=True)
    scaled(isolated=True)
    assert process_ids() == before


def test_a_process_that_ignores_its_time_limit_is_killed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_isolated, "GRACE", -1e9)
    with pytest.raises(tile_ir.WorkerError):
        sources.other("endless")[1](timeout=1e6, isolated=True)


def test_a_process_that_cannot_be_started_is_an_exception(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_isolated.Worker, "idle", [])
    monkeypatch.setattr(sys, "executable", "/missing/python")
    with pytest.raises(tile_ir.WorkerError, match="cannot start the worker process '/missing/python'"):
        scaled(isolated=True)


def test_the_default_is_in_process_and_can_be_changed():
    before = process_ids()
    for worker in _isolated.Worker.idle:
        worker.kill()
    _isolated.Worker.idle.clear()
    scaled()
    assert not process_ids()
    tile_ir.isolate()
    scaled()
    assert process_ids() and process_ids().isdisjoint(before)
    for worker in _isolated.Worker.idle:
        worker.kill()
    _isolated.Worker.idle.clear()
    scaled(isolated=False)
    assert not process_ids()


def test_reports_are_the_same():
    def report(isolated: bool) -> tile_ir.Report:
        x, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
        return sources.scale().run(2, x, y, trace=["%b", "%vx"], profile=True, sanitize=True, isolated=isolated)

    here, there = report(False), report(True)
    assert here.trace == there.trace
    assert all(np.array_equal(a.value, b.value) for a, b in zip(here.trace, there.trace))
    assert [(cost.op, cost.place, cost.runs, cost.read, cost.written) for cost in here.profile] == [
        (cost.op, cost.place, cost.runs, cost.read, cost.written) for cost in there.profile
    ]
    assert (here.blocks, here.ops, here.output) == (there.blocks, there.ops, there.output)


def test_findings_are_the_same():
    def finding(isolated: bool) -> str:
        with pytest.raises(tile_ir.Finding) as caught:
            sources.other("races")[3](np.zeros(1, np.int32), sanitize=True, isolated=isolated)
        return str(caught.value)

    assert finding(False) == finding(True)


def test_programs_of_an_older_version_and_with_preview_features_run():
    array = np.zeros(1, np.float32)
    for options in [{"version": "13.1"}, {"preview": True}]:
        text = sources.NUMBER.replace("ELEMENT", "f32")
        tile_ir.loads(text, **options)["number"][1](array, 2.0, isolated=True)
        assert array[0] == 2


def test_large_arrays_and_much_output_are_sent():
    n = 1 << 20
    x, y = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
    sources.copy("f32")[n // 4](x, y, n, isolated=True)
    assert np.array_equal(x, y)
    report = None
    with contextlib.redirect_stdout(io.StringIO()):
        report = sources.other("hello").run(5000, isolated=True)
    assert report.output.count("\n") == 5000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_process_starts_its_own():
    scaled(isolated=True)
    process = multiprocessing.get_context("fork").Process(target=scaled, kwargs={"isolated": True})
    process.start()
    process.join(300)
    assert process.exitcode == 0
    scaled(isolated=True)


def test_parallel_launches_have_processes_of_their_own():
    both, seen = threading.Barrier(2, timeout=300), []

    class Meeting(io.StringIO):
        def write(self, text: str) -> int:
            both.wait()
            seen.append(len(process_ids()))
            return len(text)

    with contextlib.redirect_stdout(Meeting()):
        run = sources.other("hello")[1]
        threads = [threading.Thread(target=run, kwargs={"isolated": True}) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert min(seen) >= 2


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is that of Linux")
def test_the_process_is_in_a_sandbox():
    scaled(isolated=True)
    (pid, *_) = process_ids()
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        assert "Seccomp:\t2\n" in status.read()


POINTERS = """\
cuda_tile.module @kernels {
  entry @second(%list: tile<ptr<i64>>, %out: tile<ptr<i32>>) {
    %address, %t = load_ptr_tko weak %list : tile<ptr<i64>> -> tile<i64>, token
    %p = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
    %v, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %w = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
"""


@pytest.mark.parametrize("launch", [_native.launch, _isolated.launch_isolated])
def test_buffers_contain_addresses_of_arrays(launch):
    x, out = np.arange(4, dtype=np.int32), np.zeros(1, np.int32)
    listed = _native.Array("%x[2:]", "i32", x[2:].ctypes.data, 8, False)
    written = _native.Array("%out", "i32", out.ctypes.data, 4, True)
    arguments = [_native.Words("%list", [listed, 7]), written]
    program = tile_ir.loads(POINTERS)._native
    report = launch(program, "second", (1, 1, 1), arguments, _native.Options(), print)
    assert report["finding"] is None and out[0] == 2
