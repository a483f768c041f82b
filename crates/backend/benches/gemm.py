#!/usr/bin/env python3
"""Benchmarks a large f16 matrix product on a GPU: `examples/gemm_tuned.tile`, the same kernel in cuTile Python, and cuBLAS.

    python3 crates/backend/benches/gemm.py [--size 8192] [--runs 50] [--sweep] [--check] target/release/tile

All three run in turns on the same machine, with random factors. Device events time each launch, the matrices are restored
before each, and the result is the median. Implementations that are not installed are skipped: cuTile Python needs
`pip install cuda-tile`, and cuBLAS is searched for in the toolkit and in pip packages. `--sweep` measures other tile sizes and
hints of the example instead. With `--check`, the exit status is 1 if the example is more than 3 % slower than cuTile Python.
"""
import argparse
import ctypes
import json
import pathlib
import random
import re
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples/gemm_tuned.tile"
TILE = (128, 128, 64)
TURNS = 3
# The accepted slowdown of the example relative to cuTile Python.
ALLOWED = 1.03
# The tile sizes and GPU hints that `--sweep` tries.
SWEEP = [(tile, hints)
         for tile in [(128, 128, 64), (128, 256, 64), (256, 128, 64), (128, 64, 64), (128, 128, 32), (128, 128, 128)]
         for hints in ["", "occupancy = 1", "occupancy = 2", "num_cta_in_cga = 2"]]


def cdiv(a, b):
    return -(-a // b)


# The example.

def variant(text, tile, hints, gpu):
    """Returns the example with another tile size and hints."""
    (m, n, k), (tm, tn, tk) = TILE, tile
    shapes = {f"{m}x{k}": f"{tm}x{tk}", f"{k}x{n}": f"{tk}x{tn}", f"{m}x{n}": f"{tm}x{tn}"}
    text = re.sub("|".join(shapes), lambda found: shapes[found[0]], text)
    return text.replace("\n  ) {\n", f"\n  ) optimization_hints = <{gpu} = {{{hints}}}> {{\n", 1) if hints else text


def bench_example(arguments, tile=TILE, hints="", gpu="sm_90"):
    """Runs the example and returns its `bench` event."""
    size = arguments.size
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "gemm.tile"
        program.write_text(variant(EXAMPLE.read_text(), tile, hints, gpu))
        matrix = f"f16[{size}, {size}]"
        command = [arguments.tile, "run", program, "--launch", "one tile", "--target", arguments.target, "--bench", str(arguments.runs),
                   "--output-format", "json-lines", "--grid", str(cdiv(size, tile[0]) * cdiv(size, tile[1])),
                   "--arg", f"%A={matrix} uniform(-1, 1, seed=1)", "--arg", f"%B={matrix} uniform(-1, 1, seed=2)",
                   "--arg", f"%C={matrix} zeros", *[f"--arg=%{name}={size}" for name in "MNK"]]
        result = subprocess.run(command, capture_output=True, text=True)
    events = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    bench = next((event for event in events if event["event"] == "bench"), None)
    if bench is None:
        raise RuntimeError(result.stderr.strip() or result.stdout.strip() or "no output")
    return bench


# The driver, for the other two kernels.

class Driver:
    """The part of the CUDA driver API that times launches on a stream."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(self.stream), 0)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'?').decode()}")

    def memory(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address.value

    def fill(self, address, size, part):
        for start in range(0, size, len(part)):
            count = min(len(part), size - start)
            self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address + start), part, ctypes.c_size_t(count))

    def event(self):
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def times(self, launch, copies, runs):
        """Returns the duration in seconds of each launch. The copies keep the GPU busy until the launch is queued."""
        found = []
        first, last = self.event(), self.event()
        for run in range(runs + 2):
            for to, source, size in copies:
                self.call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(size),
                          self.stream)
            self.call("cuEventRecord", first, self.stream)
            launch()
            self.call("cuEventRecord", last, self.stream)
            self.call("cuStreamSynchronize", self.stream)
            milliseconds = ctypes.c_float()
            self.call("cuEventElapsedTime", ctypes.byref(milliseconds), first, last)
            if run >= 2:
                found.append(milliseconds.value / 1e3)
        return found


class Matrix:
    """A square f16 matrix on the device, in the form that other libraries accept."""

    def __init__(self, address, size):
        self.__cuda_array_interface__ = {
            "shape": (size, size), "typestr": "<f2", "data": (address, False), "version": 3, "strides": None}


def matrices(driver, size):
    """Returns two random factors and a result, and the copies that reset them."""
    random.seed(1)
    part = b"".join(struct.pack("<e", random.uniform(-1, 1)) for _ in range(1 << 18))
    total = 2 * size * size
    addresses, copies = [], []
    for number in range(3):
        address, pristine = driver.memory(total), driver.memory(total)
        driver.fill(pristine, total, part if number < 2 else bytes(len(part)))
        addresses.append(address)
        copies.append((address, pristine, total))
    return addresses, copies


def cutile(driver, size, tile):
    """Returns a function that launches the same kernel in cuTile Python."""
    import cuda.tile as ct

    rows_in_group = 8

    @ct.kernel
    def product(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
        rows, columns = ct.cdiv(a.shape[0], tm), ct.cdiv(b.shape[1], tn)
        block = ct.bid(0)
        first = block // (rows_in_group * columns) * rows_in_group
        height = min(rows - first, rows_in_group)
        row = first + block % height
        column = block % (rows_in_group * columns) // height
        sums = ct.full((tm, tn), 0, dtype=ct.float32)
        for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
            left = ct.load(a, index=(row, k), shape=(tm, tk), padding_mode=ct.PaddingMode.ZERO)
            right = ct.load(b, index=(k, column), shape=(tk, tn), padding_mode=ct.PaddingMode.ZERO)
            sums = ct.mma(left, right, sums)
        ct.store(c, index=(row, column), tile=ct.astype(sums, c.dtype))

    grid = (cdiv(size, tile[0]) * cdiv(size, tile[1]), 1, 1)
    return lambda a, b, c: ct.launch(driver.stream.value, grid, product, (a, b, c, *tile))


def library(driver, size):
    """Returns a function that launches the matrix product of cuBLAS."""
    names = ["libcublas.so.13", "libcublas.so.12", "libcublas.so"]
    folders = [pathlib.Path("/usr/local/cuda/lib64"), *[pathlib.Path(path) / "nvidia" / below / "lib"
               for path in sys.path for below in ("cu13", "cublas")]]
    paths = names + [str(folder / name) for folder in folders for name in names]
    for path in paths:
        try:
            blas = ctypes.CDLL(path)
            break
        except OSError:
            continue
    else:
        raise RuntimeError("libcublas was not found")
    handle = ctypes.c_void_p()
    assert blas.cublasCreate_v2(ctypes.byref(handle)) == 0, "cublasCreate"
    assert blas.cublasSetStream_v2(handle, driver.stream) == 0, "cublasSetStream"
    one, zero, f16, f32_sums, default_algorithm = ctypes.c_float(1), ctypes.c_float(0), 2, 68, -1

    def launch(a, b, c):
        # cuBLAS is column-major: the product of the transposed factors in reverse order is the transposed product.
        pointer = lambda matrix: ctypes.c_void_p(matrix.__cuda_array_interface__["data"][0])
        status = blas.cublasGemmEx(
            handle, 0, 0, size, size, size, ctypes.byref(one), pointer(b), f16, size, pointer(a), f16, size,
            ctypes.byref(zero), pointer(c), f16, size, f32_sums, default_algorithm)
        assert status == 0, f"cublasGemmEx: {status}"

    return launch


def others(arguments):
    """Returns the other kernels by name, as functions that return the durations of a turn, and errors for missing ones."""
    found, missing = {}, {}
    try:
        driver = Driver()
        addresses, copies = matrices(driver, arguments.size)
        all_three = [Matrix(address, arguments.size) for address in addresses]
    except (OSError, RuntimeError, AttributeError) as why:
        return found, {"cuTile Python": why, "library": why}
    for name, make in [("cuTile Python", lambda: cutile(driver, arguments.size, TILE)),
                       ("library", lambda: library(driver, arguments.size))]:
        try:
            launch = make()
            launch(*all_three)
            driver.call("cuStreamSynchronize", driver.stream)
            found[name] = lambda launch=launch: driver.times(lambda: launch(*all_three), copies, arguments.runs)
        except Exception as why:  # the others are measured anyway
            missing[name] = f"{type(why).__name__}: {why}"
    return found, missing


def compare(arguments):
    found, missing = others(arguments)
    seconds = {name: [] for name in ["tile", *found]}
    most = None
    for _ in range(TURNS):
        bench = bench_example(arguments)
        most = bench["most_operations_per_second"]
        seconds["tile"].append(bench["median"])
        for name, turn in found.items():
            seconds[name].append(statistics.median(turn()))
    operations = 2 * arguments.size ** 3
    best = {name: min(turns) for name, turns in seconds.items()}
    shape = " x ".join([str(arguments.size)] * 3)
    print(f"{shape}, f16, {bench['gpu']}: best of {TURNS} medians of {arguments.runs} runs")
    for name, turn in best.items():
        share = f", {100 * operations / turn / most:5.1f} % of the device's peak" if most else ""
        print(f"{name:16}{1e3 * turn:9.4f} ms {operations / turn / 1e12:8.1f} TFLOP/s{share}")
    for name, why in missing.items():
        print(f"{name:16} not measured: {why}")
    for name in found:
        print(f"tile takes {best['tile'] / best[name]:.3f} times as long as {name}")
    if arguments.check and best["tile"] > ALLOWED * best.get("cuTile Python", best["tile"]):
        sys.exit("the example is slower than cuTile Python")


def sweep(arguments):
    operations = 2 * arguments.size ** 3
    for tile, hints in SWEEP:
        name = f"{'x'.join(map(str, tile))} {hints}"
        try:
            turn = bench_example(arguments, tile, hints, arguments.gpu)["median"]
            print(f"{name:36}{1e3 * turn:9.4f} ms {operations / turn / 1e12:8.1f} TFLOP/s", flush=True)
        except RuntimeError as why:
            print(f"{name:36} {str(why).splitlines()[0]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=8192, help="a multiple of 16")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--gpu", default="sm_90", help="the GPU that hints of --sweep are for")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("tile")
    arguments = parser.parse_args()
    try:
        (sweep if arguments.sweep else compare)(arguments)
    except RuntimeError as why:
        sys.exit(str(why))


if __name__ == "__main__":
    main()
