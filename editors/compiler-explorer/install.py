"""install.py COMPILER_EXPLORER [--tile PROGRAM]: adds the language `tile` to a checkout of Compiler Explorer.

Follows its `docs/AddingALanguage.md` and `docs/AddingAFormatter.md`: copies the compiler, the formatter, the properties
and an example, and registers them in the lists. A second run changes nothing more.
"""

import argparse
import re
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

LANGUAGE = """    tile: {
        name: 'CUDA Tile IR',
        monaco: 'mlir',
        extensions: ['.tile'],
        alias: ['tileir'],
        logoFilename: null,
        logoFilenameDark: null,
        formatter: 'tilefmt',
        previewFilter: null,
        monacoDisassembly: null,
    },
"""


def insert(file: Path, after: str, text: str) -> None:
    """Inserts a text after the only match of a pattern, unless the file contains it already."""
    content = file.read_text(encoding="utf-8")
    if text in content:
        return
    new, count = re.subn(after, lambda match: match[0] + text, content, count=1, flags=re.MULTILINE)
    if count == 0:
        raise SystemExit(f"install: {file} has no line like {after!r}; this version of Compiler Explorer is unknown")
    file.write_text(new, encoding="utf-8")


def append(file: Path, line: str) -> None:
    content = file.read_text(encoding="utf-8") if file.exists() else ""
    if line not in content:
        file.write_text(content + line, encoding="utf-8")


def install(explorer: Path, tile: str) -> None:
    for source, target in [
        (HERE / "tile-compiler.ts", "lib/compilers/tile.ts"),
        (HERE / "tile-formatter.ts", "lib/formatters/tile.ts"),
        (ROOT / "examples/saxpy.tile", "examples/tile/default.tile"),
    ]:
        (explorer / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, explorer / target)
    properties = (HERE / "tile.defaults.properties").read_text(encoding="utf-8")
    properties = properties.replace("group.tile.exe=tile\n", f"group.tile.exe={tile}\n")
    (explorer / "etc/config/tile.defaults.properties").write_text(properties, encoding="utf-8")

    append(explorer / "lib/compilers/_all.ts", "export {TileCompiler} from './tile.js';\n")
    append(explorer / "lib/formatters/_all.ts", "export {TileFormatter} from './tile.js';\n")
    insert(explorer / "types/languages.interfaces.ts", r"^export type LanguageKey =\n", "    | 'tile'\n")
    insert(
        explorer / "lib/languages.ts", r"^const definitions: Record<LanguageKey, LanguageDefinition> = \{\n", LANGUAGE
    )

    local = explorer / "etc/config/compiler-explorer.local.properties"
    append(
        local,
        "formatters=tilefmt\n"
        "formatter.tilefmt.name=tile fmt\n"
        f"formatter.tilefmt.exe={tile}\n"
        "formatter.tilefmt.type=tile\n"
        "formatter.tilefmt.version=--version\n"
        "formatter.tilefmt.versionRe=tile .*\n",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Add the language tile to a checkout of Compiler Explorer")
    parser.add_argument("explorer", type=Path, help="folder of Compiler Explorer")
    parser.add_argument("--tile", default=shutil.which("tile") or "tile", help="program `tile` [default: that of PATH]")
    arguments = parser.parse_args()
    install(arguments.explorer.resolve(), arguments.tile)


if __name__ == "__main__":
    main()
