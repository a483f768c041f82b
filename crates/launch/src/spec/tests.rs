use super::*;

fn error(text: &str) -> (String, String, String) {
    let error = parse_spec(text).unwrap_err();
    (text[error.range].to_string(), error.message, error.help.unwrap_or_default())
}

fn message(text: &str) -> String {
    error(text).1
}

#[test]
fn specifications_round_trip() {
    for text in [
        "f32[1024] uniform(-1, 1, seed=1)",
        "f32[1024] iota",
        "i32[2, 3] [[1, 2, 3], [-4, 5, 6]]",
        "f16[] fill(inf)",
        "f8E4M3FN[4] normal(0.5, 2.0, seed=18446744073709551615)",
        "bf16[4, 4] strides=[8, 1] ones",
        "tf32[0] zeros",
        "i64[2, 0] [[], []]",
        "f64[1] npy(\"a \\\"b\\\".npy\")",
        "1024",
        "-1.5e-7",
        "nan",
        "f32[4] replicas=2 iota",
        "f32[2, 2] strides=[3, 1] replicas=2 [[[1, 2], [3, 4]], uniform(0, 1, seed=3)]",
        "f32[] replicas=2 [1, zeros]",
        "&%a",
        "&%a[2, 0] + 64",
        "&%a - 1",
        "multicast(%a)",
        "multicast(%a) + 8",
        "i64[2, 2] [[&%a, 100], [&%b[1] + 4, -1]]",
        "i64[2] replicas=2 [[&%a, multicast(%b)], zeros]",
    ] {
        let spec = parse_spec(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(spec.to_string(), text);
    }
}

#[test]
fn the_seed_is_optional() {
    let spec = parse_spec("f32[4] uniform(0, 1)").unwrap();
    assert_eq!(spec, parse_spec("f32[4]uniform(0,1,seed=0)").unwrap());
}

#[test]
fn misspellings_are_recognized() {
    assert_eq!(
        error("f32[4] zeroes"),
        ("zeroes".into(), "unknown initializer `zeroes`".into(), "did you mean `zeros`?".into())
    );
    assert_eq!(
        error("float32[4] zeros"),
        ("float32".into(), "unknown element type `float32`".into(), "did you mean `f32`?".into())
    );
    assert_eq!(error("f32[4] randn(0, 1)").2, "did you mean `normal(mean, sd, seed=n)`?");
    assert_eq!(error("f32[32x32] zeros").2, "extents are separated by commas: `f32[32, 64]`");
    assert_eq!(error("f32 zeros").2, "write `f32[1024]`, or `f32[]` for a single element");
}

#[test]
fn numbers_must_fit_the_element() {
    assert_eq!(error("i8[2] [1, 300]").0, "300");
    assert_eq!(message("i8[1] fill(1.5)"), "1.5 is not a whole number, and the element type is i8");
    assert_eq!(message("f8E8M0FNU[1] fill(-1)"), "f8E8M0FNU has no sign and cannot hold -1");
    assert_eq!(message("i8[1] uniform(0, 1000)"), "999 does not fit in i8 (-128 to 255)");
    assert!(parse_spec("i8[1] uniform(-128, 256)").is_ok());
    assert_eq!(message("i8[1] normal(0, 1)"), "`normal` produces fractions, but the element type is i8");
}

#[test]
fn lists_must_match_the_shape() {
    assert_eq!(
        error("i32[2, 2] [[1, 2], [3]]"),
        ("[3]".into(), "the list has 1 entries, but dimension 1 of [2, 2] is 2".into(), String::new())
    );
    assert_eq!(error("i32[2, 2] [1, 2, 3, 4]").2, "nest the list like the shape [2, 2]");
    assert_eq!(message("i32[2] [[1], [2]]"), "the list is nested deeper than the shape");
}

#[test]
fn invalid_addresses_and_replicas_are_errors() {
    assert_eq!(
        error("f32[2] [&%a, 1]"),
        (
            "&%a".into(),
            "an address is an i64, and the element type is f32".into(),
            "make it a buffer of `i64`; the kernel turns its elements into pointers".into()
        )
    );
    assert_eq!(error("&a").1, "expected an argument such as `%a`, found `a`");
    assert_eq!(
        error("multicast(%a)[1]"),
        (
            "[1]".into(),
            "a multicast address refers to all replicas at once".into(),
            "write `&%a[1]` for one of them".into()
        )
    );
    assert_eq!(message("&%a[-1]"), "an index must be between 0 and 9223372036854775807, found -1");
    assert_eq!(message("&%a[0:2]"), "expected `]`, found `:`");
    assert_eq!(message("&%a + 1.5"), "an offset in elements must be a whole number, not 1.5");
    assert_eq!(message("f32[4] replicas=0 zeros"), "the number of replicas must be between 1 and 1024, found 0");
    assert_eq!(message("f32[4] replicas=2 replicas=2 zeros"), "the replicas are given twice");
    assert_eq!(message("f32[4] strides=[1] strides=[1] zeros"), "the strides are given twice");
    assert_eq!(
        error("f32[1] replicas=3 [[1], zeros]"),
        (
            "[[1], zeros]".into(),
            "the list has 2 entries, but there are 3 replicas".into(),
            "write one entry for each replica".into()
        )
    );
    assert_eq!(error("f32[2] replicas=2 [1, 2]").2, "nest the list like the shape [2]");
    assert_eq!(message("f32[2] replicas=1 [[zeros]]"), "expected a number, found `zeros`");
    assert_eq!(error("f32[4] copies=2 zeros").2, "did you mean `replicas=2`?");
    for text in
        ["&", "&%", "multicast", "multicast(", "multicast(%a", "multicast %a", "&%a[", "&%a[1", "&%a +", "&%a b"]
    {
        assert!(parse_spec(text).is_err(), "{text}");
    }
}

#[test]
fn incomplete_specifications_are_errors() {
    for text in [
        "",
        "f32",
        "f32[",
        "f32[4",
        "f32[4]",
        "f32[4] fill",
        "f32[4] fill(",
        "f32[4] fill(1",
        "f32[4] uniform(1, 0)",
        "f32[4] npy()",
        "f32[4] npy(\"\")",
        "f32[-1] zeros",
        "f32[1.5] zeros",
        "f32[4] strides=[1, 2] zeros",
        "f32[4] strides=[0] zeros",
        "f32[4] zeros ones",
        "f32[4] [1, 2",
        "1 2",
        "%a",
        "f32[4] uniform(0, 1, 3)",
    ] {
        assert!(parse_spec(text).is_err(), "{text}");
    }
    assert_eq!(message("f32[4]"), "the initial contents of the buffer are missing");
    let deep = format!("f32[{}] zeros", "1,".repeat(100_000));
    assert_eq!(message(&deep), "a buffer can have at most 32 dimensions, found 100000");
    assert!(parse_spec(&format!("f32[1] {}", "[".repeat(100_000))).is_err());
}

#[test]
fn a_specification_can_be_serialized() {
    let spec = parse_spec("f8E5M2[2] [1, 2.5]").unwrap();
    let bytes = postcard::to_stdvec(&spec).unwrap();
    assert_eq!(postcard::from_bytes::<Spec>(&bytes), Ok(spec));
}
