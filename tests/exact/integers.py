"""Cases of the integer ops at every width."""

from formats import INTS, signed
from program import Entry

PREDICATES = {
    "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
    "less_than": lambda a, b: a < b, "less_than_or_equal": lambda a, b: a <= b,
    "greater_than": lambda a, b: a > b, "greater_than_or_equal": lambda a, b: a >= b,
}
SIGNS = ("signed", "unsigned")


def edges(width):
    if width == 1:
        return [0, 1]
    half = 1 << (width - 1)
    codes = [0, 1, 2, 3, 7, 10, half - 1, half - 2, half, half + 1, 2 * half - 1, 2 * half - 2, half // 2, half + half // 2]
    return codes + [(1 << width // 2) - 1, 1 << width // 2, (1 << width // 2) + 1, 0x5555555555555555 & 2 * half - 1]


def pairs(width, random, count):
    rows = []
    while len(rows) < count:
        kind = random.randrange(4)
        if kind == 0:
            rows.append((random.choice(edges(width)), random.choice(edges(width))))
        elif kind == 1:
            rows.append((random.getrandbits(width), random.getrandbits(width)))
        elif kind == 2:
            rows.append((random.getrandbits(width), random.getrandbits(random.randint(1, width))))
        else:
            a = random.getrandbits(width)
            rows.append((a, (a + random.randint(-1, 1)) & (1 << width) - 1))
    return rows


def divide(a, b, rounding):
    """The integer quotient with a rounding mode. Python's `//` rounds down."""
    if rounding == "negative_inf":
        return a // b
    if rounding == "positive_inf":
        return -(-a // b)
    magnitude = abs(a) // abs(b)
    return magnitude if (a < 0) == (b < 0) else -magnitude


def remainder(a, b):
    return a - divide(a, b, "zero") * b


class Ints:
    """An entry whose operands and results are integers of one width."""

    def __init__(self, name, element, rows):
        self.width, self.element = INTS[element], element
        self.rows, self.count = rows, len(rows)
        self.entry = Entry(f"{name}_{element}")
        self.values = [self.entry.input("ab"[index], element, [self.shown(code) for code in column])
                       for index, column in enumerate(zip(*rows))]

    def shown(self, code):
        """A code as a number in a launch."""
        code &= (1 << self.width) - 1
        return code if self.width == 1 else signed(code, self.width)

    def read(self, code, sign):
        return signed(code, self.width) if sign == "signed" else code

    def case(self, op, f, sign="unsigned"):
        """Adds an op, given with the text that follows its operands, and the integer that `f` computes for each row."""
        name, *rest = op.split(" ", 1)
        tail = " " + rest[0] if rest else ""
        value = self.entry.let(f"{name} {', '.join(self.values)}{tail} : tile<{self.count}x{self.element}>")
        expected = [self.shown(f(*(self.read(code, sign) for code in row))) for row in self.rows]
        self.entry.output("r", self.element, value, expected)

    def comparison(self, predicate, sign):
        a, b = self.values
        value = self.entry.let(f"cmpi {predicate} {a}, {b}, {sign} : tile<{self.count}x{self.element}> "
                               f"-> tile<{self.count}xi1>")
        holds = PREDICATES[predicate]
        self.entry.output("q", "i1", value, [int(holds(*(self.read(code, sign) for code in row))) for row in self.rows])


def entries(random, many):
    for element, width in INTS.items():
        count = many if width == 32 else many // 4 if width == 1 else many // 2
        yield wrapping(element, pairs(width, random, count))
        yield ordered(element, pairs(width, random, count))
        yield division(element, width, pairs(width, random, count))
        yield shifts(element, width, pairs(width, random, count))
        yield unary(element, pairs(width, random, count))
        yield satisfied_flags(element, width, random, count)


def wrapping(element, rows):
    cases = Ints("wrap", element, rows)
    cases.case("addi", lambda a, b: a + b)
    cases.case("subi", lambda a, b: a - b)
    cases.case("muli", lambda a, b: a * b)
    cases.case("mulhii", lambda a, b: a * b >> cases.width)
    cases.case("andi", lambda a, b: a & b)
    cases.case("ori", lambda a, b: a | b)
    cases.case("xori", lambda a, b: a ^ b)
    return cases.entry


def ordered(element, rows):
    cases = Ints("order", element, rows)
    for sign in SIGNS:
        cases.case(f"maxi {sign}", max, sign)
        cases.case(f"mini {sign}", min, sign)
        for predicate in PREDICATES:
            cases.comparison(predicate, sign)
    return cases.entry


def division(element, width, rows):
    """Avoids the undefined cases: a divisor of 0, and the smallest number divided by -1."""
    least = 1 << (width - 1)
    rows = [(a, b or 1) for a, b in rows]
    rows = [(a ^ 1 if a == least and b == (1 << width) - 1 else a, b) for a, b in rows]
    cases = Ints("divide", element, rows)
    for sign in SIGNS:
        cases.case(f"divi {sign}", lambda a, b: divide(a, b, "zero"), sign)
        cases.case(f"divi {sign} rounding<positive_inf>", lambda a, b: divide(a, b, "positive_inf"), sign)
        if sign == "signed":
            cases.case("divi signed rounding<negative_inf>", lambda a, b: divide(a, b, "negative_inf"), sign)
        cases.case(f"remi {sign}", remainder, sign)
    return cases.entry


def shifts(element, width, rows):
    cases = Ints("shift", element, [(a, b % width) for a, b in rows])
    cases.case("shli", lambda a, b: a << b)
    cases.case("shri unsigned", lambda a, b: a >> b)
    # Only the first operand is signed.
    cases.case("shri signed", lambda a, b: signed(a, width) >> b)
    return cases.entry


def unary(element, rows):
    cases = Ints("one", element, [(a,) for a, _ in rows])
    cases.case("absi", abs, "signed")
    cases.case("negi", lambda a: -a, "signed")
    return cases.entry


def satisfied_flags(element, width, random, count):
    """Overflow flags do not affect results that fit."""
    cases = Ints("no_wrap", element, [(a >> (width + 1) // 2 + 1, b >> (width + 1) // 2 + 1)
                                      for a, b in pairs(width, random, count)])
    for flag in ("no_signed_wrap", "no_unsigned_wrap", "no_wrap"):
        cases.case(f"addi overflow<{flag}>", lambda a, b: a + b)
        cases.case(f"muli overflow<{flag}>", lambda a, b: a * b)
    cases.case("subi overflow<no_signed_wrap>", lambda a, b: a - b)
    return cases.entry
