"""Cases of the multimem ops on memory with one replica, where a reduction over the replicas is the replica itself."""

import arithmetic
from floats import specials
from formats import INTS, NEAREST_EVEN, signed
from memory import MODES, SCOPES, width_of
from program import Entry, tile
from views import FLOATS

EXTENT, TILE = 21, 8


def view_type(element):
    return (f"partition_view<tile=({TILE}), tensor_view<{EXTENT}x{element}, strides=[1], "
            "#cuda_tile.ptr_attr<multicast>>>")


class Buffer:
    """A buffer with a multicast view of it, as bits of its elements."""

    def __init__(self, entry, random, name, element):
        self.entry, self.name, self.element, self.random = entry, name, element, random
        self.integer = element if element in INTS else f"i{width_of(element)}"
        self.codes = self.random_codes(EXTENT)
        entry.param(name, self.integer, [EXTENT], "[" + ", ".join(map(str, self.shown(self.codes))) + "]",
                    ", <multicast>")
        pointer = entry.let(f"ptr_to_ptr %{name} : tile<ptr<{self.integer}, <multicast>>> "
                            f"-> tile<ptr<{element}, <multicast>>>")
        tensor = entry.let(f"make_tensor_view {pointer}, shape = [{EXTENT}], strides = [1] "
                           f": tile<ptr<{element}, <multicast>>> -> tensor_view<{EXTENT}x{element}, strides=[1], "
                           "#cuda_tile.ptr_attr<multicast>>")
        self.view = entry.let(f"make_partition_view {tensor} : {view_type(element)}")

    def random_codes(self, count):
        if self.element in FLOATS:
            return [self.random.choice(specials(FLOATS[self.element])[:10]) for _ in range(count)]
        return [self.random.getrandbits(width_of(self.element)) for _ in range(count)]

    def shown(self, codes):
        return [signed(code, width_of(self.element)) for code in codes]

    def value(self):
        """A random tile and its bits."""
        codes, entry = self.random_codes(TILE), self.entry
        value = entry.input(f"{self.name}_v", self.integer, self.shown(codes))
        if self.integer != self.element:
            value = entry.let(f"bitcast {value} : {tile([TILE], self.integer)} -> {tile([TILE], self.element)}")
        return value, codes

    def index(self):
        """An index, and the elements that its tile covers. The last tile extends beyond the buffer."""
        number = self.random.randrange(-(-EXTENT // TILE))
        at = self.entry.let(f"constant <i64: {number}> : tile<i64>")
        return at, range(number * TILE, min(EXTENT, (number + 1) * TILE))

    def loaded(self, after=None):
        """Loads the first tile, which is entirely inside the buffer, and outputs it."""
        entry, zero = self.entry, self.entry.let("constant <i32: 0> : tile<i32>")
        value, token = entry.fresh(), entry.fresh()
        operand, operand_type = (f" token = {after}", ", token") if after else ("", "")
        entry.op(f"{value}, {token} = multimem_load_reduce_view_tko relaxed {self.random.choice(SCOPES)} "
                 f"{self.view}[{zero}]{operand} : {view_type(self.element)}, tile<i32>{operand_type} "
                 f"-> {tile([TILE], self.element)}, token")
        bits = value
        if self.integer != self.element:
            bits = entry.let(f"bitcast {value} : {tile([TILE], self.element)} -> {tile([TILE], self.integer)}")
        entry.output(f"{self.name}_loaded", self.integer, bits, self.shown(self.codes[:TILE]))

    def finish(self):
        self.entry.after(self.name, self.shown(self.codes))


def reduce(buffer, kind):
    element, width = buffer.element, width_of(buffer.element)
    value, new = buffer.value()
    at, places = buffer.index()
    if element in FLOATS:
        fmt = FLOATS[element]
        # GPUs flush subnormal f32 numbers in additions to memory.
        flush = fmt.flush if element == "f32" else lambda value: value

        def combine(a, b):
            total = fmt.encode(arithmetic.add(flush(fmt.decode(a)), flush(fmt.decode(b)), NEAREST_EVEN))
            return fmt.encode(flush(fmt.decode(total)))
    else:
        combine = lambda a, b: MODES[kind](a, b, width) & (1 << width) - 1
    token = buffer.entry.fresh()
    chosen = "" if kind == "add" else f" attributes {{reduction = #cuda_tile.multimem_reduction_kind<{kind}>}}"
    buffer.entry.op(f"{token} = multimem_reduce_view_tko {buffer.random.choice(('relaxed', 'release'))} "
                    f"{buffer.random.choice(SCOPES)} {buffer.view}, {value}[{at}]{chosen} : {view_type(element)}, "
                    f"{tile([TILE], element)}, tile<i64> -> token")
    for place, code in zip(places, new):
        buffer.codes[place] = combine(buffer.codes[place], code)
    buffer.loaded(token)
    buffer.finish()


def store(buffer):
    value, new = buffer.value()
    at, places = buffer.index()
    token = buffer.entry.fresh()
    buffer.entry.op(f"{token} = multimem_store_view_tko weak {buffer.view}, {value}[{at}] : "
                    f"{view_type(buffer.element)}, {tile([TILE], buffer.element)}, tile<i64> -> token")
    for place, code in zip(places, new):
        buffer.codes[place] = code
    buffer.loaded(token)
    buffer.finish()


def entries(random):
    for element in ("i32", "i64"):
        entry = Entry(f"multimem_{element}")
        for number, kind in enumerate(("add", "min", "max", "and", "or", "xor", "umin", "umax")):
            reduce(Buffer(entry, random, f"b{number}", element), kind)
        store(Buffer(entry, random, "s", element))
        yield entry
    for element in ("f16", "bf16", "f32", "f64"):
        entry = Entry(f"multimem_{element}")
        reduce(Buffer(entry, random, "b", element), "add")
        store(Buffer(entry, random, "s", element))
        yield entry
