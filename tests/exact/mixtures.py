"""Random programs of many ops with loops and branches, which a small interpreter in Python runs too. They detect ops
that overwrite tiles that other ops still need."""

from formats import signed
from program import Entry, tile
from structure import index_of, place_of, product, values

SHAPES = ([], [1], [8], [2, 4], [4, 2], [2, 2, 2], [4], [1, 4], [8, 1])


def wrapped(number):
    return signed(number, 32)


class Program:
    """Generates ops as text, and as functions that store the results in a dictionary."""

    def __init__(self, random):
        self.random, self.names = random, 0

    def fresh(self):
        self.names += 1
        return f"%v{self.names}"

    def block(self, scope, size, depth):
        """A list of ops, each as its lines and its function, and the scope after them, which maps names to shapes."""
        scope, ops = dict(scope), []
        for _ in range(size):
            kinds = [self.plain] * 6 + [self.pick, self.move, self.move, self.fold, self.join]
            if depth:
                kinds += [self.loop, self.branch, self.endless]
            op = self.random.choice(kinds)(scope, depth)
            if op:
                ops.append(op)
        return ops, scope

    def some(self, scope, shape=None):
        names = [name for name, known in scope.items() if shape is None or known == shape]
        # Prefer recent values, so that many lifetimes end early.
        return self.random.choice(names[-4:] if names and self.random.random() < 0.6 else names) if names else None

    def plain(self, scope, depth):
        a = self.some(scope)
        shape = scope[a]
        b = self.some(scope, shape)
        op, f = self.random.choice((("addi", lambda x, y: x + y), ("subi", lambda x, y: x - y),
                                    ("muli", lambda x, y: x * y), ("xori", lambda x, y: x ^ y),
                                    ("maxi", max), ("mini", min)))
        name = self.fresh()
        scope[name] = shape
        sign = " signed" if op in ("maxi", "mini") else ""

        def run(env):
            env[name] = [wrapped(f(x, y)) for x, y in zip(env[a], env[b])]
        return [f"{name} = {op} {a}, {b}{sign} : {tile(shape, 'i32')}"], run

    def pick(self, scope, depth):
        a = self.some(scope)
        shape = scope[a]
        b, c, d = (self.some(scope, shape) for _ in range(3))
        mask, name = self.fresh(), self.fresh()
        scope[name] = shape

        def run(env):
            env[name] = [z if x < y else w for x, y, z, w in zip(env[a], env[b], env[c], env[d])]
        return [f"{mask} = cmpi less_than {a}, {b}, signed : {tile(shape, 'i32')} -> {tile(shape, 'i1')}",
                f"{name} = select {mask}, {c}, {d} : {tile(shape, 'i1')}, {tile(shape, 'i32')}"], run

    def move(self, scope, depth):
        """`permute`, `broadcast` or `reshape`."""
        random = self.random
        a, name = self.some(scope), self.fresh()
        shape = scope[a]
        choice = random.randrange(3)
        if choice == 0 and len(shape) > 1:
            dims = random.sample(range(len(shape)), len(shape))
            result = [shape[dim] for dim in dims]
            text = f"permute {a} {dims}"
            places = [place_of([index_of(place, result)[dims.index(dim)] for dim in range(len(shape))], shape)
                      for place in range(product(result))]
        elif choice == 1 and 1 in shape:
            result = [random.choice((extent, 4)) if extent == 1 else extent for extent in shape]
            if product(result) > 16:
                return None
            text = f"broadcast {a}"
            places = [place_of([at % extent for at, extent in zip(index_of(place, result), shape)], shape)
                      for place in range(product(result))]
        else:
            result = random.choice([other for other in SHAPES if product(other) == product(shape)] + [shape])
            text, places = f"reshape {a}", list(range(product(shape)))
        scope[name] = result

        def run(env):
            env[name] = [env[a][place] for place in places]
        return [f"{name} = {text} : {tile(shape, 'i32')} -> {tile(result, 'i32')}"], run

    def join(self, scope, depth):
        """`extract` and `insert`, which may write in place."""
        random = self.random
        a = self.some(scope)
        shape = scope[a]
        b = self.some(scope, shape)
        if not shape or product(shape) < 2:
            return None
        dim = random.randrange(len(shape))
        if shape[dim] == 1:
            return None
        half = [extent // 2 if place == dim else extent for place, extent in enumerate(shape)]
        zero, at, part, name = (self.fresh() for _ in range(4))
        which = random.randrange(2)
        index = ", ".join(at if place == dim else zero for place in range(len(shape)))
        places = [place for place in range(product(shape)) if index_of(place, shape)[dim] // half[dim] == which]
        scope[part], scope[name] = half, shape

        def run(env):
            env[part] = [env[a][place] for place in places]
            env[name] = list(env[b])
            for place, value in zip(places, env[part]):
                env[name][place] = value
        return [f"{zero} = constant <i32: 0> : tile<i32>", f"{at} = constant <i32: {which}> : tile<i32>",
                f"{part} = extract {a}[{index}] : {tile(shape, 'i32')} -> {tile(half, 'i32')}",
                f"{name} = insert {part}, {b}[{index}] : {tile(half, 'i32')}, {tile(shape, 'i32')}"], run

    def fold(self, scope, depth):
        random = self.random
        a, name = self.some(scope), self.fresh()
        shape = scope[a]
        if not shape:
            return None
        dim, scan, reverse = random.randrange(len(shape)), random.random() < 0.5, random.random() < 0.5
        outside = self.some(scope, []) if random.random() < 0.3 else None
        result = shape if scan else shape[:dim] + shape[dim + 1:]
        scope[name] = result
        x, y, z = (self.fresh() for _ in range(3))
        lines = []
        for place in range(product(shape)):
            index = index_of(place, shape)
            if index[dim] == 0:
                lines.append([place_of(index[:dim] + [at] + index[dim + 1:], shape) for at in range(shape[dim])])

        identity = -1 << 31 if outside else 0

        def run(env):
            found = [0] * product(shape)
            for line in lines:
                line = line[::-1] if scan and reverse else line
                state = identity
                for place in line:
                    state = max(state, env[a][place] ^ env[outside][0]) if outside else wrapped(state + env[a][place])
                    found[place] = state
            env[name] = found if scan else [found[line[-1]] for line in lines]
        if outside:
            # Uses a value from outside: the maximum of the elements after an `xori` with that value.
            mixed, wide, one = self.fresh(), self.fresh(), self.fresh()
            before = [f"{one} = reshape {outside} : tile<i32> -> {tile([1] * len(shape), 'i32')}",
                      f"{wide} = broadcast {one} : {tile([1] * len(shape), 'i32')} -> {tile(shape, 'i32')}",
                      f"{mixed} = xori {a}, {wide} : {tile(shape, 'i32')}"]
            body = [f"{z} = maxi {x}, {y} signed : tile<i32>"]
            source = mixed
        else:
            before, body, source = [], [f"{z} = addi {x}, {y} : tile<i32>"], a
        head = (f"{name} = scan {source} dim = {dim} reverse = {str(reverse).lower()}" if scan
                else f"{name} = reduce {source} dim = {dim}")
        return before + [f"{head} identities = [{identity} : i32] : {tile(shape, 'i32')} -> {tile(result, 'i32')}",
                         f"({x}: tile<i32>, {y}: tile<i32>) {{", *("  " + line for line in body),
                         f"  yield {z} : tile<i32>", "}"], run

    def carried(self, scope):
        """The initial values of a loop, the names of its arguments and results, and their shapes."""
        starts = [self.some(scope) for _ in range(self.random.randint(1, 3))]
        return starts, [self.fresh() for _ in starts], [self.fresh() for _ in starts], [scope[name] for name in starts]

    def ends(self, scope, shapes):
        return [self.some(scope, shape) for shape in shapes]

    def loop(self, scope, depth):
        starts, args, names, shapes = self.carried(scope)
        count, index = self.random.randint(0, 3), self.fresh()
        inner = dict(scope) | {index: []} | dict(zip(args, shapes))
        ops, inner = self.block(inner, self.random.randint(1, 5), depth - 1)
        ends = self.ends(inner, shapes)
        low, high, step = (self.fresh() for _ in range(3))
        types = ", ".join(tile(shape, "i32") for shape in shapes)
        begin = ", ".join(f"{arg} = {start}" for arg, start in zip(args, starts))

        def run(env):
            state = [env[start] for start in starts]
            for number in range(count):
                env[index] = [number]
                env.update(zip(args, state))
                execute(ops, env)
                state = [env[end] for end in ends]
            env.update(zip(names, state))
        scope.update(zip(names, shapes))
        return [f"{low} = constant <i32: 0> : tile<i32>", f"{high} = constant <i32: {count}> : tile<i32>",
                f"{step} = constant <i32: 1> : tile<i32>",
                f"{', '.join(names)} = for {index} in ({low} to {high}, step {step}) : tile<i32> "
                f"iter_values({begin}) -> ({types}) {{", *indented(ops),
                f"  continue {', '.join(ends)} : {types}", "}"], run

    def branch(self, scope, depth):
        condition = self.some(scope, [])
        sides = [self.block(scope, self.random.randint(1, 4), depth - 1) for _ in range(2)]
        shapes = [scope[self.some(scope)] for _ in range(self.random.randint(1, 2))]
        ends = [self.ends(inner, shapes) for _, inner in sides]
        names = [self.fresh() for _ in shapes]
        zero, truth = self.fresh(), self.fresh()
        types = ", ".join(tile(shape, "i32") for shape in shapes)

        def run(env):
            side = 0 if env[condition][0] < 0 else 1
            execute(sides[side][0], env)
            env.update(zip(names, [env[end] for end in ends[side]]))
        scope.update(zip(names, shapes))
        return [f"{zero} = constant <i32: 0> : tile<i32>",
                f"{truth} = cmpi less_than {condition}, {zero}, signed : tile<i32> -> tile<i1>",
                f"{', '.join(names)} = if {truth} -> ({types}) {{", *indented(sides[0][0]),
                f"  yield {', '.join(ends[0])} : {types}", "} else {", *indented(sides[1][0]),
                f"  yield {', '.join(ends[1])} : {types}", "}"], run

    def endless(self, scope, depth):
        """A loop that breaks after some iterations, with results that differ from its carried values."""
        starts, args, _, shapes = self.carried(scope)
        counter, rounds = self.fresh(), self.random.randint(0, 3)
        inner = dict(scope) | {counter: []} | dict(zip(args, shapes))
        first, inner = self.block(inner, self.random.randint(0, 3), depth - 1)
        outs = [self.some(inner) for _ in range(self.random.randint(1, 2))]
        results = [inner[name] for name in outs]
        second, inner = self.block(inner, self.random.randint(0, 3), depth - 1)
        ends = self.ends(inner, shapes)
        names = [self.fresh() for _ in outs]
        zero, one, last, done, more = (self.fresh() for _ in range(5))
        types = ", ".join(tile(shape, "i32") for shape in [[]] + shapes)
        out_types = ", ".join(tile(shape, "i32") for shape in results)
        begin = ", ".join(f"{arg} = {start}" for arg, start in zip([counter] + args, [zero] + starts))

        def run(env):
            state = [env[start] for start in starts]
            for number in range(rounds + 1):
                env[counter] = [number]
                env.update(zip(args, state))
                execute(first, env)
                if number == rounds:
                    break
                execute(second, env)
                state = [env[end] for end in ends]
            env.update(zip(names, [env[out] for out in outs]))
        scope.update(zip(names, results))
        return [f"{zero} = constant <i32: 0> : tile<i32>", f"{one} = constant <i32: 1> : tile<i32>",
                f"{last} = constant <i32: {rounds}> : tile<i32>",
                f"{', '.join(names)} = loop iter_values({begin}) : {types} -> {out_types} {{", *indented(first),
                f"  {done} = cmpi equal {counter}, {last}, signed : tile<i32> -> tile<i1>", f"  if {done} {{",
                f"    break {', '.join(outs)} : {out_types}", "  }", *indented(second),
                f"  {more} = addi {counter}, {one} : tile<i32>",
                f"  continue {', '.join([more] + ends)} : {types}", "}"], run


def indented(ops):
    return ["  " + line for lines, _ in ops for line in lines]


def execute(ops, env):
    for _, run in ops:
        run(env)


def mixture(random, number, size):
    entry = Entry(f"mixture_{number}", inline=16)
    program, scope, env = Program(random), {}, {}
    for at, shape in enumerate(([], [8], [2, 4], [1, 4])):
        found = [wrapped(value) for value in values(random, "i32", product(shape))]
        if random.random() < 0.4:
            # A splat constant.
            found = [found[0]] * len(found)
            name = entry.let(f"constant <i32: {found[0]}> : {tile(shape, 'i32')}")
        else:
            name = entry.input(f"a{at}", "i32", found, shape)
        scope[name], env[name] = shape, found
    ops, scope = program.block(scope, size, 2)
    execute(ops, env)
    for lines, _ in ops:
        for line in lines:
            entry.op(line)
    shown = [name for name in scope if name.startswith("%v")]
    for at, name in enumerate(random.sample(shown, min(len(shown), 6))):
        entry.output(f"r{at}", "i32", name, env[name], scope[name])
    return entry


def entries(random, count):
    for number in range(count):
        yield mixture(random, number, 8)
