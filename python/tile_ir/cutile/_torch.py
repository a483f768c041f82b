"""PyTorch without a GPU: the device `cuda` is the CPU.

Functions that create or move tensors ignore the device, and the functions of `torch.cuda` that scripts use around
launches have no effect. Other functions of `torch.cuda` fail as they do without a GPU.
"""

from __future__ import annotations

import contextlib
import importlib
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ._patches import Patches, unsupported
from ._settings import Settings

#: The name of the device.
NAME = "CPU engine of tile"


class Stream:
    """A stream. Launches have ended when they return, so it has nothing to wait for."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.cuda_stream = 0
        self.stream_id = 0
        self.device_index = 0

    def synchronize(self) -> None:
        """Returns."""

    def wait_stream(self, _: Any) -> None:
        """Returns."""

    def wait_event(self, _: Any) -> None:
        """Returns."""

    def record_event(self, event: Event | None = None) -> Event:
        """An event that records the time."""
        event = Event() if event is None else event
        event.record()
        return event

    def query(self) -> bool:
        """All work has ended."""
        return True

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        pass


class Event:
    """An event, which records the time."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._time = time.perf_counter()

    def record(self, _: Any = None) -> None:
        """Records the time."""
        self._time = time.perf_counter()

    def elapsed_time(self, end: Event) -> float:
        """The time until another event, in milliseconds."""
        return (end._time - self._time) * 1e3

    def synchronize(self) -> None:
        """Returns."""

    def wait(self, _: Any = None) -> None:
        """Returns."""

    def query(self) -> bool:
        """All work before the event has ended."""
        return True


class Device(contextlib.nullcontext[None]):
    """The context of a device."""

    def __init__(self, *_: Any) -> None:
        super().__init__()


class StreamContext(contextlib.nullcontext[None]):
    """The context of a stream."""

    def __init__(self, *_: Any) -> None:
        super().__init__()


def activate(patches: Patches, settings: Settings) -> contextlib.AbstractContextManager[Any]:
    """Replaces functions of `torch.cuda`. Returns a context in which the device `cuda` is the CPU."""
    torch = importlib.import_module("torch")
    for name, value in replacements(settings).items():
        patches.replace(torch.cuda, name, value)
    patches.replace(torch, "Generator", _generator(torch))
    return _mode(torch)


def replacements(settings: Settings) -> dict[str, Any]:
    """The replaced functions of `torch.cuda`."""
    major, minor = settings.capability
    properties = SimpleNamespace(
        name=NAME,
        major=major,
        minor=minor,
        # Scripts derive grids from this number and divide it. A B200 has as many.
        multi_processor_count=148,
        total_memory=1 << 34,
        L2_cache_size=1 << 22,
    )
    stream = Stream()

    # `torch.compile` requires a different function object for each name.
    def constant(value: Any) -> Callable[..., Any]:
        return lambda *_, **__: value

    return {
        "is_available": constant(True),
        "is_initialized": constant(True),
        "init": constant(None),
        "device_count": constant(1),
        "current_device": constant(0),
        "set_device": constant(None),
        "device": Device,
        "get_device_name": constant(NAME),
        "get_device_capability": constant((major, minor)),
        "get_device_properties": constant(properties),
        "synchronize": constant(None),
        "Stream": Stream,
        "Event": Event,
        "stream": StreamContext,
        "current_stream": constant(stream),
        "default_stream": constant(stream),
        "set_stream": constant(None),
        "empty_cache": constant(None),
        "reset_peak_memory_stats": constant(None),
        "memory_allocated": constant(0),
        "max_memory_allocated": constant(0),
        "memory_reserved": constant(0),
        "mem_get_info": constant((1 << 34, 1 << 34)),
        "manual_seed": constant(None),
        "manual_seed_all": constant(None),
        "is_current_stream_capturing": constant(False),
        "CUDAGraph": unsupported("CUDA graphs"),
        "graph": unsupported("CUDA graphs"),
    }


def _generator(torch: Any) -> Any:
    original = torch.Generator

    class Meta(type):
        """Makes generators instances of the replacement, which is a class because annotations use it."""

        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, original)

    class Generator(metaclass=Meta):
        """Creates a generator of the CPU."""

        def __new__(cls, device: Any = "cpu") -> Any:
            return original("cpu" if is_cuda(torch, device) else device)

    return Generator


def is_cuda(torch: Any, device: Any) -> bool:
    """Whether a value names a CUDA device."""
    if isinstance(device, torch.device):
        return bool(device.type == "cuda")
    return isinstance(device, str) and device.split(":")[0] == "cuda"


def _mode(torch: Any) -> contextlib.AbstractContextManager[Any]:
    TorchFunctionMode: Any = importlib.import_module("torch.overrides").TorchFunctionMode
    tensor = torch.Tensor
    moves = {tensor.to, torch.nn.Module.to}
    is_on_device = {tensor.is_cuda.__get__}

    class CpuMode(TorchFunctionMode):  # type: ignore[misc]
        """Functions of PyTorch in which the device `cuda` is the CPU."""

        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if function is tensor.cuda:
                return args[0]
            if function in is_on_device:
                return True
            if is_cuda(torch, kwargs.get("device")) or isinstance(kwargs.get("device"), int):
                kwargs["device"] = "cpu"
            if kwargs.get("pin_memory"):
                kwargs["pin_memory"] = False
            if function in moves or any(isinstance(value, torch.device) for value in args):
                args = tuple("cpu" if is_cuda(torch, value) else value for value in args)
            return function(*args, **kwargs)

    return CpuMode()
