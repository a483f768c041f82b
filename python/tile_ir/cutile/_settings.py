"""The settings of emulated launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._report import Report


@dataclass(frozen=True)
class Settings:
    """How kernels run. See `tile_ir.cutile.cpu`."""

    sanitize: bool = False
    schedule: int | None = None
    timeout: float | None = None
    threads: int | None = None
    profile: bool = False
    trace: tuple[str | int, ...] = ()
    gpu: str = "sm_100"
    on_report: Callable[[Report], None] | None = None

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability of the GPU, such as `(10, 0)` for `sm_100`."""
        digits = self.gpu.removeprefix("sm_").rstrip("af")
        if not self.gpu.startswith("sm_") or not digits.isdigit() or len(digits) < 2:
            raise ValueError(f"{self.gpu!r} is not a GPU: expected a name such as 'sm_100' or 'sm_90'")
        return int(digits[:-1]), int(digits[-1])
