"""Blocks of ```tile code in pages: highlighted, with a button that opens the program in the playground.

The info string states what a block contains:
- `tile`: a complete program without errors, whose launches pass;
- `tile,fails`: a complete program with an error or a failing launch;
- `tile,preview`: a complete program that needs the SIMT preview, which the playground and the engine do not have;
- `tile,fragment`: a part of a program.
"""

import base64
import zlib

from highlight import Words, html
from links import PLAYGROUND
from markdown import Fence



def is_program(fence: Fence) -> bool:
    """Whether a block is a program that can run anywhere."""
    return fence.language == "tile" and not {"fragment", "preview"} & set(fence.words)


def playground_link(program: str) -> str:
    """The address of a program in the playground, relative to the folder of the book."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(program.encode()) + packer.flush()
    return f"{PLAYGROUND}#code={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def rendered(code: str, program: str | None, words: Words, root: str) -> str:
    """A block as HTML. `program` is what the button opens; without one, there is no button."""
    button = ""
    if program:
        link = root + playground_link(program)
        # As a label instead of text, so that it is not a part of the search index for every program.
        button = f'<a class="open-in-playground" href="{link}" aria-label="Open in the playground"></a>'
    # An empty line would end the block of HTML. highlight.js leaves the code alone, and mdBook adds its button.
    shown = html(code, words, root).replace("\n", "&#10;")
    code_block = f'<pre><code class="tile nohighlight hljs">{shown}</code></pre>'
    return f'<div class="snippet">\n{code_block}\n{button}</div>\n'
