"""Cases of the conversions: every pair of element types, with every rounding mode."""

from fractions import Fraction

from floats import load_floats, specials, store_floats
from formats import (ALL, BASE, E2M1, E4M3, E5M2, E5M3, E8M0, F16, F32, F64, IEEE_MODES, INTS, NEAREST_AWAY,
                     NEAREST_EVEN, POSITIVE_INF, TF32, ZERO, num, signed)
from program import Entry, Hex

EVERY = IEEE_MODES + (NEAREST_AWAY,)
NARROW = (E4M3, E5M2, E2M1, E5M3)


def allowed(source, target):
    """The rounding modes that 13.4 allows for a conversion."""
    if target is E8M0:
        return (ZERO, POSITIVE_INF)
    if target in NARROW:
        return (NEAREST_EVEN,)
    if (source, target) == (F64, F32):
        return IEEE_MODES
    if (source, target) == (F32, TF32):
        return (NEAREST_EVEN, ZERO, NEAREST_AWAY)
    # NVIDIA's tools have this rule, although most of these values fit.
    if source is E8M0 and target is not F64 or (source, target) == (E5M3, F16):
        return (NEAREST_EVEN, ZERO)
    wider = source.exponent <= target.exponent and source.mantissa <= target.mantissa
    return EVERY if wider else (NEAREST_EVEN, ZERO)


def load(entry, name, fmt, codes):
    """Loads a tile of any float type from its bits. The 19 bits of a tf32 are the upper bits of an f32."""
    count = len(codes)
    if fmt is TF32:
        wide = load_floats(entry, name, F32, [code << fmt.padding for code in codes])
        return entry.let(f"ftof {wide} : tile<{count}xf32> -> tile<{count}xtf32>")
    if fmt is E2M1:
        packed = [low | high << 4 for low, high in zip(codes[::2], codes[1::2])]
        bytes_ = entry.input(name, "i8", [Hex(byte) for byte in packed])
        return entry.let(f"unpack {bytes_} : tile<{count // 2}xi8> -> tile<{count}xf4E2M1FN>")
    return load_floats(entry, name, fmt, codes)


def store(entry, fmt, value, codes, prefix=""):
    """Stores the bits of any float type. Types without `cmpf` are converted to f32, which has all their values."""
    count = len(codes)
    if fmt in BASE:
        return store_floats(entry, fmt, value, [fmt.canonical(code) for code in codes], name=prefix + fmt.name)
    if fmt is E2M1:
        bytes_ = entry.let(f"pack {value} : tile<{count}xf4E2M1FN> -> tile<{count // 2}xi8>")
        packed = [low | high << 4 for low, high in zip(codes[::2], codes[1::2])]
        return entry.output(prefix + "f4", "i8", bytes_, [Hex(byte) for byte in packed])
    wide = entry.let(f"ftof {value} : tile<{count}x{fmt.name}> -> tile<{count}xf32>")
    store_floats(entry, F32, wide, [F32.canonical(F32.encode(fmt.decode(code))) for code in codes], name=prefix + "f32")


def every_code(fmt, count):
    """All codes of a narrow format."""
    codes = list(range(1 << fmt.width))
    return (codes * (count // len(codes) + 1))[:max(count, len(codes))]


def codes_of(fmt, random, count):
    """Edge cases of a format and random codes; all codes of a narrow format."""
    if fmt.width < 8:
        return every_code(fmt, count)
    codes = specials(fmt) if fmt.mantissa > 1 and fmt.signed else [0, 1, fmt.largest_code, fmt.nan_code]
    while len(codes) < count:
        codes.append(random.getrandbits(fmt.width))
    return codes[:count]


def around(fmt, target, random, count):
    """Codes of values that are equal or close to those of another format, or halfway between two of them."""
    codes = [fmt.encode(num(sign * Fraction(0), sign < 0)) for sign in (1, -1)]
    codes += [fmt.nan_code] + ([fmt.infinity_code, fmt.infinity_code | 1 << fmt.below_sign] if fmt.top == "ieee" else [])
    while len(codes) < count:
        place = random.choice((random.randrange(target.largest_code + 1), random.randrange(4),
                               target.largest_code - random.randrange(3)))
        low, high = target.decode(place), target.decode(place + 1)
        high = high.number if high.kind == "num" else 2 * low.number
        value = low.number + (high - low.number) * Fraction(random.choice((0, 1, 2, 3, 4)), 4)
        code = fmt.encode(num(value))
        code = min(max(code + random.choice((0, 0, -1, 1)), 0), fmt.largest_code)
        codes.append(code | random.getrandbits(1) * (1 << fmt.below_sign if fmt.signed else 0))
    return codes[:count]


def from_floats(source, random, count):
    """Conversions from one source type to all others, with each rounding mode."""
    entry = Entry(f"ftof_{short(source)}")
    targets = [target for target in ALL if target is not source]
    codes = codes_of(source, random, count)
    if source.width > 8:
        random.shuffle(codes)
        codes = codes[:count // 4]
        while len(codes) < count:
            codes += around(source, random.choice(targets), random, 8)
    codes = codes[:count]
    value = load(entry, "a", source, codes)
    # How an unsigned format encodes negative numbers and infinities is undocumented.
    plain = [code & (1 << source.below_sign) - 1 for code in codes]
    plain = [code if source.decode(code).kind != "inf" else source.largest_code for code in plain]
    positive = load(entry, "b", source, plain)
    for target in targets:
        some, read, prefix = (codes, value, "") if target.signed else (plain, positive, "")
        # If the target has every value of the source, all rounding modes are equivalent.
        roundings = allowed(source, target)
        roundings = random.sample(roundings, 2) if len(roundings) == len(EVERY) else roundings
        if target is F32 and source.width == 8:
            some, roundings = every_code(source, count), roundings[:1]
            read, prefix = load(entry, "all", source, some), "all_"
        for mode in roundings:
            explicit = "" if mode == NEAREST_EVEN else f" rounding<{mode}>"
            shape = f"{len(some)}x"
            found = entry.let(f"ftof {read}{explicit} : tile<{shape}{source.name}> -> tile<{shape}{target.name}>")
            store(entry, target, found, [target.encode(source.decode(code), mode) for code in some], prefix)
    return entry


def short(fmt):
    return fmt.name.lower().replace("fnu", "").replace("fn", "", 1) if fmt is not E5M3 else "e5m3"


def whole_numbers(width, random, count, fmt):
    """Integers at the limits of their type, and integers that are close to ties of a float format."""
    half = 1 << width - 1
    codes = [0, 1, half - 1, half, half + 1, 2 * half - 1, half // 2]
    while len(codes) < count:
        bits = random.randint(1, width)
        value = random.getrandbits(bits) | 1 << bits - 1
        below = bits - fmt.mantissa - 1
        if below > 0 and random.random() < 0.6:
            value = value >> below << below | random.choice((0, 1 << below - 1, (1 << below - 1) + 1, (1 << below - 1) - 1))
        codes.append(value * random.choice((1, -1)) & 2 * half - 1)
    return [code & 2 * half - 1 for code in codes[:count]]


def from_integers(element, random, count):
    width = INTS[element]
    entry = Entry(f"itof_{element}")
    targets = [target for target in ALL if target is not E8M0]
    codes = []
    while len(codes) < count:
        codes += random.sample(whole_numbers(width, random, count, random.choice(targets)), count // 4)
    value = entry.input("a", element, [code if width == 1 else signed(code, width) for code in codes])
    for target in targets:
        for sign in ("signed", "unsigned"):
            if sign == "signed" and not target.signed:
                continue
            found = entry.let(f"itof {value} {sign} : tile<{count}x{element}> -> tile<{count}x{target.name}>")
            numbers = [signed(code, width) if sign == "signed" else code for code in codes]
            store(entry, target, found, [target.encode(num(number)) for number in numbers])
    return entry


def limits(width, sign):
    return (-(1 << width - 1), (1 << width - 1) - 1) if sign == "signed" else (0, (1 << width) - 1)


def to_integer(value):
    """Rounds towards zero."""
    magnitude = abs(value.number).numerator // abs(value.number).denominator
    return -magnitude if value.number < 0 else magnitude


def saturated(value, low, high):
    if value.kind == "nan":
        return 0
    if value.kind == "inf":
        return low if value.negative else high
    return min(max(to_integer(value), low), high)


def is_not_zero(value):
    """A conversion to `i1`, as NVIDIA's compiler implements it."""
    return int(value.kind in ("nan", "inf") or value.number != 0)


def to_integers(source, random, count):
    """Conversions to integers. Those to `i1`, which are `x != 0`, are in a separate entry."""
    codes = codes_of(source, random, count)
    if source.width > 8:
        codes = random.sample(codes, count // 4)
    while len(codes) < count:
        width = random.choice((8, 16, 32, 64))
        number = signed(random.choice(whole_numbers(width, random, 16, source)), width)
        code = source.encode(num(number * random.choice((1, Fraction(1, 2), Fraction(3, 4)))))
        codes.append(min(max(code + random.choice((-1, 0, 0, 1)), 0), (1 << source.width) - 1))
    codes = codes[:count]
    # Without saturation, only values in range have a defined result. These are in the range of every type.
    few = [source.encode(num(Fraction(random.randint(0, 127 << 3), 8))) for _ in range(16)]
    few = [code if source.decode(code).number < 128 else source.encode(num(1)) for code in few]
    for end, widths in (("", {element: width for element, width in INTS.items() if width > 1}), ("_i1", {"i1": 1})):
        entry = Entry(f"ftoi_{short(source)}{end}")
        value = load(entry, "a", source, codes)
        small = load(entry, "b", source, few) if widths.keys() & {"i8", "i32"} else None
        for element, width in widths.items():
            for sign in ("signed", "unsigned"):
                low, high = limits(width, sign)
                found = entry.let(
                    f"ftoi {value} {sign} saturating : tile<{count}x{source.name}> -> tile<{count}x{element}>")
                result = is_not_zero if width == 1 else lambda value: signed(saturated(value, low, high), width)
                entry.output(element, element, found, [result(source.decode(code)) for code in codes])
                if width in (8, 32):
                    found = entry.let(f"ftoi {small} {sign} : tile<16x{source.name}> -> tile<16x{element}>")
                    entry.output(f"b_{element}", element, found, [to_integer(source.decode(code)) for code in few])
        yield entry


def between_integers(source, random, count):
    """`exti` and `trunci` to every other width."""
    narrow = INTS[source]
    entry = Entry(f"{source}_to_others")
    codes = [random.choice((random.getrandbits(narrow), random.getrandbits(max(1, narrow // 2)),
                            (1 << narrow) - 1 - random.getrandbits(max(1, narrow // 2)))) for _ in range(count)]
    value = entry.input("a", source, [code if narrow == 1 else signed(code, narrow) for code in codes])
    for target, wide in INTS.items():
        shown = (lambda code: code & 1) if wide == 1 else (lambda code: signed(code, wide))
        types = f"tile<{count}x{source}> -> tile<{count}x{target}>"
        if wide > narrow:
            for sign in ("signed", "unsigned"):
                found = entry.let(f"exti {value} {sign} : {types}")
                entry.output(target, target, found,
                             [shown(signed(code, narrow) if sign == "signed" else code) for code in codes])
        elif wide < narrow:
            found = entry.let(f"trunci {value} : {types}")
            entry.output(target, target, found, [shown(code) for code in codes])
    return entry


def nibbles(random):
    """The only ops on i4: `exti`, `trunci`, `pack` and `unpack`."""
    entry = Entry("nibbles")
    codes = list(range(16))
    random.shuffle(codes)
    packed = entry.input("a", "i8", [Hex(low | high << 4) for low, high in zip(codes[::2], codes[1::2])])
    value = entry.let(f"unpack {packed} : tile<8xi8> -> tile<16xi4>")
    for element, width in INTS.items():
        if width < 4:
            found = entry.let(f"trunci {value} : tile<16xi4> -> tile<16x{element}>")
            entry.output("i1", element, found, [code & 1 for code in codes])
            back = entry.let(f"exti {found} signed : tile<16xi1> -> tile<16xi4>")
            bytes_ = entry.let(f"pack {back} : tile<16xi4> -> tile<8xi8>")
            ones = [15 * (code & 1) for code in codes]
            entry.output("bytes", "i8", bytes_, [Hex(low | high << 4) for low, high in zip(ones[::2], ones[1::2])])
            back = entry.let(f"exti {found} unsigned : tile<16xi1> -> tile<16xi4>")
            bytes_ = entry.let(f"pack {back} : tile<16xi4> -> tile<8xi8>")
            ones = [code & 1 for code in codes]
            entry.output("bytes", "i8", bytes_, [Hex(low | high << 4) for low, high in zip(ones[::2], ones[1::2])])
            continue
        for sign in ("signed", "unsigned"):
            found = entry.let(f"exti {value} {sign} : tile<16xi4> -> tile<16x{element}>")
            entry.output(element, element, found, [signed(code, 4) if sign == "signed" else code for code in codes])
        wide = [random.getrandbits(width) for _ in range(16)]
        many = entry.input(f"w{width}", element, [signed(code, width) for code in wide])
        few = entry.let(f"trunci {many} : tile<16x{element}> -> tile<16xi4>")
        bytes_ = entry.let(f"pack {few} : tile<16xi4> -> tile<8xi8>")
        low = [code & 15 for code in wide]
        entry.output("bytes", "i8", bytes_, [Hex(a | b << 4) for a, b in zip(low[::2], low[1::2])])
    return entry


def bits(random, count):
    """`bitcast` preserves bits; `pack` and `unpack` preserve them in little-endian order."""
    entry = Entry("bits")
    groups = {8: ("i8", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "fnv8E5M3FNU"), 16: ("i16", "f16", "bf16"),
              32: ("i32", "f32"), 64: ("i64", "f64")}
    for width, elements in groups.items():
        codes = [random.getrandbits(width) for _ in range(count)]
        shown = [signed(code, width) for code in codes]
        value = first = entry.input(f"w{width}", f"i{width}", shown)
        for before, after in zip(elements, elements[1:] + elements[:1]):
            value = entry.let(f"bitcast {value} : tile<{count}x{before}> -> tile<{count}x{after}>")
        entry.output(f"r{width}", f"i{width}", value, shown)
        if width > 8:
            many = count * width // 8
            for element in elements:
                source = first if element == elements[0] else entry.let(
                    f"bitcast {first} : tile<{count}xi{width}> -> tile<{count}x{element}>")
                packed = entry.let(f"pack {source} : tile<{count}x{element}> -> tile<{many}xi8>")
                data = [byte for code in codes for byte in code.to_bytes(width // 8, "little")]
                entry.output(f"b{width}", "i8", packed, [signed(byte, 8) for byte in data])
                back = entry.let(f"unpack {packed} : tile<{many}xi8> -> tile<{count}x{element}>")
                if element != elements[0]:
                    back = entry.let(f"bitcast {back} : tile<{count}x{element}> -> tile<{count}xi{width}>")
                entry.output(f"r{width}", f"i{width}", back, shown)
    truth = [random.getrandbits(1) for _ in range(count)]
    flags = entry.input("flags", "i1", truth)
    packed = entry.let(f"pack {flags} : tile<{count}xi1> -> tile<{count // 8}xi8>")
    data = [sum(bit << place for place, bit in enumerate(truth[at:at + 8])) for at in range(0, count, 8)]
    entry.output("packed", "i8", packed, [signed(byte, 8) for byte in data])
    back = entry.let(f"unpack {packed} : tile<{count // 8}xi8> -> tile<{count}xi1>")
    entry.output("unpacked", "i1", back, truth)
    return entry


def float_entries(random, count):
    for source in ALL:
        yield from_floats(source, random, count if source is F32 else count // 2)


def integer_entries(random, count):
    for element in INTS:
        yield from_integers(element, random, count if element == "i32" else count // 2)
    for source in ALL:
        yield from to_integers(source, random, count if source is F32 else count // 2)
    for source in INTS:
        yield between_integers(source, random, count // 2)
    yield nibbles(random)
    yield bits(random, 8)
