"""Builds the wheel: the programs with cargo, then the module with maturin, which packs both.

maturin does not build programs next to a module; it packs what the folder `tile_ir.data` contains. The profile is that
of `tool.maturin` in `pyproject.toml`, or `--profile` of the build argument `build-args` or of the variable
`MATURIN_PEP517_ARGS`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import maturin
from maturin import get_requires_for_build_editable, get_requires_for_build_sdist, get_requires_for_build_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "python/tile_ir.data/scripts"
PROGRAMS = ("tile", "tile-fmt")


class UnsupportedOperation(Exception):
    """A hook that this backend does not have."""


def prepare_metadata_for_build_wheel(directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Writes the metadata of the wheel. maturin wants the folder of the programs to exist."""
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return str(maturin.prepare_metadata_for_build_wheel(directory, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(directory: str, config_settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    """Builds a wheel."""
    build_programs(config_settings)
    return str(maturin.build_wheel(directory, config_settings, metadata))


def build_editable(directory: str, config_settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    """Builds a wheel that refers to the sources of the package."""
    build_programs(config_settings)
    return str(maturin.build_editable(directory, config_settings, metadata))


def build_sdist(directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """There is none: maturin would leave out the crates of the programs."""
    raise UnsupportedOperation("tile-ir has no source distribution: build a wheel in the repository")


def build_programs(config_settings: dict[str, Any] | None) -> None:
    """Builds the programs, and puts them where maturin packs them."""
    provide_rust()
    options = arguments(config_settings)
    command = ["cargo", "build", "--locked", "--package", "tile", "--profile", options.profile]
    if options.target:
        command += ["--target", options.target]
    # The last line of standard output is the wheel that maturin has built.
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    metadata = subprocess.check_output(["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=ROOT)
    folder = Path(json.loads(metadata)["target_directory"], options.target or "")
    put(folder / ("debug" if options.profile == "dev" else options.profile))


def provide_rust() -> None:
    """Installs Rust for this build if it is not installed, as maturin does."""
    if shutil.which("cargo") is None and not os.environ.get("MATURIN_NO_INSTALL_RUST"):
        from puccinialin import setup_rust

        os.environ.update(setup_rust())


def put(folder: Path) -> None:
    """Copies the programs in a folder to where maturin packs them."""
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    suffix = "" if (folder / "tile").exists() else ".exe"
    for program in PROGRAMS:
        shutil.copy2(folder / f"{program}{suffix}", SCRIPTS)


def arguments(config_settings: dict[str, Any] | None) -> argparse.Namespace:
    """The profile and the target of the build, which are also those of maturin."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--profile", default=maturin.get_config()["profile"])
    parser.add_argument("--target", default=os.environ.get("CARGO_BUILD_TARGET"))
    options, _ = parser.parse_known_args(maturin.get_maturin_pep517_args(config_settings))
    return options
