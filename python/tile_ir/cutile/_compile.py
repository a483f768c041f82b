"""Compiling kernels of cuTile to programs.

cuTile's own compiler makes the bytecode, through its public functions for ahead-of-time compilation.
"""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from .. import _native
from .._program import Program

#: Versions of bytecode, the best one first. cuTile knows some of them.
VERSIONS = ("13.4", "13.3", "13.2", "13.1")

#: The programs of each kernel, by the symbol of the signature and the GPU.
_programs: WeakKeyDictionary[Any, dict[tuple[str, str], Program]] = WeakKeyDictionary()


def signature(kernel: Any, arguments: Sequence[Any]) -> Any:
    """The signature of a kernel for arguments whose arrays are `DeviceArray`s: a `KernelSignature`.

    The first calling convention has neither tuples nor constant shapes. Where the second makes an extent of 1 constant,
    cuTile 1.7 states that its stride is a multiple of 4, which is wrong and which the sanitizer would report.
    """
    compilation = importlib.import_module("cuda.tile.compilation")
    CallingConvention, KernelSignature = compilation.CallingConvention, compilation.KernelSignature
    conventions = [CallingConvention.cutile_python_v1()]
    if hasattr(CallingConvention, "cutile_python_v2"):
        conventions.append(CallingConvention.cutile_python_v2())
    for convention in conventions[:-1]:
        with contextlib.suppress(Exception):
            return KernelSignature.from_kernel_args(kernel, tuple(arguments), convention)
    return KernelSignature.from_kernel_args(kernel, tuple(arguments), conventions[-1])


def compile(kernel: Any, signature: Any, gpu: str) -> Program:
    """The program of a kernel for a signature, whose only entry is the kernel."""
    programs = _programs.setdefault(kernel, {})
    program = programs.get((signature.symbol, gpu))
    if program is None:
        # cuTile counts columns from 0, as Python's `ast` does.
        native = _native.Program.decode(bytecode(kernel, signature, gpu), signature.symbol, True, first_column=0)
        program = programs[signature.symbol, gpu] = Program(native)
    return program


def bytecode(kernel: Any, signature: Any, gpu: str) -> bytes:
    """Bytecode in the newest version that cuTile and this package know."""
    export_kernel = importlib.import_module("cuda.tile.compilation").export_kernel
    for version in VERSIONS:
        out = io.BytesIO()
        options = {"gpu_code": gpu, "output_format": "tileir_bytecode", "bytecode_version": version}
        try:
            export_kernel(kernel, [signature], out, **options)
        except ValueError as error:
            if "bytecode version" not in str(error):
                raise
        else:
            return out.getvalue()
    raise RuntimeError(f"this version of cuda-tile writes none of the bytecode versions {', '.join(VERSIONS)}")
