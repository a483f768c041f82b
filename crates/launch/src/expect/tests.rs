use super::super::{Number, Value, parse, parse_spec};
use super::*;
use std::io;

fn no_files(_: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::other("there are no files here"))
}

fn value(spec: &str) -> Value {
    parse_spec(spec).unwrap().value(1 << 20, &no_files).unwrap()
}

fn expectation(text: &str) -> Expect {
    let text = format!("//@ launch\n//@ %c = f32[1] zeros\n//@ expect {text}\n");
    let found = parse(&text, 0..text.len());
    assert_eq!(found.errors, []);
    found.launches[0].expects[0].clone()
}

/// The outcome of an expectation if `%c` holds `got` after the run, and `%a` is 1, 2, 3, 4 before it.
fn check(got: &str, expect: &str) -> Outcome {
    outcome(got, expect).unwrap_or_else(|error| panic!("{expect}: {error}"))
}

fn outcome(got: &str, expect: &str) -> Result<Outcome, super::super::LaunchError> {
    let before = [("a".to_string(), value("f32[4] [1, 2, 3, 4]")), ("n".to_string(), Value::Scalar(Number::Whole(4)))];
    let after = [("c".to_string(), value(got)), ("n".to_string(), Value::Scalar(Number::Whole(4)))];
    let scope = super::super::expr::Scope { args: &before, files: &no_files, max_elements: 1 << 20 };
    let findings = ["R0107".to_string()];
    let after = After { args: &after, printed: "one\ntwo\n", findings: &findings };
    expectation(expect).check(&after, &scope)
}

fn passes(got: &str, expect: &str) -> bool {
    check(got, expect).passed
}

#[test]
fn close_means_within_the_tolerance_of_the_type() {
    assert!(passes("f32[4] [1, 2, 3, 4.00001]", "%c ~= %a"));
    assert!(!passes("f32[4] [1, 2, 3, 4.001]", "%c ~= %a"));
    assert!(passes("f32[4] [1, 2, 3, 4.001]", "%c ~= %a rtol=1e-3"));
    assert!(passes("f32[4] [1, 2, 3, 4.5]", "%c ~= %a atol=0.5 rtol=0"));
    assert!(passes("f16[4] [1, 2, 3, 4.003]", "%c ~= %a"));
    assert!(passes("bf16[4] [1, 2, 3, 4.03]", "%c ~= %a"));
    assert!(!passes("f64[4] [1, 2, 3, 4.00001]", "%c ~= %a"));
    assert!(passes("f8E4M3FN[4] [1, 2, 3, 4.5]", "%c ~= %a"));
    assert!(passes("i32[4] [1, 2, 3, 4]", "%c ~= %a"));
    assert!(!passes("i32[4] [1, 2, 3, 5]", "%c ~= %a"));
    assert!(passes("i32[4] [1, 2, 3, 5]", "%c ~= %a atol=1"));
    assert!(
        passes("f16[2] [inf, -inf]", "%c ~= 1e9 * %a[:2] * (1 - 2 * arange(2))"),
        "values that overflow to infinity"
    );
}

#[test]
fn equal_means_equal_after_rounding() {
    assert!(passes("f16[1] [0.1]", "%c == 0.1"));
    assert!(passes("f8E5M2[3] [inf, -inf, 57344]", "%c == [inf, -inf, 1e6]"));
    assert!(!passes("f8E5M2[1] [57344]", "%c == inf") && !passes("f8E5M2[1] [inf]", "%c == 1e6"));
    assert!(!passes("f32[1] [0.10000001]", "%c == 0.1 + 1e-7"));
    assert!(passes("f32[2] [nan, -0.0]", "%c == where(arange(2) == 0, nan, 0)"));
    assert!(passes("i8[1] [44]", "%c == 300"));
    assert!(passes("i64[1] [9007199254740993]", "%c == 9007199254740993"));
    assert!(!passes("i64[1] [9007199254740993]", "%c == 9007199254740992"));
    assert!(passes("f32[2] [inf, nan]", "%c ~= where(arange(2) == 0, inf, nan)"));
    assert!(!passes("f32[1] [1]", "%c ~= inf"));
    assert!(!passes("f32[1] [inf]", "%c ~= -inf"));
    assert!(!passes("f32[1] [nan]", "%c ~= 1"));
}

#[test]
fn the_formula_is_broadcast_to_the_output_but_not_the_reverse() {
    assert!(passes("f32[2, 2] ones", "%c == 1"));
    assert!(passes("f32[2, 2] strides=[4, 1] [[1, 2], [1, 2]]", "%c == %a[:2]"));
    let error = outcome("f32[1] ones", "%c == %a").unwrap_err();
    assert_eq!(error.message, "the formula has shape [4], but the output has shape [1]");
    assert!(outcome("f32[3] ones", "%c == %a").is_err());
}

#[test]
fn a_slice_of_the_output_is_compared() {
    assert!(passes("f32[2, 4] [[1, 2, 3, 4], [5, 6, 7, 8]]", "%c[0] == %a"));
    assert!(passes("f32[2, 4] [[1, 2, 3, 4], [5, 6, 7, 8]]", "%c[:, 1:3] == [[2, 3], [6, 7]]"));
    assert!(passes("f32[4] replicas=2 [[1, 2, 3, 4], zeros]", "%c[1] ~= 0"));
    let report = check("f32[2, 4] [[1, 2, 3, 4], [5, 6, 7, 8]]", "%c[1] == %a + 4 * (arange(4) < 3)");
    assert!(report.summary.starts_with("%c[1]: 1 of 4 elements differs, at [3] (f32, exactly)"), "{}", report.summary);
    let error = outcome("f32[4] ones", "%c[4] == 1").unwrap_err();
    assert_eq!(error.message, "index 4 is outside the extent 4 of [4]");
}

#[test]
fn the_left_side_can_be_a_formula_over_the_buffers_after_the_run() {
    assert!(passes("f32[2, 2] [[1, 2], [3, 4]]", "%c.T == [[1, 3], [2, 4]]"));
    assert!(passes("f32[4] [0.4, 0.6, 0.3, 0.7]", "mean(%c) ~= 0.5 atol=0.02"));
    assert!(passes("i32[4] [1, 1, 2, 9]", "(%c[1:] >= %c[:-1]) == 1"));
    assert!(passes("i32[4] [4, 3, 2, 1]", "sort(%c) == %a"), "the right side is before the run");
    assert!(passes("f32[4] [2, 4, 6, 8]", "%c / %n ~= %a / 2"), "numbers do not change");
    assert!(passes("f32[2] [1, 2]", "-%c == [-1, -2]"));
    assert!(!passes("i64[1] [9007199254740993]", "%c + 0 == 9007199254740992"), "whole numbers stay exact");
    assert!(passes("i32[2] [1, 2]", "mean(%c) == 1.5"));
    assert!(passes("i8[1] [44]", "%c + 0 == 44") && !passes("i8[1] [44]", "%c + 0 == 300"), "neither side is rounded");
    assert!(passes("f32[2] [nan, inf]", "%c * 1 == where(arange(2) == 0, nan, inf)"));
    let error = outcome("f32[2] ones", "sum(%c) ~= %a").unwrap_err();
    assert_eq!(error.message, "the right side has shape [4], but the left side has shape []");
    let error = outcome("f32[2] ones", "sum(%n) ~= 4").unwrap_err();
    assert_eq!(error.message, "`sum(%n)` refers to no buffer, so a run cannot change it");
    assert_eq!(outcome("f32[2] ones", "sum(%d) ~= 4").unwrap_err().message, "this launch has no argument `%d`");
    assert_eq!(outcome("f32[4] ones", "%c[4] * 2 == 1").unwrap_err().message, "index 4 is outside the extent 4 of [4]");
}

#[test]
fn the_least_precise_buffer_of_a_formula_determines_the_tolerance() {
    let after = [("c".to_string(), value("f32[1] ones")), ("d".to_string(), value("f16[1] ones"))];
    let scope = super::super::expr::Scope { args: &[], files: &no_files, max_elements: 1 << 20 };
    let after = After { args: &after, printed: "", findings: &[] };
    for (expect, start) in [
        ("%c + %d ~= 2", "%c + %d: all 1 elements agree (f16, rtol 0.001, atol 0.0001)"),
        ("2 * %c ~= 2", "2 * %c: all 1 elements agree (f32, rtol 1e-5, atol 1e-6)"),
        ("%d + %c ~= 2 atol=1", "%d + %c: all 1 elements agree (f16, rtol 0.001, atol 1.0)"),
        ("%c + %d == 2", "%c + %d: all 1 elements agree (exactly)"),
    ] {
        let summary = expectation(expect).check(&after, &scope).unwrap().summary;
        assert!(summary.starts_with(start), "{summary}");
    }
}

#[test]
fn a_report_of_a_formula_shows_its_text_and_the_indices_of_its_result() {
    let report = check("f32[2, 2] [[1, 2], [3, 4]]", "sum(%c, axis=0) ~= [4, 7]").summary;
    assert_eq!(
        report,
        "\
sum(%c, axis=0): 1 of 2 elements differs, at [1] (f32, rtol 1e-5, atol 1e-6)
  largest absolute error 1 at [1], largest relative error 0.143 at [1]
    [0]  4
  - [1]  7  expected
  + [1]  6  got, off by 1"
    );
    let report = check("f32[4] [0.1, 0.2, 0.3, 0.4]", "%c[::-1].T == [0.4, 0.3, 0.2, 0.1]").summary;
    assert!(report.contains("- [0]  0.4                  expected"), "{report}");
    assert!(report.contains("+ [0]  0.4000000059604645   got, off by 5.96e-9"), "{report}");
    let report = check("f32[2] [0.1, 0.2]", "%c.T ~= [0.1, 0.4]").summary;
    assert!(report.contains("+ [1]  0.2  got, off by 0.2"), "{report}");
    let report = check("f32[4] [1, 0.9, 1, 1]", "mean(%c) ~= 1").summary;
    assert_eq!(
        report,
        "\
mean(%c) differs (f32, rtol 1e-5, atol 1e-6)
  absolute error 0.025, relative error 0.025
  - 1                   expected
  + 0.9749999940395355  got, off by 0.025"
    );
    let report = check("f32[4] [1, 1, 1, 1]", "mean(%c) ~= 1").summary;
    assert_eq!(report, "mean(%c) agrees (f32, rtol 1e-5, atol 1e-6); absolute error 0, relative error 0");
}

/// The outcome of a gradient if these are the finite differences by `%x`, after which `%dx` is 1, 2, 3.
fn gradient(expect: &str, derivatives: [f64; 3], error: f64) -> Result<Outcome, super::super::LaunchError> {
    let after = [
        ("x".to_string(), value("f32[3] ones")),
        ("y".to_string(), value("f64[1] ones")),
        ("dx".to_string(), value("f32[3] [1, 2, 3]")),
        ("h".to_string(), value("f16[3] [1, 2, 3]")),
    ];
    let scope = super::super::expr::Scope { args: &after, files: &no_files, max_elements: 1 << 20 };
    let expect = expectation(expect);
    let check = expect.gradient().expect("a gradient");
    check.compare(Derivatives { shape: vec![3], values: derivatives.to_vec(), errors: vec![error; 3] }, &scope)
}

#[test]
fn gradients_are_compared_with_a_formula_after_the_run() {
    let near = [1.0001, 2.0, 3.0];
    for expect in ["grad(%y, %x) ~= %dx", "%dx ~= grad(%y, %x)", "grad(%y, %x) ~= 1 + arange(3)"] {
        assert!(gradient(expect, near, 1e-4).unwrap().passed, "{expect}");
        assert!(!gradient(expect, [1.01, 2.0, 3.0], 1e-4).unwrap().passed, "{expect}");
        assert!(!gradient(&format!("{expect} rtol=1e-6 atol=0"), near, 0.0).unwrap().passed, "{expect}");
    }
    assert!(gradient("grad(%y, %x) ~= %h", [1.01, 2.0, 3.0], 1e-4).unwrap().passed, "the least precise type is f16");
    assert!(gradient("grad(%y, %x) ~= 2", [2.0; 3], 0.0).unwrap().passed);
    let error = gradient("grad(%y, %x) ~= %dx[:2]", near, 0.0).unwrap_err();
    assert_eq!(error.message, "the formula has shape [2], but the gradient has shape [3]");
}

#[test]
fn a_report_of_a_gradient_labels_both_sides() {
    let report = gradient("grad(%y, %x) ~= %dx", [1.0, 2.5, 3.0 + 1e-12], 1e-4).unwrap();
    let expected = "\
grad(%y, %x): 1 of 3 elements differs, at [1] (f32, rtol 0.001, atol 0.0001)
  largest absolute error 0.5 at [1], largest relative error 0.25 at [1]
    [0]  1
  - [1]  2    %dx
  + [1]  2.5  finite differences, off by 0.5
    [2]  3";
    assert_eq!(report.summary, expected);
    assert_eq!(report.differences.map(|differences| differences.differ), Some(1));
    let report = gradient("%dx ~= grad(%y, %x)", [1.0, 2.5, 3.0], 1e-4).unwrap().summary;
    assert!(report.starts_with("%dx: 1 of 3") && report.contains("- [1]  2.5  finite differences\n"), "{report}");
    assert!(report.contains("+ [1]  2    %dx, off by 0.5"), "{report}");
    let report = gradient("grad(%y, %x) ~= %dx + 0 * sum(%dx * %x + %dx * %x)", [1.0, 2.5, 3.0], 0.1).unwrap().summary;
    assert!(report.contains("- [1]  2    expected\n"), "a long formula is not a label: {report}");
    let end = "\n  finite differences are uncertain by 0.1 at [1], more than the tolerance";
    assert!(report.ends_with(end), "{report}");
}

#[test]
fn a_report_shows_what_differs() {
    let report = check("f32[2, 4] [[1, 2, 3.00001, 4], [1, 2.5, 3, -4]]", "%c ~= %a").summary;
    assert_eq!(
        report,
        "\
%c: 2 of 8 elements differ, the first at [1, 1] (f32, rtol 1e-5, atol 1e-6)
  largest absolute error 8 at [1, 3], largest relative error 2 at [1, 3]
    [0, 2]  3.00001  close to 3
    [0, 3]  4
    [1, 0]  1
  - [1, 1]  2        expected
  + [1, 1]  2.5      got, off by 0.5
    [1, 2]  3
  - [1, 3]  4        expected
  + [1, 3]  -4       got, off by 8"
    );
    let report = check("i32[2] [1, 7]", "%c == %a[:2]").summary;
    assert!(report.starts_with("%c: 1 of 2 elements differs, at [1] (i32, exactly)\n"), "{report}");
    let report = check("f32[4] [1, 2, nan, 5]", "%c ~= %a").summary;
    assert!(report.contains("largest absolute error NaN at [2]"), "{report}");
    let report = check("f32[1] [0.3]", "%c ~= 0.1").summary;
    assert!(report.ends_with("\n  - [0]  0.1  expected\n  + [0]  0.3  got, off by 0.2"), "{report}");
    let report = check("f32[4] [1, 2, 3, 4]", "%c ~= %a").summary;
    assert_eq!(
        report,
        "%c: all 4 elements agree (f32, rtol 1e-5, atol 1e-6); largest absolute error 0, largest relative error 0"
    );
}

#[test]
fn the_whole_printed_text_is_compared() {
    assert!(passes("f32[1] ones", r#"print "one\ntwo\n""#));
    let report = check("f32[1] ones", r#"print "one\nzwei\n""#);
    assert!(!report.passed);
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let differs = r#"the printed text differs in line 2
              "one\n"
  - expected  "zwei\n"
  + got       "two\n""#;
    assert_eq!(report.summary, differs);
    let report = check("f32[1] ones", r#"print "one\ntwo\nthree""#).summary;
    assert_eq!(lines(&report)[3..], [r#"  - expected  "three""#, "  + got       nothing"]);
    let report = check("f32[1] ones", r#"print """#).summary;
    let all = ["  - expected  nothing", r#"  + got       "one\n""#, r#"  + got       "two\n""#];
    assert_eq!(lines(&report)[1..], all);
    let many: String = (0..20).map(|line| format!("{line}\\n")).collect();
    let report = check("f32[1] ones", &format!(r#"print "{many}two\n""#)).summary;
    assert_eq!(lines(&report)[9], "  - expected  and 12 more lines");
    assert_eq!(lines(&report)[11..], [r#"              "two\n""#]);
}

#[test]
fn a_string_can_continue_on_the_following_lines() {
    let text = "//@ launch\n//@ expect print \"one\\n\" \"t\"\n//@   \"wo\\n\"\n//@   \"\"\n//@ expect error R0107\n";
    let found = parse(text, 0..text.len());
    assert_eq!(found.errors, []);
    let [Expect::Print { text, .. }, Expect::Error { .. }] = &found.launches[0].expects[..] else {
        panic!("{found:?}")
    };
    assert_eq!(text, "one\ntwo\n");
}

#[test]
fn findings_are_looked_up() {
    assert!(passes("f32[1] ones", "error R0107"));
    let report = check("f32[1] ones", "error R0105");
    assert_eq!((report.passed, &report.summary[..]), (false, "expected R0105, found R0107"));
}

#[test]
fn impossible_comparisons_are_errors() {
    let error = outcome("f32[1] ones", "%d == 1").unwrap_err();
    assert_eq!(error.message, "this launch has no argument `%d`");
    let error = outcome("f32[1] ones", "%n == 4").unwrap_err();
    assert_eq!(error.message, "`%n` is a number, which a run cannot change");
    let error = outcome("f32[1] ones", "%c == %b").unwrap_err();
    assert_eq!(error.message, "this launch has no argument `%b`");
}

#[test]
fn every_element_type_has_a_tolerance_that_allows_its_own_rounding() {
    for row in &tile_dialect::ELEMENTS {
        let tolerance = default_tolerance(row.element);
        if row.element.is_int() {
            assert_eq!(tolerance, Tolerance { rtol: 0.0, atol: 0.0 });
            continue;
        }
        for value in [1.0, 1.1, 1.3, 1.6, 1.9, 2.7, 3.3, 5.1] {
            let rounded = tile_analysis::number::round_to(row.element, value);
            assert!((rounded - value).abs() <= tolerance.atol + tolerance.rtol * value, "{} {value}", row.name);
        }
    }
}
