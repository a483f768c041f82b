"""The number formats of Tile IR: decoding to exact values, and encoding with a single rounding.

A value is a `Value`: NaN, an infinity, a zero with its sign, or a fraction. Nothing here uses the machine's floats.
"""

from dataclasses import dataclass
from fractions import Fraction

NEAREST_EVEN, ZERO, NEGATIVE_INF, POSITIVE_INF, NEAREST_AWAY = (
    "nearest_even", "zero", "negative_inf", "positive_inf", "nearest_away")
IEEE_MODES = (NEAREST_EVEN, ZERO, NEGATIVE_INF, POSITIVE_INF)


@dataclass(frozen=True)
class Value:
    """`kind` is `nan`, `inf`, `zero` or `num`; `number` is the fraction of a `num`."""
    kind: str
    negative: bool = False
    number: Fraction = Fraction(0)


NAN = Value("nan")


def infinity(negative=False):
    return Value("inf", negative)


def zero(negative=False):
    return Value("zero", negative)


def num(fraction, sign_of_zero=False):
    fraction = Fraction(fraction)
    if fraction == 0:
        return zero(sign_of_zero)
    return Value("num", fraction < 0, fraction)


@dataclass(frozen=True)
class Format:
    """A number format. `top` is the use of the highest exponent: `ieee` for infinity and NaN, `last` for a NaN in the
    last code, `none` for numbers only. Conversions to a format that saturates do not overflow to infinity."""
    name: str
    exponent: int
    mantissa: int
    top: str = "ieee"
    saturates: bool = False
    signed: bool = True
    subnormals: bool = True
    padding: int = 0

    @property
    def bias(self):
        return (1 << (self.exponent - 1)) - 1

    @property
    def width(self):
        return self.exponent + self.mantissa + self.signed

    @property
    def below_sign(self):
        return self.exponent + self.mantissa

    @property
    def largest_code(self):
        codes = 1 << self.below_sign
        if self.top == "ieee":
            return codes - (1 << self.mantissa) - 1
        return codes - (2 if self.top == "last" else 1)

    @property
    def infinity_code(self):
        return self.largest_code + 1

    @property
    def nan_code(self):
        """The quiet NaN without a sign and payload; the largest number where there is no NaN."""
        if self.top == "ieee":
            return self.infinity_code | 1 << (self.mantissa - 1)
        return (1 << self.below_sign) - 1

    @property
    def least_exponent(self):
        """The exponent of the smallest normal number."""
        return (1 if self.subnormals else 0) - self.bias

    @property
    def unit(self):
        """The exponent of the last place of the smallest numbers."""
        return self.least_exponent - self.mantissa

    def decode(self, code):
        negative = bool(self.signed and code >> self.below_sign & 1)
        code &= (1 << self.below_sign) - 1
        if code > self.largest_code:
            if self.top == "ieee" and code == self.infinity_code:
                return infinity(negative)
            return NAN
        field, fraction = code >> self.mantissa, code & (1 << self.mantissa) - 1
        if self.subnormals and field == 0:
            magnitude = Fraction(fraction) * power(self.unit)
        else:
            magnitude = Fraction(fraction + (1 << self.mantissa)) * power(field - self.bias - self.mantissa)
        return num(-magnitude if negative else magnitude, negative)

    def encode(self, value, mode=NEAREST_EVEN):
        if value.kind == "nan" or (value.negative and not self.signed and value.kind != "zero"):
            return self.nan_code
        sign = (1 << self.below_sign) if value.negative and self.signed else 0
        if value.kind == "zero":
            return sign
        if value.kind == "inf":
            return sign | (self.largest_code if self.saturates else self.infinity_code)
        return sign | self.magnitude(abs(value.number), mode, value.negative)

    def kept(self, number, exponent, mode, negative):
        """Rounds a positive fraction to a multiple of the last place of an exponent, and returns the multiple."""
        scaled = number / power(exponent - self.mantissa)
        kept = scaled.numerator // scaled.denominator
        rest = scaled - kept
        half = Fraction(1, 2)
        up = {
            NEAREST_EVEN: rest > half or (rest == half and kept % 2 == 1),
            NEAREST_AWAY: rest >= half,
            ZERO: False,
            POSITIVE_INF: rest > 0 and not negative,
            NEGATIVE_INF: rest > 0 and negative,
        }[mode]
        return kept + up

    def is_tiny(self, value, mode):
        """Whether a result is below the smallest normal number after rounding with unlimited exponent range."""
        if value.kind != "num":
            return False
        exponent = binade(abs(value.number))
        kept = self.kept(abs(value.number), exponent, mode, value.negative)
        return kept * power(exponent - self.mantissa) < power(self.least_exponent)

    def magnitude(self, number, mode, negative):
        """Rounds a positive fraction and returns its code."""
        exponent = max(binade(number), self.least_exponent)
        kept = self.kept(number, exponent, mode, negative)
        if not self.subnormals and number < power(self.least_exponent):
            return 0
        if kept >> (self.mantissa + 1):
            kept, exponent = kept >> 1, exponent + 1
        normal = kept >> self.mantissa
        code = kept if self.subnormals and not normal else (
            (exponent + self.bias) << self.mantissa) + (kept - (1 << self.mantissa))
        if code <= self.largest_code:
            return code
        stays = mode == ZERO or (mode == POSITIVE_INF and negative) or (mode == NEGATIVE_INF and not negative)
        return self.largest_code if self.saturates or stays else self.infinity_code

    def is_subnormal(self, value):
        return value.kind == "num" and abs(value.number) < power(self.least_exponent)

    def flush(self, value):
        return zero(value.negative) if self.is_subnormal(value) else value

    def canonical(self, code):
        """The code itself, or the canonical NaN for any NaN."""
        return self.nan_code if self.decode(code).kind == "nan" else code


def power(exponent):
    return Fraction(2) ** exponent


def binade(number):
    """The exponent of the highest bit of a positive fraction."""
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    return exponent if number >= power(exponent) else exponent - 1


F16 = Format("f16", 5, 10)
BF16 = Format("bf16", 8, 7)
F32 = Format("f32", 8, 23)
F64 = Format("f64", 11, 52)
TF32 = Format("tf32", 8, 10, padding=13)
E4M3 = Format("f8E4M3FN", 4, 3, top="last", saturates=True)
E5M2 = Format("f8E5M2", 5, 2, saturates=True)
E8M0 = Format("f8E8M0FNU", 8, 0, top="last", saturates=True, signed=False, subnormals=False)
E2M1 = Format("f4E2M1FN", 2, 1, top="none", saturates=True)
E5M3 = Format("fnv8E5M3FNU", 5, 3, top="last", saturates=True, signed=False)

BASE = (F16, BF16, F32, F64)
ALL = BASE + (TF32, E4M3, E5M2, E8M0, E2M1, E5M3)

INTS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def holder(width):
    """The integer type that holds the bits of a float."""
    return {8: "i8", 16: "i16", 32: "i32", 64: "i64"}[width]


def signed(code, width):
    code &= (1 << width) - 1
    return code - (1 << width) if code >> (width - 1) else code
