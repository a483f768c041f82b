"""Launches: grids, numbers, output, interruptions, threads and options."""

import contextlib
import decimal
import io
import re
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
import sources
import tile_ir
from tile_ir import _isolated


@pytest.fixture(params=[False, True], ids=["in process", "isolated"])
def isolated(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.mark.parametrize("grid", [2, [2], (2, 1), (2, 1, 1), np.int64(2), (np.int32(2), 1)])
def test_a_grid_has_one_to_three_extents(grid):
    kernel = sources.other("hello")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        kernel[grid]()
    assert output.getvalue() == "block 0\nblock 1\n"


@pytest.mark.parametrize("grid", [0, (), (1, 1, 1, 1), -1, (1, 0), 1 << 32])
def test_an_impossible_grid_is_an_error(grid):
    with pytest.raises(ValueError, match="the grid"):
        sources.other("hello")[grid]
    with pytest.raises(ValueError, match="the grid"):
        sources.other("hello").run(grid)


@pytest.mark.parametrize("grid", [1.5, "2", None])
def test_a_grid_consists_of_whole_numbers(grid):
    with pytest.raises(TypeError):
        sources.other("hello")[grid]


def test_the_number_of_arguments_is_checked():
    kernel = sources.scale()
    with pytest.raises(TypeError, match=re.escape("@scale takes 2 arguments (x, y), not 1")):
        kernel[2](np.zeros(256, np.float32))
    with pytest.raises(TypeError, match=re.escape("@hello takes 0 arguments (none), not 1")):
        sources.other("hello")[1](1)


NUMBERS = [
    ("i32", 5, 5),
    ("i32", True, 1),
    ("i32", np.int8(-3), -3),
    ("i32", np.uint16(7), 7),
    ("i32", -(2**31), -(2**31)),
    ("i8", 127, 127),
    ("i64", 2**63 - 1, 2**63 - 1),
    ("i1", True, 1),
    ("i1", np.bool_(False), 0),
    ("f32", 0.5, 0.5),
    ("f32", 3, 3.0),
    ("f32", np.float16(0.25), 0.25),
    ("f32", np.float64(0.1), np.float32(0.1)),
    ("f32", float("inf"), float("inf")),
    ("f32", -0.0, -0.0),
    ("f64", 0.1, 0.1),
    ("f16", 0.1, np.float16(0.1)),
]
DTYPES = {"i1": np.bool_, "i8": np.int8, "i32": np.int32, "i64": np.int64, "f16": np.float16, "f32": np.float32}


@pytest.mark.parametrize(("element", "number", "expected"), NUMBERS)
def test_numbers(element: str, number, expected, isolated: bool):
    array = np.zeros(1, DTYPES.get(element, np.float64))
    sources.number(element)[1](array, number, isolated=isolated)
    assert array[0] == expected and np.signbit(array[0]) == np.signbit(array.dtype.type(expected))


def test_not_a_number_is_a_number():
    array = np.zeros(1, np.float32)
    sources.number("f32")[1](array, float("nan"))
    assert np.isnan(array[0])


@pytest.mark.parametrize(
    ("element", "number"),
    [
        ("i32", 1.5),
        ("i32", 2**32),
        ("i32", -(2**31) - 1),
        ("i8", 1000),
        ("i64", 2**64),
        ("i64", 10**400),
        ("i1", 2),
        ("i32", "5"),
        ("i32", None),
        ("f32", "x"),
        ("f32", object()),
        ("f32", 1j),
        ("i32", decimal.Decimal("1.5")),
    ],
)
def test_numbers_that_do_not_fit_are_errors(element: str, number, isolated: bool):
    array = np.zeros(1, DTYPES.get(element, np.float64))
    with pytest.raises(TypeError, match=f"argument `n` of `@number`, a `tile<{element}>`: "):
        sources.number(element)[1](array, number, isolated=isolated)


def test_arrays_and_numbers_are_not_exchanged():
    array = np.zeros(1, np.float32)
    with pytest.raises(TypeError, match=r"argument p of @number, a tile<ptr<f32>>: it takes an array, not 1.5"):
        sources.number("f32")[1](1.5, 1.5)
    with pytest.raises(TypeError, match=r"argument n of @number, a tile<f32>: it takes a number, not an array"):
        sources.number("f32")[1](array, array)


def test_output_is_printed_and_in_the_report(isolated: bool, capsys: pytest.CaptureFixture[str]):
    report = sources.other("hello").run(3, isolated=isolated)
    assert report.output == capsys.readouterr().out == "block 0\nblock 1\nblock 2\n"


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError("the disk is full")


@pytest.mark.parametrize("name", ["hello", "endless"])
def test_an_error_of_the_output_ends_the_launch(name: str, isolated: bool):
    with contextlib.redirect_stdout(Broken()), pytest.raises(OSError, match="the disk is full"):
        sources.other(name)[1](isolated=isolated)


def test_a_time_limit_ends_the_launch(isolated: bool, monkeypatch: pytest.MonkeyPatch):
    # A process on a busy machine may take long to answer.
    monkeypatch.setattr(_isolated, "GRACE", 300.0)
    with pytest.raises(tile_ir.Finding) as caught, contextlib.redirect_stdout(io.StringIO()):
        sources.other("endless")[1](timeout=0.2, isolated=isolated)
    assert (caught.value.code, caught.value.message) == ("R0402", "the run timed out after 200ms")


@pytest.mark.parametrize("timeout", [-1, float("nan"), float("inf")])
def test_an_impossible_time_limit_is_an_error(timeout: float, isolated: bool):
    with pytest.raises((ValueError, OverflowError)):
        sources.other("hello")[1](timeout=timeout, isolated=isolated)


# Shells let programs that they start in the background ignore the signal.
INTERRUPTED = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path = sys.argv[2:]
import sources
try:
    sources.other("endless")[1](isolated=sys.argv[1] == "True")
except KeyboardInterrupt:
    print("interrupted")
sources.other("hello")[1](isolated=sys.argv[1] == "True")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C only to the processes of a console")
def test_ctrl_c_interrupts_a_launch(isolated: bool):
    command = [sys.executable, "-u", "-c", INTERRUPTED, str(isolated), *sys.path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=300)
    assert (rest, process.returncode) == ("interrupted\nblock 0\n", 0)


def test_launches_release_the_lock_of_the_interpreter(isolated: bool):
    # Each launch waits in its output for the other, so both must run at the same time.
    both = threading.Barrier(2, timeout=300)

    class Meeting(io.StringIO):
        def write(self, text: str) -> int:
            both.wait()
            return len(text)

    def launch() -> None:
        sources.other("hello")[1](isolated=isolated)

    with contextlib.redirect_stdout(Meeting()):
        threads = [threading.Thread(target=launch) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not both.broken


def test_the_interpreter_runs_during_a_launch():
    # The launch ends only because another thread of the interpreter changes what its output does.
    done = threading.Event()

    class Ending(io.StringIO):
        def write(self, text: str) -> int:
            threading.Thread(target=done.set).start()
            assert done.wait(300)
            raise InterruptedError("done")

    with contextlib.redirect_stdout(Ending()), pytest.raises(InterruptedError, match="done"):
        sources.other("endless")[1]()


def test_a_kernel_is_launched_from_many_threads(isolated: bool):
    kernel = sources.scale()
    arrays = [(np.full(256, number, np.float32), np.zeros(256, np.float32)) for number in range(8)]
    threads = [threading.Thread(target=kernel[2], args=pair, kwargs={"isolated": isolated}) for pair in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(y, 2 * x) for x, y in arrays)


@pytest.mark.parametrize("options", [{}, {"threads": 1}, {"threads": 3}, {"schedule": 7}, {"sanitize": True}])
def test_options_do_not_change_a_correct_result(options: dict, isolated: bool):
    x, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    sources.scale()[2](x, y, isolated=isolated, **options)
    assert np.array_equal(y, 2 * x)


def test_a_schedule_selects_an_order(isolated: bool):
    # Without the sanitizer, the block that stores last wins.
    results = set()
    for seed in range(32):
        array = np.full(1, -1, np.int32)
        sources.other("races")[4](array, schedule=seed, threads=1, isolated=isolated)
        results.add(int(array[0]))
    assert len(results) > 1 and results <= {0, 1, 2, 3}


def test_unknown_options_are_errors():
    with pytest.raises(TypeError, match="sanitise"):
        sources.other("hello")[1](sanitise=True)
    with pytest.raises(TypeError, match="trace"):
        sources.other("hello")[1](trace="%x")
