"""Cases of `print_tko`, whose output is that of the C library's `printf`, and of `assert` and `assume`."""

import ctypes
import json
from fractions import Fraction

from formats import F16, F32, INTS, num, signed
from program import Entry, tile

LIBC = ctypes.CDLL(None)
INTEGERS = ("%d", "%i", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.4d|", "%-+6d|", "%.0d", "%u", "%10u|", "%x",
            "%X", "%#x", "%#X", "%08x", "%#10x|", "%-#10x|", "%o", "%#o", "%.5o", "%+.2i")
REALS = ("%f", "%.0f", "%.2f", "%10.3f|", "%-10.3f|", "%+f", "% f", "%010.2f", "%#.0f", "%e", "%.0e", "%.3E", "%12.2e|",
         "%g", "%.3g", "%#g", "%G", "%.10g", "%+.1g", "%a", "%.2a", "%A", "%.0a", "%20a|")


def printf(text, value):
    buffer = ctypes.create_string_buffer(2000)
    LIBC.snprintf(buffer, 2000, text.encode(), value)
    return buffer.value.decode()


def integer(text, code, width):
    """Formats an integer. As in C, a narrow one is sign-extended to 32 bits; the argument of `printf` has 64 bits."""
    letter = next(c for c in text if c.isalpha())
    value = signed(code, width) if width > 1 else code
    if letter not in "di" and width > 1:
        value %= 1 << max(width, 32)
    return printf(text.replace(letter, "ll" + letter), ctypes.c_longlong(value))


def nested(words, extents):
    if not extents:
        return words[0]
    size = len(words) // extents[0]
    return "[" + ", ".join(nested(words[at * size:(at + 1) * size], extents[1:]) for at in range(extents[0])) + "]"


class Prints:
    """Ops that print in order, and their output."""

    def __init__(self, name):
        self.entry, self.token, self.output = Entry(name), "", ""

    def show(self, text, operands="", types="", output=""):
        token = self.entry.fresh()
        after = f" token = {self.token}" if self.token else ""
        operands = f", {operands}{after} : {types}" if operands else after
        self.entry.op(f'{token} = print_tko "{text}\\n"{operands} -> token')
        self.token, self.output = token, self.output + output + "\n"

    def done(self):
        self.entry.expects.append(f"print {json.dumps(self.output)}")
        return self.entry


def integers(random):
    prints = Prints("print_integers")
    for element, width in INTS.items():
        codes = [0, 1] if width == 1 else [0, (1 << width) - 5, 42, 1 << width - 1]
        shown = [code if width == 1 else signed(code, width) for code in codes]
        value = prints.entry.let(f"constant <{element}: [{', '.join(map(str, shown))}]> : {tile([len(codes)], element)}")
        for text in INTEGERS:
            # 64-bit integers need a length modifier.
            written = text if width < 64 else long(text)
            prints.show(f"{element} {written}", value, tile([len(codes)], element),
                        f"{element} " + nested([integer(conversion(text), code, width) for code in codes], [len(codes)])
                        + text[len(conversion(text)):])
    return prints.done()


def long(text):
    """Adds the length modifier of 64-bit integers to a conversion."""
    letter = conversion(text)[-1]
    return text.replace(letter, "ll" + letter, 1)


def lengths(random):
    """Length modifiers of narrow integers, and a single `%`, whose conversion depends on the type of the operand."""
    prints = Prints("print_lengths")
    constant = lambda element, number: prints.entry.let(f"constant <{element}: {number}> : tile<{element}>")
    byte, short, word, wide = (constant(element, -3) for element in ("i8", "i16", "i32", "i64"))
    half = constant("f16", "1.5")
    for text, value, element, output in (
            ("%hx", byte, "i8", "fffd"), ("%hi", byte, "i8", "-3"),
            ("%hu", short, "i16", "65533"), ("%u", short, "i16", "4294967293"), ("%li", wide, "i64", "-3"),
            ("%lf", half, "f16", "1.500000"), ("% done", word, "i32", "-3 done"), ("%| i", wide, "i64", "-3| i"),
            ("%> x", half, "f16", "1.500000> x")):
        if text == "% done":
            # The space is a flag: this is `% d`, followed by text.
            output = "-3one"
        prints.show(text, value, f"tile<{element}>", output)
    return prints.done()


def conversion(text):
    """The text up to the conversion's letter."""
    return text[:next(at for at, c in enumerate(text) if c.isalpha()) + 1]


def reals(random):
    prints = Prints("print_reals")
    numbers = ["0.0", "-1.5", "0.1", "1234567.0", "1.0e-10", "65504.0", "2.5", "-0.0"]
    for element, fmt in (("f32", F32), ("f64", None), ("f16", F16)):
        value = prints.entry.let(f"constant <{element}: [{', '.join(numbers)}]> : {tile([8], element)}")
        for text in REALS:
            words = []
            for number in numbers:
                exact = float(number)
                if fmt:
                    found = fmt.decode(fmt.encode(num(Fraction(number), number[0] == "-")))
                    exact = float("inf") if found.kind == "inf" else float(found.number)
                    exact = -exact if found.kind == "zero" and found.negative else exact
                words.append(printf(conversion(text), ctypes.c_double(exact)))
            prints.show(text, value, tile([8], element), nested(words, [8]) + text[len(conversion(text)):])
    value = prints.entry.let("constant <f32: [0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001]> : tile<4xf32>")
    for text in ("%f", "%8.2F|", "%g", "%e", "%a"):
        words = [printf(conversion(text), ctypes.c_double(number)) for number in
                 (float("inf"), float("-inf"), float("nan"), 2.0 ** -149)]
        prints.show(text, value, "tile<4xf32>", nested(words, [4]) + text[len(conversion(text)):])
    return prints.done()


def shapes(random):
    prints = Prints("print_shapes")
    value = prints.entry.let("iota : tile<8xi32>")
    for extents in ([8], [2, 4], [2, 2, 2], [1, 8], [8, 1]):
        shaped = value if extents == [8] else prints.entry.let(f"reshape {value} : tile<8xi32> -> {tile(extents, 'i32')}")
        prints.show("a%d%%z", shaped, tile(extents, "i32"), "a" + nested(list(map(str, range(8))), extents) + "%z")
    scalar = prints.entry.let("constant <i32: 7> : tile<i32>")
    prints.show("%i and %i: %c", f"{scalar}, {value}, {prints.entry.let('constant <i8: 65> : tile<i8>')}",
                "tile<i32>, tile<8xi32>, tile<i8>", "7 and " + nested(list(map(str, range(8))), [8]) + ": A")
    prints.show("no operands, 100%%", output="no operands, 100%")
    return prints.done()


def satisfied(random):
    """Assumptions and assertions that hold."""
    entry = Entry("assume_holds")
    value = entry.let("constant <i16: [96, 97, 98, 99, 64, 65, 66, 67]> : tile<8xi16>")
    value = entry.let(f"assume div_by<32, every 4 along 0>, {value} : tile<8xi16>")
    value = entry.let(f"assume bounded<64, 99>, {value} : tile<8xi16>")
    pairs = entry.let("constant <i16: [[3, 3], [-5, -5]]> : tile<2x2xi16>")
    pairs = entry.let(f"assume same_elements<[1, 2]>, {pairs} : tile<2x2xi16>")
    entry.output("a", "i16", value, [96, 97, 98, 99, 64, 65, 66, 67])
    entry.output("b", "i16", pairs, [3, 3, -5, -5], [2, 2])
    true = entry.let("constant <i1: true> : tile<4xi1>")
    entry.op(f'assert {true}, "holds" : tile<4xi1>')
    entry.op(f"{entry.fresh()} = gdc_wait_tko -> token")
    token = entry.let("make_token : token")
    entry.op(f"{entry.fresh()} = gdc_launch_dependents_tko token = {token} -> token")
    return entry


def broken(name, constant, type_, op, code):
    entry = Entry(name)
    value = entry.let(f"constant {constant} : {type_}")
    entry.op(op.format(value=value, type=type_))
    entry.expects.append(f"error {code}")
    return entry


def entries(random):
    for f in (integers, reals, shapes, satisfied, lengths):
        yield f(random)
    yield broken("assert_fails", "<i1: [true, false]>", "tile<2xi1>", 'assert {value}, "all hold" : {type}', "R0301")
    yield broken("divisor", "<i32: [32, 48]>", "tile<2xi32>", "%x = assume div_by<32>, {value} : {type}", "R0302")
    yield broken("bound", "<i32: [4, -1]>", "tile<2xi32>", "%x = assume bounded<0, ?>, {value} : {type}", "R0302")
    yield broken("same", "<i32: [4, 5]>", "tile<2xi32>", "%x = assume same_elements<[2]>, {value} : {type}", "R0302")
