"""Cases of 4-bit elements in memory. Two elements share a byte; the first one is in the low nibble."""

from formats import E2M1, F32
from program import Entry, Hex

KIND = "f4E2M1FN"
GLOBALS = (f"global @halves <{KIND}: [0.5, -6.0, 3.0, 1.5]> : tile<4x{KIND}>",)


def halves(data):
    return [half for byte in data for half in (byte & 15, byte >> 4)]


def bytes_of(codes):
    return [low | high << 4 for low, high in zip(codes[::2], codes[1::2])]


def random_bytes(random, count):
    return [random.getrandbits(8) for _ in range(count)]


def hexes(numbers):
    return "[" + ", ".join(map(hex, numbers)) + "]"


class Case(Entry):
    """An entry whose byte buffers are accessed as 4-bit elements."""

    def seen(self, name, data):
        self.param(name, "i8", [len(data)], hexes(data))
        return self.let(f"ptr_to_ptr %{name} : tile<ptr<i8>> -> tile<ptr<{KIND}>>")

    def spread(self, pointer, count, offsets):
        """Pointers to the elements at these offsets from a pointer."""
        one = self.let(f"reshape {pointer} : tile<ptr<{KIND}>> -> tile<1xptr<{KIND}>>")
        all_ = self.let(f"broadcast {one} : tile<1xptr<{KIND}>> -> tile<{count}xptr<{KIND}>>")
        return self.let(f"offset {all_}, {offsets} : tile<{count}xptr<{KIND}>>, tile<{count}xi32> "
                        f"-> tile<{count}xptr<{KIND}>>")

    def load(self, pointers, count):
        value, token = self.fresh(), self.fresh()
        self.op(f"{value}, {token} = load_ptr_tko weak {pointers} : tile<{count}xptr<{KIND}>> -> tile<{count}x{KIND}>, token")
        return value

    def shown(self, name, value, codes):
        """Outputs a tile as bytes and as f32 numbers."""
        count = len(codes)
        packed = self.let(f"pack {value} : tile<{count}x{KIND}> -> tile<{count // 2}xi8>")
        self.output(name, "i8", packed, [Hex(byte) for byte in bytes_of(codes)])
        wide = self.let(f"ftof {value} : tile<{count}x{KIND}> -> tile<{count}xf32>")
        self.output(f"{name}_f32", "f32", wide, [Hex(F32.encode(E2M1.decode(code))) for code in codes],
                    bits=("i32", Hex(0x7FC00000)))

    def fresh_tile(self, name, codes):
        """A tile with these bits."""
        data = bytes_of(codes)
        value = self.input(name, "i8", [Hex(byte) for byte in data])
        return self.let(f"unpack {value} : tile<{len(data)}xi8> -> tile<{len(codes)}x{KIND}>")


def rows(random, number):
    """Consecutive elements from an even or odd offset on."""
    entry = Case(f"rows_{number}", inline=16)
    data = random_bytes(random, 24)
    pointer = entry.seen("p", data)
    start, count = random.randint(0, 15), random.choice((2, 8, 32))
    begin = entry.let(f"constant <i64: {start}> : tile<i64>")
    moved = entry.let(f"offset {pointer}, {begin} : tile<ptr<{KIND}>>, tile<i64> -> tile<ptr<{KIND}>>")
    value = entry.load(entry.spread(moved, count, entry.iota(count)), count)
    entry.shown("r", value, halves(data)[start:start + count])
    new = [random.getrandbits(4) for _ in range(count)]
    stored = entry.fresh_tile("v", new)
    other = random_bytes(random, 24)
    pointer = entry.seen("q", other)
    moved = entry.let(f"offset {pointer}, {begin} : tile<ptr<{KIND}>>, tile<i64> -> tile<ptr<{KIND}>>")
    pointers = entry.spread(moved, count, entry.iota(count))
    entry.op(f"{entry.fresh()} = store_ptr_tko weak {pointers}, {stored} : tile<{count}xptr<{KIND}>>, "
             f"tile<{count}x{KIND}> -> token")
    after = halves(other)
    after[start:start + count] = new
    entry.after("q", [Hex(byte) for byte in bytes_of(after)])
    return entry


def scattered(random, number):
    """Elements in random order, some of which the store masks out."""
    entry = Case(f"scattered_{number}", inline=0)
    data, count = random_bytes(random, 16), 16
    pointer = entry.seen("p", data)
    middle = random.randint(8, 24)
    begin = entry.let(f"constant <i32: {middle}> : tile<i32>")
    middle_ = entry.let(f"offset {pointer}, {begin} : tile<ptr<{KIND}>>, tile<i32> -> tile<ptr<{KIND}>>")
    places = random.sample(range(32), count)
    offsets = entry.input("o", "i32", [place - middle for place in places])
    pointers = entry.spread(middle_, count, offsets)
    codes = halves(data)
    value, token = entry.fresh(), entry.fresh()
    entry.op(f"{value}, {token} = load_ptr_tko weak {pointers} : tile<{count}xptr<{KIND}>> -> tile<{count}x{KIND}>, token")
    entry.shown("r", value, [codes[place] for place in places])
    new, truth = [random.getrandbits(4) for _ in places], [random.getrandbits(1) for _ in places]
    stored, mask = entry.fresh_tile("v", new), entry.input("m", "i1", truth)
    entry.op(f"{entry.fresh()} = store_ptr_tko weak {pointers}, {stored}, {mask} token={token} : "
             f"tile<{count}xptr<{KIND}>>, tile<{count}x{KIND}>, tile<{count}xi1> -> token")
    for place, code, taken in zip(places, new, truth):
        if taken:
            codes[place] = code
    entry.after("p", [Hex(byte) for byte in bytes_of(codes)])
    return entry


def viewed(random, number):
    """Copies a tile between two matrices in row-major or column-major order, possibly with gaps in between."""
    entry = Case(f"viewed_{number}", inline=0)
    by_rows = random.choice((True, False))
    long, short, pitch = 8, 3, random.choice((8, 9, 11))
    data = random_bytes(random, 16)
    other = random_bytes(random, 16)
    shape, strides = ((short, long), (pitch, 1)) if by_rows else ((long, short), (1, pitch))
    tensor = f"tensor_view<{shape[0]}x{shape[1]}x{KIND}, strides=[{strides[0]},{strides[1]}]>"
    view = f"partition_view<tile=(4x4), padding_value = zero, {tensor}>"
    at = [random.randint(0, (extent - 1) // 4) for extent in shape]
    index = [entry.let(f"constant <i32: {place}> : tile<i32>") for place in at]
    made = []
    for name, content in (("p", data), ("q", other)):
        pointer = entry.seen(name, content)
        whole = entry.let(f"make_tensor_view {pointer}, shape = [{shape[0]}, {shape[1]}], "
                          f"strides = [{strides[0]}, {strides[1]}] : {tensor}")
        made.append(entry.let(f"make_partition_view {whole} : {view}"))
    value, token = entry.fresh(), entry.fresh()
    entry.op(f"{value}, {token} = load_view_tko weak {made[0]}[{', '.join(index)}] : {view}, tile<i32> -> tile<4x4x{KIND}>, token")
    entry.op(f"{entry.fresh()} = store_view_tko weak {value}, {made[1]}[{', '.join(index)}] : "
             f"tile<4x4x{KIND}>, {view}, tile<i32> -> token")
    codes, after, loaded = halves(data), halves(other), []
    for row in range(4):
        for column in range(4):
            place = (at[0] * 4 + row, at[1] * 4 + column)
            inside = place[0] < shape[0] and place[1] < shape[1]
            offset = place[0] * strides[0] + place[1] * strides[1]
            loaded.append(codes[offset] if inside else 0)
            if inside:
                after[offset] = codes[offset]
    entry.shown("r", entry.let(f"reshape {value} : tile<4x4x{KIND}> -> tile<16x{KIND}>"), loaded)
    entry.after("q", [Hex(byte) for byte in bytes_of(after)])
    return entry


def addresses():
    """Addresses advance by one byte every two elements, in globals, buffers and scratch memory."""
    entry = Case("addresses", inline=16)
    entry.param("p", KIND, [5], "[1.5, -0.5, 4, 6, -2]")
    four = entry.let("constant <i32: 4> : tile<i32>")
    moved = entry.let(f"offset %p, {four} : tile<ptr<{KIND}>>, tile<i32> -> tile<ptr<{KIND}>>")
    begin, end = (entry.let(f"ptr_to_int {pointer} : tile<ptr<{KIND}>> -> tile<i64>") for pointer in ("%p", moved))
    entry.output("distance", "i64", entry.let(f"subi {end}, {begin} : tile<i64>"), [2], [])
    back = entry.let(f"int_to_ptr {end} : tile<i64> -> tile<ptr<{KIND}>>")
    value, token = entry.fresh(), entry.fresh()
    entry.op(f"{value}, {token} = load_ptr_tko weak {entry.let(f'ptr_to_ptr {back} : tile<ptr<{KIND}>> -> tile<ptr<i8>>')} "
             ": tile<ptr<i8>> -> tile<i8>, token")
    low = entry.let("constant <i8: 15> : tile<i8>")
    entry.output("last", "i8", entry.let(f"andi {value}, {low} : tile<i8>"), [0xC], [])
    for name, pointer in (("held", entry.let(f"get_global @halves : tile<ptr<{KIND}>>")), ("given", "%p")):
        whole = entry.let(f"ptr_to_ptr {pointer} : tile<ptr<{KIND}>> -> tile<ptr<i16>>")
        value, token = entry.fresh(), entry.fresh()
        entry.op(f"{value}, {token} = load_ptr_tko weak {whole} : tile<ptr<i16>> -> tile<i16>, token")
        entry.output(name, "i16", value, [Hex(0x35F1 if name == "held" else 0x7693)], [])
    scratch = entry.let(f"alloca num_elem = 4, alignment = 2 : tile<ptr<{KIND}>>")
    stored = entry.fresh_tile("v", [1, 2, 3, 4])
    pointers = entry.spread(scratch, 4, entry.iota(4))
    token = entry.let(f"store_ptr_tko weak {pointers}, {stored} : tile<4xptr<{KIND}>>, tile<4x{KIND}> -> token")
    value, after = entry.fresh(), entry.fresh()
    whole = entry.let(f"ptr_to_ptr {scratch} : tile<ptr<{KIND}>> -> tile<ptr<i16>>")
    entry.op(f"{value}, {after} = load_ptr_tko weak {whole} token={token} : tile<ptr<i16>> -> tile<i16>, token")
    entry.output("scratch", "i16", value, [0x4321], [])
    entry.after("p", [1.5, -0.5, 4, 6, -2])
    return entry


def entries(random, rounds):
    yield addresses()
    for number in range(8 * rounds):
        yield rows(random, number)
        yield scattered(random, number)
        yield viewed(random, number)
