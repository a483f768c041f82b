"""Python processes that a program starts while its kernels run on the CPU.

They find the settings in the environment, where `_site/sitecustomize.py` reads them when Python starts.
"""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

from ._settings import Settings

#: The variable with the settings.
VARIABLE = "TILE_IR_CUTILE_CPU"

#: The folder that contains the package, and the folder of `sitecustomize.py`.
PACKAGE = str(Path(__file__).parents[2])
SITE = str(Path(__file__).parent / "_site")


def environment(settings: Settings) -> dict[str, str]:
    """The variables of the environment for other processes."""
    plain = dataclasses.asdict(dataclasses.replace(settings, on_report=None))
    known = os.environ.get("PYTHONPATH")
    # The package need not be installed.
    path = [SITE, *([known] if known else []), PACKAGE]
    return {VARIABLE: json.dumps(plain), "PYTHONPATH": os.pathsep.join(path)}


def inherited() -> Settings | None:
    """The settings of the process that started this one."""
    text = os.environ.get(VARIABLE)
    if text is None:
        return None
    plain = json.loads(text)
    return Settings(**{**plain, "trace": tuple(plain["trace"])})
