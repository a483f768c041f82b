"""Programs: loading, formatting, bytecode, and mappings of kernels."""

from pathlib import Path

import numpy as np
import pytest
import sources
import tile_ir

VERSIONS = ["13.1", "13.2", "13.3", "13.4", "13.5"]


def test_the_sources_of_these_tests_have_no_diagnostics():
    for text in [sources.SCALE, sources.OTHERS, sources.COPY.replace("ELEMENT", "f32")]:
        assert not tile_ir.loads(text).has_errors


def test_a_program_is_a_mapping_of_kernels():
    program = tile_ir.loads(sources.OTHERS, path="a.tile")
    assert list(program) == ["hello", "asserts", "races", "endless", "counts", "tiles", "divides"]
    assert len(program) == 7 and "hello" in program and "x" not in program
    assert program["hello"] is program["@hello"] and program["hello"].program is program
    with pytest.raises(KeyError, match="a.tile has no entry @x; its entries: @hello, @asserts"):
        program["x"]
    assert repr(tile_ir.loads(sources.SCALE)) == "<tile_ir.Program 'program.tile': @scale>"


def test_a_kernel_lists_its_parameters():
    x, _, n = sources.copy("bf16").parameters
    assert (x.name, x.type, x.is_pointer, x.element) == ("x", "tile<ptr<bf16>>", True, "bf16")
    assert (n.name, n.type, n.is_pointer, n.element) == ("n", "tile<i32>", False, "i32")
    assert repr(sources.scale()) == "<tile_ir.Kernel @scale(x: tile<ptr<f32>>, y: tile<ptr<f32>>)>"


def test_files_of_text_and_of_bytecode_are_loaded(tmp_path: Path):
    text, bytecode = tmp_path / "a.tile", tmp_path / "a.tileirbc"
    text.write_text("\ufeff" + sources.SCALE, encoding="utf-8")
    program = tile_ir.load(text)
    assert program.text == sources.SCALE and program.path == str(text)
    bytecode.write_bytes(program.to_bytecode())
    assert list(tile_ir.load(str(bytecode))) == ["scale"]
    with pytest.raises(FileNotFoundError):
        tile_ir.load(tmp_path / "missing.tile")
    (tmp_path / "b.tile").write_bytes(b"\xff\xfe")
    with pytest.raises(UnicodeDecodeError):
        tile_ir.load(tmp_path / "b.tile")


def test_formatting_is_idempotent():
    ugly = "cuda_tile.module @m {\nentry  @ugly( ) {\n return }}\n"
    pretty = "cuda_tile.module @m {\n  entry @ugly() {\n    return\n  }\n}\n"
    assert tile_ir.format(ugly) == tile_ir.loads(ugly).format() == tile_ir.format(pretty) == pretty


@pytest.mark.parametrize("version", [None, *VERSIONS])
def test_bytecode_is_decoded_to_the_same_kernel(version: str | None):
    program = tile_ir.from_bytecode(tile_ir.loads(sources.SCALE).to_bytecode(version))
    x, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    program["scale"][2](x, y)
    assert np.array_equal(y, 2 * x) and not program.check()


def test_findings_in_bytecode_are_reported_where_its_debug_information_says():
    bytecode = tile_ir.loads(sources.OTHERS, path="others.tile").to_bytecode()
    with pytest.raises(tile_ir.Finding) as caught:
        tile_ir.from_bytecode(bytecode)["asserts"][1](2)
    assert str(caught.value.place) == "others.tile:12:5"
    bare = tile_ir.loads(sources.OTHERS, path="others.tile").to_bytecode(debug_info=False)
    with pytest.raises(tile_ir.Finding) as caught:
        tile_ir.from_bytecode(bare, path="bare.tileirbc")["asserts"][1](2)
    assert caught.value.place.path == "bare.tileirbc"


@pytest.mark.parametrize(
    ("bytecode", "message"),
    [(b"", "a.tileirbc"), (b"\x7fTileIR\x00", "a.tileirbc"), (b"something else", "a.tileirbc")],
)
def test_invalid_bytecode_is_an_error(bytecode: bytes, message: str):
    with pytest.raises(ValueError, match=message):
        tile_ir.from_bytecode(bytecode, path="a.tileirbc")


def test_versions_are_checked():
    with pytest.raises(ValueError, match="unknown version `12`: the versions are 13.1, "):
        tile_ir.loads(sources.SCALE, version="12")
    with pytest.raises(ValueError, match="unknown version `x`"):
        tile_ir.loads(sources.SCALE).to_bytecode("x")


def test_a_version_that_cannot_express_a_program_is_an_error():
    program = tile_ir.loads(sources.COPY.replace("ELEMENT", "f4E2M1FN"))
    assert not program.has_errors
    with pytest.raises(tile_ir.ProgramError) as caught:
        program.to_bytecode("13.1")
    assert caught.value.diagnostics and "f4E2M1FN" in str(caught.value)


def test_a_program_without_an_entry_has_no_graph():
    program = tile_ir.loads("cuda_tile.module @m {\n}\n", path="empty.tile")
    assert len(program) == 0
    with pytest.raises(KeyError, match="empty.tile has no entry"):
        program.graph()


def test_the_version_is_that_of_the_package():
    assert tile_ir.__version__.count(".") == 2
