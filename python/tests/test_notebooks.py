"""The notebooks in `examples/python` run without an error."""

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples/python").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, tmp_path: Path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    if path.stem.startswith("cutile"):
        pytest.importorskip("cuda.tile", reason="cuTile Python is not installed (pip install cuda-tile)")
    notebook = nbformat.read(path, as_version=4)
    # No time limit for a cell: how long it takes depends on the machine.
    nbclient.NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any(cell.get("outputs") for cell in notebook.cells)
