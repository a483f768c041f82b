"""Writing programs: an entry loads its inputs, computes, and stores rows of results beside what is expected."""


class Entry:
    """One entry with one launch. Inputs are tiles with a name; each result is one row of a buffer. `close` has the
    tolerance of an output that need not be exact."""

    def __init__(self, name, count, grid=None, comment=None):
        self.name, self.count, self.grid, self.comment = name, count, grid, comment
        self.params, self.launch, self.expects, self.body = [], [], [], []
        self.results, self.close = {}, {}
        self.names = 0
        self.iotas = {}

    def op(self, text):
        """Adds a line."""
        self.body.append(text)

    def fresh(self):
        self.names += 1
        return f"%{self.names}"

    def let(self, text):
        """Adds an op with one result, and gives the result."""
        name = self.fresh()
        self.op(f"{name} = {text}")
        return name

    def iota(self, count):
        if count not in self.iotas:
            self.iotas[count] = self.let(f"iota : tile<{count}xi32>")
        return self.iotas[count]

    def param(self, name, element, shape, init):
        """A pointer parameter with a buffer."""
        self.params.append(f"%{name}: tile<ptr<{element}>>")
        self.launch.append(f"%{name} = {element}{shape} {init}")

    def scalar(self, name, element, value):
        self.params.append(f"%{name}: tile<{element}>")
        self.launch.append(f"%{name} = {value}")

    def pointers(self, name, element, count, start=0):
        """Pointers to elements in a row."""
        one = self.let(f"reshape %{name} : tile<ptr<{element}>> -> tile<1xptr<{element}>>")
        all_ = self.let(f"broadcast {one} : tile<1xptr<{element}>> -> tile<{count}xptr<{element}>>")
        places = self.iota(count)
        if start:
            begin = self.let(f"constant <i32: {start}> : tile<{count}xi32>")
            places = self.let(f"addi {places}, {begin} : tile<{count}xi32>")
        return self.let(f"offset {all_}, {places} : tile<{count}xptr<{element}>>, tile<{count}xi32> "
                        f"-> tile<{count}xptr<{element}>>")

    def input(self, name, element, values, shape=None):
        """Loads an input whole, as a tile of a shape."""
        count = len(values)
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

    def output(self, name, element, value, expected, shape=None):
        """Stores a tile as the next row of an output."""
        count = len(expected)
        rows = self.results.setdefault(name, (element, count, []))[2]
        if not rows:
            self.params.append(f"%{name}: tile<ptr<{element}>>")
        flat = self.shaped(value, shape if shape is not None else [count], [count], element)
        pointers = self.pointers(name, element, count, len(rows) * count)
        self.op(f"{self.fresh()} = store_ptr_tko weak {pointers}, {flat} "
                f": tile<{count}xptr<{element}>>, tile<{count}x{element}> -> token")
        rows.append(expected)

    def after(self, name, values):
        """What a parameter's buffer holds at the end."""
        self.expects.append(f"%{name} == {numbers(values)}")

    def text(self):
        lines = [f"  // {self.comment}"] if self.comment else []
        lines.append("  //@ launch" + (f" grid={self.grid}" if self.grid else ""))
        lines += [f"  //@   {line}" for line in self.launch]
        for name, (element, count, rows) in self.results.items():
            lines.append(f"  //@   %{name} = {element}[{len(rows)}, {count}] zeros")
        for name, (_, _, rows) in self.results.items():
            tolerance = self.close.get(name)
            lines.append(f"  //@ expect %{name} {'~=' if tolerance else '=='} [")
            lines += [f"  //@   {numbers(row)}," for row in rows]
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
    return "[" + ", ".join(str(value) for value in values) + "]"


def tile(shape, element):
    return "tile<" + "".join(f"{extent}x" for extent in shape) + f"{element}>"


def module(name, about, entries, globals_=()):
    """The text of a file."""
    lines = [f"// {line}" for line in about.splitlines()]
    lines.append(f"cuda_tile.module @{name} {{")
    lines += [f"  {line}" for line in globals_]
    return "\n".join(lines) + "\n" + "\n".join(entry.text() for entry in entries) + "}\n"
