"""Diagnostics: their parts, fixes, text and HTML."""

import numpy as np
import pytest
import sources
import tile_ir

MISSPELLED = sources.SCALE.replace("addf", "addff")


def test_a_diagnostic_has_a_code_a_message_places_and_fixes():
    (found,) = tile_ir.loads(MISSPELLED, path="scale.tile").check()
    assert (found.code, found.severity) == ("E0002", "error")
    assert found.message == "unknown op `addff`; did you mean `addf`?"
    assert (str(found.start), str(found.end)) == ("scale.tile:11:10", "scale.tile:11:15")
    (fix,) = found.fixes
    (edit,) = fix.edits
    assert (edit.start, edit.end, edit.content) == (found.start, found.end, "addf")
    assert isinstance(fix.title, str) and isinstance(fix.is_safe, bool)
    assert found.name and found.explain().startswith("#")


def test_labels_and_notes_are_kept():
    text = sources.SCALE.replace("addf %a, %a : tile<128xf32>", "addf %a, %t : tile<128xf32>")
    found = tile_ir.loads(text, path="scale.tile").check()
    assert found and all(diagnostic.severity == "error" for diagnostic in found)
    assert any(diagnostic.labels or diagnostic.notes for diagnostic in found)
    for label in (label for diagnostic in found for label in diagnostic.labels):
        assert label.message and label.start.path == label.end.path == "scale.tile"


def test_text_has_the_source_line_and_a_caret():
    found = tile_ir.loads(MISSPELLED, path="scale.tile").check()
    assert "11 │     %b = addff %a, %a : tile<128xf32>\n   │          ^^^^^" in str(found[0])
    assert str(found) == str(found[0])


def test_positions_count_characters():
    found = tile_ir.loads("cuda_tile.module @m { /* ä😀 */ x }", path="a.tile").check()
    assert found[0].start.line == 1 and found[0].start.column <= 34


def test_a_program_with_errors_does_not_run():
    program = tile_ir.loads(MISSPELLED, path="scale.tile")
    assert program.has_errors
    array = np.zeros(256, np.float32)
    for use in [
        lambda: program["scale"][2](array, array),
        lambda: program.to_bytecode(),
        lambda: program.graph(),
        lambda: program["scale"].accesses(),
    ]:
        with pytest.raises(tile_ir.ProgramError, match="unknown op `addff`") as caught:
            use()
        assert [found.code for found in caught.value.diagnostics] == ["E0002"]
        assert isinstance(caught.value, tile_ir.TileError)


def test_a_program_with_warnings_runs():
    program = tile_ir.loads(sources.OTHERS)
    assert all(found.severity != "error" for found in program.check())
    program["tiles"][1]()


def test_older_versions_have_their_own_errors():
    text = sources.COPY.replace("ELEMENT", "f4E2M1FN")
    assert tile_ir.loads(text, version="13.1").has_errors
    assert not tile_ir.loads(text).has_errors


def test_pages_are_found_by_code_and_by_name():
    assert tile_ir.explain("E0002") == tile_ir.explain("e0002")
    assert tile_ir.explain("R0107") == tile_ir.explain("race")
    with pytest.raises(KeyError, match="no diagnostic has the code or name 'E9999'"):
        tile_ir.explain("E9999")


def test_notebooks_show_source_lines():
    found = tile_ir.loads(MISSPELLED.replace("entry @scale", 'entry @"<&>"')).check()
    for html in (found._repr_html_(), found[0]._repr_html_()):
        assert "^^^^^" in html and "tile&lt;128xf32&gt;" in html and "<&" not in html
