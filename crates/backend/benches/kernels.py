#!/usr/bin/env python3
"""Compares the kernels in `examples/tuned` on a GPU with what PyTorch offers for the same work.

    python3 crates/backend/benches/kernels.py [--only NAME]... [--turns 3] [--time 0.25] [--json] target/release/tile

`tile bench` times the `bench` launch of each kernel. PyTorch runs cuBLAS, its attention (SDPA), and its own kernels with the same
sizes and element types. Both take turns on the same machine. Device events time each launch, every launch starts with a cold L2
cache, and the result is the best median of all turns. Requires PyTorch with CUDA; without it, the kernels are timed alone.

The goals: matrix products within 3 % of cuBLAS, attention within 15 % of SDPA, and the other kernels with at least 90 % of the
bandwidth of the faster one of two copies, ours and PyTorch's. The exit status is 1 if a goal is missed or a kernel fails.
"""
import argparse
import contextlib
import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys
import time
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parents[3]
TUNED = ROOT / "examples/tuned"
SIZE = 8192
HEADS, POSITIONS, DEPTH = 16, 16384, 128
ROWS, COLUMNS = 32768, 4096
VECTOR = 1 << 26
WARMUP = 3
# Seconds after which no further turn starts.
TIME_LIMIT = 150
# Seconds after which a run of `tile bench` is stopped.
TURN_LIMIT = 60


@dataclasses.dataclass
class Kernel:
    """A kernel of `examples/tuned`, its work, and what it is compared with.

    `operations` and `bytes` are the floating-point operations and the memory traffic of a launch; one of them is 0.
    `rivals` returns functions by name, each of which starts the same work in PyTorch.
    `goal` is a rival and the accepted time relative to it; without one, the goal is a share of the bandwidth of a copy.
    """

    name: str
    file: str
    rivals: Callable
    operations: int = 0
    bytes: int = 0
    goal: tuple[str, float] | None = None


BANDWIDTH_GOAL = 0.9


# The work in PyTorch.

def uniform(torch, *shape, dtype="float16"):
    return torch.empty(shape, device="cuda").uniform_(-1, 1).to(getattr(torch, dtype))


def gemm_f16(torch):
    a, b = uniform(torch, SIZE, SIZE), uniform(torch, SIZE, SIZE)
    c = torch.empty_like(a)
    return {"cuBLAS": lambda: torch.matmul(a, b, out=c)}


def gemm_fp8(torch):
    a, b = uniform(torch, SIZE, SIZE, dtype="float8_e4m3fn"), uniform(torch, SIZE, SIZE, dtype="float8_e4m3fn")
    one = torch.ones((), device="cuda")
    product = lambda fast: torch._scaled_mm(a, b.t(), one, one, out_dtype=torch.float16, use_fast_accum=fast)
    return {"cuBLAS": lambda: product(True), "cuBLAS, f32 sums": lambda: product(False)}


def attention(causal):
    def rivals(torch):
        from torch.nn.attention import SDPBackend, sdpa_kernel
        q, k, v = (torch.randn(1, HEADS, POSITIONS, DEPTH, device="cuda", dtype=torch.float16) for _ in range(3))

        def sdpa(backend):
            def launch():
                with sdpa_kernel(backend) if backend else contextlib.nullcontext():
                    torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            return launch

        return {"SDPA": sdpa(None), "SDPA, flash": sdpa(SDPBackend.FLASH_ATTENTION), "SDPA, cuDNN": sdpa(SDPBackend.CUDNN_ATTENTION)}
    return rivals


def rows(torch):
    return torch.randn(ROWS, COLUMNS, device="cuda")


def softmax(torch):
    x, y = rows(torch), torch.empty(ROWS, COLUMNS, device="cuda")
    return {"torch.softmax": lambda: torch.softmax(x, 1, out=y)}


def layer_norm(torch):
    x, gamma, beta = rows(torch), torch.rand(COLUMNS, device="cuda"), torch.rand(COLUMNS, device="cuda")
    return {"layer_norm": lambda: torch.nn.functional.layer_norm(x, (COLUMNS,), gamma, beta, 1e-5)}


def rms_norm(torch):
    x, gamma = rows(torch), torch.rand(COLUMNS, device="cuda")
    return {"rms_norm": lambda: torch.nn.functional.rms_norm(x, (COLUMNS,), gamma, 1e-5)}


def transpose(torch):
    a = uniform(torch, SIZE, SIZE, dtype="float32")
    return {"t().contiguous()": lambda: a.t().contiguous()}


def saxpy(torch):
    x, y = uniform(torch, VECTOR, dtype="float32"), uniform(torch, VECTOR, dtype="float32")
    return {"torch.add": lambda: torch.add(y, x, alpha=2.5, out=y)}


def copy(torch):
    x = uniform(torch, VECTOR, dtype="float32")
    y = torch.empty_like(x)
    return {"copy_": lambda: y.copy_(x)}


PRODUCT = 2 * SIZE ** 3
ATTENTION = 4 * HEADS * POSITIONS ** 2 * DEPTH
KERNELS = [
    Kernel("copy", "copy.tile", copy, bytes=8 * VECTOR),
    Kernel("saxpy", "saxpy.tile", saxpy, bytes=12 * VECTOR),
    Kernel("transpose", "transpose.tile", transpose, bytes=8 * SIZE ** 2),
    Kernel("softmax", "softmax.tile", softmax, bytes=8 * ROWS * COLUMNS),
    Kernel("layer_norm", "layer_norm.tile", layer_norm, bytes=8 * ROWS * COLUMNS),
    Kernel("rms_norm", "rms_norm.tile", rms_norm, bytes=8 * ROWS * COLUMNS),
    Kernel("gemm_f16", "gemm_f16.tile", gemm_f16, operations=PRODUCT, goal=("cuBLAS", 1.03)),
    Kernel("gemm_fp8", "gemm_fp8.tile", gemm_fp8, operations=PRODUCT, goal=("cuBLAS", 1.03)),
    Kernel("attention", "attention.tile", attention(False), operations=ATTENTION, goal=("SDPA", 1.15)),
    # Half of the keys, on average.
    Kernel("causal", "attention.tile", attention(True), operations=ATTENTION // 2, goal=("SDPA", 1.15)),
]


# Measurement.

def tile_seconds(arguments, kernel):
    """Returns the median duration of a kernel in `tile bench`, and the name of the device."""
    command = [arguments.tile, "bench", TUNED / kernel.file, "--filter", f'@{kernel.name} "', "--target", arguments.target,
               "--rounds", "1", "--time", str(arguments.time), "--output-format", "json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=TURN_LIMIT)
    try:
        measured, = json.loads(result.stdout)["results"]
        return statistics.median(sum(measured["rounds"], [])), measured["device"]
    except (ValueError, KeyError):
        raise RuntimeError(result.stderr.strip() or result.stdout.strip() or "no output") from None


def torch_seconds(torch, launch, seconds):
    """Returns the median duration of a launch in PyTorch. Writing twice the size of the L2 cache removes its contents."""
    cold = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    found, end = [], None
    while end is None or time.monotonic() < end or len(found) < 5:
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        cold.zero_()
        first.record()
        launch()
        last.record()
        last.synchronize()
        found.append(first.elapsed_time(last) / 1e3)
        if end is None and len(found) == WARMUP:
            found, end = [], time.monotonic() + seconds
    return statistics.median(found)


def load_torch():
    """Returns PyTorch, or the reason why it cannot be used."""
    try:
        import torch
    except (ImportError, OSError) as why:
        return None, f"PyTorch is not installed: {why}"
    return (torch, None) if torch.cuda.is_available() else (None, "PyTorch finds no GPU")


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def turn(arguments, torch, kernel, best, errors):
    """Times a kernel and its rivals once. `best` keeps the shortest median by name, `errors` the reasons for missing ones."""
    def attempt(name, measure):
        try:
            seconds = measure()
            best[name] = min(seconds, best.get(name, seconds))
        except Exception as error:  # the others are measured anyway
            errors[name] = first_line(error)

    def ours():
        seconds, errors["device"] = tile_seconds(arguments, kernel)
        return seconds

    attempt("tile", ours)
    if torch is None:
        return
    try:
        rivals = kernel.rivals(torch)
    except Exception as error:
        errors["PyTorch"] = first_line(error)
        return
    for name, launch in rivals.items():
        attempt(name, lambda: torch_seconds(torch, launch, arguments.time))
    del rivals
    torch.cuda.empty_cache()


def measure(arguments, torch, kernels):
    """Returns the best medians in seconds and the errors of each kernel."""
    best = {kernel.name: {} for kernel in kernels}
    errors = {kernel.name: {} for kernel in kernels}
    end = time.monotonic() + TIME_LIMIT
    for number in range(arguments.turns):
        for kernel in kernels:
            if number == 0 or time.monotonic() < end:
                turn(arguments, torch, kernel, best[kernel.name], errors[kernel.name])
                print(f"turn {number + 1}: {kernel.name}", file=sys.stderr)
    return best, errors


# The report.

def verdict(kernel, seconds, copy_bandwidth):
    """Returns the goal and the figure that counts for it, and whether it is met; `None` if it was not measured."""
    if kernel.name == "copy" or "tile" not in seconds:
        return None
    if kernel.goal:
        rival, accepted = kernel.goal
        if rival not in seconds:
            return None
        ratio = seconds["tile"] / seconds[rival]
        return f"{ratio:.3f} times as long as {rival}, at most {accepted}", ratio <= accepted
    if copy_bandwidth is None:
        return None
    share = kernel.bytes / seconds["tile"] / copy_bandwidth
    return f"{100 * share:.1f} % of a copy, at least {100 * BANDWIDTH_GOAL:.0f} %", share >= BANDWIDTH_GOAL


def report(kernels, best, errors):
    """Returns the results as data: for each kernel, its rates, its goal and its errors."""
    copies = [next(kernel.bytes for kernel in KERNELS if kernel.name == "copy") / seconds
              for seconds in best.get("copy", {}).values()]
    fastest_copy = max(copies, default=None)
    found = []
    for kernel in kernels:
        seconds, missing = best[kernel.name], dict(errors[kernel.name])
        device = missing.pop("device", None)
        goal = verdict(kernel, seconds, fastest_copy)
        found.append({
            "kernel": kernel.name, "device": device, "seconds": seconds,
            "rate": {name: (kernel.operations or kernel.bytes) / turn for name, turn in seconds.items()},
            "unit": "FLOP/s" if kernel.operations else "B/s",
            "share_of_copy": {name: kernel.bytes / turn / fastest_copy for name, turn in seconds.items()}
            if kernel.bytes and fastest_copy else {},
            "goal": goal[0] if goal else None, "met": goal[1] if goal else None, "errors": missing})
    return found


def table(found):
    for result in found:
        ours = result["seconds"].get("tile")
        print(f"{result['kernel']}" + (f", {result['device']}" if result["device"] else ""))
        for name, seconds in result["seconds"].items():
            rate, unit = (result["rate"][name] / 1e12, "TFLOP/s") if result["unit"] == "FLOP/s" else (result["rate"][name] / 1e9, "GB/s")
            ratio = f"  tile takes {ours / seconds:.3f} times as long" if ours and name != "tile" else ""
            share = f"{100 * result['share_of_copy'][name]:7.1f} % of a copy" if result["share_of_copy"] else ""
            print(f"  {name:18}{1e3 * seconds:10.4f} ms {rate:9.1f} {unit:7}{share}{ratio}")
        for name, why in result["errors"].items():
            print(f"  {name:18} not measured: {why}")
        if result["goal"]:
            print(f"  goal {'met' if result['met'] else 'MISSED'}: {result['goal']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=[kernel.name for kernel in KERNELS], metavar="NAME",
                        help="a kernel to measure (can be repeated); memory-bound kernels also need `copy`, which is added")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--time", type=float, default=0.25, help="seconds for each kernel and each rival in a turn")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("tile", help="the program `tile`")
    arguments = parser.parse_args()
    if arguments.turns < 1:
        parser.error("--turns must be at least 1")
    wanted = [kernel for kernel in KERNELS if not arguments.only or kernel.name in arguments.only]
    if any(kernel.bytes for kernel in wanted) and KERNELS[0] not in wanted:
        wanted.insert(0, KERNELS[0])
    torch, why = load_torch()
    if why:
        print(f"only tile is timed: {why}", file=sys.stderr)
    found = report(wanted, *measure(arguments, torch, wanted))
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        table(found)
    if any(result["met"] is False or "tile" in result["errors"] for result in found):
        sys.exit(1)


if __name__ == "__main__":
    main()
