"""Cases of `reduce` and `scan`. The functions are associative, so that the grouping of elements does not matter.
Functions that are not commutative are only scanned, because a reduction may combine its elements in any order."""

from fractions import Fraction

from formats import F32, INTS, num, signed
from floats import load_floats, store_floats
from program import Entry, tile
from structure import index_of, place_of, product, shape, values


class Function:
    """A function to fold with: its text, and its equivalent `f` in Python. In the text, `%x0` is the accumulator of the
    first operand and `%y0` its element. `f` takes the accumulated values and the next ones."""

    def __init__(self, name, elements, identities, lines, yields, f, commutes=True):
        self.name, self.elements, self.identities = name, elements, identities
        self.lines, self.yields, self.f, self.commutes = lines, yields, f, commutes

    def region(self):
        args = ", ".join(f"%x{at}: tile<{element}>, %y{at}: tile<{element}>" for at, element in enumerate(self.elements))
        types = ", ".join(f"tile<{element}>" for element in self.elements)
        return [f"({args}) {{"] + [f"  {line}" for line in self.lines] + [f"  yield {self.yields} : {types}", "}"]


def simple(op, element, identity, f):
    name = op.split(" ")[0]
    tail = op[len(name):]
    return Function(f"{name}_{element}", [element], [identity], [f"%z = {name} %x0, %y0{tail} : tile<{element}>"], "%z",
                    lambda earlier, later: [f(earlier[0], later[0])])


def functions():
    for element, width in INTS.items():
        low, high = (0, 0) if width == 1 else (-(1 << width - 1), (1 << width - 1) - 1)
        yield simple("addi", element, "0" if width > 1 else "false", lambda a, b: a + b)
        if width > 1:
            yield simple("muli", element, "1", lambda a, b: a * b)
            yield simple("maxi signed", element, str(low), max)
            yield simple("mini signed", element, str(high), min)
        if width in (8, 32):
            continue
        yield simple("xori", element, "0" if width > 1 else "false", lambda a, b: a ^ b)
        yield simple("andi", element, "-1" if width > 1 else "true", lambda a, b: a & b)
    # The composition of functions x -> p x + q, which is not commutative.
    yield Function("affine", ["i32", "i32"], ["1", "0"],
                   ["%p = muli %x0, %y0 : tile<i32>", "%m = muli %y0, %x1 : tile<i32>",
                    "%q = addi %m, %y1 : tile<i32>"], "%p, %q",
                   lambda earlier, later: [later[0] * earlier[0], later[0] * earlier[1] + later[1]], commutes=False)
    # The largest element and its first index.
    yield Function("argmax", ["i16", "i32"], ["-32768", "2147483647"],
                   ["%more = cmpi greater_than %x0, %y0, signed : tile<i16> -> tile<i1>",
                    "%same = cmpi equal %x0, %y0, signed : tile<i16> -> tile<i1>",
                    "%first = cmpi less_than %x1, %y1, signed : tile<i32> -> tile<i1>",
                    "%tie = andi %same, %first : tile<i1>", "%take = ori %more, %tie : tile<i1>",
                    "%v = select %take, %x0, %y0 : tile<i1>, tile<i16>",
                    "%i = select %take, %x1, %y1 : tile<i1>, tile<i32>"], "%v, %i",
                   lambda earlier, later: later if (later[0], -later[1]) > (earlier[0], -earlier[1]) else earlier)
    # The last element that is not 0, through a branch.
    yield Function("last", ["i32"], ["0"],
                   ["%zero = constant <i32: 0> : tile<i32>",
                    "%none = cmpi equal %y0, %zero, signed : tile<i32> -> tile<i1>",
                    "%z = if %none -> (tile<i32>) {", "  yield %x0 : tile<i32>", "} else {",
                    "  yield %y0 : tile<i32>", "}"], "%z",
                   lambda earlier, later: later if later[0] else earlier, commutes=False)


def combine(function, rows):
    """The intermediate results of folding rows of values in order."""
    widths = [INTS[element] for element in function.elements]
    state, found = None, []
    for row in rows:
        state = list(row) if state is None else function.f(state, list(row))
        state = [signed(number, width) if width > 1 else number & 1 for number, width in zip(state, widths)]
        found.append(state)
    return found


def along(extents, dim):
    """The lines along a dimension, each a list of linear indices."""
    for place in range(product(extents)):
        index = index_of(place, extents)
        if index[dim] == 0:
            yield [place_of(index[:dim] + [at] + index[dim + 1:], extents) for at in range(extents[dim])]


def cases(random, function, entry, number):
    extents = shape(random, random.randint(1, 3), 4)
    dim = random.randrange(len(extents))
    count = product(extents)
    inputs = [values(random, element, count) for element in function.elements]
    if function.name == "last":
        inputs = [[value if random.random() < 0.5 else 0 for value in inputs[0]]]
    if function.name == "argmax":
        inputs = [[random.randint(-5, 5) for _ in range(count)], list(range(count))]
    tiles = [entry.input(f"a{number}_{at}", element, found, extents)
             for at, (element, found) in enumerate(zip(function.elements, inputs))]
    types = ", ".join(tile(extents, element) for element in function.elements)
    identities = ", ".join(f"{identity} : {element}" if identity not in ("true", "false") else identity
                           for identity, element in zip(function.identities, function.elements))
    lines = list(along(extents, dim))
    if function.commutes:
        less = extents[:dim] + extents[dim + 1:]
        reduced = ", ".join(tile(less, element) for element in function.elements)
        names = [entry.fresh() for _ in tiles]
        head = f"reduce {', '.join(tiles)} dim = {dim} identities = [{identities}] : {types} -> {reduced}"
        fold(entry, names, head, function)
        results = [combine(function, [[found[place] for found in inputs] for place in line])[-1] for line in lines]
        for at, (name, element) in enumerate(zip(names, function.elements)):
            entry.output(f"r{number}_{at}", element, name, [result[at] for result in results], less)
    for reverse in (False, True):
        names = [entry.fresh() for _ in tiles]
        fold(entry, names, f"scan {', '.join(tiles)} dim = {dim} reverse = {str(reverse).lower()} "
                           f"identities = [{identities}] : {types} -> {types}", function)
        expected = [[None] * count for _ in tiles]
        for line in lines:
            line = line[::-1] if reverse else line
            for place, state in zip(line, combine(function, [[found[place] for found in inputs] for place in line])):
                for column, number_ in zip(expected, state):
                    column[place] = number_
        for at, (name, element) in enumerate(zip(names, function.elements)):
            entry.output(f"s{number}_{at}", element, name, expected[at], extents)


def fold(entry, names, head, function):
    entry.op(f"{', '.join(names)} = {head}")
    for line in function.region():
        entry.op(line)


def floats(random):
    """Folds of floats. The sums are exact here; the extrema always are."""
    entry = Entry("floats", inline=16)
    numbers = [Fraction(random.randint(-1000, 1000), 8) for _ in range(64)]
    value = load_floats(entry, "a", F32, [F32.encode(num(number)) for number in numbers])
    for op, identity, f in (("addf", "0.0", sum), ("maxf", "0xFF800000", max), ("minf", "0x7F800000", min)):
        grid = entry.shaped(value, [64], [8, 8], "f32")
        name = entry.fresh()
        entry.op(f"{name} = reduce {grid} dim = 0 identities = [{identity} : f32] : tile<8x8xf32> -> tile<8xf32>")
        entry.op("(%x: tile<f32>, %y: tile<f32>) {")
        entry.op(f"  %z = {op} %x, %y : tile<f32>")
        entry.op("  yield %z : tile<f32>")
        entry.op("}")
        store_floats(entry, F32, name, [F32.encode(num(f(numbers[column::8]))) for column in range(8)])
    return entry


def entries(random, rounds):
    for function in functions():
        entry = Entry(f"fold_{function.name}", inline=16)
        for number in range(rounds):
            cases(random, function, entry, number)
        yield entry
    yield floats(random)
