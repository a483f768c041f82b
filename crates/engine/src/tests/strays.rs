//! Random pointers and views: a sanitized run finds what a plain one finds, and never accesses more memory.

use super::together::Numbers;
use super::*;

/// Findings that only a sanitized run has.
const OF_SANITIZER: [&str; 7] = [
    "unspecified-value",
    "unordered-accesses",
    "race",
    "repeated-address",
    "pointer-overflow",
    "integer-overflow",
    ZERO_STRIDE,
];

/// The finding about a stride of 0; it shares its name with others about views.
const ZERO_STRIDE: &str = "zero-stride";

/// The number of elements in the buffer.
const COUNT: usize = 37;

const ELEMENTS: [Element; 7] =
    [Element::F4E2M1FN, Element::I1, Element::I8, Element::F16, Element::F32, Element::I64, Element::F64];

/// A number near the end of some width, or near zero.
fn extreme(random: &mut Numbers) -> i64 {
    let near = random.below(7) as i64 - 3;
    let base = match random.below(4) {
        0 => 0,
        1 => random.pick(&[i64::MAX, i64::MIN]),
        _ => (1_i64 << random.below(63)).wrapping_mul(random.pick(&[1, -1, 3])),
    };
    base.wrapping_add(near)
}

/// The findings of a program, plain and sanitized.
fn outcomes(parameters: &str, body: &str, element: Element) -> [Option<String>; 2] {
    [false, true].map(|sanitize| {
        let mut bench = Bench::new(parameters, body).buffer(element, &[1.0; COUNT]);
        bench.options.sanitize = sanitize;
        let finding = bench.try_run().err()?;
        let is_zero_stride = finding.message.starts_with("the stride of dimension");
        Some(if is_zero_stride { ZERO_STRIDE } else { finding.page.name }.to_string())
    })
}

#[track_caller]
fn agree(body: &str, element: Element) -> Option<String> {
    let name = element.name();
    let [plain, sanitized] = outcomes(&format!("%p: tile<ptr<{name}>>"), body, element);
    let is_own = sanitized.as_deref().is_some_and(|found| OF_SANITIZER.contains(&found));
    assert!(plain == sanitized || is_own, "{plain:?} {sanitized:?} {name}\n{body}");
    plain
}

/// Loads and stores through `%q`, a tile of `count` pointers.
fn accesses(random: &mut Numbers, name: &str, count: u32) -> String {
    let (pointers, tile) = (format!("tile<{count}xptr<{name}>>"), format!("tile<{count}x{name}>"));
    let load = format!("%v, %t = load_ptr_tko weak %q : {pointers} -> {tile}, token\n");
    let value = format!("%w, %u = load_ptr_tko weak %home : {pointers} -> {tile}, token\n");
    let store = format!("{value}%s = store_ptr_tko weak %q, %w token = %u : {pointers}, {tile} -> token\n");
    random.pick(&[&load, &store]).to_string()
}

#[test]
fn extreme_offsets_are_outside() {
    for element in ELEMENTS {
        for offset in
            [i64::MAX, i64::MAX - 1, i64::MIN, i64::MIN + 1, 1 << 62, (1 << 61) + 1, -(1 << 40), 1 << 32, COUNT as i64]
        {
            let name = element.name();
            let body = format!(
                "%n = constant <i64: {offset}> : tile<2xi64>\n\
                 %p1 = reshape %p : tile<ptr<{name}>> -> tile<1xptr<{name}>>\n\
                 %ps = broadcast %p1 : tile<1xptr<{name}>> -> tile<2xptr<{name}>>\n\
                 %q = offset %ps, %n : tile<2xptr<{name}>>, tile<2xi64> -> tile<2xptr<{name}>>\n\
                 %v, %t = load_ptr_tko weak %q : tile<2xptr<{name}>> -> tile<2x{name}>, token\n"
            );
            let found = agree(&body, element);
            // Eight times 2^61 wraps to zero: such a pointer is unchanged.
            let distance = offset.wrapping_mul(element.bytes() as i64) as u64;
            let is_inside = distance < COUNT as u64 * element.bytes() as u64;
            assert_eq!(found.is_none(), is_inside, "{name} {offset}");
            let known = ["pointer-outside-allocation", "null-pointer"];
            assert!(found.is_none_or(|found| known.contains(&&*found)), "{name} {offset}");
        }
    }
}

#[test]
fn random_pointers_have_the_same_findings() {
    let (mut random, mut found, mut clean) = (Numbers(11), 0, 0);
    for _ in 0..500 {
        let (element, count) = (random.pick(&ELEMENTS), random.pick(&[2, 8, 32]));
        let (name, first, step) = (element.name(), extreme(&mut random), extreme(&mut random));
        let (pointers, numbers) = (format!("tile<{count}xptr<{name}>>"), format!("tile<{count}xi64>"));
        let body = format!(
            "%i = iota : {numbers}\n%n = constant <i64: {first}> : {numbers}\n%d = constant <i64: {step}> : {numbers}\n\
             %id = muli %i, %d : {numbers}\n%at = addi %id, %n : {numbers}\n\
             %p1 = reshape %p : tile<ptr<{name}>> -> tile<1xptr<{name}>>\n\
             %ps = broadcast %p1 : tile<1xptr<{name}>> -> {pointers}\n\
             %home = offset %ps, %i : {pointers}, {numbers} -> {pointers}\n\
             %q = offset %ps, %at : {pointers}, {numbers} -> {pointers}\n{}",
            accesses(&mut random, name, count)
        );
        match agree(&body, element) {
            Some(_) => found += 1,
            None => clean += 1,
        }
    }
    assert!(found > 100 && clean > 10, "{found} programs with a finding, {clean} without one");
}

#[test]
fn random_views_have_the_same_findings() {
    let (mut random, mut found, mut clean) = (Numbers(13), 0, 0);
    for _ in 0..500 {
        let element = random.pick(&ELEMENTS);
        let name = element.name();
        // Usually a valid view, with some wrong numbers.
        let mut number = |small: i64| if random.below(8) == 0 { extreme(&mut random) } else { small };
        let names = [("n", 0), ("e", 4), ("f", 8), ("s", 8), ("r", 1), ("a", 0), ("b", 0)];
        let constants: String =
            names.map(|(name, small)| format!("%{name} = constant <i64: {}> : tile<i64>\n", number(small))).concat();
        let padding = if random.below(2) == 0 { ", padding_value = zero" } else { "" };
        let view = format!("tensor_view<?x?x{name}, strides=[?,?]>");
        let partition = format!("partition_view<tile=(4x8){padding}, {view}>");
        let access = match random.below(2) {
            0 => {
                format!("%v, %t = load_view_tko weak %w[%a, %b] : {partition}, tile<i64> -> tile<4x8x{name}>, token\n")
            }
            _ => format!(
                "%v, %t = load_view_tko weak %w[%z, %z] : {partition}, tile<i64> -> tile<4x8x{name}>, token\n\
                 %u = store_view_tko weak %v, %w[%a, %b] token = %t : tile<4x8x{name}>, {partition}, tile<i64> -> token\n"
            ),
        };
        let body = format!(
            "{constants}%z = constant <i64: 0> : tile<i64>\n\
             %q = offset %p, %n : tile<ptr<{name}>>, tile<i64> -> tile<ptr<{name}>>\n\
             %m = make_tensor_view %q, shape = [%e, %f], strides = [%s, %r] : tile<i64> -> {view}\n\
             %w = make_partition_view %m : {partition}\n{access}"
        );
        match agree(&body, element) {
            Some(_) => found += 1,
            None => clean += 1,
        }
    }
    assert!(found > 100 && clean > 10, "{found} programs with a finding, {clean} without one");
}
