"""Cases of the overflow flags: an op that violates its flag is reported, and no other op is."""

from formats import INTS, signed
from integers import edges
from program import Entry

FLAGS = ("no_signed_wrap", "no_unsigned_wrap", "no_wrap")
OPS = {"addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b, "negi": lambda a, b: -a}


def fits(number, width, is_signed):
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    return low <= number <= high


def satisfies(op, flag, a, b, width):
    """Whether an op on these codes satisfies its flag: the result fits if all numbers are read as signed, as unsigned,
    or in both ways."""
    for word, is_signed in (("no_signed_wrap", True), ("no_unsigned_wrap", False)):
        if flag in (word, "no_wrap"):
            x, y = (signed(a, width), signed(b, width)) if is_signed else (a, b)
            # A shift is a product; its amount is unsigned.
            number = x << b if op == "shli" else OPS[op](x, y)
            if not fits(number, width, is_signed):
                return False
    return True


def truncation_satisfies(flag, code, wide, narrow):
    is_satisfied = {"no_signed_wrap": fits(signed(code, wide), narrow, True),
                    "no_unsigned_wrap": fits(code, narrow, False)}
    return all(is_satisfied.values()) if flag == "no_wrap" else is_satisfied[flag]


def literal(code, width):
    return str(code) if width == 1 else str(signed(code, width))


class Cases:
    """Collects the ops that satisfy their flags in one entry. An op that violates its flag ends the run, so each of
    them gets a separate entry."""

    def __init__(self, name):
        self.good, self.bad, self.name = Entry(name), [], name

    def add(self, is_satisfied, lines):
        entry = self.good
        if not is_satisfied:
            entry = Entry(f"{self.name}_broken_{len(self.bad)}")
            entry.expects.append("error R0203")
            self.bad.append(entry)
        names = []
        for line in lines:
            names.append(entry.fresh())
            entry.op(f"{names[-1]} = {line.format(*names)}")


def operands(random, width):
    pick = lambda: random.choice((random.choice(edges(width)), random.getrandbits(width),
                                  random.getrandbits(max(1, width // 2)),
                                  -random.getrandbits(max(1, width // 2)) & (1 << width) - 1))
    return pick(), pick()


def arithmetic(random, count, most):
    cases = Cases("flag")
    for element, width in INTS.items():
        for op in (*OPS, "shli"):
            for flag in FLAGS:
                if op == "negi" and flag == "no_unsigned_wrap":
                    continue
                for _ in range(count):
                    a, b = operands(random, width)
                    b = b % width if op == "shli" else b
                    is_satisfied = satisfies(op, flag, a, b, width)
                    if not is_satisfied and random.random() > most:
                        continue
                    second = "" if op == "negi" else ", {1}"
                    cases.add(is_satisfied, [f"constant <{element}: {literal(a, width)}> : tile<{element}>",
                                                 f"constant <{element}: {literal(b, width)}> : tile<{element}>",
                                                 f"{op} {{0}}{second} overflow<{flag}> : tile<{element}>"])
    return [cases.good] + cases.bad


def truncations(random, count, most):
    cases = Cases("narrow")
    widths = dict(INTS) | {"i4": 4}
    for source, wide in widths.items():
        for target, narrow in widths.items():
            if narrow >= wide:
                continue
            for flag in FLAGS:
                for _ in range(count):
                    code = random.choice((random.getrandbits(wide), random.getrandbits(narrow),
                                          -random.getrandbits(narrow) & (1 << wide) - 1))
                    code = random.choice((code, signed(code, narrow) & (1 << wide) - 1))
                    is_satisfied = truncation_satisfies(flag, code, wide, narrow)
                    if not is_satisfied and random.random() > most:
                        continue
                    if source == "i4":
                        lines = [f"constant <i8: {signed(code | code << 4, 8)}> : tile<1xi8>",
                                 "unpack {0} : tile<1xi8> -> tile<2xi4>",
                                 f"trunci {{1}} overflow<{flag}> : tile<2xi4> -> tile<2x{target}>"]
                    else:
                        lines = [f"constant <{source}: {literal(code, wide)}> : tile<{source}>",
                                 f"trunci {{0}} overflow<{flag}> : tile<{source}> -> tile<{target}>"]
                    cases.add(is_satisfied, lines)
    return [cases.good] + cases.bad


def entries(random, count, most=0.1):
    yield from arithmetic(random, count, most)
    yield from truncations(random, count, most)
