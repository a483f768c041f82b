"""Cases of the float functions, computed with 200 digits by mpmath. Special values follow C99, annex F.

The language specifies the accuracy of a function, not its bits: f32 and f64 may be off by two units in the last place,
or by the tolerance in `BOUNDS`. f16 and bf16 results are rounded f32 results. The engine computes the f64 nearest to
the result and rounds it to f32; with `in_bits`, the cases expect these bits.
"""

from fractions import Fraction

import mpmath

import arithmetic
from floats import load_floats, specials, store_floats
from formats import BASE, BF16, F16, F32, F64, INTS, NAN, Value, infinity, num, power, zero
from program import Entry

mpmath.mp.dps = 200


def fraction(x):
    sign, mantissa, exponent, _ = x._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * power(exponent)


def real(value):
    return mpmath.mpf(value.number.numerator) / value.number.denominator


def of(x, sign_of_zero=False):
    """Converts a finite result of mpmath to a value."""
    return num(fraction(mpmath.mpf(x)), sign_of_zero)


HUGE = num(Fraction(2) ** 5000)
TINY = num(Fraction(1, 2 ** 5000))


def e_to(x, base_is_two=False):
    """e^x or 2^x; for large exponents, numbers that overflow or underflow in every format."""
    if x > 4000:
        return HUGE
    if x < -4000:
        return TINY
    return of(mpmath.power(2, x) if base_is_two else mpmath.exp(x))


def exp(a, mode=None):
    if a.kind == "nan":
        return NAN
    if a.kind == "inf":
        return zero() if a.negative else a
    return e_to(real(a))


def exp2(a, mode=None):
    if a.kind != "num":
        return exp(a)
    return e_to(real(a), True)


def logarithm(base):
    def log(a, mode=None):
        if a.kind == "nan" or (a.negative and a.kind != "zero"):
            return NAN
        if a.kind == "zero":
            return infinity(True)
        if a.kind == "inf":
            return a
        return of(mpmath.log(real(a), base) if base else mpmath.log(real(a)))
    return log


def odd(f):
    """A trigonometric function that maps each zero to itself."""
    def g(a, mode=None):
        if a.kind in ("nan", "inf"):
            return NAN
        return a if a.kind == "zero" else of(f(real(a)))
    return g


def cos(a, mode=None):
    if a.kind in ("nan", "inf"):
        return NAN
    return of(mpmath.cos(real(a)))


def sinh(a, mode=None):
    if a.kind != "num":
        return a
    if abs(a.number) > 3000:
        return Value("num", a.negative, -HUGE.number if a.negative else HUGE.number)
    return of(mpmath.sinh(real(a)))


def cosh(a, mode=None):
    if a.kind == "nan":
        return NAN
    if a.kind == "inf":
        return infinity()
    return HUGE if abs(a.number) > 3000 else of(mpmath.cosh(real(a)))


def tanh(a, mode=None):
    if a.kind == "nan" or a.kind == "zero":
        return a
    sign = -1 if a.negative else 1
    if a.kind == "inf":
        return num(sign)
    if abs(a.number) > 200:
        return num(sign * (1 - Fraction(1, 2 ** 500)))
    return of(mpmath.tanh(real(a)))


def rsqrt(a, mode=None):
    if a.kind == "zero":
        return infinity(a.negative)
    if a.kind == "nan" or a.negative:
        return NAN
    if a.kind == "inf":
        return zero()
    return of(1 / mpmath.sqrt(real(a)))


def is_odd(value):
    return value.kind == "num" and value.number.denominator == 1 and value.number.numerator % 2 == 1


def is_integer(value):
    return value.kind == "zero" or (value.kind == "num" and value.number.denominator == 1)


def pow_(a, b, mode=None):
    one = num(1)
    if b.kind == "zero" or a == one:
        return one
    if "nan" in (a.kind, b.kind):
        return NAN
    size = 1 if a.kind == "num" and abs(a.number) == 1 else (
        2 if a.kind == "inf" or (a.kind == "num" and abs(a.number) > 1) else 0)
    if b.kind == "inf":
        if size == 1:
            return one
        return infinity() if (size == 2) != b.negative else zero()
    negative = a.negative and is_odd(b)
    if a.kind == "zero":
        return infinity(negative) if b.negative else zero(negative)
    if a.kind == "inf":
        return zero(negative) if b.negative else infinity(negative)
    if a.negative and not is_integer(b):
        return NAN
    exponent = real(b) * mpmath.log(abs(real(a)))
    if abs(exponent) > 3000:
        magnitude = HUGE if exponent > 0 else TINY
    elif size == 1:
        magnitude = one
    elif is_integer(b) and abs(b.number) < 3000:
        # An exact power may be halfway between two numbers.
        magnitude = num(abs(a.number) ** int(b.number))
    else:
        magnitude = of(mpmath.power(abs(real(a)), real(b)))
    return Value("num", negative, -magnitude.number if negative else magnitude.number)


def atan2(y, x, mode=None):
    if "nan" in (y.kind, x.kind):
        return NAN
    sign = -1 if y.negative else 1
    if y.kind == "inf" and x.kind == "inf":
        return of(sign * mpmath.pi * (3 if x.negative else 1) / 4)
    if y.kind == "inf" or (x.kind == "zero" and y.kind != "zero"):
        return of(sign * mpmath.pi / 2)
    if y.kind == "zero" or x.kind == "inf":
        return of(sign * mpmath.pi) if x.negative else zero(y.negative)
    return of(mpmath.atan2(real(y), real(x)))


ONE = {"exp": exp, "exp2": exp2, "log": logarithm(None), "log2": logarithm(2), "sin": odd(mpmath.sin), "cos": cos,
       "tan": odd(mpmath.tan), "sinh": sinh, "cosh": cosh, "tanh": tanh, "rsqrt": rsqrt}
TWO = {"fpowf": pow_, "atan2": atan2}


def moderate(fmt, random, reach):
    """The code of a random number of moderate size."""
    value = Fraction(random.randint(-10 ** 9, 10 ** 9), 10 ** 9) * power(random.randint(-reach, reach))
    return fmt.encode(num(value))


def codes_for(fmt, name, random, count):
    reach = {"exp": 7, "exp2": 8, "sinh": 7, "cosh": 7, "tanh": 4}.get(name, 12)
    codes = specials(fmt)
    if name in ("log", "log2"):
        one = fmt.bias << fmt.mantissa
        codes += [one + place for place in (-4, -3, -2, 2, 3, 4)]
    while len(codes) < count:
        code = random.getrandbits(fmt.width) if random.random() < 0.2 else moderate(fmt, random, reach)
        if name in ("log", "log2", "rsqrt") and random.random() < 0.9:
            code &= (1 << fmt.below_sign) - 1
        codes.append(code)
    if count < len(codes):
        return random.sample(codes, count)
    return codes


def final(fmt, exact, flush=False):
    """The code of a result. An f32 result is a rounded f64, and results of smaller formats are rounded f32 results."""
    if fmt is not F64:
        exact = F64.decode(F64.encode(exact))
    if fmt.width == 16:
        exact = F32.decode(F32.encode(exact))
    code = fmt.canonical(fmt.encode(exact))
    return fmt.encode(fmt.flush(fmt.decode(code))) if flush else code


def decimal(fmt, code):
    """A value as written in the lists of a launch."""
    value = fmt.decode(code)
    if value.kind == "nan":
        return "nan"
    if value.kind == "inf":
        return "-inf" if value.negative else "inf"
    if value.kind == "zero":
        return "-0.0" if value.negative else "0.0"
    text = repr(float(value.number))
    return text if any(mark in text for mark in ".e") else text + ".0"


# Tolerances of two units in the last place, and larger ones for hardware: PTX's `tanh.approx` has a relative error of
# up to 2^-11, and powers with integer exponents are computed as products of powers.
F64_BOUND = "rtol=4.45e-16 atol=1e-323"
F32_BOUND = "rtol=2.39e-7 atol=3e-45"
BOUNDS = {"tanh rounding<approx>": "rtol=4.9e-4 atol=3e-45", "fpowi": "rtol=2e-6 atol=3e-45"}


def write(entry, fmt, value, codes, in_bits, name=""):
    if fmt.width == 16 or (in_bits and fmt is F32):
        return store_floats(entry, fmt, value, codes)
    output = f"d{len(entry.results)}"
    entry.output(output, fmt.name, value, [decimal(fmt, code) for code in codes])
    entry.close[output] = F64_BOUND if fmt is F64 else BOUNDS.get(name, F32_BOUND)


def one(fmt, random, count, name, f, in_bits):
    entry = Entry(f"{name}_{fmt.name}")
    codes = codes_for(fmt, name, random, count)
    value = load_floats(entry, "a", fmt, codes)
    variants = [("", False)]
    if fmt is F32 and name in ("exp2", "rsqrt"):
        variants.append((" flush_to_zero", True))
    if name in ("exp", "tanh"):
        variants.append((" rounding<full>", False))
    if fmt is F32 and name in ("exp", "tanh"):
        variants.append((" rounding<approx>", False))
    for flag, flush in variants:
        values = [fmt.decode(code) for code in codes]
        if flush:
            values = [fmt.flush(value) for value in values]
        found = entry.let(f"{name} {value}{flag} : tile<{count}x{fmt.name}>")
        write(entry, fmt, found, [final(fmt, f(value), flush) for value in values], in_bits, name + flag)
    return entry


def two(fmt, random, count, name, f, in_bits):
    entry = Entry(f"{name}_{fmt.name}")
    edges = specials(fmt)
    columns = [], []
    for _ in range(count):
        kind = random.random()
        if kind < 0.35:
            pair = random.choice(edges), random.choice(edges)
        elif kind < 0.6 and name == "fpowf":
            pair = moderate(fmt, random, 3), fmt.encode(num(Fraction(random.randint(-20, 20), random.choice((1, 1, 2)))))
        else:
            pair = moderate(fmt, random, 5), moderate(fmt, random, 4)
        for column, code in zip(columns, pair):
            column.append(code)
    x, y = load_floats(entry, "a", fmt, columns[0]), load_floats(entry, "b", fmt, columns[1])
    found = entry.let(f"{name} {x}, {y} : tile<{count}x{fmt.name}>")
    write(entry, fmt, found, [final(fmt, f(fmt.decode(a), fmt.decode(b))) for a, b in zip(*columns)], in_bits)
    return entry


def integer_powers(fmt, random, count, element, width, in_bits):
    """`fpowi`: the exponent is an integer, read as signed."""
    entry = Entry(f"fpowi_{fmt.name}_{element}")
    edges = specials(fmt)
    bases = [random.choice(edges) if random.random() < 0.5 else moderate(fmt, random, 4) for _ in range(count)]
    half = 1 << width - 1
    exponents = [random.choice((-half, half - 1, 0, -1, random.randint(-half, half - 1),
                                max(-half, min(half - 1, random.randint(-9, 9))))) for _ in range(count)]
    x = load_floats(entry, "a", fmt, bases)
    n = entry.input("n", element, [abs(number) if width == 1 else number for number in exponents])
    found = entry.let(f"fpowi {x}, {n} : tile<{count}x{fmt.name}>, tile<{count}x{element}>")
    codes = [final(fmt, pow_(fmt.decode(a), num(b))) for a, b in zip(bases, exponents)]
    write(entry, fmt, found, codes, in_bits, "fpowi")
    return entry


def close_roots(fmt, random, count, in_bits):
    """Approximate divisions and roots, which are compared with the exact results. The fast division returns 0 for a
    divisor whose reciprocal would be subnormal, and NaN for an infinity divided by such a divisor."""
    entry = Entry("approximations_f32")
    a = [random.choice(specials(fmt)) if random.random() < 0.3 else moderate(fmt, random, 30) for _ in range(count)]
    b = [random.choice(specials(fmt)) if random.random() < 0.3 else moderate(fmt, random, 30) for _ in range(count)]
    for index in range(0, count, 8):
        # Beyond 2^126 and below 2^128.
        b[index] = random.getrandbits(1) << 31 | random.choice((253, 254)) << 23 | random.getrandbits(23) | 1
    a[8] = fmt.infinity_code
    x, y = load_floats(entry, "a", fmt, a), load_floats(entry, "b", fmt, b)
    limit = power(126)
    for mode in ("approx", "full"):
        for flush in (False, True):
            flag = " flush_to_zero" if flush else ""
            read = (lambda code: fmt.flush(fmt.decode(code))) if flush else fmt.decode

            def divided(p, q):
                if mode == "approx" and q.kind == "num" and abs(q.number) > limit:
                    return arithmetic.mul(p, zero(q.negative))
                return arithmetic.div(p, q)
            found = entry.let(f"divf {x}, {y} rounding<{mode}>{flag} : tile<{count}x{fmt.name}>")
            codes = [final(fmt, divided(read(p), read(q)), flush) for p, q in zip(a, b)]
            write(entry, fmt, found, codes, in_bits)
    for flush in (False, True):
        flag = " flush_to_zero" if flush else ""
        found = entry.let(f"sqrt {x} rounding<approx>{flag} : tile<{count}x{fmt.name}>")
        read = (lambda code: fmt.flush(fmt.decode(code))) if flush else fmt.decode
        write(entry, fmt, found, [final(fmt, arithmetic.sqrt(read(p)), flush) for p in a], in_bits)
    return entry


def entries(random, count, in_bits=False):
    for fmt in BASE:
        some = count if fmt is F32 else count // 2
        for name, f in ONE.items():
            yield one(fmt, random, some, name, f, in_bits)
        for name, f in TWO.items():
            yield two(fmt, random, some, name, f, in_bits)
    for fmt, element in ((F32, "i1"), (F16, "i8"), (BF16, "i16"), (F32, "i16"), (F32, "i32"), (F64, "i32")):
        yield integer_powers(fmt, random, count // 2, element, INTS[element], in_bits)
    yield close_roots(F32, random, count, in_bits)
