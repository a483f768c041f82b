"""Generates the programs of this folder and of `../engine`: `python3 generate.py`, with mpmath installed. The output is
reproducible.

`--count`, a power of two, and `--seed` generate other cases than the checked-in ones. `--out` sets the output folder.
"""

import argparse
import random
from pathlib import Path

import control
import conversions
import flags
import floats
import folds
import functions
import halves
import integers
import matrices
import memory
import mixtures
import multimem
import printing
import structure
import views
from formats import BASE, F32
from program import module

WRITTEN = "Written by generate.py, which computes the expected results in exact arithmetic."


def files(count, seed):
    """The name and the text of each file. A name includes the folder unless that is `exact`."""
    def source(name):
        return random.Random(f"{seed} {name}")
    for fmt in BASE:
        name = f"float_{fmt.name}"
        yield name, module(name, f"Float ops on {fmt.name}, in bits.\n{WRITTEN}",
                           floats.entries(fmt, source(name), count if fmt is F32 else count // 2))
    name = "functions"
    yield name, module(name, f"Float functions.\n{WRITTEN}", functions.entries(source(name), count))
    about = f"Float functions on f32, with the bits that the engine computes on every machine.\n{WRITTEN}"
    in_bits = [entry for entry in functions.entries(source(name), count, in_bits=True) if "_f32" in entry.name]
    yield f"../engine/{name}", module(name, about, in_bits)
    name = "structure"
    yield name, module(name, f"Ops that rearrange tiles.\n{WRITTEN}", structure.entries(source(name), max(1, count // 32)))
    name = "views"
    yield name, module(name, f"Loads and stores through views.\n{WRITTEN}", views.entries(source(name), max(1, count // 32)))
    name = "matrices"
    yield name, module(name, f"Matrix products.\n{WRITTEN}", matrices.entries(source(name), max(1, count // 32)))
    name = "folds"
    yield name, module(name, f"Reductions and scans.\n{WRITTEN}", folds.entries(source(name), max(1, count // 32)))
    name = "memory"
    yield name, module(name, f"Pointers, atomics, globals and scratch memory.\n{WRITTEN}",
                       memory.entries(source(name), max(1, count // 32)), memory.GLOBALS)
    name = "multimem"
    yield name, module(name, f"Multicast memory of one replica.\n{WRITTEN}", multimem.entries(source(name)))
    # Since 13.5, tiles of pointers to f4 must have rank 0.
    name = "halves"
    yield f"before-13.5/{name}", module(name, f"4-bit elements in memory.\n{WRITTEN}",
                       halves.entries(source(name), max(1, count // 32)), halves.GLOBALS)
    name = "control"
    yield name, module(name, f"Loops, branches and early exits.\n{WRITTEN}", control.entries(source(name)))
    name = "printing"
    yield name, module(name, f"Prints, assertions and assumptions.\n{WRITTEN}", printing.entries(source(name)))
    name = "mixtures"
    yield name, module(name, f"Many ops together, in loops and branches.\n{WRITTEN}",
                       mixtures.entries(source(name), max(1, count // 8)))
    name = "flags"
    yield name, module(name, f"Overflow flags, satisfied and violated.\n{WRITTEN}",
                       flags.entries(source(name), max(1, count // 16)))
    name = "integer"
    yield name, module(name, f"Integer ops at every width.\n{WRITTEN}", integers.entries(source(name), count))
    name = "ftof"
    yield name, module(name, f"Conversions between float types.\n{WRITTEN}",
                       conversions.float_entries(source(name), count))
    name = "convert"
    yield name, module(name, f"Conversions from and to integers.\n{WRITTEN}",
                       conversions.integer_entries(source(name), count))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=32)
    parser.add_argument("--seed", default="tile")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent)
    arguments = parser.parse_args()
    for name, text in files(arguments.count, arguments.seed):
        path = arguments.out / "exact" / f"{name}.tile"
        for folder in (arguments.out / "exact", path.parent):
            folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
