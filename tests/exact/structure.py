"""Cases of the ops that rearrange tiles, whose expected results are computed from indices alone."""

from fractions import Fraction

from conversions import store
from floats import store_floats
from formats import BASE, E2M1, E4M3, E5M2, F32, F64, INTS, num, signed
from program import Entry, Hex, tile

ELEMENTS = ("i1", "i8", "i16", "i32", "i64")


def product(extents):
    count = 1
    for extent in extents:
        count *= extent
    return count


def index_of(place, shape):
    """The multidimensional index of a linear index in row-major order."""
    index = []
    for extent in reversed(shape):
        place, rest = divmod(place, extent)
        index.append(rest)
    return index[::-1]


def place_of(index, shape):
    place = 0
    for part, extent in zip(index, shape):
        place = place * extent + part
    return place


def taken(values, shape, result, source_of):
    """The values of a result whose element at an index is the source's at `source_of(index)`."""
    return [values[place_of(source_of(index_of(place, result)), shape)] for place in range(product(result))]


def shape(random, rank, most):
    """Extents that are powers of two, with a limit on their product."""
    extents = [1] * rank
    left = random.randint(0, most)
    for _ in range(left):
        if extents:
            extents[random.randrange(rank)] *= 2
    return extents


def values(random, element, count):
    width = INTS[element]
    return [random.getrandbits(1) if width == 1 else signed(random.getrandbits(width), width) for _ in range(count)]


class Tiles:
    def __init__(self, name, random):
        self.entry, self.random = Entry(name, inline=16), random
        self.inputs = 0

    def tile(self, extents, element):
        """A tile of random elements."""
        found = values(self.random, element, product(extents))
        self.inputs += 1
        return self.entry.input(f"a{self.inputs}", element, found, extents), found

    def result(self, value, extents, element, expected):
        self.entry.output(f"r{len(self.entry.results)}", element, value, expected, extents)


def permute(cases, element):
    random = cases.random
    rank = random.randint(2, 5)
    source = shape(random, rank, 5)
    dims = random.sample(range(rank), rank)
    result = [source[dim] for dim in dims]
    value, found = cases.tile(source, element)
    value = cases.entry.let(f"permute {value} {dims} : {tile(source, element)} -> {tile(result, element)}")
    # Dimension `k` of the result is dimension `dims[k]` of the source.
    cases.result(value, result, element,
                 taken(found, source, result, lambda index: [index[dims.index(dim)] for dim in range(rank)]))


def broadcast(cases, element):
    random = cases.random
    result = shape(random, random.randint(1, 4), 5)
    source = [random.choice((extent, 1)) for extent in result]
    value, found = cases.tile(source, element)
    value = cases.entry.let(f"broadcast {value} : {tile(source, element)} -> {tile(result, element)}")
    cases.result(value, result, element, taken(
        found, source, result, lambda index: [part % extent for part, extent in zip(index, source)]))


def reshape(cases, element):
    random = cases.random
    source = shape(random, random.randint(1, 4), 5)
    count = product(source)
    rank = random.randint(1, 4)
    result = [1] * rank
    while product(result) < count:
        result[random.randrange(rank)] *= 2
    value, found = cases.tile(source, element)
    value = cases.entry.let(f"reshape {value} : {tile(source, element)} -> {tile(result, element)}")
    cases.result(value, result, element, found)


def cat(cases, element):
    random = cases.random
    part = shape(random, random.randint(1, 4), 5)
    dim = random.randrange(len(part))
    result = [extent * (2 if place == dim else 1) for place, extent in enumerate(part)]
    (left, a), (right, b) = cases.tile(part, element), cases.tile(part, element)
    value = cases.entry.let(f"cat {left}, {right} dim = {dim} : {tile(part, element)}, {tile(part, element)} "
                            f"-> {tile(result, element)}")
    expected = []
    for place in range(product(result)):
        index = index_of(place, result)
        second = index[dim] >= part[dim]
        index[dim] %= part[dim]
        expected.append((b if second else a)[place_of(index, part)])
    cases.result(value, result, element, expected)


def slices(cases, part, whole):
    """The number of a random slice along each dimension, as integers and as scalar values."""
    numbers = [cases.random.randrange(extent // piece) for extent, piece in zip(whole, part)]
    return numbers, [cases.entry.let(f"constant <i32: {number}> : tile<i32>") for number in numbers]


def extract(cases, element):
    random = cases.random
    whole = shape(random, random.randint(1, 4), 5)
    part = [max(1, extent >> random.randint(0, 2)) for extent in whole]
    value, found = cases.tile(whole, element)
    numbers, scalars = slices(cases, part, whole)
    value = cases.entry.let(f"extract {value}[{', '.join(scalars)}] : {tile(whole, element)} -> {tile(part, element)}")
    cases.result(value, part, element, taken(found, whole, part, lambda index: [
        number * extent + place for number, extent, place in zip(numbers, part, index)]))


def insert(cases, element):
    random = cases.random
    whole = shape(random, random.randint(1, 4), 5)
    part = [max(1, extent >> random.randint(0, 2)) for extent in whole]
    (into, old), (source, new) = cases.tile(whole, element), cases.tile(part, element)
    numbers, scalars = slices(cases, part, whole)
    value = cases.entry.let(f"insert {source}, {into}[{', '.join(scalars)}] : {tile(part, element)}, "
                            f"{tile(whole, element)}")
    expected = list(old)
    for place, found in enumerate(new):
        index = [number * extent + at for number, extent, at in zip(numbers, part, index_of(place, part))]
        expected[place_of(index, whole)] = found
    cases.result(value, whole, element, expected)


def select(cases, element):
    extents = shape(cases.random, cases.random.randint(1, 3), 5)
    (condition, truth), (yes, a), (no, b) = (cases.tile(extents, kind) for kind in ("i1", element, element))
    value = cases.entry.let(f"select {condition}, {yes}, {no} : {tile(extents, 'i1')}, {tile(extents, element)}")
    cases.result(value, extents, element, [x if c else y for c, x, y in zip(truth, a, b)])
    whole = cases.entry.let(f"constant <i1: {'true' if truth[0] else 'false'}> : {tile(extents, 'i1')}")
    value = cases.entry.let(f"select {whole}, {yes}, {no} : {tile(extents, 'i1')}, {tile(extents, element)}")
    cases.result(value, extents, element, a if truth[0] else b)


def splats(cases, element):
    """The same ops on a tile whose elements are all equal."""
    entry, width = cases.entry, INTS[element]
    found = values(cases.random, element, 1)[0]
    literal = ("true" if found else "false") if width == 1 else found
    value = entry.let(f"constant <{element}: {literal}> : {tile([2, 4, 2], element)}")
    value = entry.let(f"permute {value} [1, 2, 0] : {tile([2, 4, 2], element)} -> {tile([4, 2, 2], element)}")
    two = entry.let(f"extract {value}[{entry.let('constant <i32: 1> : tile<i32>')}, "
                    f"{entry.let('constant <i32: 0> : tile<i32>')}, {entry.let('constant <i32: 0> : tile<i32>')}] "
                    f": {tile([4, 2, 2], element)} -> {tile([2, 2, 2], element)}")
    other, more = cases.tile([2, 2, 2], element)
    both = entry.let(f"cat {two}, {other} dim = 0 : {tile([2, 2, 2], element)}, {tile([2, 2, 2], element)} "
                     f"-> {tile([4, 2, 2], element)}")
    cases.result(both, [4, 2, 2], element, [found] * 8 + more)


def counting(random):
    """`iota`, which counts from 0; for i1 and i8 through all values."""
    entry = Entry("counting", inline=16)
    for element, count in (("i1", 2), ("i8", 256), ("i16", 16), ("i32", 32), ("i64", 8)):
        value = entry.let(f"iota : tile<{count}x{element}>")
        width = INTS[element]
        entry.output(element, element, value, [at if width == 1 else signed(at, width) for at in range(count)])
    return entry


def constants(random):
    """Numbers in every notation. A decimal number is parsed as an f64 and rounded to the type."""
    entry = Entry("constants", inline=16)
    texts = ["0.0", "-0.0", "1.0", "-1.5", "0.1", "3.4028235e38", "1.0e-40", "65504.0", "65519.0", "0.3333333333333333",
             "1.0e-45", "2.5e-8", "448.0", "0.0625", "-6.0", "2.5"]
    for fmt in BASE:
        value = entry.let(f"constant <{fmt.name}: [{', '.join(texts)}]> : tile<16x{fmt.name}>")
        codes = [fmt.encode(num(F64.decode(F64.encode(num(Fraction(text)))).number, text[0] == "-")) for text in texts]
        store(entry, fmt, value, codes)
        bits = [random.getrandbits(fmt.width - 2) for _ in range(4)]
        literal = ", ".join(f"0x{code:0{fmt.width // 4}X}" for code in bits)
        value = entry.let(f"constant <{fmt.name}: [{literal}]> : tile<4x{fmt.name}>")
        entry.output(f"hex_{fmt.name}", f"i{fmt.width}", entry.let(
            f"bitcast {value} : tile<4x{fmt.name}> -> tile<4xi{fmt.width}>"), [Hex(code) for code in bits])
    for fmt in (E4M3, E5M2, E2M1):
        small = ["0.0", "1.0", "-1.5", "0.5", "6.0", "-4.0", "3.0", "0.25"]
        value = entry.let(f"constant <{fmt.name}: [{', '.join(small)}]> : tile<8x{fmt.name}>")
        wide = entry.let(f"ftof {value} : tile<8x{fmt.name}> -> tile<8xf32>")
        store_floats(entry, F32, wide, [F32.encode(fmt.decode(fmt.encode(num(Fraction(text))))) for text in small],
                     name=f"wide{fmt.exponent}")
    for element in ELEMENTS[1:]:
        width = INTS[element]
        low, high = -(1 << width - 1), (1 << width) - 1 if width < 64 else (1 << 63) - 1
        numbers = [low, high, -1, 0, 1, high // 2, low + 1, 100]
        value = entry.let(f"constant <{element}: [{', '.join(map(str, numbers))}]> : tile<8x{element}>")
        entry.output(element, element, value, [signed(number, width) for number in numbers])
    return entry


def entries(random, rounds):
    for f in (permute, broadcast, reshape, cat, extract, insert, select, splats):
        cases = Tiles(f.__name__, random)
        for _ in range(rounds):
            for element in ELEMENTS:
                f(cases, element)
        yield cases.entry
    yield counting(random)
    yield constants(random)
