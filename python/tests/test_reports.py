"""Reports: traces, profiles, graphs, accesses, and how notebooks show them."""

import xml.etree.ElementTree

import numpy as np
import pytest
import sources
import tile_ir


@pytest.fixture(params=[False, True], ids=["in process", "isolated"])
def isolated(request: pytest.FixtureRequest) -> bool:
    return request.param


def scaled(**options) -> tile_ir.Report:
    return sources.scale().run(2, np.arange(256, dtype=np.float32), np.zeros(256, np.float32), **options)


def test_a_trace_has_the_values(isolated: bool):
    report = scaled(trace=["%b"], isolated=isolated)
    first, second = report.trace
    assert (first.name, first.type, first.block, first.iterations) == ("%b", "tile<128xf32>", (0, 0, 0), ())
    assert str(first.place) == "scale.tile:11:10" and second.block == (1, 0, 0)
    assert np.array_equal(second.value, 2 * np.arange(128, 256, dtype=np.float32))
    assert str(first).startswith("%b at scale.tile:11:10 in block (0, 0, 0): tile<128xf32> min 0, max 254")


def test_a_trace_of_one_block(isolated: bool):
    assert [traced.block for traced in scaled(trace="a", block=1, isolated=isolated).trace] == [(1, 0, 0)]


def test_a_trace_counts_iterations(isolated: bool):
    report = sources.other("counts").run(1, np.zeros(1, np.int32), 4, trace="%next", isolated=isolated)
    assert [(traced.iterations, int(traced.value)) for traced in report.trace] == [
        ((0,), 0),
        ((1,), 1),
        ((2,), 3),
        ((3,), 6),
    ]


def test_traced_values_have_the_type_of_their_elements(isolated: bool):
    report = sources.other("tiles").run(1, trace=["%i", "%f", "%c", "%wide"], isolated=isolated)
    i, f, c, wide = (traced.value for traced in report.trace)
    assert i.dtype == np.int16 and np.array_equal(i, range(4))
    assert c.dtype == np.bool_ and c.all()
    assert np.array_equal(wide, range(512))
    assert f.itemsize == 2 and f.shape == (4,)


def test_views_and_tokens_have_no_elements():
    report = scaled(trace=["%vx", "%t"])
    assert {traced.value is None for traced in report.trace} == {True}


def test_unknown_values_and_blocks_are_errors(isolated: bool):
    with pytest.raises(ValueError, match="`@scale` has no value `%blok`: did you mean `%block`"):
        scaled(trace=["%blok"], isolated=isolated)
    with pytest.raises(
        ValueError, match=r"tile block \(2, 0, 0\) does not exist: the grid goes from .* to \(1, 0, 0\)"
    ):
        scaled(trace=["%b"], block=2, isolated=isolated)


def test_a_profile_counts_runs_and_bytes(isolated: bool):
    report = scaled(profile=True, isolated=isolated)
    costs = {cost.op: cost for cost in report.profile}
    load, store = costs["load_view_tko"], costs["store_view_tko"]
    assert (load.runs, load.read, load.written) == (2, 1024, 0)
    assert (store.runs, store.read, store.written) == (2, 0, 1024)
    assert store.place.line == 12 and store.seconds >= 0
    lines = report.table().splitlines()
    assert lines[0].split() == ["line", "op", "runs", "time", "share", "read", "written"]
    assert len(lines) == 1 + len(report.profile)


def test_reports_count_blocks_and_ops(isolated: bool):
    report = scaled(isolated=isolated)
    assert (report.kernel, report.blocks, report.output, report.trace, report.profile) == ("scale", 2, "", (), ())
    assert report.ops > 2 and report.seconds >= 0


def test_notebooks_show_reports_as_tables():
    html = scaled(profile=True, trace="%b")._repr_html_()
    assert html.count("<table>") == 2 and "load_view_tko" in html and "tile&lt;128xf32&gt;" in html


def test_notebooks_show_highlighted_programs():
    html = sources.scale().program._repr_html_()
    assert '<span class="op">addf</span>' in html and '<span class="type">' in html
    assert "tile&lt;ptr" in html or "&lt;" in html


def test_graphs_have_four_formats():
    graph = sources.scale().program.graph()
    assert "load_view_tko" in str(graph) and "%x" in str(graph)
    assert graph.dot.startswith("digraph")
    assert xml.etree.ElementTree.fromstring(graph.svg).tag.endswith("svg") and graph._repr_svg_() == graph.svg
    assert "nodes" in graph.json and repr(graph) == "<tile_ir.Graph of @scale>"


def test_a_graph_of_a_launch_has_its_numbers():
    array = np.zeros(256, np.float32)
    kernel = sources.scale()
    assert str(kernel.graph(2, array, array)) != str(kernel.graph())
    with pytest.raises(TypeError, match="takes 2 arguments"):
        kernel.graph(2)


def test_accesses_have_places_and_coordinates():
    load, store = sources.scale().accesses()
    assert (load.op, load.direction, load.memory, load.element, load.tile) == (
        "load_view_tko",
        "read",
        "%x",
        "f32",
        (128,),
    )
    assert (store.direction, str(store.place), store.coordinates) == (
        "write",
        "scale.tile:12:10",
        ("128 * %block + e0",),
    )
    assert store.description.startswith("Writes `%y[128 * %block + e0]`")
    assert "Reads" in str(sources.scale().accesses())


def test_accesses_of_a_launch_have_its_numbers():
    array = np.zeros(256, np.float32)
    load, _ = sources.scale().accesses(2, array, array)
    assert "In this launch" in load.description


def test_notebooks_show_accesses_as_markdown():
    accesses = sources.scale().accesses()
    assert accesses._repr_markdown_().count("| access map |") == 2
    assert "`load_view_tko`, line 10" in accesses[0]._repr_markdown_()
