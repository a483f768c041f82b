"""Generation of entries, which load their inputs, compute, and store rows of results, and of their expectations."""

from dataclasses import dataclass


@dataclass
class Output:
    """A buffer of results: the values to store in its rows, and the expected rows."""
    element: str
    count: int
    bits: tuple | None
    values: list
    rows: list


class Entry:
    """An entry with one launch. Each result is one row of a buffer. `close` contains the tolerances of the outputs that
    need not be exact."""

    def __init__(self, name, grid=None, inline=0):
        """Inputs of at most `inline` elements are constants; the others are loaded."""
        self.name, self.grid, self.inline = name, grid, inline
        self.params, self.launch, self.expects, self.body = [], [], [], []
        self.results, self.close = {}, {}
        self.names, self.known = 0, {}

    def op(self, text):
        """Adds a line."""
        self.body.append(text)

    def fresh(self):
        self.names += 1
        return f"%{self.names}"

    def let(self, text):
        """Adds an op with one result, and returns the result. Reuses the result of an identical earlier op."""
        if text in self.known:
            return self.known[text]
        name = self.known[text] = self.fresh()
        self.op(f"{name} = {text}")
        return name

    def iota(self, count):
        return self.let(f"iota : tile<{count}xi32>")

    def param(self, name, element, shape, init, attribute=""):
        """Adds a pointer parameter with a buffer. `attribute` belongs to the pointer type, such as `, <multicast>`."""
        self.params.append(f"%{name}: tile<ptr<{element}{attribute}>>")
        self.launch.append(f"%{name} = {element}{shape} {init}")

    def scalar(self, name, element, value):
        self.params.append(f"%{name}: tile<{element}>")
        self.launch.append(f"%{name} = {value}")

    def pointers(self, name, element, count, start=0):
        """Pointers to consecutive elements."""
        one = self.let(f"reshape %{name} : tile<ptr<{element}>> -> tile<1xptr<{element}>>")
        all_ = self.let(f"broadcast {one} : tile<1xptr<{element}>> -> tile<{count}xptr<{element}>>")
        places = self.iota(count)
        if start:
            begin = self.let(f"constant <i32: {start}> : tile<{count}xi32>")
            places = self.let(f"addi {places}, {begin} : tile<{count}xi32>")
        return self.let(f"offset {all_}, {places} : tile<{count}xptr<{element}>>, tile<{count}xi32> "
                        f"-> tile<{count}xptr<{element}>>")

    def input(self, name, element, values, shape=None):
        """Adds an input, and returns it as a tile of a shape."""
        count = len(values)
        if count <= self.inline:
            value = self.let(f"constant <{element}: {literals(element, values)}> : tile<{count}x{element}>")
            return self.shaped(value, [count], shape, element)
        self.param(name, element, [count], numbers(values))
        pointers = self.pointers(name, element, count)
        loaded, token = self.fresh(), self.fresh()
        self.op(f"{loaded}, {token} = load_ptr_tko weak {pointers} "
                f": tile<{count}xptr<{element}>> -> tile<{count}x{element}>, token")
        return self.shaped(loaded, [count], shape, element)

    def shaped(self, value, old, new, element):
        if new is None or list(new) == list(old):
            return value
        return self.let(f"reshape {value} : {tile(old, element)} -> {tile(new, element)}")

    def output(self, name, element, value, expected, shape=None, bits=None):
        """Stores a tile as the next row of an output. Floats are stored as integers: `bits` is the integer type and the
        code that replaces every NaN."""
        count = len(expected)
        known = self.results.setdefault(name, Output(element, count, bits, [], []))
        if not known.rows:
            self.params.append(f"%{name}: tile<ptr<{bits[0] if bits else element}>>")
        assert (known.element, known.count) == (element, count), name
        known.values.append(self.shaped(value, shape if shape is not None else [count], [count], element))
        known.rows.append(expected)

    def store(self, name, output):
        """Stores the rows of an output, concatenated to tiles that are as large as possible."""
        start = 0
        while start < len(output.values):
            rows = 1 << (len(output.values) - start).bit_length() - 1
            value = self.stacked(output.values[start:start + rows], output.count, output.element)
            count, element = rows * output.count, output.element
            if output.bits:
                element, nan = output.bits
                raw = self.let(f"bitcast {value} : tile<{count}x{output.element}> -> tile<{count}x{element}>")
                if any(code == nan for row in output.rows[start:start + rows] for code in row):
                    nan = self.let(f"constant <{element}: {nan}> : tile<{count}x{element}>")
                    is_nan = self.let(f"cmpf not_equal unordered {value}, {value} : tile<{count}x{output.element}> "
                                      f"-> tile<{count}xi1>")
                    raw = self.let(f"select {is_nan}, {nan}, {raw} : tile<{count}xi1>, tile<{count}x{element}>")
                value = raw
            pointers = self.pointers(name, element, count, start * output.count)
            self.op(f"{self.fresh()} = store_ptr_tko weak {pointers}, {value} "
                    f": tile<{count}xptr<{element}>>, tile<{count}x{element}> -> token")
            start += rows

    def stacked(self, values, count, element):
        """Concatenates tiles, whose number is a power of two."""
        while len(values) > 1:
            values = [self.let(f"cat {a}, {b} dim = 0 : tile<{count}x{element}>, tile<{count}x{element}> "
                               f"-> tile<{2 * count}x{element}>") for a, b in zip(values[::2], values[1::2])]
            count *= 2
        return values[0]

    def after(self, name, values):
        """Expects these values in a parameter's buffer after the run."""
        self.expects.append(f"%{name} == {numbers(values)}")

    def text(self):
        for name, output in self.results.items():
            self.store(name, output)
        lines = ["  //@ launch" + (f" grid={self.grid}" if self.grid else "")]
        lines += [f"  //@   {line}" for line in self.launch]
        for name, output in self.results.items():
            element = output.bits[0] if output.bits else output.element
            lines.append(f"  //@   %{name} = {element}[{len(output.rows)}, {output.count}] zeros")
        for name, output in self.results.items():
            tolerance = self.close.get(name)
            lines.append(f"  //@ expect %{name} {'~=' if tolerance else '=='} [")
            lines += [f"  //@   {numbers(row)}," for row in output.rows]
            lines.append(f"  //@ ] {tolerance}" if tolerance else "  //@ ]")
        lines += [f"  //@ expect {line}" for line in self.expects]
        lines.append(f"  entry @{self.name}({', '.join(self.params)}) {{")
        lines += [f"    {line}" for line in self.body]
        return "\n".join(lines + ["  }"]) + "\n"


class Hex(int):
    """A number that is written in hexadecimal."""

    def __str__(self):
        return hex(self)


def numbers(values):
    return "[" + ",".join(str(value) for value in values) + "]"


def literals(element, values):
    """The numbers of a constant. Hexadecimal numbers of an i64 are signed too."""
    wraps = lambda value: element == "i64" and isinstance(value, Hex) and value >= 1 << 63
    return numbers(Hex(value - (1 << 64)) if wraps(value) else value for value in values)


def tile(shape, element):
    return "tile<" + "".join(f"{extent}x" for extent in shape) + f"{element}>"


def module(name, about, entries, globals_=()):
    """The text of a file."""
    lines = [f"// {line}" for line in about.splitlines()]
    lines.append(f"cuda_tile.module @{name} {{")
    lines += [f"  {line}" for line in globals_]
    return "\n".join(lines) + "\n" + "\n".join(entry.text() for entry in entries) + "}\n"
