#!/usr/bin/env python3
"""Measures whole processes: the time from the start of a command to its end, and its peak memory.

    python3 crates/cli/benches/commands.py check [--rounds 20] [--json] target/dist/tile
    python3 crates/cli/benches/commands.py build target/dist/tile
    python3 crates/cli/benches/commands.py run target/dist/tile

`check` reads generated programs of 10,000 and 100,000 lines, `build` one of 112,500, and `run` runs `examples/hello_world.tile`.
The times are medians.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
LINES = {"check": [10_000, 100_000], "build": [112_500], "run": []}
ENTRY = """\
  entry @kernel_NUMBER(%a: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %a, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %part = make_partition_view %view : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>
    %tile, %token = load_view_tko weak %part[%x, %y] : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %one = constant <f32: NUMBER.0> : tile<64x64xf32>
    %sum = addf %tile, %one : tile<64x64xf32>
    return
  }
"""


def program(lines):
    """A module of about this many lines."""
    return "cuda_tile.module @bench {\n" + "".join(ENTRY.replace("NUMBER", str(number)) for number in range(lines // 9)) + "}\n"


def measure(command, rounds):
    """Returns the median time in milliseconds and, on Linux, the peak memory in MB of a command that succeeds."""
    times = []
    # The first round reads the files from the disk.
    for _ in range(rounds + 1):
        began = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        times.append(1000 * (time.perf_counter() - began))
        if done.returncode:
            sys.exit(f"{' '.join(command)} fails:\n{done.stderr}")
    return {"ms": statistics.median(times[1:]), "mb": peak_memory(command)}


def peak_memory(command):
    """Reads the peak until the process ends. `ru_maxrss` includes the memory of this process, which starts it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = None
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                peak = next((int(line.split()[1]) * 1024 / 1e6 for line in status if line.startswith("VmHWM")), peak)
        except OSError:
            pass
    return peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=["check", "build", "run"])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("tile")
    arguments = parser.parse_args()
    commands = {}
    with tempfile.TemporaryDirectory() as folder:
        for lines in LINES[arguments.name]:
            path = os.path.join(folder, f"{lines}.tile")
            pathlib.Path(path).write_text(program(lines))
            if arguments.name == "check":
                commands[str(lines)] = ["check", path]
            elif arguments.name == "build":
                commands[str(lines)] = ["build", path, "-o", os.devnull]
                commands[f"{lines}.no-debug-info"] = ["build", "--no-debug-info", path, "-o", os.devnull]
        if arguments.name == "run":
            commands["hello_world"] = ["run", str(ROOT / "examples/hello_world.tile")]
        found = {name: measure([arguments.tile, *command], arguments.rounds) for name, command in commands.items()}
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{arguments.name:26}{'ms':>10}{'MB':>10}")
    for name, one in found.items():
        print(f"{name:26}{one['ms']:10.2f}{one['mb'] or 0:10.1f}")


if __name__ == "__main__":
    main()
