"""Cases of loads and stores through pointers, of atomics, of globals and of scratch memory."""

import arithmetic
from floats import specials
from formats import F32, INTS, NEAREST_EVEN, signed
from program import Entry, Hex, tile
from structure import product, shape
from views import FLOATS, STORED, Cases, View

ORDERS = ("relaxed", "acquire", "release", "acq_rel")
SCOPES = ("tl_blk", "device", "sys")
MODES = {
    "and": lambda a, b, width: a & b, "or": lambda a, b, width: a | b, "xor": lambda a, b, width: a ^ b,
    "add": lambda a, b, width: a + b, "xchg": lambda a, b, width: b,
    "max": lambda a, b, width: max(a, b, key=lambda code: signed(code, width)),
    "min": lambda a, b, width: min(a, b, key=lambda code: signed(code, width)),
    "umax": lambda a, b, width: max(a, b), "umin": lambda a, b, width: min(a, b),
}


def width_of(element):
    return INTS.get(element) or STORED[element].width


class Pointers(Cases):
    """Pointers to random elements of a buffer with random bits."""

    def scattered(self, element, extents, reach=None):
        """A tile of pointers to distinct elements, as offsets from a pointer to the middle of the buffer."""
        entry, random = self.entry, self.random
        count = product(extents)
        reach = reach or 2 * count
        name, integer, pointer, codes = self.buffer(element, reach)
        places = random.sample(range(reach), count)
        middle = reach // 2
        index = random.choice(("i8", "i16", "i32", "i64"))
        base = entry.let(f"offset {pointer}, {entry.let(f'constant <i64: {middle}> : tile<i64>')} "
                         f": tile<ptr<{element}>>, tile<i64> -> tile<ptr<{element}>>")
        one = entry.let(f"reshape {base} : tile<ptr<{element}>> -> {tile([1] * len(extents), f'ptr<{element}>')}")
        all_ = entry.let(f"broadcast {one} : {tile([1] * len(extents), f'ptr<{element}>')} "
                         f"-> {tile(extents, f'ptr<{element}>')}")
        offsets = entry.input(f"o{self.buffers}", index, [place - middle for place in places], extents)
        pointers = entry.let(f"offset {all_}, {offsets} : {tile(extents, f'ptr<{element}>')}, {tile(extents, index)} "
                             f"-> {tile(extents, f'ptr<{element}>')}")
        return name, integer, pointers, codes, places

    def fresh_tile(self, element, extents, codes=None):
        """A tile of random bits of an element type."""
        width, count = width_of(element), product(extents)
        integer = element if element in INTS else f"i{width}"
        codes = codes or [self.random.getrandbits(width) for _ in range(count)]
        self.buffers += 1
        value = self.entry.input(f"v{self.buffers}", integer, [self.shown(element)(code) for code in codes], extents)
        if integer != element:
            value = self.entry.let(f"bitcast {value} : {tile(extents, integer)} -> {tile(extents, element)}")
        return value, codes


def load(cases, element):
    """A load of all elements, and a load with a mask and padding values."""
    entry, extents = cases.entry, shape(cases.random, cases.random.randint(1, 3), 3)
    name, integer, pointers, codes, places = cases.scattered(element, extents)
    kind, shaped = f"ptr<{element}>", tile(extents, element)
    value, token = entry.fresh(), entry.fresh()
    entry.op(f"{value}, {token} = load_ptr_tko weak {pointers} : {tile(extents, kind)} -> {shaped}, token")
    cases.result(value, element, integer, extents, [codes[place] for place in places])
    mask, truth = cases.fresh_tile("i1", extents)
    pad, padding = cases.fresh_tile(element, extents)
    value, token = entry.fresh(), entry.fresh()
    entry.op(f"{value}, {token} = load_ptr_tko {cases.random.choice(('weak', 'relaxed device', 'acquire sys'))} "
             f"{pointers}, {mask}, {pad} : {tile(extents, kind)}, {tile(extents, 'i1')}, {shaped} -> {shaped}, token")
    cases.result(value, element, integer, extents,
                 [codes[place] if taken else other for place, taken, other in zip(places, truth, padding)])


def store(cases, element):
    entry, extents = cases.entry, shape(cases.random, cases.random.randint(1, 3), 3)
    name, integer, pointers, codes, places = cases.scattered(element, extents)
    value, new = cases.fresh_tile(element, extents)
    mask, truth = cases.fresh_tile("i1", extents)
    order = cases.random.choice(("weak", "relaxed device", "release sys"))
    entry.op(f"{entry.fresh()} = store_ptr_tko {order} {pointers}, {value}, {mask} : "
             f"{tile(extents, f'ptr<{element}>')}, {tile(extents, element)}, {tile(extents, 'i1')} -> token")
    after = list(codes)
    for place, code, taken in zip(places, new, truth):
        if taken:
            after[place] = code
    cases.entry.after(name, [cases.shown(element)(code) for code in after])


def finite_sums(fmt, random, count):
    """Pairs of codes whose sum is a number or an infinity."""
    found = []
    while len(found) < count:
        a, b = ((random.choice(specials(fmt)) if random.random() < 0.3 else random.getrandbits(fmt.width))
                for _ in range(2))
        if arithmetic.add(fmt.decode(a), fmt.decode(b), NEAREST_EVEN).kind != "nan":
            found.append((a, b))
    return found


def added(fmt, a, b):
    """The code in memory after an addition. For f32, it may flush subnormal numbers, as GPUs do (PTX ISA, `atom`)."""
    read = (lambda code: fmt.flush(fmt.decode(code))) if fmt is F32 else fmt.decode
    total = arithmetic.add(read(a), read(b), NEAREST_EVEN)
    return fmt.encode(fmt.flush(total) if fmt is F32 else total)


def update(cases, element, mode, masked):
    """`atomic_rmw_tko`: the old values, and the memory after the update."""
    entry, random = cases.entry, cases.random
    extents = shape(random, random.randint(0, 2), 3)
    name, integer, pointers, codes, places = cases.scattered(element, extents)
    count = product(extents)
    if mode == "addf":
        fmt = FLOATS[element]
        sums = finite_sums(fmt, random, count)
        # Replace the random bits of the buffer by operands of these sums.
        old = {place: pair[0] for place, pair in zip(places, sums)}
        codes = [old.get(place, code) for place, code in enumerate(codes)]
        entry.launch[[line.split(" ")[0] for line in entry.launch].index(f"%{name}")] = (
            f"%{name} = {integer}{[len(codes)]} [" + ", ".join(hex(code) for code in codes) + "]")
        argument, new = cases.fresh_tile(element, extents, [pair[1] for pair in sums])
        combine = lambda a, b: added(fmt, a, b)
    else:
        argument, new = cases.fresh_tile(element, extents)
        combine = lambda a, b: MODES[mode](a, b, width_of(element)) & (1 << width_of(element)) - 1
    mask, truth = cases.fresh_tile("i1", extents) if masked else ("", [1] * count)
    result, token = entry.fresh(), entry.fresh()
    mask_type = f", {tile(extents, 'i1')}" if masked else ""
    entry.op(f"{result}, {token} = atomic_rmw_tko {random.choice(ORDERS)} {random.choice(SCOPES)} {pointers}, {mode}, "
             f"{argument}{', ' + mask if masked else ''} : {tile(extents, f'ptr<{element}>')}, {tile(extents, element)}"
             f"{mask_type} -> {tile(extents, element)}, token")
    if not masked:
        cases.result(result, element, integer, extents, [codes[place] for place in places])
    after = list(codes)
    for place, code, taken in zip(places, new, truth):
        if taken:
            after[place] = combine(codes[place], code)
    entry.after(name, [cases.shown(element)(code) for code in after])


def swap(cases, element):
    """`atomic_cas_tko`, which compares bits: a NaN equals itself, and -0 differs from +0."""
    entry, random = cases.entry, cases.random
    extents = shape(random, random.randint(1, 2), 3)
    name, integer, pointers, codes, places = cases.scattered(element, extents)
    count, width = product(extents), width_of(element)
    if element in FLOATS:
        fmt = FLOATS[element]
        codes = [random.choice((0, 1 << fmt.below_sign, fmt.nan_code, fmt.nan_code | 1, code)) for code in codes]
        entry.launch[[line.split(" ")[0] for line in entry.launch].index(f"%{name}")] = (
            f"%{name} = {integer}{[len(codes)]} [" + ", ".join(hex(code) for code in codes) + "]")
    expected = [codes[place] if random.random() < 0.5 else codes[place] ^ 1 << random.choice((0, width - 1))
                for place in places]
    compare, _ = cases.fresh_tile(element, extents, expected)
    value, new = cases.fresh_tile(element, extents)
    mask, truth = cases.fresh_tile("i1", extents)
    result, token = entry.fresh(), entry.fresh()
    entry.op(f"{result}, {token} = atomic_cas_tko {random.choice(ORDERS)} {random.choice(SCOPES)} {pointers}, {compare}, "
             f"{value}, {mask} : {tile(extents, f'ptr<{element}>')}, {tile(extents, element)}, {tile(extents, 'i1')} "
             f"-> {tile(extents, element)}, token")
    # The result of a masked-out element is its comparison operand.
    cases.result(result, element, integer, extents,
                 [codes[place] if taken else other for place, taken, other in zip(places, truth, expected)])
    after = list(codes)
    for place, other, code, taken in zip(places, expected, new, truth):
        if taken and codes[place] == other:
            after[place] = code
    entry.after(name, [cases.shown(element)(code) for code in after])


def reduction(cases, element, mode):
    """`atomic_red_view_tko`, which skips elements of the tile outside the tensor."""
    entry, random = cases.entry, cases.random
    view = View(random, element, random.choice(("partition", "strided")), False)
    view.padding = None
    name, integer, pointer, codes = cases.buffer(element, view.memory)
    if mode == "addf":
        codes = [FLOATS[element].encode(FLOATS[element].decode(code)) for code in
                 (random.choice(specials(FLOATS[element])[:10]) for _ in codes)]
        entry.launch[[line.split(" ")[0] for line in entry.launch].index(f"%{name}")] = (
            f"%{name} = {integer}{[len(codes)]} [" + ", ".join(hex(code) for code in codes) + "]")
    view.make(entry, pointer)
    at, starts, types = view.index(entry)
    count = product(view.tile)
    fmt = FLOATS.get(element)
    new = [random.choice(specials(fmt)[:10]) for _ in range(count)] if fmt else None
    value, new = cases.fresh_tile(element, view.tile, new)
    combine = (lambda a, b: added(fmt, a, b)) if fmt else (
        lambda a, b: MODES[mode](a, b, width_of(element)) & (1 << width_of(element)) - 1)
    entry.op(f"{entry.fresh()} = atomic_red_view_tko relaxed {random.choice(SCOPES[:2])} {at}, {mode}, {value} : "
             f"{tile(view.tile, element)}, {types} -> token")
    after = list(codes)
    for place, code in zip(view.places(starts), new):
        if place is not None:
            after[place] = combine(after[place], code)
    entry.after(name, [cases.shown(element)(code) for code in after])


def crowd(random):
    """All tile blocks update the same elements, and no update is lost."""
    entry = Entry("crowd", grid=(8, 3, 2))
    entry.param("n", "i32", [1], "zeros")
    entry.param("m", "i32", [1], "fill(-1)")
    entry.op("%x, %y, %z = get_tile_block_id : tile<i32>")
    entry.op("%gx, %gy, %gz = get_num_tile_blocks : tile<i32>")
    row = entry.let("muli %z, %gy : tile<i32>")
    row = entry.let(f"addi {row}, %y : tile<i32>")
    number = entry.let(f"muli {row}, %gx : tile<i32>")
    number = entry.let(f"addi {number}, %x : tile<i32>")
    for name, mode in (("n", "add"), ("m", "max")):
        entry.op(f"{entry.fresh()}, {entry.fresh()} = atomic_rmw_tko relaxed device %{name}, {mode}, {number} "
                 ": tile<ptr<i32>>, tile<i32> -> tile<i32>, token")
    entry.after("n", [sum(range(48))])
    entry.after("m", [47])
    return entry


def casts(random):
    """Casts between pointers and integers, and to pointers to other element types, which see the same bytes."""
    entry = Entry("casts", inline=16)
    words = [random.getrandbits(32) for _ in range(4)]
    entry.param("p", "i32", [4], "[" + ", ".join(map(str, (signed(word, 32) for word in words))) + "]")
    address = entry.let("ptr_to_int %p : tile<ptr<i32>> -> tile<i64>")
    eight = entry.let("constant <i64: 8> : tile<i64>")
    moved = entry.let(f"addi {address}, {eight} : tile<i64>")
    pointer = entry.let(f"int_to_ptr {moved} : tile<i64> -> tile<ptr<i32>>")
    value, token = entry.fresh(), entry.fresh()
    entry.op(f"{value}, {token} = load_ptr_tko weak {pointer} : tile<ptr<i32>> -> tile<i32>, token")
    entry.output("third", "i32", value, [signed(words[2], 32)], [])
    data = b"".join(word.to_bytes(4, "little") for word in words)
    for element, width in (("i8", 1), ("i16", 2), ("i64", 8)):
        count = len(data) // width
        other = entry.let(f"ptr_to_ptr %p : tile<ptr<i32>> -> tile<ptr<{element}>>")
        entry.op(f"%{element} = reshape {other} : tile<ptr<{element}>> -> tile<1xptr<{element}>>")
        all_ = entry.let(f"broadcast %{element} : tile<1xptr<{element}>> -> tile<{count}xptr<{element}>>")
        pointers = entry.let(f"offset {all_}, {entry.iota(count)} : tile<{count}xptr<{element}>>, tile<{count}xi32> "
                             f"-> tile<{count}xptr<{element}>>")
        value, token = entry.fresh(), entry.fresh()
        entry.op(f"{value}, {token} = load_ptr_tko weak {pointers} : tile<{count}xptr<{element}>> -> tile<{count}x{element}>, token")
        entry.output(f"as_{element}", element, value,
                     [int.from_bytes(data[at:at + width], "little", signed=True) for at in range(0, len(data), width)])
    return entry


GLOBALS = ("global @counters <i32: [5, -6, 7, 8]> : tile<4xi32>",
           "global constant @table alignment = 256 <f16: [1.5, -2.0, 65504.0, 0.0]> : tile<4xf16>",
           "global private @zeros <i64: 0> : tile<4xi64>")


def globals_(random):
    """Globals have their initial values, and those that are not constant keep the stored ones."""
    entry = Entry("globals", inline=16)
    for name, element, codes in (("counters", "i32", [5, -6, 7, 8]), ("table", "f16", [0x3E00, 0xC000, 0x7BFF, 0]),
                                 ("zeros", "i64", [0, 0, 0, 0])):
        pointer = entry.let(f"get_global @{name} : tile<ptr<{element}>>")
        one = entry.let(f"reshape {pointer} : tile<ptr<{element}>> -> tile<1xptr<{element}>>")
        all_ = entry.let(f"broadcast {one} : tile<1xptr<{element}>> -> tile<4xptr<{element}>>")
        pointers = entry.let(f"offset {all_}, {entry.iota(4)} : tile<4xptr<{element}>>, tile<4xi32> -> tile<4xptr<{element}>>")
        value, token = entry.fresh(), entry.fresh()
        entry.op(f"{value}, {token} = load_ptr_tko weak {pointers} : tile<4xptr<{element}>> -> tile<4x{element}>, token")
        if element == "f16":
            bits = entry.let(f"bitcast {value} : tile<4xf16> -> tile<4xi16>")
            entry.output(name, "i16", bits, [Hex(code) for code in codes])
            continue
        entry.output(name, element, value, codes)
        more = entry.let(f"addi {value}, {value} : tile<4x{element}>")
        stored = entry.let(f"store_ptr_tko weak {pointers}, {more} token = {token} : tile<4xptr<{element}>>, "
                           f"tile<4x{element}> -> token")
        value, token = entry.fresh(), entry.fresh()
        entry.op(f"{value}, {token} = load_ptr_tko weak {pointers} token = {stored} : tile<4xptr<{element}>> "
                 f"-> tile<4x{element}>, token")
        entry.output(name, element, value, [2 * code for code in codes])
    return entry


def scratch(random):
    """Each tile block has separate scratch memory. A fence orders accesses through pointers and through views."""
    entry = Entry("scratch", grid=(4, 1, 1))
    entry.op("%x, %y, %z = get_tile_block_id : tile<i32>")
    entry.param("r", "i32", [4], "zeros")
    entry.op("%p = alloca num_elem = 8, alignment = 64 : tile<ptr<i32>>")
    entry.op("%q = alloca num_elem = 8, alignment = 8 global : tile<ptr<i32>>")
    square = entry.let("muli %x, %x : tile<i32>")
    entry.op(f"%t0 = store_ptr_tko weak %p, {square} : tile<ptr<i32>>, tile<i32> -> token")
    entry.op("%t1 = store_ptr_tko weak %q, %x : tile<ptr<i32>>, tile<i32> -> token")
    entry.op("%t2 = join_tokens %t0, %t1 : token")
    entry.op("%t3 = memory_fence_alias_tko %t2")
    entry.op("%v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>")
    entry.op("%w = make_partition_view %v : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>")
    zero = entry.let("constant <i32: 0> : tile<i32>")
    entry.op(f"%a, %t4 = load_view_tko weak %w[{zero}] token = %t3 : partition_view<tile=(1), tensor_view<8xi32, "
             "strides=[1]>>, tile<i32> -> tile<1xi32>, token")
    entry.op("%b, %t5 = load_ptr_tko weak %q token = %t3 : tile<ptr<i32>> -> tile<i32>, token")
    scalar = entry.let("reshape %a : tile<1xi32> -> tile<i32>")
    total = entry.let(f"addi {scalar}, %b : tile<i32>")
    to = entry.let("offset %r, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>")
    entry.op(f"{entry.fresh()} = store_ptr_tko weak {to}, {total} : tile<ptr<i32>>, tile<i32> -> token")
    entry.after("r", [x * x + x for x in range(4)])
    return entry


def entries(random, rounds):
    for f in (load, store):
        cases = Pointers(f"{f.__name__}_ptr", random)
        for _ in range(rounds):
            elements = [*INTS, *STORED]
            for element in elements if rounds > 1 else random.sample(elements, 6):
                f(cases, element)
        yield cases.entry
    for element in ("i32", "i64"):
        cases = Pointers(f"atomic_{element}", random)
        for number, mode in enumerate(MODES):
            for masked in (False, True):
                if rounds > 1 or masked == bool((number + len(cases.entry.name)) % 2) ^ (element == "i64"):
                    update(cases, element, mode, masked)
        yield cases.entry
    for element in FLOATS:
        cases = Pointers(f"atomic_{element}", random)
        for _ in range(rounds):
            update(cases, element, "addf", False)
            update(cases, element, "addf", True)
            if element in ("f32", "f64"):
                update(cases, element, "xchg", False)
        yield cases.entry
    cases = Pointers("atomic_cas", random)
    for element in ("i32", "i64", "f32", "f64"):
        swap(cases, element)
    yield cases.entry
    cases = Pointers("atomic_red_view", random)
    for mode in MODES:
        if mode != "xchg":
            for element in ("i32", "i64"):
                reduction(cases, element, mode)
    for element in FLOATS:
        reduction(cases, element, "addf")
    yield cases.entry
    for f in (crowd, casts, globals_, scratch):
        yield f(random)
