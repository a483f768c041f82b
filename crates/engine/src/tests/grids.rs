//! Affine tiles: their elements must equal those computed one by one.

use super::shortcuts::alike;
use super::together::Numbers;
use super::*;

/// A value of a random program.
#[derive(Clone)]
struct RandomValue {
    name: String,
    shape: Vec<u64>,
    element: &'static str,
}

impl RandomValue {
    fn ty(&self) -> String {
        self.of(self.element)
    }

    /// The type of a tile of this shape.
    fn of(&self, element: &str) -> String {
        let extents: String = self.shape.iter().map(|extent| format!("{extent}x")).collect();
        format!("tile<{extents}{element}>")
    }

    fn count(&self) -> u64 {
        self.shape.iter().product()
    }
}

const INTEGERS: [&str; 4] = ["i8", "i16", "i32", "i64"];
const PARAMETERS: &str = "%a: tile<ptr<f32>>, %b: tile<ptr<i8>>, %c: tile<ptr<f64>>, %d: tile<ptr<f4E2M1FN>>";
/// The buffers: the parameter's name, the pointee type as text and as an element type, and its print conversion.
const BUFFERS: [(&str, &str, Element, Option<&str>); 4] = [
    ("a", "f32", Element::F32, Some("%f")),
    ("b", "i8", Element::I8, Some("%d")),
    ("c", "f64", Element::F64, Some("%f")),
    ("d", "f4E2M1FN", Element::F4E2M1FN, None),
];
/// The number of elements in each buffer; pointers start at its middle.
const LENGTH: u64 = 12_000;
/// Larger tiles take long to print.
const LARGEST: u64 = 512;

/// Writes a program that computes indices and loads and stores through them.
struct Generator<'a> {
    random: &'a mut Numbers,
    text: String,
    made: Vec<RandomValue>,
    names: usize,
}

impl Generator<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// Adds a value that an op computes.
    fn add(&mut self, shape: &[u64], element: &'static str, op: &str) -> RandomValue {
        let made = RandomValue { name: self.name(), shape: shape.to_vec(), element };
        self.text += &format!("%{} = {op}\n", made.name);
        self.made.push(made.clone());
        made
    }

    fn pick(&mut self) -> RandomValue {
        // Later values result from more ops.
        let (first, second) = (self.random.below(self.made.len() as u64), self.random.below(self.made.len() as u64));
        self.made[first.max(second) as usize].clone()
    }

    fn constant(&mut self, shape: &[u64], element: &'static str) -> RandomValue {
        let number = self.random.pick(&[-128i64, -64, -16, -3, -2, -1, 0, 1, 1, 2, 3, 4, 7, 16, 64, 100, 127]);
        let made = RandomValue { name: String::new(), shape: shape.to_vec(), element };
        self.add(shape, element, &format!("constant <{element}: {number}> : {}", made.ty()))
    }

    /// A value of the same type.
    fn partner(&mut self, of: &RandomValue) -> RandomValue {
        let fitting = |made: &&RandomValue| made.shape == of.shape && made.element == of.element;
        let fitting: Vec<RandomValue> = self.made.iter().filter(fitting).cloned().collect();
        match self.random.below(4) {
            0 => self.constant(&of.shape, of.element),
            _ => fitting[self.random.below(fitting.len() as u64) as usize].clone(),
        }
    }

    fn reshape(&mut self, from: &RandomValue, shape: &[u64]) -> RandomValue {
        let to = RandomValue { shape: shape.to_vec(), ..from.clone() };
        self.add(shape, from.element, &format!("reshape %{} : {} -> {}", from.name, from.ty(), to.ty()))
    }

    /// The same elements in a random shape, in which some dimensions can be one.
    fn reshaped(&mut self) -> RandomValue {
        let from = self.pick();
        let (mut rest, mut shape) = (from.count(), Vec::new());
        while rest > 1 || self.random.below(4) == 0 {
            if shape.len() == 4 {
                shape.push(rest);
                break;
            }
            let extent = 1u64 << self.random.below(u64::from(rest.ilog2()) + 1);
            shape.push(extent);
            rest /= extent;
        }
        self.reshape(&from, &shape)
    }

    fn broadcast(&mut self) {
        let from = if self.random.below(2) == 0 { self.pick() } else { self.reshaped() };
        let mut to = from.clone();
        for extent in &mut to.shape {
            if *extent == 1 {
                *extent = self.random.pick(&[1, 2, 4, 16, 64]);
            }
        }
        if to.count() <= LARGEST {
            self.add(&to.shape, from.element, &format!("broadcast %{} : {} -> {}", from.name, from.ty(), to.ty()));
        }
    }

    fn binary(&mut self) {
        let a = self.pick();
        let (b, op) = (self.partner(&a), self.random.pick(&["addi", "addi", "subi", "muli"]));
        self.add(&a.shape, a.element, &format!("{op} %{}, %{} : {}", a.name, b.name, a.ty()));
    }

    fn widen(&mut self) {
        let (from, to) = (self.pick(), self.random.pick(&INTEGERS));
        let sign = self.random.pick(&["signed", "unsigned"]);
        if to.len() > from.element.len() || (to.len() == from.element.len() && to > from.element) {
            let op = format!("exti %{} {sign} : {} -> {}", from.name, from.ty(), from.of(to));
            self.add(&from.shape, to, &op);
        }
    }

    /// A comparison, which is printed.
    fn compare(&mut self) -> (RandomValue, String) {
        let a = self.pick();
        let (b, name) = (self.partner(&a), self.name());
        let predicate = self.random.pick(&["equal", "not_equal", "less_than", "less_than_or_equal", "greater_than"]);
        let sign = self.random.pick(&["signed", "unsigned"]);
        self.text +=
            &format!("%{name} = cmpi {predicate} %{}, %{}, {sign} : {} -> {}\n", a.name, b.name, a.ty(), a.of("i1"));
        self.text += &format!("print_tko \"%d\\n\", %{name} : {} -> token\n", a.of("i1"));
        (a, name)
    }

    fn permute(&mut self) {
        let from = self.pick();
        let mut order: Vec<usize> = (0..from.shape.len()).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, self.random.below(place as u64 + 1) as usize);
        }
        let shape: Vec<u64> = order.iter().map(|&dim| from.shape[dim]).collect();
        if shape.len() > 1 {
            let to = RandomValue { shape: shape.clone(), ..from.clone() };
            self.add(&shape, from.element, &format!("permute %{} {order:?} : {} -> {}", from.name, from.ty(), to.ty()));
        }
    }

    fn join_and_cut(&mut self) {
        let from = self.pick();
        let Some(dim) = (0..from.shape.len()).find(|&dim| from.shape[dim] > 1) else { return };
        let mut to = from.clone();
        if self.random.below(2) == 0 && 2 * from.count() <= LARGEST {
            let other = self.partner(&from);
            to.shape[dim] *= 2;
            let types = format!("{}, {} -> {}", from.ty(), from.ty(), to.ty());
            self.add(&to.shape, from.element, &format!("cat %{}, %{} dim = {dim} : {types}", from.name, other.name));
        } else {
            to.shape[dim] /= 2;
            let index = self.name();
            self.text += &format!("%{index} = constant <i32: {}> : tile<i32>\n", self.random.below(2));
            let zeros = from.shape.iter().enumerate().map(|(at, _)| if at == dim { &index } else { "zero" });
            let indices: Vec<String> = zeros.map(|name| format!("%{name}")).collect();
            let op = format!("extract %{}[{}] : {} -> {}", from.name, indices.join(", "), from.ty(), to.ty());
            self.add(&to.shape, from.element, &op);
        }
    }

    /// A loop that carries a value.
    fn carry(&mut self) {
        let a = self.pick();
        let (b, result, inner) = (self.partner(&a), self.name(), self.name());
        let ty = a.ty();
        self.text += &format!(
            "%{result} = for %k{result} in (%zero to %three, step %one) : tile<i32> iter_values(%{inner} = %{}) -> ({ty}) {{\n\
            %n{inner} = addi %{inner}, %{} : {ty}\ncontinue %n{inner} : {ty}\n}}\n",
            a.name, b.name
        );
        self.made.push(RandomValue { name: result, ..a });
    }

    /// Loads through indices, in a loop that moves them if they are carried, and stores the loaded values.
    fn access(&mut self) {
        let index = if self.random.below(4) == 0 { self.compare().0 } else { self.pick() };
        // Two 4-bit elements share a byte, so a tile cannot have a single one.
        let buffers = if index.count() == 1 { &BUFFERS[..3] } else { &BUFFERS };
        let (buffer, element, _, conversion) = self.random.pick(buffers);
        let [name, into] = [self.name(), self.name()];
        let (pointers, tile, offsets) = (index.of(&format!("ptr<{element}>")), index.of(element), index.ty());
        let print = |name: &str| {
            let print = |conversion| format!("print_tko \"{conversion}\\n\", %{name} : {tile} -> token\n");
            conversion.map(print).unwrap_or_default()
        };
        let ones = RandomValue { shape: vec![1; index.shape.len()], ..index.clone() };
        let (ones, pointer) = (ones.of(&format!("ptr<{element}>")), format!("tile<ptr<{element}>>"));
        self.text += &format!(
            "%{name}m = offset %{buffer}, %middle : {pointer}, tile<i32> -> {pointer}\n\
            %{name}r = reshape %{name}m : {pointer} -> {ones}\n%{name}b = broadcast %{name}r : {ones} -> {pointers}\n\
            %{name}p = offset %{name}b, %{} : {pointers}, {offsets} -> {pointers}\n",
            index.name
        );
        if self.random.below(3) == 0 {
            let step = self.partner(&index);
            self.text += &format!(
                "%{name}q = for %k{name} in (%zero to %three, step %one) : tile<i32> iter_values(%{name}c = %{name}p) \
                -> ({pointers}) {{\n%{name}l, %{name}t = load_ptr_tko weak %{name}c : {pointers} -> {tile}, token\n\
                {}%{name}n = offset %{name}c, %{} : {pointers}, {offsets} -> {pointers}\ncontinue %{name}n : {pointers}\n}}\n",
                print(&format!("{name}l")),
                step.name
            );
        } else {
            self.text += &format!("%{name}q = reshape %{name}p : {pointers} -> {pointers}\n");
        }
        let (mask, masked) = if self.random.below(3) == 0 {
            let mut made = self.compare();
            for _ in 0..8 {
                if made.0.shape != index.shape {
                    made = self.compare();
                }
            }
            if made.0.shape == index.shape {
                (format!(", %{}", made.1), format!(", {}", index.of("i1")))
            } else {
                Default::default()
            }
        } else {
            Default::default()
        };
        self.text += &format!(
            "%{into}, %{into}t = load_ptr_tko weak %{name}q{mask} : {pointers}{masked} -> {tile}, token\n\
            {}%{into}s = store_ptr_tko weak %{name}p, %{into}{mask} : {pointers}, {tile}{masked} -> token\n",
            print(&into)
        );
    }

    fn step(&mut self) {
        match self.random.below(16) {
            0 | 1 => {
                let (count, element) = (self.random.pick(&[2, 4, 16, 64, 128]), self.random.pick(&INTEGERS));
                self.add(&[count], element, &format!("iota : tile<{count}x{element}>"));
            }
            2 | 3 => drop(self.reshaped()),
            4..=6 => self.broadcast(),
            7..=9 => self.binary(),
            10 => self.widen(),
            11 => drop(self.compare()),
            12 => self.permute(),
            13 => self.join_and_cut(),
            14 => self.carry(),
            _ => self.access(),
        }
    }
}

/// A program whose values are all printed.
fn random_program(random: &mut Numbers) -> String {
    let text = format!(
        "%zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n%three = constant <i32: 3> : tile<i32>\n\
        %middle = constant <i32: {}> : tile<i32>\n%i = iota : tile<16xi32>\n",
        LENGTH / 2
    );
    let first = RandomValue { name: "i".into(), shape: vec![16], element: "i32" };
    let mut generator = Generator { random, text, made: vec![first], names: 0 };
    for _ in 0..8 + generator.random.below(24) {
        generator.step();
    }
    generator.access();
    let Generator { mut text, made, .. } = generator;
    for made in made {
        text += &format!("print_tko \"%d\\n\", %{} : {} -> token\n", made.name, made.ty());
    }
    text
}

#[test]
fn random_indices_match_an_observed_run() {
    let mut random = Numbers(11);
    let buffers = BUFFERS.map(|(_, _, element, _)| {
        let numbers =
            (0..LENGTH).map(|index| (if element == Element::F4E2M1FN { index % 5 } else { index % 113 }) as f64);
        (element, numbers.collect::<Vec<f64>>())
    });
    let clean = (0..300).filter(|_| alike(PARAMETERS, &random_program(&mut random), [1; 3], &buffers).is_ok()).count();
    assert!((100..300).contains(&clean), "{clean} programs without a finding");
}

/// The value `%name` of 16x64 indices: `first`, plus `row` per row and `step` per column.
fn indices(name: &str, first: i64, row: i64, step: i64) -> String {
    let ty = "tile<16x64xi32>";
    let mut text = String::new();
    for (part, count, shape, factor) in [("r", 16, "16x1", row), ("s", 64, "1x64", step)] {
        text += &format!(
            "%{name}{part}i = iota : tile<{count}xi32>\n\
            %{name}{part}h = reshape %{name}{part}i : tile<{count}xi32> -> tile<{shape}xi32>\n\
            %{name}{part}b = broadcast %{name}{part}h : tile<{shape}xi32> -> {ty}\n\
            %{name}{part}f = constant <i32: {factor}> : {ty}\n\
            %{name}{part} = muli %{name}{part}b, %{name}{part}f : {ty}\n"
        );
    }
    text + &format!(
        "%{name}f = constant <i32: {first}> : {ty}\n%{name}u = addi %{name}r, %{name}s : {ty}\n\
        %{name} = addi %{name}u, %{name}f : {ty}\n"
    )
}

/// Pointers `%pointers` derived from the parameter `base`.
fn pointers_from(pointers: &str, base: &str, indices: &str) -> String {
    format!(
        "%{pointers}h = reshape %{base} : tile<ptr<f32>> -> tile<1x1xptr<f32>>\n\
        %{pointers}b = broadcast %{pointers}h : tile<1x1xptr<f32>> -> tile<16x64xptr<f32>>\n\
        %{pointers} = offset %{pointers}b, %{indices} : tile<16x64xptr<f32>>, tile<16x64xi32> -> tile<16x64xptr<f32>>\n"
    )
}

const TILE: &str = "tile<16x64xf32>";

/// Fused ops that load, compute and store, and a store that cannot be fused: the number of each element. If several
/// elements are stored to one address, the last one counts.
#[test]
fn distant_adjacent_and_overlapping_rows_and_columns() {
    let distances = [
        (64, 1),
        (100, 1),
        (10, 1),
        (0, 1),
        (-64, 1),
        (-10, 1),
        (64, -1),
        (1, 16),
        (1, 20),
        (1, 8),
        (1, -16),
        (-1, 16),
        (1, 1),
        (1, 0),
        (0, 0),
        (3, 50),
        (2, 32),
        (200, 2),
    ];
    for (row, step) in distances {
        let first = 4000;
        let body = indices("at", first, row, step)
            + &pointers_from("p", "from", "at")
            + &pointers_from("q", "to", "at")
            + &pointers_from("o", "order", "at")
            + &format!(
                "%v, %t = load_ptr_tko weak %p : tile<16x64xptr<f32>> -> {TILE}, token\n%r = mulf %v, %v : {TILE}\n\
                %s = store_ptr_tko weak %q, %r : tile<16x64xptr<f32>>, {TILE} -> token\n\
                %i = iota : tile<1024xi32>\n%f = itof %i signed : tile<1024xi32> -> tile<1024xf32>\n\
                %g = reshape %f : tile<1024xf32> -> {TILE}\n\
                %e = store_ptr_tko weak %o, %g : tile<16x64xptr<f32>>, {TILE} -> token\n\
                %w, %u = load_ptr_tko weak %o token = %e : tile<16x64xptr<f32>> -> {TILE}, token\n\
                print_tko \"%f\\n\", %w : {TILE} -> token"
            );
        let place = |index: i64| (first + index / 64 * row + index % 64 * step) as usize;
        let from: Vec<f64> = (0..8000).map(|index| f64::from(index % 109)).collect();
        let (mut to, mut order) = (vec![0.0; 8000], vec![0.0; 8000]);
        for index in 0..1024 {
            to[place(index)] = from[place(index)] * from[place(index)];
            order[place(index)] = index as f64;
        }
        let buffer = |contents: Vec<f64>| (Element::F32, contents);
        let zeros = || buffer(vec![0.0; 8000]);
        let parameters = ["order", "to", "from"].map(|name| format!("%{name}: tile<ptr<f32>>")).join(", ");
        let found = alike(&parameters, &body, [1; 3], &[zeros(), zeros(), buffer(from.clone())]);
        assert_eq!(found, Ok(order), "{row} {step}");
        let parameters = ["to", "order", "from"].map(|name| format!("%{name}: tile<ptr<f32>>")).join(", ");
        let found = alike(&parameters, &body, [1; 3], &[zeros(), zeros(), buffer(from)]);
        assert_eq!(found, Ok(to), "{row} {step}");
    }
}

/// Blocks whose tiles are adjacent rows, distant rows, or columns.
#[test]
fn tiles_of_rows_in_many_blocks() {
    for (row, step, block) in [(64, 1, 1024), (100, 1, 1600), (1, 16, 1024), (300, 1, 64)] {
        let grid = if block == 64 { 4 } else { 70 };
        let body = format!(
            "%x, %y, %z = get_tile_block_id : tile<i32>\n%apart = constant <i32: {block}> : tile<i32>\n\
            %begin = muli %x, %apart : tile<i32>\n\
            %a = offset %from, %begin : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>\n\
            %b = offset %to, %begin : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>\n"
        ) + &indices("at", 0, row, step)
            + &pointers_from("p", "a", "at")
            + &pointers_from("q", "b", "at")
            + &format!(
                "%v, %t = load_ptr_tko weak %p : tile<16x64xptr<f32>> -> {TILE}, token\n%r = addf %v, %v : {TILE}\n\
                %s = store_ptr_tko weak %q, %r : tile<16x64xptr<f32>>, {TILE} -> token"
            );
        let from: Vec<f64> = (0..grid * block + 16 * row).map(|index| (index % 997) as f64).collect();
        let mut to = vec![0.0; from.len()];
        for (x, index) in (0..grid).flat_map(|x| (0..1024).map(move |index| (x, index))) {
            let place = (x * block + index / 64 * row + index % 64 * step) as usize;
            to[place] = 2.0 * from[place];
        }
        let buffers = [(Element::F32, vec![0.0; from.len()]), (Element::F32, from)];
        let found = alike("%to: tile<ptr<f32>>, %from: tile<ptr<f32>>", &body, [grid as u32, 1, 1], &buffers);
        assert_eq!(found, Ok(to), "{row} {step} {block}");
    }
}

/// The finding for addresses that are out of bounds or misaligned is about the first element.
#[test]
fn the_first_invalid_pointer_is_reported() {
    let store = "%v, %t = load_ptr_tko weak %p : tile<16x64xptr<f32>> -> tile<16x64xf32>, token\n\
        %s = store_ptr_tko weak %p, %v token = %t : tile<16x64xptr<f32>>, tile<16x64xf32> -> token";
    for (first, row, step, outside) in
        [(0, 1, 16, None), (1, 64, 1, Some(1024)), (1, 1, 16, Some(1024)), (15, -1, 16, None), (14, -1, 16, Some(-1))]
    {
        let body = indices("at", first, row, step) + &pointers_from("p", "from", "at") + store;
        let found = alike("%from: tile<ptr<f32>>", &body, [1; 3], &[(Element::F32, vec![1.0; 1024])]);
        let message = outside.map(|index| format!("pointer-outside-allocation: this reads element {index} of"));
        match message {
            Some(message) => assert!(found.clone().is_err_and(|found| found.starts_with(&message)), "{found:?}"),
            None => assert_eq!(found, Ok(vec![1.0; 1024])),
        }
    }
    let body =
        "%two = constant <i32: 2> : tile<i32>\n%m = offset %bytes, %two : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>\n\
        %from = ptr_to_ptr %m : tile<ptr<i8>> -> tile<ptr<f32>>\n"
            .to_string()
            + &indices("at", 0, 64, 1)
            + &pointers_from("p", "from", "at")
            + store;
    let found = alike("%bytes: tile<ptr<i8>>", &body, [1; 3], &[(Element::I8, vec![1.0; 4096])]);
    assert!(found.clone().is_err_and(|found| found.starts_with("misaligned-pointer")), "{found:?}");
}
