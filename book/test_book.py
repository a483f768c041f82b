"""Tests of the preprocessor: `python3 -m unittest discover --start-directory book`."""

import base64
import re
import tempfile
import unittest
import zlib
from html import unescape
from pathlib import Path
from typing import ClassVar

from check import broken
from highlight import TOKEN, Words, classify, html
from links import BrokenLink, Location, link_codes, rewrite
from markdown import fences, replace_prose
from snippet import is_program, playground_link, rendered

WORDS = Words(
    {"addf": "reference/ops/floats.html#addf", "entry": "ops.html#entry", "if": "ops.html#if"}, {"tile", "f32"}
)


def kinds(code: str) -> list[tuple[str, str]]:
    return [(match[0], classify(code, match, WORDS)) for match in TOKEN.finditer(code)]


def text_of(page: str) -> str:
    return unescape(re.sub("<[^>]*>", "", page))


class Highlighting(unittest.TestCase):
    def test_words_are_classified_by_table_and_position(self):
        self.assertEqual(
            kinds("%a-1 = cuda_tile.addf %b, %c#0 rounding<zero> : tile<4x8xf32> // -0.5"),
            [
                ("%a-1", "value"),
                ("cuda_tile.addf", "op"),
                ("%b", "value"),
                ("%c#0", "value"),
                ("rounding", "keyword"),
                ("zero", "keyword"),
                ("tile", "type"),
                ("4x8x", "number"),
                ("f32", "type"),
                ("// -0.5", "comment"),
            ],
        )

    def test_the_name_of_an_op_elsewhere_is_a_keyword(self):
        self.assertEqual(kinds("atomic_rmw_tko %p, addf, %x")[2], ("addf", "keyword"))
        self.assertEqual(kinds("} if %c {")[0], ("if", "op"))

    def test_directives_differ_from_comments(self):
        self.assertEqual(
            kinds("  //@ expect %y == 1\n  // a"), [("//@ expect %y == 1", "directive"), ("// a", "comment")]
        )

    def test_the_text_stays(self):
        code = 'entry @k<"a&b">() {\n\n  %a = addf %b, %c : tile<?xf32>  // 1 < 2\n}\n'
        self.assertEqual(text_of(html(code, WORDS, "")), code)

    def test_ops_lead_to_their_pages(self):
        self.assertIn('<a href="../ops.html#entry"><span', html("entry @k() {", WORDS, "../"))


class Snippets(unittest.TestCase):
    PAGE = "- in a list:\n\n  ```tile,fails\n  a\n\n    b\n  ```\n\n```\nc\n```\n"

    def test_fences_have_their_words_and_lines(self):
        first, second = fences(self.PAGE)
        self.assertEqual((first.words, first.code, first.line), (["tile", "fails"], "a\n\n  b\n", 3))
        self.assertEqual((second.language, second.code), ("", "c\n"))
        self.assertEqual([is_program(first), is_program(second)], [True, False])

    def test_a_block_of_html_has_no_empty_line(self):
        block = rendered("a\n\nb\n", "a\n\nb\n", WORDS, "../")
        self.assertNotIn("\n\n", block)
        self.assertEqual(text_of(block).strip(), "a\n\nb")

    def test_the_playground_gets_the_program(self):
        program = "cuda_tile.module @m {\n}\n// µ\n" * 50
        link = playground_link(program)
        packed = link.removeprefix("../playground/#code=")
        self.assertNotRegex(packed, r"[^\w-]")
        padded = packed + "=" * (-len(packed) % 4)
        self.assertEqual(zlib.decompress(base64.urlsafe_b64decode(padded), -zlib.MAX_WBITS).decode(), program)


class Links(unittest.TestCase):
    CHAPTERS: ClassVar = {
        "docs/gpu.md": Location("gpu.md", "GPUs"),
        "editors/README.md": Location("editors.md", "Editors"),
    }

    def rewritten(self, link: str, source: str = "docs/gpu.md", path: str = "gpu.md") -> str:
        return rewrite(f"[x]({link})", source, path, self.CHAPTERS)

    def test_chapters_link_to_chapters(self):
        self.assertEqual(self.rewritten("../editors/README.md#settings"), "[x](editors.md#settings)")
        self.assertEqual(self.rewritten("../docs/gpu.md", "editors/README.md", "a/editors.md"), "[x](../gpu.md)")
        self.assertEqual(self.rewritten('../editors/README.md "a title"'), '[x](editors.md "a title")')

    def test_links_named_after_a_page_get_the_name_of_its_chapter(self):
        page = "[docs/gpu.md](../docs/gpu.md#prints) [the page](../docs/gpu.md) [SECURITY.md](../SECURITY.md)"
        found = rewrite(page, "editors/README.md", "editors.md", self.CHAPTERS)
        self.assertTrue(found.startswith("[GPUs](gpu.md#prints) [the page](gpu.md) [SECURITY.md](https://"), found)

    def test_other_files_are_in_the_repository(self):
        self.assertRegex(self.rewritten("../examples/softmax.tile"), r"https://.*/blob/HEAD/examples/softmax.tile\)$")
        self.assertRegex(self.rewritten("../examples"), r"https://.*/tree/HEAD/examples\)$")
        self.assertEqual(self.rewritten("images/run.png"), "[x](images/run.png)")

    def test_puzzles_are_in_the_playground(self):
        link = "[x](../playground/#puzzle=01_print)"
        self.assertEqual(self.rewritten("../learn/01_print.tile"), link)
        self.assertEqual(self.rewritten("01_print.tile", "learn/README.md", "twenty-puzzles.md"), link)
        self.assertEqual(self.rewritten("../learn/01_print.tile", path="a/gpu.md"), "[x](../../playground/#puzzle=01_print)")

    def test_missing_files_are_errors(self):
        for link in ["nothing.md", "../../outside.md"]:
            with self.assertRaises(BrokenLink):
                self.rewritten(link)

    def test_code_has_no_links(self):
        page = "`a[i](b.md)` [x](https://a.b)\n```\n[y](c.md)\n```\n"
        self.assertEqual(rewrite(page, "docs/gpu.md", "gpu.md", self.CHAPTERS), page)
        self.assertEqual(replace_prose("a ``b`c`` d", str.upper), "A ``b`c`` D")

    def test_codes_lead_to_their_pages(self):
        codes = {"E0203": "d/E0203.html"}
        self.assertEqual(
            link_codes("# `E0203`\nsee `E0203`, `E9999`", "../", codes),
            "# `E0203`\nsee [`E0203`](../d/E0203.html), `E9999`",
        )


class BuiltBook(unittest.TestCase):
    def test_broken_links_and_anchors_are_found(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "book")
            folder.mkdir()
            (folder / "a.html").write_text('<p id="x"></p><a href="b.html#y"></a><a href="../playground/#code=a"></a>')
            (folder / "b.html").write_text(
                '<p id="y"><img src="c.png">\n<a href="a.html#z"></a><a href="http://a"></a>'
            )
            self.assertEqual(broken(folder.resolve()), ["b.html:1: c.png", "b.html:2: a.html#z"])


if __name__ == "__main__":
    unittest.main()
