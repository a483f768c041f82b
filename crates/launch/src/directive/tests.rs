use super::super::expect::{FINDINGS, GradientCheck};
use super::super::gradient::{Gradient, Operand};
use super::super::{Address, Init, Number, expr::parse_expr};
use super::*;
use proptest::prelude::*;
use tile_dialect::Element;

const EXAMPLE: &str = r#"// Adds two vectors.
//@ launch "small" grid=(8, 1, 1)
//@   %a = f32[1024] uniform(-1, 1, seed=1)
//@   %b = f32[1024] iota
//@   %c = f32[1024] zeros
//@   %n = 1024
//@ expect %c ~= %a + %b
//@ expect print "done\n"
entry @vadd(%a: tile<ptr<f32>>)
"#;

fn read(text: &str) -> Directives {
    parse(text, 0..text.len())
}

/// The text in the ranges of the errors, their messages and the help.
fn errors(text: &str) -> Vec<(String, String, String)> {
    let found = read(text).errors.into_iter();
    found.map(|error| (text[error.range].to_string(), error.message, error.help.unwrap_or_default())).collect()
}

fn error(text: &str) -> (String, String, String) {
    let mut errors = errors(text);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

#[test]
fn the_example_of_the_documentation() {
    let found = read(EXAMPLE);
    assert_eq!(found.errors, []);
    let [launch] = &found.launches[..] else { panic!("{:?}", found.launches) };
    assert_eq!(launch.name.as_deref(), Some("small"));
    assert_eq!(launch.grid, [8, 1, 1]);
    assert_eq!(launch.args.iter().map(|arg| &arg.name[..]).collect::<Vec<_>>(), ["a", "b", "c", "n"]);
    assert_eq!(launch.arg("n").unwrap().spec, Spec::Scalar(Number::Whole(1024)));
    assert_eq!(&EXAMPLE[launch.args[1].range.clone()], "%b = f32[1024] iota");
    assert_eq!(&EXAMPLE[launch.expects[0].range()], "expect %c ~= %a + %b");
    assert_eq!(launch.expects[0].output(), Some("c"));
    let lines = &EXAMPLE[launch.range.clone()];
    assert!(lines.starts_with("launch \"small\"") && lines.ends_with("print \"done\\n\""));
}

#[test]
fn printing_a_launch_reproduces_its_lines() {
    let launch = read(EXAMPLE).launches.remove(0);
    let start = EXAMPLE.find("//@").unwrap();
    let end = EXAMPLE.find("entry").unwrap();
    assert_eq!(launch.to_string(), EXAMPLE[start..end]);
}

#[test]
fn only_the_block_is_read() {
    let start = EXAMPLE.find("//@   %b").unwrap();
    let end = EXAMPLE.find("//@   %n").unwrap();
    assert_eq!(parse(EXAMPLE, start..end).errors.len(), 2);
    assert_eq!(parse(EXAMPLE, 0..0), Directives::default());
    #[allow(clippy::reversed_empty_ranges)]
    for odd in [5..2, 0..10_000, 9_000..10_000] {
        assert_eq!(parse(EXAMPLE, odd), Directives::default());
    }
    assert_eq!(parse("//@ é", 0..5), Directives::default(), "within a character");
    assert_eq!(read("// launch\n/// //@ launch\ntext //@ launch\n"), Directives::default());
}

#[test]
fn an_entry_can_have_several_launches() {
    let text = "//@ launch\n//@ launch \"b\" grid=2\r\n//@   %n = 1\r\n  //@launch grid=(3,4)\n//@ %n=2";
    let found = read(text);
    assert_eq!(found.errors, []);
    let grids: Vec<_> = found.launches.iter().map(|launch| launch.grid).collect();
    assert_eq!(grids, [[1, 1, 1], [2, 1, 1], [3, 4, 1]]);
    assert_eq!(&text[found.launches[1].range.clone()], "launch \"b\" grid=2\r\n//@   %n = 1");
    assert_eq!(found.launches[2].args.len(), 1);
    assert_eq!(read("//@ launch grid=(16777215, 1, 1)").launches[0].grid[0], MAX_GRID);
}

#[test]
fn operators_and_tolerances_continue_a_line() {
    let found = read(
        "//@ launch\n//@   %x = f32[2, 2] iota\n//@ expect %x ~=\n//@   %x @ %x\n//@   @ %x +\n//@   %x\n\
         //@   rtol=1e-3 atol=0\n//@ expect %x\n//@   == %x\n//@ expect %x ~=\n//@   %x = f32[2] ones\n",
    );
    let expects: Vec<String> = found.launches[0].expects.iter().map(ToString::to_string).collect();
    assert_eq!(expects, ["%x ~= %x @ %x @ %x + %x rtol=0.001 atol=0.0", "%x == %x"]);
    assert_eq!(found.errors.len(), 2, "a missing formula and an argument that is given twice: {:?}", found.errors);
}

#[test]
fn open_brackets_continue_on_the_next_line() {
    let text = "//@ launch\n//@ %a = i32[2, 2] [[1, 2],\n//@      [3, 4]]\n//@ %n = 3\n\
                //@ expect %a == (%a +\n//@   %n - %n)\n//@ expect print \"[\"\n//@ expect error R0107\n";
    let found = read(text);
    assert_eq!(found.errors, []);
    let launch = &found.launches[0];
    assert_eq!((launch.args.len(), launch.expects.len()), (2, 3));
    let Spec::Buffer { init: Init::Values(values), .. } = &launch.args[0].spec else { panic!() };
    assert_eq!(values[3], Number::Whole(4));
    assert_eq!(launch.expects[0].to_string(), "%a == (%a + %n - %n)");
    assert_eq!(read(&launch.to_string()).launches[0].clone().without_ranges(), launch.clone().without_ranges());
}

#[test]
fn an_unclosed_bracket_invalidates_only_its_own_line() {
    let found = read("//@ launch\n//@ %a = i32[2] [1,\n//@ %b = f32[1] zeros\n//@ expect %b == (1\n//@ launch\n");
    assert_eq!(found.errors.len(), 2);
    assert_eq!((found.launches.len(), found.launches[0].args.len()), (2, 1));
}

#[test]
fn errors_in_lines_are_helpful() {
    let (place, message, help) = error("//@ lunch \"small\"\n");
    assert_eq!((&place[..], &message[..], &help[..]), ("lunch", "unknown directive `lunch`", "did you mean `launch`?"));
    assert_eq!(error("//@ launch gird=(1)").2, "did you mean `grid`?");
    assert_eq!(error("//@ launch small").2, "names are quoted: `launch \"small\"`");
    assert_eq!(error("//@ launch grid=(0, 1)").1, "an extent of the grid must be between 1 and 16777215, found 0");
    assert_eq!(error("//@ launch grid=(1, 2, 3, 4)").2, "a grid has up to three extents: `grid=(8, 4, 2)`");
    assert_eq!(error("//@ launch grid=1 grid=2").1, "the grid is given twice");
    assert_eq!(error("//@ launch\n//@ a = 1").2, "did you mean `%a`?");
    assert_eq!(error("//@ %a = 1").2, "write `//@ launch` above it");
    assert_eq!(error("//@ launch\n//@ %a = f32[4] zeroes").0, "zeroes");
    assert_eq!(error("//@ launch\n//@ %a = 1\n//@ %a = 2").1, "`%a` is given twice in this launch");
    assert_eq!(error("//@ launch\n//@ %a 1").1, "expected `=`, found `1`");
    assert_eq!(error("//@ launch\n//@ %a =").1, "expected a number or a buffer, but the line ends here");
    assert_eq!(error("//@ launch \"a\"\n//@ launch \"a\"").1, "there is already a launch \"a\"");
    assert_eq!(error("//@ launch \"\"").1, "the name is empty");
    assert_eq!(error("//@").1, "expected a directive, but the line ends here");
    assert_eq!(error("//@ launch\n//@ expect").1, "expected an expectation, but the line ends here");
}

#[test]
fn errors_in_expectations_are_helpful() {
    let error = |line: &str| error(&format!("//@ launch\n//@ %c = f32[1] ones\n//@ expect {line}"));
    assert_eq!(error("c == 1").2, "did you mean `%c`?");
    assert_eq!(error("prnt \"x\"").2, "did you mean `print`?");
    assert_eq!(error("%c = 1").1, "expected `~=` or `==`, found `=`");
    assert_eq!(error("%c 1").2, "`~=` compares within a tolerance, `==` exactly");
    let (place, message, help) = error("%c[1:] >= %c[:-1] == 1");
    assert_eq!((&place[..], &message[..]), (">=", "expected `~=` or `==`, found `>=`"));
    assert_eq!(help, "put the comparison in parentheses: `(%c[1:] >= …) == 1`");
    let (place, message, help) = error("%c + 1 == %c == 1");
    assert_eq!((&place[..], &message[..]), ("==", "comparisons cannot be chained"));
    assert_eq!(help, "put one of them in parentheses: `(%c + 1 == %c) == …`");
    assert_eq!(error("meann(%c) == 1").2, "did you mean `mean`?");
    assert_eq!(error("mean(%c").1, "expected `)`, but the line ends here");
    assert_eq!(error("%c[x] == 1").1, "expected an index or a slice such as `0:4`, found `x`");
    assert_eq!(error("%c == 1 rtol=1").1, "`==` compares exactly and has no tolerance");
    assert_eq!(error("%c ~= 1 rtl=1").2, "did you mean `rtol`?");
    assert_eq!(error("%c ~= 1 rtol=-1").0, "-1");
    assert_eq!(error("%c ~= 1 rtol=1 rtol=2").1, "`rtol` is given twice");
    assert_eq!(error("print done").1, "expected a string in double quotes, found `done`");
    assert_eq!(error("error").1, "expected the code of a finding, such as `R0107`, but the line ends here");
    assert_eq!(error("error R0302 R0107").1, "unexpected `R0107`");
    assert_eq!(error("error R0307").2, "did you mean `R0301`?");
    for code in ["foo", "R9999", "E0101"] {
        let (place, message, help) = error(&format!("error {code}"));
        assert_eq!((place, message), (code.to_string(), format!("unknown finding `{code}`")));
        assert!(help.contains("`tile explain`"), "{help}");
    }
}

#[test]
fn a_forward_line_names_an_entry_and_its_grid() {
    let text = "//@ launch\n//@ %x = f32[1] ones\n//@ forward @loss.2 grid=(2, 3)\n//@ expect grad(%x, %x) ~= 1\n";
    let launch = read(text).launches.remove(0);
    let forward = launch.forward.expect("a forward kernel");
    assert_eq!((&forward.entry[..], forward.grid, &text[forward.range]), ("loss.2", [2, 3, 1], "@loss.2"));
    let quoted = read("//@ launch\n//@ forward @\"a b\"").launches.remove(0);
    assert_eq!(quoted.forward.map(|forward| forward.to_string()), Some("forward @\"a b\"".to_string()));
    let error = |line: &str| error(&format!("//@ launch\n//@ {line}"));
    assert_eq!(error("forward loss").1, "expected an entry such as `@k`, found `loss`");
    assert_eq!(error("forward").2, "write `forward @name grid=(8, 1, 1)`");
    assert_eq!(error("forward @").1, "a name must follow `@`");
    assert_eq!(error("forward @k gird=(1)").1, "expected `grid=` or nothing, found `gird`");
    assert_eq!(error("forward @k\n//@ forward @l").1, "the forward kernel is given twice in this launch");
    assert_eq!(error("foward @k").2, "did you mean `forward`?");
    assert_eq!(errors("//@ forward @k")[0].2, "write `//@ launch` above it");
}

#[test]
fn a_gradient_is_a_side_of_an_expectation() {
    let expect = |line: &str| {
        let found = read(&format!("//@ launch\n//@ expect {line}\n"));
        assert_eq!(found.errors, []);
        found.launches[0].expects[0].clone()
    };
    for line in ["grad(%loss, %x) ~= 2 * %dx rtol=0.1", "%dx[0:4] ~= grad(%y, %x, %dy)", "grad(%y, %x) ~= %a > 0"] {
        let expect = expect(line);
        assert!(expect.gradient().is_some() && expect.to_string() == line, "{line}");
        assert_eq!(expect.output(), None, "its tolerance is not that of the kernel");
    }
    let error = |line: &str| error(&format!("//@ launch\n//@ expect {line}"));
    let whole = "`grad` must be a whole side of an expectation";
    for (line, place) in [
        ("2 * grad(%y, %x) ~= 1", "grad"),
        ("%dx ~= 2 * grad(%y, %x)", "grad"),
        ("grad(%y, %x) * 2 ~= 1", "*"),
        ("%dx ~= grad(%y, %x) + 1", "+"),
        ("grad(%y, %x)[0] ~= 1", "["),
    ] {
        let (found, message, _) = error(line);
        assert_eq!((&found[..], &message[..]), (place, whole), "{line}");
    }
    assert_eq!(error("grad(%y, %x) == %dx").1, "a gradient by finite differences is not exact");
    assert_eq!(error("%dx == grad(%y, %x)").2, "compare with `~=`");
    assert_eq!(error("grad(%y, %x) ~= grad(%z, %x)").1, "only one side of an expectation can be a gradient");
    assert_eq!(error("grad(%y) ~= 1").1, "expected `,`, found `)`");
    assert_eq!(
        error("grad(%y[0], %x) ~= 1").2,
        "write `grad(%loss, %x)` or `grad(%y, %x, %dy)`, with names of buffers"
    );
    assert_eq!(error("grad(%y, %x) 1").1, "expected `~=`, found `1`");
}

#[test]
fn a_malformed_line_does_not_affect_other_lines() {
    let found = read(&EXAMPLE.replace("iota", "iotta").replace("~=", "~~"));
    assert_eq!(found.errors.len(), 2);
    assert!(found.errors[0].range.start < found.errors[1].range.start);
    assert_eq!((found.launches[0].args.len(), found.launches[0].expects.len()), (3, 1));
}

#[test]
fn each_error_belongs_to_its_launch() {
    let text = "//@ launch \"a\"\n//@ b = 1\n//@ launch \"b\"\n//@ lanch\n//@ %a = 1\n//@ expect %a == \n";
    let found = read(text);
    let counts: Vec<usize> = found.launches.iter().map(|launch| found.errors_in(launch).count()).collect();
    assert_eq!(counts, [1, 0, 2]);
    assert_eq!(found.launches[2].args.len(), 1, "lines below a misspelled `launch` do not belong to the launch above");
}

#[test]
fn files_of_arguments_and_formulas_are_listed() {
    let text = "//@ launch\n//@ %a = f32[1] npy(\"b.npy\")\n//@ expect %a == npy(\"a.npy\") + npy(\"b.npy\")";
    assert_eq!(read(text).launches[0].files(), ["a.npy", "b.npy"]);
}

#[test]
fn launches_can_be_serialized() {
    let found = read(EXAMPLE);
    let bytes = postcard::to_stdvec(&found).unwrap();
    assert_eq!(postcard::from_bytes::<Directives>(&bytes).unwrap(), found);
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(|value| Number::Whole(value.into())),
        any::<u64>().prop_map(|value| Number::Whole(value.into())),
        prop::num::f64::NORMAL.prop_map(Number::Real),
        Just(Number::Real(f64::NEG_INFINITY)),
        Just(Number::Real(-0.0)),
    ]
}

fn init() -> impl Strategy<Value = Init> {
    prop_oneof![
        Just(Init::Zeros),
        Just(Init::Ones),
        Just(Init::Iota),
        number().prop_map(Init::Fill),
        (-1e6..0f64, 0.5..1e6f64, any::<u64>()).prop_map(|(low, high, seed)| Init::Uniform {
            low: Number::Real(low),
            high: Number::Real(high),
            seed
        }),
        (-100..100i128, 0..100i128, any::<u64>()).prop_map(|(mean, deviation, seed)| Init::Normal {
            mean: Number::Whole(mean),
            deviation: Number::Whole(deviation),
            seed
        }),
        "\\PC{1,12}".prop_map(Init::Npy),
    ]
}

fn buffer() -> impl Strategy<Value = Spec> {
    let shape = prop::collection::vec(0u64..4, 0..4);
    let element = prop::sample::select(vec![Element::F32, Element::BF16, Element::F8E5M2, Element::F4E2M1FN]);
    let inits = prop::collection::vec(prop::option::of(init()), 1..4);
    (element, shape, any::<bool>(), any::<bool>(), inits, number()).prop_map(
        |(element, shape, strided, replicated, inits, n)| {
            let strides = strided.then(|| shape.iter().map(|extent| extent + 1).collect());
            let list = || Init::Values(vec![n; shape.iter().product::<u64>() as usize]);
            let (count, all) = (inits.len() as u64, inits.into_iter());
            let init = if replicated && count > 1 {
                Init::Replicas(all.map(|init| init.unwrap_or_else(list)).collect())
            } else {
                let list = if shape.is_empty() || replicated { Init::Zeros } else { list() };
                all.flatten().next().unwrap_or(list)
            };
            Spec::Buffer { element, shape, strides, replicas: replicated.then_some(count), init }
        },
    )
}

fn address() -> impl Strategy<Value = Address> {
    let name = "[a-z_][a-z0-9_]{0,4}";
    let index = prop::collection::vec(0..100u64, 0..3);
    (name, any::<bool>(), index, -1000..1000i64).prop_map(|(of, multicast, index, offset)| {
        let index = if multicast { Vec::new() } else { index };
        Address { of, multicast, index, offset, range: 0..0 }
    })
}

fn addresses() -> impl Strategy<Value = Spec> {
    prop::collection::vec(prop_oneof![address().prop_map(Ok), (0..9i128).prop_map(Err)], 1..5).prop_map(|entries| {
        let number = |entry: &Result<Address, i128>| Number::Whole(entry.as_ref().err().copied().unwrap_or(0));
        let values: Vec<Number> = entries.iter().map(number).collect();
        let addresses: Vec<(usize, Address)> =
            entries.into_iter().enumerate().filter_map(|(place, entry)| Some((place, entry.ok()?))).collect();
        let shape = vec![values.len() as u64];
        let init = if addresses.is_empty() { Init::Values(values) } else { Init::Addresses { values, addresses } };
        Spec::Buffer { element: Element::I64, shape, strides: None, replicas: None, init }
    })
}

fn formula() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "%a + %b * 2",
        "-softmax(%q @ transpose(%k) / sqrt(%d), axis=-1)[0:4, ::-1, None, ...]",
        "(where(%a.T != 1e-3, cast(%x, bf16), sum(%y, axis=(0, 1), keepdims=true)) ** 2 < 3)",
        "npy(\"a b.npy\", f8E5M2) + reshape(arange(8), [2, -1])",
        "%c",
        "%c[0:4, ::-1, None, ...]",
    ])
}

fn expectation() -> impl Strategy<Value = Expect> {
    let side = || formula().prop_map(|text| parse_expr(text, &[]).unwrap());
    let tolerance = || prop::option::of(0.0..1.0f64);
    let range = 0..0;
    prop_oneof![
        (side(), side(), tolerance(), tolerance()).prop_map({
            let range = range.clone();
            move |(left, right, rtol, atol)| Expect::Close { left, right, rtol, atol, range: range.clone() }
        }),
        (side(), side()).prop_map({
            let range = range.clone();
            move |(left, right)| Expect::Equal { left, right, range: range.clone() }
        }),
        (gradient(), side(), any::<bool>(), tolerance(), tolerance()).prop_map({
            let range = range.clone();
            move |(gradient, other, is_left, rtol, atol)| {
                Expect::Gradient(GradientCheck { gradient, other, is_left, rtol, atol, range: range.clone() })
            }
        }),
        any::<String>().prop_map({
            let range = range.clone();
            move |text| Expect::Print { text, range: range.clone() }
        }),
        prop::sample::select(&FINDINGS[..])
            .prop_map(move |code| Expect::Error { code: code.to_string(), range: range.clone() }),
    ]
}

fn forward() -> impl Strategy<Value = Forward> {
    let entry = prop_oneof!["[a-z$._-]{1,8}", "\\PC{1,8}"];
    (entry, 1..=MAX_GRID).prop_map(|(entry, x)| Forward { entry, grid: [x, 1, 2], range: 0..0 })
}

fn gradient() -> impl Strategy<Value = Gradient> {
    let operand = || "[a-z0-9_$]{1,8}".prop_map(|name| Operand { name, range: 0..0 });
    (operand(), operand(), prop::option::of(operand())).prop_map(|(of, by, weights)| Gradient {
        of,
        by,
        weights,
        range: 0..0,
    })
}

fn launch() -> impl Strategy<Value = Launch> {
    let spec = prop_oneof![buffer(), addresses(), number().prop_map(Spec::Scalar), address().prop_map(Spec::Address)];
    // In a formula, `%a.T` refers to an argument named `a.T` if there is one, and is an error if one is named `a.`.
    let name = "[a-z0-9_$.-]{1,8}".prop_filter("changes what a formula means", |name| !name.starts_with("a."));
    let args = prop::collection::btree_map(name, spec, 0..4);
    let grid = [1..=MAX_GRID, 1..=MAX_GRID, 1..=MAX_GRID];
    let name = prop::option::of("\\PC{1,12}");
    let expects = prop::collection::vec(expectation(), 0..4);
    let parts = (name, any::<bool>(), grid, args, prop::option::of(forward()), expects);
    parts.prop_map(|(name, is_bench, grid, args, forward, expects)| {
        let args = args.into_iter().map(|(name, spec)| Arg { name, spec, range: 0..0 }).collect();
        Launch { name, is_bench, grid, args, forward: forward.map(Box::new), expects, range: 0..0 }
    })
}

proptest! {
    #[test]
    fn a_printed_launch_parses_to_the_same_launch(launch in launch()) {
        let text = launch.to_string();
        let mut found = read(&text);
        prop_assert_eq!(&found.errors, &[], "{}", text);
        prop_assert_eq!(found.launches.len(), 1);
        prop_assert_eq!(found.launches.remove(0).without_ranges(), launch.without_ranges());
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in "(//@)?\\PC{0,40}(\n//@ (launch|expect|%a =)?\\PC{0,30}){0,3}") {
        let found = read(&text);
        for error in found.errors {
            prop_assert!(text.get(error.range.clone()).is_some(), "{error:?}");
        }
    }

    #[test]
    fn arbitrary_directive_tokens_do_not_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "\n//@ ", "launch", "bench", "expect", "%a", "=", "==", "~=", "f32", "[", "]", "4", ",", "(", ")", "zeros", "\"",
                "uniform", "seed", "grid", "print", "error", "iota", "npy", "-", "rtol", "i8", "strides", "\r\n//@", "\\",
                "&", "multicast", "replicas", "i64", "+", "forward", "@k", "grad", "%b",
            ]),
            0..30,
        )
    ) {
        let text = format!("//@ {}", tokens.join(" "));
        for error in read(&text).errors {
            prop_assert!(text.get(error.range.clone()).is_some(), "{error:?}");
        }
    }
}
