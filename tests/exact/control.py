"""Cases of control flow. The expected results come from the same loops in Python."""

from formats import INTS, signed
from program import Entry


def signed_of(width, code):
    return signed(code, width)


def counting(random, element, is_unsigned):
    """The trip count of a `for` and the sum of its counter, for bounds of both signs and at the limits of the type."""
    width = INTS[element]
    entry = Entry(f"for_{element}_{'unsigned' if is_unsigned else 'signed'}", inline=16)
    low, high = (0, (1 << width) - 1) if is_unsigned else (-(1 << width - 1), (1 << width - 1) - 1)
    # A step is positive, whether it is read as signed or as unsigned.
    largest_step = (1 << width - 1) - 1
    for case in range(3):
        step = random.choice((1, 2, 3, 7, largest_step))
        start = random.choice((low, 0, high - 3, high, random.randint(low, high)))
        end = min(high, max(low, start + random.choice((-5, 0, 1, step * 3, step * 5 + 1, high))))
        if (end - start) // step > 40:
            step = min(largest_step, (end - start) // 20 + 1)
        # The behavior after an overflow of the counter is unspecified.
        if start < end and start + -(-(end - start) // step) * step > high:
            end = start + (high - start) // step * step
        numbers = list(range(start, end, step))
        a, b, s = (entry.let(f"constant <{element}: {signed(number, width)}> : tile<{element}>")
                   for number in (start, end, step))
        zero, one = (entry.let(f"constant <{element}: {number}> : tile<{element}>") for number in (0, 1))
        entry.op(f"%count{case}, %sum{case} = for {'unsigned ' if is_unsigned else ''}%i in ({a} to {b}, step {s}) "
                 f": tile<{element}> iter_values(%c = {zero}, %t = {zero}) -> (tile<{element}>, tile<{element}>) {{")
        entry.op(f"  %c1 = addi %c, {one} : tile<{element}>")
        entry.op(f"  %t1 = addi %t, %i : tile<{element}>")
        entry.op(f"  continue %c1, %t1 : tile<{element}>, tile<{element}>")
        entry.op("}")
        entry.output("count", element, f"%count{case}", [len(numbers)], [])
        entry.output("sum", element, f"%sum{case}", [signed(sum(numbers), width)], [])
    return entry


def collatz(random):
    """An endless loop with a `break` in a branch. Its results and its carried values have different types."""
    entry = Entry("collatz", grid=(16, 1, 1))
    entry.param("steps", "i32", [16], "zeros")
    entry.param("peak", "i64", [16], "zeros")
    for line in """%x, %y, %z = get_tile_block_id : tile<i32>
%one = constant <i32: 1> : tile<i32>
%zero = constant <i32: 0> : tile<i32>
%start = addi %x, %one : tile<i32>
%wide = exti %start unsigned : tile<i32> -> tile<i64>
%n1 = constant <i64: 1> : tile<i64>
%n2 = constant <i64: 2> : tile<i64>
%n3 = constant <i64: 3> : tile<i64>
%n0 = constant <i64: 0> : tile<i64>
%count, %most = loop iter_values(%n = %wide, %k = %zero, %m = %wide) : tile<i64>, tile<i32>, tile<i64> -> tile<i32>, tile<i64> {
  %done = cmpi equal %n, %n1, signed : tile<i64> -> tile<i1>
  if %done {
    break %k, %m : tile<i32>, tile<i64>
  }
  %k1 = addi %k, %one : tile<i32>
  %rest = remi %n, %n2 signed : tile<i64>
  %even = cmpi equal %rest, %n0, signed : tile<i64> -> tile<i1>
  if %even {
    %half = divi %n, %n2 signed : tile<i64>
    continue %half, %k1, %m : tile<i64>, tile<i32>, tile<i64>
  }
  %triple = muli %n, %n3 : tile<i64>
  %next = addi %triple, %n1 : tile<i64>
  %m1 = maxi %m, %next signed : tile<i64>
  continue %next, %k1, %m1 : tile<i64>, tile<i32>, tile<i64>
}
%ps = offset %steps, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%pm = offset %peak, %x : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
%t0 = store_ptr_tko weak %ps, %count : tile<ptr<i32>>, tile<i32> -> token
%t1 = store_ptr_tko weak %pm, %most : tile<ptr<i64>>, tile<i64> -> token""".splitlines():
        entry.op(line)
    steps, peaks = [], []
    for n in range(1, 17):
        count, most = 0, n
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count, most = count + 1, max(most, n)
        steps.append(count)
        peaks.append(most)
    entry.after("steps", steps)
    entry.after("peak", peaks)
    return entry


def primes(random):
    """Nested loops: the inner one breaks, the outer one continues early, and a branch has results."""
    entry = Entry("primes", inline=16)
    entry.param("r", "i32", [64], "fill(-1)")
    for line in """%zero = constant <i32: 0> : tile<i32>
%one = constant <i32: 1> : tile<i32>
%two = constant <i32: 2> : tile<i32>
%end = constant <i32: 64> : tile<i32>
for %i in (%zero to %end, step %one) : tile<i32> {
  %small = cmpi less_than %i, %two, signed : tile<i32> -> tile<i1>
  if %small {
    continue
  }
  %divisor = loop iter_values(%d = %two) : tile<i32> -> tile<i32> {
    %rest = remi %i, %d signed : tile<i32>
    %hit = cmpi equal %rest, %zero, signed : tile<i32> -> tile<i1>
    if %hit {
      break %d : tile<i32>
    }
    %next = addi %d, %one : tile<i32>
    continue %next : tile<i32>
  }
  %is_prime = cmpi equal %divisor, %i, signed : tile<i32> -> tile<i1>
  %value = if %is_prime -> (tile<i32>) {
    yield %zero : tile<i32>
  } else {
    %rest = subi %i, %divisor : tile<i32>
    yield %rest : tile<i32>
  }
  %p = offset %r, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %t = store_ptr_tko weak %p, %value : tile<ptr<i32>>, tile<i32> -> token
}""".splitlines():
        entry.op(line)

    def value(i):
        divisor = next(d for d in range(2, i + 1) if i % d == 0)
        return 0 if divisor == i else i - divisor
    entry.after("r", [-1, -1] + [value(i) for i in range(2, 64)])
    return entry


def returns(random):
    """A tile block that returns early, from a branch or from a loop, does nothing more."""
    entry = Entry("returns", grid=(3, 4, 2))
    entry.param("r", "i32", [24], "zeros")
    for line in """%x, %y, %z = get_tile_block_id : tile<i32>
%nx, %ny, %nz = get_num_tile_blocks : tile<i32>
%zero = constant <i32: 0> : tile<i32>
%one = constant <i32: 1> : tile<i32>
%a = muli %z, %ny : tile<i32>
%b = addi %a, %y : tile<i32>
%c = muli %b, %nx : tile<i32>
%n = addi %c, %x : tile<i32>
%first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
if %first {
  %last = cmpi equal %z, %one, signed : tile<i32> -> tile<i1>
  if %last {
    return
  }
}
%p = offset %r, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
loop iter_values(%k = %zero) : tile<i32> {
  %enough = cmpi equal %k, %y, signed : tile<i32> -> tile<i1>
  if %enough {
    return
  }
  %k1 = addi %k, %one : tile<i32>
  %many = cmpi greater_than %k, %one, signed : tile<i32> -> tile<i1>
  if %many {
    break
  }
  continue %k1 : tile<i32>
}
%m = subi %zero, %n : tile<i32>
%u = store_ptr_tko weak %p, %m token = %t : tile<ptr<i32>>, tile<i32> -> token""".splitlines():
        entry.op(line)
    expected = []
    for z in range(2):
        for y in range(4):
            for x in range(3):
                n = (z * 4 + y) * 3 + x
                # The loop counts up to 2, and returns if it reaches y first.
                expected.append(0 if x == 0 and z == 1 else n if y <= 2 else -n)
    entry.after("r", expected)
    return entry


def entries(random):
    for element in ("i8", "i16", "i32", "i64"):
        for is_unsigned in (False, True):
            yield counting(random, element, is_unsigned)
    for f in (collatz, primes, returns):
        yield f(random)
