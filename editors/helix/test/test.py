"""Types into Helix and reads its screen. Started by run.sh."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

SCRATCH = os.environ["SCRATCH"]
ENVIRONMENT = dict(
    os.environ,
    HOME=f"{SCRATCH}/home",
    XDG_CONFIG_HOME=f"{SCRATCH}/home/.config",
    XDG_CACHE_HOME=f"{SCRATCH}/home/.cache",
    PATH=f"{SCRATCH}/bin:{os.environ['PATH']}",
    TERM="xterm-256color",
)
LIMIT = 20

BROKEN = """cuda_tile.module @broken {
  entry @broken() {
    %one = constant <f32: 1.0> : tile<f32>
    %sum = addf %one, %undefined : tile<f32>
    return
  }
}
"""

HELLO = """cuda_tile.module @hello {
  //@ launch "once" grid=(1, 1, 1)
  //@ expect print "hello from block 0\\n"
  entry @hello() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = print_tko "hello from block %i\\n", %x : tile<i32> -> token
    return
  }
}
"""

TWO = """cuda_tile.module @two {
  //@ launch
  entry @hello() {
    print_tko "hello\\n" -> token
  }
  //@ launch
  //@ expect print "other\\n"
  entry @goodbye() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    // the cursor is here
    %t = print_tko "goodbye from block %i\\n", %x : tile<i32> -> token
  }
}
"""


class Helix:
    """A Helix with an open file."""

    def __init__(self, name, text):
        path = os.path.join(SCRATCH, "work", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.seen = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(os.path.dirname(path))
            os.execvpe(os.environ["HELIX"], [os.environ["HELIX"], name], ENVIRONMENT)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))

    def read(self, seconds):
        end = time.time() + seconds
        while time.time() < end:
            ready, _, _ = select.select([self.terminal], [], [], 0.05)
            if ready:
                try:
                    self.seen += os.read(self.terminal, 1 << 16)
                except OSError:
                    return

    def shows(self, words):
        """Waits until these words have been drawn, ignoring colors and cursor movements between them."""
        end = time.time() + LIMIT
        while time.time() < end:
            self.read(0.1)
            text = re.sub(rb"\x1b\[[0-9;:?<>=]*[A-Za-z]", b" ", self.seen)
            text = re.sub(r"\s+", " ", text.decode("utf-8", "replace"))
            if words in text:
                return
        raise AssertionError(f"timed out waiting for: {words}")

    def type(self, keys):
        self.seen = b""
        os.write(self.terminal, keys.encode())

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def diagnostics():
    helix = Helix("broken.tile", BROKEN)
    helix.shows("unknown value `%undefined`")
    return helix


def hover():
    helix = Helix("hello.tile", HELLO)
    helix.shows("get_tile_block_id")
    helix.read(1.5)
    helix.type("5gg")
    helix.read(0.5)
    helix.type("fg")
    helix.read(0.5)
    helix.type(" k")
    helix.shows("Returns the coordinates of this tile block in the grid")
    return helix


def run_by_key():
    helix = Helix("hello.tile", HELLO)
    helix.shows("get_tile_block_id")
    helix.read(1)
    helix.type(" tt")
    helix.shows("1 passed, 0 failed")
    return helix


def run_under_cursor():
    helix = Helix("two.tile", TWO)
    helix.shows("get_tile_block_id")
    helix.read(1)
    helix.type("11gg")
    helix.read(0.3)
    helix.type(" tr")
    helix.shows("goodbye from block 0")
    helix.shows("expectation failed")
    return helix


def run_through_the_server():
    helix = Helix("hello.tile", HELLO)
    helix.shows("get_tile_block_id")
    helix.read(1.5)
    uri = f"file://{os.path.realpath(SCRATCH)}/work/hello.tile"
    helix.type(f':lsp-workspace-command tile.testAll {{"uri":"{uri}"}}\r')
    helix.shows("1 of 1 launches passed")
    return helix


def debug():
    helix = Helix("hello.tile", HELLO)
    helix.shows("get_tile_block_id")
    helix.read(1)
    helix.type("6gg")
    helix.read(0.3)
    # The debug menu stays open until Escape is pressed.
    helix.type(" Gb")
    helix.read(0.5)
    helix.type("\x1b")
    helix.read(0.3)
    helix.type(':debug-start "first launch" hello.tile\r')
    helix.shows("stopped because of breakpoint")
    helix.type(" Gc")
    helix.shows("hello from block 0")
    return helix


failed = 0
for test in [diagnostics, hover, run_by_key, run_under_cursor, run_through_the_server, debug]:
    try:
        test().close()
        print(f"ok      {test.__name__}")
    except AssertionError as problem:
        failed += 1
        print(f"FAILED  {test.__name__}: {problem}")
sys.exit(failed > 0)
