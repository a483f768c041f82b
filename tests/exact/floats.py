"""Cases of the float ops: every rounding mode and flag of every element type."""

from fractions import Fraction

import arithmetic
from formats import F32, IEEE_MODES, NEAREST_EVEN, holder, num, power, zero
from program import Entry, Hex

PREDICATES = ("equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal")


def specials(fmt):
    """The codes at the edges of a format, with both signs."""
    normal, last = 1 << fmt.mantissa, fmt.largest_code
    one = fmt.bias << fmt.mantissa
    codes = [0, 1, 2, 3, normal // 2, normal - 1, normal, normal + 1, one - 1, one, one + 1, one + normal // 2,
             one + normal, one + 2 * normal - 1, last - 1, last, fmt.infinity_code, fmt.nan_code,
             one + fmt.mantissa * normal, one + (fmt.mantissa + 1) * normal, one - (fmt.mantissa + 1) * normal]
    codes = [min(max(code, 0), fmt.nan_code) for code in codes]
    sign = 1 << fmt.below_sign
    return codes + [code | sign for code in codes if code != fmt.nan_code]


def near(fmt, random, code, spread):
    """A random code whose exponent is close to that of another code."""
    field = (code >> fmt.mantissa & (1 << fmt.exponent) - 1) + random.randint(-spread, spread)
    field = min(max(field, 0), (1 << fmt.exponent) - 2)
    return random.getrandbits(1) << fmt.below_sign | field << fmt.mantissa | random.getrandbits(fmt.mantissa)


def short(fmt, random, code):
    """A code with few significant bits, so that results are often ties."""
    keep = random.randint(1, fmt.mantissa // 2 + 1)
    return code >> (fmt.mantissa - keep) << (fmt.mantissa - keep)


def any_code(fmt, random):
    return random.getrandbits(fmt.width)


def operands(fmt, random, count, arity):
    """Operands as columns of codes: edge cases, random codes, and related codes whose results are hard to round."""
    edges = specials(fmt)
    rows = []
    if arity == 1:
        rows += [(code,) for code in edges]
    else:
        rows += [(*close_to_subnormal(fmt, random, at % 2 == 0), *remainder(fmt, random))[:arity] for at in range(8)]
    while len(rows) < count:
        kind = random.randrange(5)
        if kind == 0:
            row = tuple(random.choice(edges) for _ in range(arity))
        elif kind == 1:
            row = tuple(any_code(fmt, random) for _ in range(arity))
        elif kind == 2:
            first = random.choice((any_code(fmt, random), fmt.bias << fmt.mantissa))
            row = (first,) + tuple(near(fmt, random, first, fmt.mantissa + 2) for _ in range(arity - 1))
        elif kind == 3:
            first = short(fmt, random, near(fmt, random, fmt.bias << fmt.mantissa, fmt.bias // 2))
            row = (first,) + tuple(short(fmt, random, near(fmt, random, first, 3)) for _ in range(arity - 1))
        else:
            row = close_to_edges(fmt, random, arity)
        rows.append(row)
    if arity > 1 or count < len(rows):
        random.shuffle(rows)
    return [list(column) for column in zip(*rows[:count])]


def close_to_edges(fmt, random, arity):
    """Factors whose product is close to the smallest numbers, to the largest, or to a third operand."""
    a = near(fmt, random, fmt.bias << fmt.mantissa, fmt.bias - 2)
    exponent = (a >> fmt.mantissa & (1 << fmt.exponent) - 1) - fmt.bias
    target = random.choice((fmt.least_exponent, fmt.unit, fmt.bias, 0)) + random.randint(-2, 2)
    field = min(max(target - exponent + fmt.bias, 0), (1 << fmt.exponent) - 2)
    b = random.getrandbits(1) << fmt.below_sign | field << fmt.mantissa | random.getrandbits(fmt.mantissa)
    if arity > 1 and random.random() < 0.5:
        return (*close_to_subnormal(fmt, random), *remainder(fmt, random))[:arity]
    if arity < 3:
        return (a, b)[:arity]
    product = arithmetic.negate(arithmetic.mul(fmt.decode(a), fmt.decode(b)))
    c = fmt.encode(product) if random.getrandbits(1) else near(fmt, random, fmt.encode(product), fmt.mantissa + 1)
    return a, b, c


def close_to_subnormal(fmt, random, is_product=None):
    """Factors, or a dividend and a divisor, whose result is close to the smallest normal number."""
    whole = 1 << fmt.mantissa
    # The result is approximately that number plus `2 above - below` halves of its last place.
    above, below = random.choice(((0, 1), (0, 1), (1, 2), (1, 3), (0, 2), (2, 5)))
    if random.random() < 0.5 if is_product is None else is_product:
        first = random.randint(fmt.least_exponent + 2, -2)
        a = num(random.choice((1, -1)) * Fraction(whole + above) * power(first - fmt.mantissa))
        b = num(Fraction(2 * whole - below) * power(fmt.least_exponent - first - 1 - fmt.mantissa))
        return fmt.encode(a), fmt.encode(b)
    quotient = num(Fraction(2 * whole - below) * power(fmt.least_exponent - fmt.mantissa))
    return fmt.encode(quotient), fmt.encode(num(2 - Fraction(above, whole)))


def remainder(fmt, random):
    """A third operand for such a product: a zero or one of the smallest normal numbers."""
    yield random.getrandbits(1) << fmt.below_sign | random.choice((0, 0, 1 << fmt.mantissa, 1 << fmt.mantissa | 1))


def result(fmt, f, codes, mode=NEAREST_EVEN, flush=False):
    """The code of a result. Every NaN becomes the canonical one."""
    values = [fmt.decode(code) for code in codes]
    if flush:
        values = [fmt.flush(value) for value in values]
    exact = f(*values, mode)
    if flush and fmt.is_tiny(exact, mode):
        exact = zero(exact.negative)
    return fmt.canonical(fmt.encode(exact, mode))


def load_floats(entry, name, fmt, codes):
    """Loads an input of floats from their bits."""
    bits, count = holder(fmt.width), len(codes)
    value = entry.input(name, bits, [Hex(code) for code in codes])
    return entry.let(f"bitcast {value} : tile<{count}x{bits}> -> tile<{count}x{fmt.name}>")


def store_floats(entry, fmt, value, expected, shape=None, name="r"):
    """Stores the bits of floats. Every NaN becomes the canonical one, because the bits of a NaN are unspecified."""
    entry.output(name, fmt.name, value, [Hex(code) for code in expected], shape, (holder(fmt.width), fmt.nan_code))


def modes(fmt):
    """Every rounding mode, with and without flushing if the format supports it."""
    for mode in IEEE_MODES:
        yield mode, False
        if fmt is F32:
            yield mode, True


def spelled(mode, flush):
    rounding = "" if mode == NEAREST_EVEN else f" rounding<{mode}>"
    return rounding + (" flush_to_zero" if flush else "")


def rounded(fmt, random, count, name, f, arity):
    """An op with every rounding mode."""
    entry = Entry(f"{name}_{fmt.name}")
    columns = operands(fmt, random, count, arity)
    values = [load_floats(entry, "abc"[index], fmt, column) for index, column in enumerate(columns)]
    for mode, flush in modes(fmt):
        found = entry.let(f"{name} {', '.join(values)}{spelled(mode, flush)} : tile<{count}x{fmt.name}>")
        expected = [result(fmt, f, row, mode, flush) for row in zip(*columns)]
        store_floats(entry, fmt, found, expected)
    return entry


def plain(fmt, random, count, name, f, arity, flags=("",)):
    """An op without rounding modes, with each of its flags."""
    entry = Entry(f"{name}_{fmt.name}")
    columns = operands(fmt, random, count, arity)
    values = [load_floats(entry, "abc"[index], fmt, column) for index, column in enumerate(columns)]
    for flag in flags:
        g = f(flag) if flags != ("",) else f
        found = entry.let(f"{name} {', '.join(values)}{flag} : tile<{count}x{fmt.name}>")
        expected = [result(fmt, g, row, flush="flush" in flag) for row in zip(*columns)]
        store_floats(entry, fmt, found, expected)
    return entry


def comparisons(fmt, random, count):
    entry = Entry(f"cmpf_{fmt.name}")
    a, b = operands(fmt, random, count, 2)
    for index in range(0, count, 7):
        b[index] = a[index]
    x, y = load_floats(entry, "a", fmt, a), load_floats(entry, "b", fmt, b)
    for predicate in PREDICATES:
        for unordered in (False, True):
            word = "unordered" if unordered else "ordered"
            found = entry.let(f"cmpf {predicate} {word} {x}, {y} : tile<{count}x{fmt.name}> -> tile<{count}xi1>")
            holds = arithmetic.compare(predicate, unordered)
            entry.output("r", "i1", found, [int(holds(fmt.decode(p), fmt.decode(q))) for p, q in zip(a, b)])
    return entry


def entries(fmt, random, count):
    """All entries of one element type."""
    yield rounded(fmt, random, count, "addf", arithmetic.add, 2)
    yield rounded(fmt, random, count, "subf", arithmetic.sub, 2)
    yield rounded(fmt, random, count, "mulf", arithmetic.mul, 2)
    yield rounded(fmt, random, count, "divf", arithmetic.div, 2)
    yield rounded(fmt, random, count, "fma", arithmetic.fma, 3)
    yield rounded(fmt, random, count, "sqrt", arithmetic.sqrt, 1)
    yield plain(fmt, random, count, "remf", arithmetic.rem, 2)
    yield plain(fmt, random, count, "floor", arithmetic.floor, 1)
    yield plain(fmt, random, count, "ceil", arithmetic.ceil, 1)
    yield plain(fmt, random, count, "absf", arithmetic.absolute, 1)
    yield plain(fmt, random, count, "negf", lambda a, mode: arithmetic.negate(a), 1)
    flags = [" ", " propagate_nan"]
    if fmt is F32:
        flags += [" flush_to_zero", " flush_to_zero propagate_nan"]
    for name, larger in (("maxf", True), ("minf", False)):
        yield plain(fmt, random, count, name,
                    lambda flag, larger=larger: arithmetic.extremum(larger, "nan" in flag), 2, tuple(flags))
    yield comparisons(fmt, random, count)
