"""The results of the float ops, in exact arithmetic."""

from fractions import Fraction
from math import isqrt

from formats import NAN, NEGATIVE_INF, Value, infinity, num, power, zero


def negate(a):
    return Value(a.kind, not a.negative, -a.number)


def zero_of_a_sum(mode):
    """The zero that x - x gives: -0 if the rounding mode rounds down, else +0."""
    return zero(mode == NEGATIVE_INF)


def add(a, b, mode):
    if "nan" in (a.kind, b.kind):
        return NAN
    if a.kind == "inf":
        return NAN if b.kind == "inf" and a.negative != b.negative else a
    if b.kind == "inf":
        return b
    if a.kind == b.kind == "zero":
        return a if a.negative == b.negative else zero_of_a_sum(mode)
    total = a.number + b.number
    return num(total) if total else zero_of_a_sum(mode)


def sub(a, b, mode):
    return add(a, negate(b), mode)


def mul(a, b, mode=None):
    negative = a.negative != b.negative
    kinds = {a.kind, b.kind}
    if "nan" in kinds or kinds == {"inf", "zero"}:
        return NAN
    if "inf" in kinds:
        return infinity(negative)
    return num(a.number * b.number, negative)


def div(a, b, mode=None):
    negative = a.negative != b.negative
    if "nan" in (a.kind, b.kind) or a.kind == b.kind == "inf" or a.kind == b.kind == "zero":
        return NAN
    if a.kind == "inf" or b.kind == "zero":
        return infinity(negative)
    if b.kind == "inf" or a.kind == "zero":
        return zero(negative)
    return num(a.number / b.number)


def fma(a, b, c, mode):
    return add(mul(a, b), c, mode)


def sqrt(a, mode=None):
    if a.kind in ("nan", "zero"):
        return a
    if a.negative:
        return NAN
    if a.kind == "inf":
        return a
    # Enough bits for every format, and a sticky bit that is set if the root is inexact.
    shift = 2 * (a.number.denominator.bit_length() + 200)
    scaled = a.number * power(shift)
    integer = scaled.numerator // scaled.denominator
    root = isqrt(integer)
    exact = Fraction(root * root) == scaled
    return num((Fraction(root) + (0 if exact else Fraction(1, 2))) / power(shift // 2))


def rem(a, b, mode=None):
    if "nan" in (a.kind, b.kind) or a.kind == "inf" or b.kind == "zero":
        return NAN
    if b.kind == "inf" or a.kind == "zero":
        return a
    quotient = abs(a.number) / abs(b.number)
    rest = abs(a.number) - (quotient.numerator // quotient.denominator) * abs(b.number)
    return num(-rest if a.negative else rest, a.negative)


def order(a):
    """A sort key that orders -0 before +0."""
    if a.kind == "inf":
        return (-2 if a.negative else 2, 0, 0)
    return (0, a.number, 0 if a.negative else 1)


def extremum(larger, propagate):
    def choose(a, b, mode=None):
        if "nan" in (a.kind, b.kind):
            if propagate or a.kind == b.kind:
                return NAN
            return b if a.kind == "nan" else a
        return (max if larger else min)(a, b, key=order)
    return choose


def compare(predicate, unordered):
    def holds(a, b):
        if "nan" in (a.kind, b.kind):
            return unordered
        x, y = order(a)[:2], order(b)[:2]
        return {"equal": x == y, "not_equal": x != y, "less_than": x < y, "less_than_or_equal": x <= y,
                "greater_than": x > y, "greater_than_or_equal": x >= y}[predicate]
    return holds


def floor(a, mode=None):
    if a.kind != "num":
        return a
    return num(a.number.numerator // a.number.denominator, a.negative)


def ceil(a, mode=None):
    return negate(floor(negate(a)))


def absolute(a, mode=None):
    return Value(a.kind, False, abs(a.number))
