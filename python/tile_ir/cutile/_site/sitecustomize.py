"""Runs when a Python process starts whose parent runs cuTile's kernels on the CPU."""

import importlib.util
import os
import sys

_folder = os.path.dirname(os.path.abspath(__file__))
sys.path = [entry for entry in sys.path if os.path.abspath(entry) != _folder]

# The module of this name that it hides.
_own = sys.modules.pop("sitecustomize")
_other = importlib.util.find_spec("sitecustomize")
if _other is not None and _other.loader is not None:
    _module = importlib.util.module_from_spec(_other)
    sys.modules["sitecustomize"] = _module
    _other.loader.exec_module(_module)
else:
    sys.modules["sitecustomize"] = _own

if os.environ.get("TILE_IR_CUTILE_CPU"):
    from tile_ir.cutile import _inherit

    _inherit()
