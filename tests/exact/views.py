"""Cases of the views. The offset of each element of a tile in memory is computed from the definition.

Element `i` of the tile at index `I` has the offset `sum over k of (start_k + i_k) * stride[d_k]` from the base, where
dimension `k` of the tile corresponds to dimension `d_k` of the tensor. `start_k` is `I_k` times the tile's extent in a
partition view, and `I_k` times the traversal stride in a strided view. In a gather/scatter view it is `I_k` itself,
which along the sparse dimension is different for each element. A load pads elements outside the tensor, and a store
skips them.
"""

from dataclasses import replace

from formats import BF16, E4M3, E5M2, E5M3, E8M0, F16, F32, F64, INTS, NAN, infinity, signed, zero
from program import Entry, Hex, tile
from structure import index_of, product

FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
# The other float types of views. Infinite padding is an infinity of the format, although conversions saturate.
STORED = FLOATS | {fmt.name: replace(fmt, saturates=False) for fmt in (E4M3, E5M2, E5M3, E8M0)}
PADDINGS = {"zero": zero(), "neg_zero": zero(True), "nan": NAN, "pos_inf": infinity(), "neg_inf": infinity(True)}


def paddings(element):
    """The padding values of an element type that have an unambiguous encoding."""
    if element in FLOATS or element == "f8E5M2":
        return list(PADDINGS)
    return ["zero", "neg_zero", "nan"] if element == "f8E4M3FN" else ["zero"]


class View:
    """A random view of a random kind over a random tensor."""

    def __init__(self, random, element, kind, inside, overlapping=False):
        self.random, self.element, self.kind = random, element, kind
        rank = random.randint(1, 3)
        self.shape = [random.randint(1, 6) for _ in range(rank)]
        self.strides = self.layout(overlapping)
        self.dims = list(range(rank))
        if kind != "gather":
            random.shuffle(self.dims)
        self.tile = [2 ** random.randint(0, 2) for _ in range(rank)]
        if inside:
            # The extents of the tensor are multiples of those of the tile.
            for k, dim in enumerate(self.dims):
                self.shape[dim] = self.tile[k] * random.randint(1, 3)
            self.strides = self.layout(overlapping)
        self.steps = [random.randint(1, 5) if kind == "strided" else extent for extent in self.tile]
        self.sparse = random.randrange(rank) if kind == "gather" else None
        self.padding = None if inside else random.choice(paddings(element))
        self.dynamic = [random.random() < 0.4 for _ in range(2 * rank)]

    def layout(self, overlapping):
        """Strides for a random order of the dimensions, with gaps or with overlapping elements."""
        strides, reach = [0] * len(self.shape), 1
        for dim in self.random.sample(range(len(self.shape)), len(self.shape)):
            strides[dim] = self.random.randint(1, 3) if overlapping else reach + self.random.randint(0, 2)
            reach = max(reach, strides[dim] * (self.shape[dim] - 1) + reach)
        return strides

    @property
    def memory(self):
        return 1 + sum((extent - 1) * stride for extent, stride in zip(self.shape, self.strides))

    @property
    def tensor_type(self):
        rank = len(self.shape)
        shape = ["?" if self.dynamic[dim] else str(self.shape[dim]) for dim in range(rank)]
        strides = ["?" if self.dynamic[rank + dim] else str(self.strides[dim]) for dim in range(rank)]
        return f"tensor_view<{'x'.join(shape)}x{self.element}, strides=[{','.join(strides)}]>"

    @property
    def type(self):
        extents = "x".join(map(str, self.tile))
        padding = f" padding_value = {self.padding}," if self.padding else ""
        if self.kind == "gather":
            return f"gather_scatter_view<tile=({extents}),{padding} {self.tensor_type}, sparse_dim={self.sparse}>"
        dims = "" if self.dims == sorted(self.dims) else f", dim_map={self.dims}"
        steps = f" traversal_strides={self.steps}," if self.kind == "strided" else ""
        name = "strided_view" if self.kind == "strided" else "partition_view"
        return f"{name}<tile=({extents}),{steps}{padding} {self.tensor_type}{dims}>"

    @property
    def space(self):
        """The extents of the index space."""
        if self.kind == "gather":
            return self.shape
        return [-(-self.shape[dim] // step) for dim, step in zip(self.dims, self.steps)]

    def make(self, entry, pointer):
        """Adds the ops that create the view. Dynamic extents and strides are scalars of a random type."""
        integer = self.random.choice(("i8", "i16", "i32", "i64"))
        rank = len(self.shape)

        def operands(numbers, open_):
            return [entry.let(f"constant <{integer}: {number}> : tile<{integer}>") if is_open else str(number)
                    for number, is_open in zip(numbers, open_)]
        shape = operands(self.shape, self.dynamic[:rank])
        strides = operands(self.strides, self.dynamic[rank:])
        scalars = f"tile<{integer}> -> " if any(self.dynamic) else ""
        self.tensor = entry.let(f"make_tensor_view {pointer}, shape = [{', '.join(shape)}], "
                                f"strides = [{', '.join(strides)}] : {scalars}{self.tensor_type}")
        name = {"partition": "partition", "strided": "strided", "gather": "gather_scatter"}[self.kind]
        self.value = entry.let(f"make_{name}_view {self.tensor} : {self.type}")

    def index(self, entry, distinct=False, outside=False, narrow=False):
        """A random index in the index space: its operands, the coordinates of its elements along each dimension, and
        its types. With `outside`, all but one of the sparse indices can be outside the tensor. NVIDIA's compiler rejects
        sparse indices of less than 32 bits, so only programs that test them have `narrow` ones."""
        random, integer = self.random, self.random.choice(("i8", "i16", "i32", "i64"))
        operands, starts, types = [], [], []
        for k, extent in enumerate(self.space):
            if k == self.sparse:
                rows = (random.sample(range(extent), self.tile[k]) if distinct and extent >= self.tile[k]
                        else [random.randrange(extent) for _ in range(self.tile[k])])
                if outside:
                    # Indices are unsigned: a negative one is a large one.
                    far = lambda: random.choice((extent, extent + random.randrange(100), -1, -random.randrange(1, 100)))
                    stays = random.randrange(len(rows))
                    rows = [row if place == stays or random.random() < 0.4 else far() for place, row in enumerate(rows)]
                sparse = integer if narrow else {"i8": "i32", "i16": "i64"}.get(integer, integer)
                operands.append(entry.let(f"constant <{sparse}: {rows}> : tile<{self.tile[k]}x{sparse}>"))
                starts.append(rows)
                types.append(f"tile<{self.tile[k]}x{sparse}>")
                continue
            at = random.randrange(extent)
            operands.append(entry.let(f"constant <{integer}: {at}> : tile<{integer}>"))
            start = at if self.kind == "gather" else at * self.steps[k]
            starts.append([start + place for place in range(self.tile[k])])
            types.append(f"tile<{integer}>")
        types = types if self.kind == "gather" else types[:1]
        return f"{self.value}[{', '.join(operands)}]", starts, ", ".join([self.type] + types)

    def places(self, starts):
        """The offset of each element of the tile in memory; `None` outside the tensor."""
        found = []
        for place in range(product(self.tile)):
            index = [line[at] for line, at in zip(starts, index_of(place, self.tile))]
            inside = all(0 <= at < self.shape[dim] for at, dim in zip(index, self.dims))
            found.append(sum(at * self.strides[dim] for at, dim in zip(index, self.dims)) if inside else None)
        return found


class Cases:
    def __init__(self, name, random):
        self.entry, self.random, self.buffers = Entry(name, inline=16), random, 0

    def buffer(self, element, count):
        """A buffer of random bits, as a parameter of the integer type of the same width."""
        width = INTS.get(element) or STORED[element].width
        integer = element if element in INTS else f"i{width}"
        codes = [self.random.getrandbits(width) for _ in range(count)]
        self.buffers += 1
        name = f"p{self.buffers}"
        self.entry.param(name, integer, [count], "[" + ", ".join(map(str, map(self.shown(element), codes))) + "]")
        pointer = f"%{name}"
        if integer != element:
            pointer = self.entry.let(f"ptr_to_ptr %{name} : tile<ptr<{integer}>> -> tile<ptr<{element}>>")
        return name, integer, pointer, codes

    def shown(self, element):
        if element in STORED:
            return Hex
        width = INTS[element]
        return (lambda code: code & 1) if width == 1 else (lambda code: signed(code, width))

    def bits(self, value, element, integer, shape):
        if element == integer:
            return value
        return self.entry.let(f"bitcast {value} : {tile(shape, element)} -> {tile(shape, integer)}")

    def result(self, value, element, integer, shape, codes):
        expected = [self.shown(element)(code) for code in codes]
        self.entry.output(f"r{len(self.entry.results)}", integer, self.bits(value, element, integer, shape),
                          expected, shape)


def load(cases, element, kind, inside, outside=False):
    view = View(cases.random, element, kind, inside, overlapping=cases.random.random() < 0.3)
    name, integer, pointer, codes = cases.buffer(element, view.memory)
    view.make(cases.entry, pointer)
    for _ in range(2):
        at, starts, types = view.index(cases.entry, outside=outside, narrow=outside == "narrow")
        value, token = cases.entry.fresh(), cases.entry.fresh()
        hint = ""
        if inside and kind == "partition":
            hint = f" inbounds = [{', '.join(['true'] * len(view.tile))}]"
        cases.entry.op(f"{value}, {token} = load_view_tko weak {at}{hint} : {types} -> {tile(view.tile, element)}, token")
        pad = 0
        if view.padding and view.padding != "zero":
            pad = STORED[element].encode(PADDINGS[view.padding])
        expected = [pad if place is None else codes[place] for place in view.places(starts)]
        cases.result(value, element, integer, view.tile, expected)


def store(cases, element, kind, inside, outside=False):
    """A store writes neither outside the tensor nor in gaps between its elements."""
    view = View(cases.random, element, kind, inside)
    name, integer, pointer, codes = cases.buffer(element, view.memory)
    view.make(cases.entry, pointer)
    at, starts, types = view.index(cases.entry, distinct=True, outside=outside)
    width = INTS.get(element) or STORED[element].width
    new = [cases.random.getrandbits(width) for _ in range(product(view.tile))]
    value = cases.entry.input(f"n{cases.buffers}", integer, [cases.shown(element)(code) for code in new], view.tile)
    if integer != element:
        value = cases.entry.let(f"bitcast {value} : {tile(view.tile, integer)} -> {tile(view.tile, element)}")
    places = view.places(starts)
    taken = [place for place in places if place is not None]
    if len(set(taken)) < len(taken):
        # Which of two elements with the same address remains is unspecified, so store equal ones.
        new = [new[0]] * len(new)
        value = cases.entry.input(f"m{cases.buffers}", integer, [cases.shown(element)(code) for code in new], view.tile)
        if integer != element:
            value = cases.entry.let(f"bitcast {value} : {tile(view.tile, integer)} -> {tile(view.tile, element)}")
    cases.entry.op(f"{cases.entry.fresh()} = store_view_tko weak {value}, {at} : {tile(view.tile, element)}, {types} "
                   "-> token")
    after = list(codes)
    for place, code in zip(places, new):
        if place is not None:
            after[place] = code
    cases.entry.after(name, [cases.shown(element)(code) for code in after])


def shapes(cases, element, kind, inside):
    """The extents of the tensor and of the index space, read as unsigned."""
    view = View(cases.random, element, kind, inside)
    _, _, pointer, _ = cases.buffer(element, view.memory)
    view.make(cases.entry, pointer)
    for op, value, type_, extents in (("get_tensor_shape", view.tensor, view.tensor_type, view.shape),
                                      ("get_index_space_shape", view.value, view.type, view.space)):
        names = [cases.entry.fresh() for _ in extents]
        cases.entry.op(f"{', '.join(names)} = {op} {value} : {type_} -> tile<i32>")
        for name, extent in zip(names, extents):
            cases.entry.output(f"s{len(cases.entry.results)}", "i32", name, [extent], [])


def entries(random, rounds):
    for kind in ("partition", "strided", "gather"):
        for f in (load, store, shapes):
            cases = Cases(f"{f.__name__}_{kind}", random)
            for round_ in range(rounds):
                elements = [*INTS, *STORED]
                if f is shapes:
                    elements = ["i32"]
                elif rounds == 1:
                    # A sample of the types for each kind of view.
                    elements = random.sample(elements, 4) + ["f32"]
                for element in elements:
                    # A strided view reaches outside even if the extents of its tensor are multiples of the tile.
                    inside = kind == "partition" and (round_ + len(element)) % 2 == 0
                    f(cases, element, kind, inside)
            yield cases.entry
    for f in (load, store):
        cases = Cases(f"{f.__name__}_gather_outside", random)
        for _ in range(max(2, rounds)):
            for element in random.sample([*INTS, *FLOATS], 4):
                f(cases, element, "gather", False, outside=True)
        yield cases.entry
    cases = Cases("load_gather_narrow", random)
    for element in ("i8", "f32", "i64", "f16"):
        load(cases, element, "gather", False, outside="narrow")
    yield cases.entry
