"""Findings: their message, places, values, tile block and notes, in this process and in another one."""

import pickle

import numpy as np
import pytest
import sources
import tile_ir


@pytest.fixture(params=[False, True], ids=["in process", "isolated"])
def isolated(request: pytest.FixtureRequest) -> bool:
    return request.param


def finding(name: str, grid: int, *arguments, **options) -> tile_ir.Finding:
    with pytest.raises(tile_ir.Finding) as caught:
        sources.other(name).run(grid, *arguments, **options)
    return caught.value


def test_a_failed_assertion_names_the_elements(isolated: bool):
    found = finding("asserts", 1, 3, isolated=isolated)
    assert (found.code, found.name, str(found.place)) == ("R0301", "assertion-failed", "others.tile:12:5")
    assert "too large" in found.message and found.block == (0, 0, 0)
    assert "12 │     assert %small" in str(found) and "in tile block (0, 0, 0)" in str(found)
    assert found.explain() == tile_ir.explain("R0301")


def test_a_race_has_both_places(isolated: bool):
    found = finding("races", 2, np.zeros(1, np.int32), sanitize=True, isolated=isolated)
    assert (found.code, found.block) == ("R0107", (1, 0, 0))
    assert "element 0 of `%p`, which tile block (0, 0, 0) writes" in found.message
    ((place, message),) = found.others
    assert place == found.place and message == "tile block (0, 0, 0) writes it here"
    assert message in str(found)


def test_a_division_by_zero_names_the_value(isolated: bool):
    found = finding("divides", 1, 0, isolated=isolated)
    assert found.code == "R0201" and str(found.place) == "others.tile:48:10"


def test_an_access_outside_of_an_array_names_it(isolated: bool):
    with pytest.raises(tile_ir.Finding) as caught:
        sources.scale()[2](np.zeros(256, np.float32), np.zeros(255, np.float32), isolated=isolated)
    assert caught.value.code == "R0102" and "`%y`" in caught.value.message
    assert caught.value.block == (1, 0, 0)


def test_an_index_outside_of_the_index_space_is_found(isolated: bool):
    array = np.zeros(256, np.float32)
    with pytest.raises(tile_ir.Finding) as caught:
        sources.scale()[3](array, array.copy(), isolated=isolated)
    assert caught.value.code == "R0501" and caught.value.block == (2, 0, 0)


def test_a_write_to_a_read_only_array_names_the_argument(isolated: bool):
    x, y = np.zeros((2, 256), np.float32)
    y.flags.writeable = False
    with pytest.raises(tile_ir.Finding) as caught:
        sources.scale()[2](x, y, isolated=isolated)
    assert (caught.value.code, caught.value.message) == ("R0104", "this writes to `%y`, which is constant")
    assert "the argument `%y` is a read-only array" in caught.value.notes
    x.flags.writeable, y = False, np.ones(256, np.float32)
    sources.scale()[2](x, y, isolated=isolated)
    assert not y.any()


def test_what_a_launch_wrote_before_a_finding_is_kept(isolated: bool):
    x, y = np.ones(256, np.float32), np.zeros(256, np.float32)
    with pytest.raises(tile_ir.Finding):
        sources.scale()[3](x, y, threads=1, isolated=isolated)
    assert y[:128].all()


def test_a_finding_in_a_file_that_is_not_there_has_no_source_lines():
    bytecode = tile_ir.loads(sources.OTHERS, path="/missing/others.tile").to_bytecode()
    with pytest.raises(tile_ir.Finding) as caught:
        tile_ir.from_bytecode(bytecode)["asserts"][1](3)
    assert str(caught.value).startswith("/missing/others.tile:12:5: error[R0301]: ")


def test_findings_can_be_pickled():
    found = finding("races", 2, np.zeros(1, np.int32), sanitize=True)
    again = pickle.loads(pickle.dumps(found))
    assert (str(again), again.block, again.others) == (str(found), found.block, found.others)
    error = pickle.loads(pickle.dumps(tile_ir.ProgramError("a.tile", ())))
    assert error.path == "a.tile" and error.diagnostics == ()


def test_a_location_whose_parts_share_parts_is_bounded():
    head = """\
#file = #cuda_tile.di_file<"a.py" in "">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#loc = loc(#cuda_tile.di_loc<loc("a.py":1:1) in #k>)
#loc0 = loc(#cuda_tile.di_loc<loc("a.py":3:5) in #k>)
"""
    calls = "".join(f"#loc{i + 1} = loc(callsite(#loc{i} at #loc{i}))\n" for i in range(40))
    entry = """\
cuda_tile.module @m {
  entry @k() {
    %no = constant <i1: false> : tile<i1>
    assert %no, "never" : tile<i1> loc(#loc40)
  } loc(#loc)
}
"""
    with pytest.raises(tile_ir.Finding) as caught:
        tile_ir.loads(head + calls + entry)["k"][1]()
    place = caught.value.place
    assert place is not None
    assert (place.path, place.line, place.column) == ("a.py", 3, 5)
    assert 0 < len(place.callers) < 2000
