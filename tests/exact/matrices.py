"""Cases of the matrix products. The order and the rounding of sums of floats are unspecified, so the factors are small
enough that every sum is exact. Integers wrap around."""

from fractions import Fraction

from floats import load_floats, store_floats
from formats import (BF16, E2M1, E4M3, E5M2, E5M3, E8M0, F16, F32, F64, TF32, num, signed)
from program import Entry, Hex, tile
from structure import product

PLAIN = [(E4M3, F16), (E4M3, F32), (E5M2, F16), (E5M2, F32), (F16, F16), (F16, F32), (BF16, F32), (TF32, F32),
         (F32, F32), (F64, F64)]
SCALED = [(E4M3, E8M0, 32), (E5M2, E8M0, 32), (E2M1, E8M0, 16), (E2M1, E8M0, 32), (E2M1, E4M3, 16),
          (E2M1, E5M3, 16), (E2M1, E5M3, 32)]


def load(entry, name, fmt, codes, shape):
    """A tile of any float type and shape."""
    count = len(codes)
    if fmt is TF32:
        wide = load_floats(entry, name, F32, [code << fmt.padding for code in codes])
        flat = entry.let(f"ftof {wide} : tile<{count}xf32> -> tile<{count}xtf32>")
    elif fmt is E2M1:
        packed = [low | high << 4 for low, high in zip(codes[::2], codes[1::2])]
        bytes_ = entry.input(name, "i8", [Hex(byte) for byte in packed])
        flat = entry.let(f"unpack {bytes_} : tile<{count // 2}xi8> -> tile<{count}xf4E2M1FN>")
    else:
        flat = load_floats(entry, name, fmt, codes)
    return entry.shaped(flat, [count], shape, fmt.name)


def multiply(a, b, c, batch, m, n, k):
    """`c + a b`, all in row-major order."""
    return [c[(g * m + i) * n + j] + sum(a[(g * m + i) * k + p] * b[(g * k + p) * n + j] for p in range(k))
            for g in range(batch) for i in range(m) for j in range(n)]


def shapes(random, k=None):
    rank = random.choice((2, 3))
    batch = 2 ** random.randint(0, 1) if rank == 3 else 1
    m, n = (2 ** random.randint(0, 2) for _ in range(2))
    k = k or 2 ** random.randint(0, 3)
    lead = [batch] if rank == 3 else []
    return batch, m, n, k, lead + [m, k], lead + [k, n], lead + [m, n]


def small(fmt, random):
    """A number of few bits, so that sums of products are exact in every accumulator."""
    return Fraction(random.randint(-4, 4), random.choice((1, 2)))


def codes(fmt, numbers):
    return [fmt.encode(num(number)) for number in numbers]


def plain(random, rounds, fmt, acc, fast):
    entry = Entry(f"mmaf_{fmt.name}_{acc.name}{'_fast' if fast else ''}".lower(), inline=16)
    for round_ in range(rounds):
        batch, m, n, k, left, right, out = shapes(random)
        a = [small(fmt, random) for _ in range(product(left))]
        b = [small(fmt, random) for _ in range(product(right))]
        c = [Fraction(random.randint(-50, 50), 4) for _ in range(product(out))]
        x, y = load(entry, f"a{round_}", fmt, codes(fmt, a), left), load(entry, f"b{round_}", fmt, codes(fmt, b), right)
        z = load(entry, f"c{round_}", acc, codes(acc, c), out)
        flag = " fast_acc" if fast else ""
        value = entry.let(f"mmaf {x}, {y}, {z}{flag} : {tile(left, fmt.name)}, {tile(right, fmt.name)}, "
                          f"{tile(out, acc.name)}")
        store_floats(entry, acc, value, codes(acc, multiply(a, b, c, batch, m, n, k)), out, name=f"r{round_}")
    return entry


def wide_products(random, fmt, acc):
    """Products are not rounded before they are added, so a sum with cancellation leaves their low bits."""
    entry = Entry(f"mmaf_{fmt.name}_{acc.name}_exact".lower(), inline=16)
    one = 1 << fmt.mantissa
    m, n, k = 4, 4, 1
    # Products of factors that use all bits, and an accumulator that cancels the leading bits.
    a = [Fraction(one + random.randrange(one), one) for _ in range(m)]
    b = [Fraction(one + random.randrange(one), one) for _ in range(n)]
    c = [-acc.decode(acc.encode(num(x * y))).number for x in a for y in b]
    x, y = load(entry, "a", fmt, codes(fmt, a), [m, k]), load(entry, "b", fmt, codes(fmt, b), [k, n])
    z = load(entry, "c", acc, codes(acc, c), [m, n])
    value = entry.let(f"mmaf {x}, {y}, {z} : {tile([m, k], fmt.name)}, {tile([k, n], fmt.name)}, {tile([m, n], acc.name)}")
    store_floats(entry, acc, value, codes(acc, multiply(a, b, c, 1, m, n, k)), [m, n])
    return entry


def scaled(random, rounds, fmt, scale, block):
    """Each block along K has a separate scale."""
    entry = Entry(f"mmaf_scaled_{fmt.name}_{scale.name}_{block}".lower(), inline=16)
    for round_ in range(rounds):
        blocks = random.choice((1, 2))
        batch, m, n, k, left, right, out = shapes(random, block * blocks)
        a = [small(fmt, random) for _ in range(product(left))]
        b = [small(fmt, random) for _ in range(product(right))]
        c = [Fraction(random.randint(-50, 50), 4) for _ in range(product(out))]
        left_scale, right_scale = left[:-1] + [blocks], right[:-2] + [blocks, n]
        exact = (lambda: Fraction(2) ** random.randint(-2, 3)) if scale is E8M0 else (
            lambda: Fraction(random.randint(1, 7), random.choice((1, 2))))
        p = [exact() for _ in range(product(left_scale))]
        q = [exact() for _ in range(product(right_scale))]
        values = [load(entry, f"{name}{round_}", kind, codes(kind, numbers), shape) for name, kind, numbers, shape in (
            ("a", fmt, a, left), ("b", fmt, b, right), ("c", F32, c, out), ("p", scale, p, left_scale),
            ("q", scale, q, right_scale))]
        types = ", ".join([tile(left, fmt.name), tile(right, fmt.name), tile(out, "f32"), tile(left_scale, scale.name),
                           tile(right_scale, scale.name)])
        value = entry.let(f"mmaf_scaled {', '.join(values)} : {types}")
        a = [x * p[(place // k) * blocks + place % k // block] for place, x in enumerate(rounded(fmt, a))]
        b = [y * q[(place // (k * n) * blocks + place // n % k // block) * n + place % n]
             for place, y in enumerate(rounded(fmt, b))]
        store_floats(entry, F32, value, codes(F32, multiply(a, b, c, batch, m, n, k)), out, name=f"r{round_}")
    return entry


def rounded(fmt, numbers):
    return [fmt.decode(fmt.encode(num(number))).number for number in numbers]


def integers(random, left_sign, right_sign):
    entry = Entry(f"mmai_{left_sign}_{right_sign}", inline=16)
    for round_ in range(3):
        batch, m, n, k, left, right, out = shapes(random)
        a = [random.getrandbits(8) for _ in range(product(left))]
        b = [random.getrandbits(8) for _ in range(product(right))]
        c = [random.getrandbits(32) for _ in range(product(out))]
        x = entry.input(f"a{round_}", "i8", [signed(code, 8) for code in a], left)
        y = entry.input(f"b{round_}", "i8", [signed(code, 8) for code in b], right)
        z = entry.input(f"c{round_}", "i32", [signed(code, 32) for code in c], out)
        value = entry.let(f"mmai {x}, {y}, {z} {left_sign} {right_sign} : {tile(left, 'i8')}, {tile(right, 'i8')}, "
                          f"{tile(out, 'i32')}")
        read = [(lambda code: signed(code, 8)) if sign == "signed" else (lambda code: code)
                for sign in (left_sign, right_sign)]
        sums = multiply([read[0](code) for code in a], [read[1](code) for code in b], c, batch, m, n, k)
        entry.output(f"r{round_}", "i32", value, [signed(number, 32) for number in sums], out)
    return entry


def entries(random, rounds):
    for fmt, acc in PLAIN:
        yield plain(random, rounds, fmt, acc, False)
        if fmt in (E4M3, E5M2):
            yield plain(random, rounds, fmt, acc, True)
    for fmt, acc in ((F16, F32), (BF16, F32), (TF32, F32), (F32, F32), (F64, F64)):
        yield wide_products(random, fmt, acc)
    for fmt, scale, block in SCALED:
        yield scaled(random, rounds, fmt, scale, block)
    for left in ("signed", "unsigned"):
        for right in ("signed", "unsigned"):
            yield integers(random, left, right)
