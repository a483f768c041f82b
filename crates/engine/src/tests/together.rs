//! Batches of tile blocks: results must equal those of blocks that run one by one.

use super::shortcuts::alike;
use super::*;

/// Enough blocks for a thread to take several.
const BLOCKS: u32 = 300;
const TILE: u32 = 64;

/// The pointers from `%base`, whose parameter is `base`, to the elements at the indices `%at`.
fn pointers(base: &str, at: &str, name: &str) -> String {
    format!(
        "%{name}1 = reshape %{base} : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
        %{name}s = broadcast %{name}1 : tile<1xptr<f32>> -> tile<64xptr<f32>>\n\
        %{name} = offset %{name}s, %{at} : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>\n"
    )
}

/// Indices `%at`: lane numbers plus `expression`, which computes `%first` from the block's coordinate `%x`.
fn indices(expression: &str) -> String {
    format!(
        "%x, %y, %z = get_tile_block_id : tile<i32>\n{expression}\
        %f1 = reshape %first : tile<i32> -> tile<1xi32>\n%fs = broadcast %f1 : tile<1xi32> -> tile<64xi32>\n\
        %i = iota : tile<64xi32>\n%at = addi %fs, %i : tile<64xi32>\n"
    )
}

const LOAD: &str = "%v, %t = load_ptr_tko weak %pp : tile<64xptr<f32>> -> tile<64xf32>, token\n";
const HALVE: &str = "%half = constant <f32: 0.5> : tile<64xf32>\n%r = mulf %v, %half : tile<64xf32>\n";
const STORE: &str = "%s = store_ptr_tko weak %qq, %r : tile<64xptr<f32>>, tile<64xf32> -> token\n";

fn parameters() -> &'static str {
    "%p: tile<ptr<f32>>, %q: tile<ptr<f32>>"
}

fn numbers(count: u32) -> Vec<f64> {
    (0..count).map(|index| f64::from(index % 1009) - 17.0).collect()
}

/// Sets `%q` to half of `%p`; block `x` begins at the element given by `expression`.
fn halves(expression: &str, count: u32) -> Result<Vec<f64>, String> {
    let body = [&indices(expression), &pointers("p", "at", "pp"), &pointers("q", "at", "qq"), LOAD, HALVE, STORE];
    let body: String = body.into_iter().map(|part| part as &str).collect();
    let swapped = "%q: tile<ptr<f32>>, %p: tile<ptr<f32>>";
    alike(swapped, &body, [BLOCKS, 1, 1], &[(Element::F32, vec![0.0; count as usize]), (Element::F32, numbers(count))])
}

fn times(factor: i64, summand: i64) -> String {
    format!(
        "%factor = constant <i32: {factor}> : tile<i32>\n%summand = constant <i32: {summand}> : tile<i32>\n\
        %product = muli %x, %factor : tile<i32>\n%first = addi %product, %summand : tile<i32>\n"
    )
}

#[test]
fn adjacent_distant_and_reversed_tiles() {
    let count = BLOCKS * TILE + 100;
    let all: Vec<f64> = numbers(count).iter().map(|value| value / 2.0).collect();
    let inside = |range: std::ops::Range<u32>| -> Vec<f64> {
        (0..count).map(|index| if range.contains(&index) { all[index as usize] } else { 0.0 }).collect()
    };
    assert_eq!(halves(&times(64, 0), count), Ok(inside(0..BLOCKS * TILE)));
    assert_eq!(halves(&times(64, 36), count), Ok(inside(36..BLOCKS * TILE + 36)));
    assert_eq!(halves(&times(-64, 299 * 64), count), Ok(inside(0..BLOCKS * TILE)));
    let apart = halves(&times(100, 0), 100 * BLOCKS).unwrap();
    assert!(
        (0..100 * BLOCKS).all(|index| (apart[index as usize] == 0.0) == (index % 100 >= TILE || (index % 1009) == 17))
    );
}

/// The sum of the products wraps around back into memory.
#[test]
fn indices_that_wrap_around() {
    let count = BLOCKS * TILE;
    let all: Vec<f64> = numbers(count).iter().map(|value| value / 2.0).collect();
    let wrapped = "%big = constant <i32: 16777216> : tile<i32>\n%small = constant <i32: 256> : tile<i32>\n\
        %far = muli %x, %big : tile<i32>\n%back = muli %far, %small : tile<i32>\n\
        %size = constant <i32: 64> : tile<i32>\n%near = muli %x, %size : tile<i32>\n\
        %first = addi %near, %back : tile<i32>\n";
    assert_eq!(halves(wrapped, count), Ok(all));
    // The element before the start of the memory, reached by wrapping around between two blocks.
    let outside = "%big = constant <i32: -2147483648> : tile<i32>\n%first = muli %x, %big : tile<i32>\n";
    assert!(halves(outside, count).is_err_and(|found| found.ends_with("[1, 0, 0]")));
}

#[test]
fn accesses_outside_are_reported_with_their_block() {
    let found = halves(&times(64, 0), 200 * TILE + 3);
    assert!(
        found.is_err_and(|found| found.starts_with("pointer-outside-allocation") && found.ends_with("[200, 0, 0]"))
    );
}

#[test]
fn a_mask_that_ends_within_a_tile() {
    for limit in [0, 64, 6400, 6401, 19200] {
        let mask = format!(
            "%n = constant <i32: {limit}> : tile<64xi32>\n\
            %in = cmpi less_than %at, %n, signed : tile<64xi32> -> tile<64xi1>\n\
            %pad = constant <f32: 0.0> : tile<64xf32>\n\
            %v, %t = load_ptr_tko weak %pp, %in, %pad : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token\n\
            %r = addf %v, %v : tile<64xf32>\n\
            %s = store_ptr_tko weak %pp, %r, %in : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token\n"
        );
        let body = indices(&times(64, 0)) + &pointers("p", "at", "pp") + &mask;
        let p = numbers(BLOCKS * TILE);
        let found = alike("%p: tile<ptr<f32>>", &body, [BLOCKS, 1, 1], &[(Element::F32, p.clone())]);
        let doubled = p.iter().enumerate().map(|(index, value)| if index < limit { 2.0 * value } else { *value });
        assert_eq!(found, Ok(doubled.collect()), "{limit}");
    }
}

/// Each row minus the one below, whose block can come later, times a row that is the same for all.
#[test]
fn rows_that_several_blocks_load() {
    let (matrix, vector) = ("tensor_view<301x128xf32, strides=[128,1]>", "tensor_view<1x128xf32, strides=[128,1]>");
    let [rows, row] = [matrix, vector].map(|view| format!("partition_view<tile=(1x64), {view}>"));
    let body = format!(
        "%x, %y, %z = get_tile_block_id : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n\
        %zero = constant <i32: 0> : tile<i32>\n%below = addi %x, %one : tile<i32>\n\
        %vp = make_tensor_view %p, shape = [301, 128], strides = [128, 1] : {matrix}\n\
        %vq = make_tensor_view %q, shape = [301, 128], strides = [128, 1] : {matrix}\n\
        %vw = make_tensor_view %w, shape = [1, 128], strides = [128, 1] : {vector}\n\
        %tp = make_partition_view %vp : {rows}\n%tq = make_partition_view %vq : {rows}\n\
        %tw = make_partition_view %vw : {row}\n\
        %a, %t0 = load_view_tko weak %tp[%x, %y] : {rows}, tile<i32> -> tile<1x64xf32>, token\n\
        %b, %t1 = load_view_tko weak %tp[%below, %y] : {rows}, tile<i32> -> tile<1x64xf32>, token\n\
        %c, %t2 = load_view_tko weak %tw[%zero, %y] : {row}, tile<i32> -> tile<1x64xf32>, token\n\
        %d = subf %a, %b : tile<1x64xf32>\n%e = mulf %d, %c : tile<1x64xf32>\n\
        %s = store_view_tko weak %e, %tq[%x, %y] : tile<1x64xf32>, {rows}, tile<i32> -> token"
    );
    let (p, w) = (numbers(301 * 128), numbers(128));
    let value = |index: usize| if index < 300 * 128 { (p[index] - p[index + 128]) * w[index % 128] } else { 7.0 };
    let expected = (0..301 * 128).map(value).collect();
    let buffers = [(Element::F32, vec![7.0; 301 * 128]), (Element::F32, p.clone()), (Element::F32, w.clone())];
    let found = alike("%q: tile<ptr<f32>>, %p: tile<ptr<f32>>, %w: tile<ptr<f32>>", &body, [BLOCKS, 2, 1], &buffers);
    assert_eq!(found, Ok(expected));
    // One row too many.
    let found = alike("%q: tile<ptr<f32>>, %p: tile<ptr<f32>>, %w: tile<ptr<f32>>", &body, [301, 1, 1], &buffers);
    assert!(found.is_err_and(|found| found.starts_with("index-outside-index-space") && found.ends_with("[300, 0, 0]")));
}

/// The second group of fused ops loads what the first one of the same block stores.
#[test]
fn two_groups_of_fused_ops() {
    let second = "%w, %u = load_ptr_tko weak %qq token = %s : tile<64xptr<f32>> -> tile<64xf32>, token\n\
        %d = addf %w, %half : tile<64xf32>\n\
        %e = store_ptr_tko weak %pp, %d token = %u : tile<64xptr<f32>>, tile<64xf32> -> token\n";
    let body = indices(&times(64, 0)) + &pointers("p", "at", "pp") + &pointers("q", "at", "qq");
    let body = body + LOAD + HALVE + STORE + second;
    let p = numbers(BLOCKS * TILE);
    let buffers = [(Element::F32, p.clone()), (Element::F32, vec![0.0; p.len()])];
    let found = alike(parameters(), &body, [BLOCKS, 1, 1], &buffers);
    assert_eq!(found, Ok(p.iter().map(|value| value / 2.0 + 0.5).collect()));
}

/// A later op has the last use of a value that fused ops read.
#[test]
fn values_read_again_after_fused_ops() {
    let view = "tensor_view<6x19200xf32, strides=[19200,1]>";
    let tiles = format!("partition_view<tile=(1x64), {view}>");
    let ty = "tile<1x64xf32>";
    let body = format!(
        "%x, %y, %z = get_tile_block_id : tile<i32>\n%f = itof %y signed : tile<i32> -> tile<f32>\n\
        %f1 = reshape %f : tile<f32> -> tile<1x1xf32>\n%fs = broadcast %f1 : tile<1x1xf32> -> {ty}\n\
        %vp = make_tensor_view %p, shape = [6, 19200], strides = [19200, 1] : {view}\n\
        %tp = make_partition_view %vp : {tiles}\n\
        %a, %t = load_view_tko weak %tp[%y, %x] : {tiles}, tile<i32> -> {ty}, token\n%b = addf %a, %fs : {ty}\n\
        %s = store_view_tko weak %b, %tp[%y, %x] token = %t : {ty}, {tiles}, tile<i32> -> token\n\
        %three = constant <i32: 3> : tile<i32>\n%row = addi %y, %three : tile<i32>\n%gs = mulf %fs, %fs : {ty}\n\
        %c, %u = load_view_tko weak %tp[%row, %x] token = %s : {tiles}, tile<i32> -> {ty}, token\n\
        %d = subf %c, %gs : {ty}\n\
        %e = store_view_tko weak %d, %tp[%row, %x] token = %u : {ty}, {tiles}, tile<i32> -> token"
    );
    let p = numbers(6 * 19200);
    let value = |index: usize| match (index / 19200) as f64 {
        row if row < 3.0 => p[index] + row,
        row => p[index] - (row - 3.0) * (row - 3.0),
    };
    let expected = (0..p.len()).map(value).collect();
    assert_eq!(alike("%p: tile<ptr<f32>>", &body, [BLOCKS, 3, 1], &[(Element::F32, p.clone())]), Ok(expected));
}

#[test]
fn ops_are_counted_for_each_block() {
    let body = indices(&times(64, 0)) + &pointers("p", "at", "pp") + &pointers("q", "at", "qq") + LOAD + HALVE + STORE;
    let statistics = |grid: u32| {
        let count = (grid * TILE) as usize;
        let bench = Bench::new(parameters(), &body).grid([grid, 1, 1]);
        let mut bench = bench.buffer(Element::F32, &vec![1.0; count]).buffer(Element::F32, &vec![0.0; count]);
        bench.try_run().unwrap()
    };
    assert_eq!(statistics(BLOCKS).ops, u64::from(BLOCKS) * statistics(1).ops);
}

/// Runs blocks of two fused groups with a sanitizer: the first loads `%p` from `%at` on and stores `%q`, the second
/// loads `%n` and stores `%p` from `%to` on, at a distance in elements, waiting for the token `wait`.
fn watched(further: i64, wait: &str) -> Result<Statistics, String> {
    let further = format!("%d = constant <i32: {further}> : tile<64xi32>\n%to = addi %at, %d : tile<64xi32>\n");
    let second = format!(
        "%w, %u = load_ptr_tko weak %rr : tile<64xptr<f32>> -> tile<64xf32>, token\n\
        %m = addf %w, %half : tile<64xf32>\n\
        %e = store_ptr_tko weak %tt, %m {wait} : tile<64xptr<f32>>, tile<64xf32> -> token\n"
    );
    let pointers = pointers("p", "at", "pp") + &pointers("q", "at", "qq") + &pointers("n", "at", "rr");
    let body = indices(&times(64, 0))
        + &further
        + &pointers
        + &self::pointers("p", "to", "tt")
        + LOAD
        + HALVE
        + STORE
        + &second;
    let parameters = "%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<ptr<f32>>";
    let mut bench = Bench::new(parameters, &body).grid([BLOCKS, 1, 1]).sanitize();
    let count = 2 * BLOCKS * TILE;
    for _ in 0..3 {
        bench = bench.buffer(Element::F32, &numbers(count));
    }
    bench.try_run().map_err(|finding| format!("{} at {:?} in {:?}", finding.page.name, finding.op, finding.block))
}

#[test]
fn the_sanitizer_checks_batches() {
    assert!(watched(0, "token = %t").is_ok());
    assert!(watched(i64::from(BLOCKS * TILE), "").is_ok());
    let found = |further, wait| watched(further, wait).unwrap_err();
    assert!(found(0, "").starts_with("unordered-accesses") && found(0, "").ends_with("[0, 0, 0]"));
    assert!(found(64, "").starts_with("race") && found(64, "").ends_with("[1, 0, 0]"));
    assert!(found(63, "token = %t").starts_with("race") && found(63, "token = %t").ends_with("[1, 0, 0]"));
    assert!(found(640, "").starts_with("race") && found(640, "").ends_with("[10, 0, 0]"));
    assert!(found(-64, "").starts_with("race") || found(-64, "").starts_with("pointer-outside"));
}

#[test]
fn the_sanitizer_finds_pointer_overflow_in_batches() {
    // 4 times 2^62 wraps to zero: the pointers are unchanged.
    let body = "%x, %y, %z = get_tile_block_id : tile<i32>\n%far = constant <i64: 4611686018427387904> : tile<i64>\n\
        %l = exti %x signed : tile<i32> -> tile<i64>\n%size = constant <i64: 64> : tile<i64>\n\
        %first = muli %l, %size : tile<i64>\n%away = addi %first, %far : tile<i64>\n\
        %a1 = reshape %away : tile<i64> -> tile<1xi64>\n%as = broadcast %a1 : tile<1xi64> -> tile<64xi64>\n\
        %i = iota : tile<64xi64>\n%at = addi %as, %i : tile<64xi64>\n\
        %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
        %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<64xptr<f32>>\n\
        %pp = offset %ps, %at : tile<64xptr<f32>>, tile<64xi64> -> tile<64xptr<f32>>\n\
        %v, %t = load_ptr_tko weak %pp : tile<64xptr<f32>> -> tile<64xf32>, token\n\
        %r = mulf %v, %v : tile<64xf32>\n\
        %s = store_ptr_tko weak %pp, %r token = %t : tile<64xptr<f32>>, tile<64xf32> -> token";
    let p = numbers(BLOCKS * TILE);
    let bench = Bench::new("%p: tile<ptr<f32>>", body).grid([BLOCKS, 1, 1]).sanitize().buffer(Element::F32, &p);
    assert_eq!(bench.finding().0, "pointer-overflow");
    let squares = p.iter().map(|value| value * value).collect();
    assert_eq!(alike("%p: tile<ptr<f32>>", body, [BLOCKS, 1, 1], &[(Element::F32, p.clone())]), Ok(squares));
}

/// Deterministic random numbers.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// Pointers `%pN` derived from one of the parameters, at distances that depend on the block.
fn random_pointers(random: &mut Numbers, name: &str) -> String {
    let along = random.pick(&[64, 64, 64, 64, 64, 64, 60, 100, 128, 0, -64, 1]);
    let (down, from) = (random.pick(&[4480, 4480, 4480, 4480, 0, 64]), random.pick(&[0, 0, 0, 0, 1, 64, 700]));
    let bases = if name == "p4" { ["c", "c", "c", "c", "a"] } else { ["a", "a", "b", "b", "c"] };
    let (base, lanes) = (random.pick(&bases), random.pick(&["i", "i", "i", "i", "i", "i", "i2"]));
    let offset = random.pick(&["tile<64xi32>", "tile<64xi64>"]);
    let ty = "tile<i32>";
    let mut text = format!(
        "%{name}f = constant <i32: {along}> : {ty}\n%{name}g = constant <i32: {down}> : {ty}\n\
        %{name}h = constant <i32: {from}> : {ty}\n%{name}x = muli %x, %{name}f : {ty}\n\
        %{name}y = muli %y, %{name}g : {ty}\n%{name}s = addi %{name}x, %{name}y : {ty}\n\
        %{name}o = addi %{name}s, %{name}h : {ty}\n%{name}o1 = reshape %{name}o : {ty} -> tile<1xi32>\n\
        %{name}os = broadcast %{name}o1 : tile<1xi32> -> tile<64xi32>\n\
        %{name}at = addi %{name}os, %{lanes} : tile<64xi32>\n"
    );
    let at = if offset == "tile<64xi64>" {
        text += &format!("%{name}long = exti %{name}at signed : tile<64xi32> -> tile<64xi64>\n");
        format!("{name}long")
    } else {
        format!("{name}at")
    };
    text + &format!(
        "%{name}b1 = reshape %{base} : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
        %{name}bs = broadcast %{name}b1 : tile<1xptr<f32>> -> tile<64xptr<f32>>\n\
        %{name} = offset %{name}bs, %{at} : tile<64xptr<f32>>, {offset} -> tile<64xptr<f32>>\n"
    )
}

/// A program of one or two fused groups, some of which are invalid.
fn random_program(random: &mut Numbers) -> String {
    let mut body = "%x, %y, %z = get_tile_block_id : tile<i32>\n%i = iota : tile<64xi32>\n\
        %two = constant <i32: 2> : tile<64xi32>\n%i2 = muli %i, %two : tile<64xi32>\n"
        .to_string();
    let names = ["p0", "p1", "p2", "p3", "p4"];
    names.iter().for_each(|name| body += &random_pointers(random, name));
    let ty = "tile<64xptr<f32>> -> tile<64xf32>, token";
    for chain in 0..=random.below(2) {
        let [first, second] = [0; 2].map(|_| random.pick(&names));
        let to = random.pick(&["p4", "p4", "p4", "p4", "p3"]);
        let wait = match (chain, random.below(4)) {
            (_, 0) => String::new(),
            (0, _) => format!("token = %t{chain}"),
            _ => format!("token = %s{}", chain - 1),
        };
        body += &format!(
            "%v{chain}, %t{chain} = load_ptr_tko weak %{first} : {ty}\n\
            %w{chain}, %u{chain} = load_ptr_tko weak %{second} : {ty}\n\
            %r{chain} = addf %v{chain}, %w{chain} : tile<64xf32>\n\
            %s{chain} = store_ptr_tko weak %{to}, %r{chain} {wait} : tile<64xptr<f32>>, tile<64xf32> -> token\n"
        );
    }
    body
}

/// Runs random programs with the sanitizer, with and without batches, and those without a finding also without the
/// sanitizer.
#[test]
fn random_programs_agree_in_all_modes() {
    let mut random = Numbers(7);
    let (mut clean, mut found) = (0, 0);
    for _ in 0..300 {
        let body = random_program(&mut random);
        let grid = [1 + random.below(70) as u32, 1 + random.below(3) as u32, 1];
        let buffers: Vec<_> = (0..3).map(|_| (Element::F32, numbers(15_000))).collect();
        let run = |observed: bool| {
            let mut bench = Bench::new("%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>", &body).grid(grid);
            bench.options.sanitize = true;
            bench.options.watch.profile = observed;
            for (element, values) in &buffers {
                bench = bench.buffer(*element, values);
            }
            let outcome = bench.try_run();
            let contents = outcome.is_ok().then(|| [0, 1, 2].map(|index| bench.values(index)));
            (outcome, contents)
        };
        let together = run(false);
        assert_eq!(together, run(true), "{grid:?}\n{body}");
        match together.0 {
            Ok(_) => {
                clean += 1;
                let parameters = "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>";
                let contents = alike(parameters, &body, grid, &buffers).unwrap();
                assert_eq!(Some(contents), together.1.map(|[first, ..]| first), "{grid:?}\n{body}");
            }
            Err(_) => found += 1,
        }
    }
    assert!(clean > 25 && found > 25, "{clean} programs without a finding, {found} with one");
}
