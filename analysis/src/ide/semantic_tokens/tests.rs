use super::super::fixture;
use super::*;

/// The words of a text as `kind marks text`.
fn shown(text: &str, range: Range<u32>) -> Vec<String> {
    let (db, file) = fixture::file(text);
    let mut found = Vec::new();
    let mut end = 0;
    tokens(&db, file, range, &mut |word| {
        assert!(word.range.start >= end, "words are not in source order: {word:?}");
        end = word.range.end;
        let marks = [
            (modifier::DEFINITION, "!"),
            (modifier::BLOCK, "'"),
            (modifier::DEPRECATED, "~"),
            (modifier::READONLY, "="),
        ];
        let marks: String = marks.iter().filter(|(bit, _)| word.modifiers & bit != 0).map(|(_, mark)| *mark).collect();
        found.push(format!("{:?}{marks} {}", word.kind, &text[word.range.start as usize..word.range.end as usize]));
    });
    found
}

#[track_caller]
fn check(text: &str, line: &str, expected: &[&str]) {
    let start = text.find(line).expect("the line is there") as u32;
    let found = shown(text, start..start + line.len() as u32);
    assert_eq!(found, expected);
    // A part of the text has the same words as in the whole text.
    let all = shown(text, 0..text.len() as u32);
    assert!(all.windows(found.len()).any(|window| window == found), "{all:#?}");
}

const PROGRAM: &str = "\
!t = tile<8xf32>
cuda_tile.module @m {
  global constant @g <f32: [1.0]> : tile<1xf32>
  // a comment
  //@ launch \"small\" grid=(8, 1, 1)
  //@   %p = f32[1024] uniform(-1, 1e-3, seed=1)
  //@ expect %p ~= sum(%p) rtol=1e-3
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %a:3 = get_tile_block_id : tile<i32>
    %x = addf %y, %y rounding<zero> flush_to_zero : !t // trailing
    %s = addi %a#1, %n : tile<i32>
    %r = for %i in (%n to %s, step %n) : tile<i32> iter_values(%acc = %n) -> (tile<i32>) {
      %z = addi %i, %acc overflow<no_signed_wrap> : tile<i32>
      continue %z : tile<i32>
    }
    print \"hello %i\", %n : tile<i32>
    %g = get_global @g : tile<ptr<f32>>
    %c = constant <f32: [[1.0, -2.5]]> : tile<1x2xf32>
    %bad = nope %n
    return
  }
}
";

#[test]
fn values_are_classified_by_their_definition() {
    check(PROGRAM, "%s = addi %a#1, %n", &["Value! %s", "Op addi", "Value %a", "Number #1", "Parameter %n"]);
    check(
        PROGRAM,
        "%z = addi %i, %acc overflow<no_signed_wrap>",
        &[
            "Value! %z",
            "Op addi",
            "Parameter' %i",
            "Parameter' %acc",
            "Attribute overflow",
            "AttributeValue no_signed_wrap",
        ],
    );
    check(PROGRAM, "continue %z", &["Control continue", "Value %z"]);
}

#[test]
fn headers_define_parameters() {
    check(
        PROGRAM,
        "entry @k(%p: tile<ptr<f32>>, %n",
        &["Control entry", "Entry! @k", "Parameter! %p", "Type tile", "Type ptr", "Element f32", "Parameter! %n"],
    );
    check(
        PROGRAM,
        "%r = for %i in (%n to %s, step %n) : tile<i32> iter_values(%acc = %n) -> (tile<i32>)",
        &[
            "Value! %r",
            "Control for",
            "Parameter!' %i",
            "Keyword in",
            "Parameter %n",
            "Keyword to",
            "Value %s",
            "Keyword step",
            "Parameter %n",
            "Type tile",
            "Element i32",
            "Keyword iter_values",
            "Parameter!' %acc",
            "Parameter %n",
            "Type tile",
            "Element i32",
        ],
    );
}

#[test]
fn attributes_types_and_trailing_comments() {
    check(
        PROGRAM,
        "addf %y, %y rounding<zero> flush_to_zero : !t // trailing",
        &[
            "Op addf",
            "Value %y",
            "Value %y",
            "Attribute rounding",
            "AttributeValue zero",
            "AttributeValue flush_to_zero",
            "Alias !t",
            "Comment // trailing",
        ],
    );
    check(
        PROGRAM,
        "constant <f32: [[1.0, -2.5]]> : tile<1x2xf32>",
        &["Op constant", "Element f32", "Number 1.0", "Number 2.5", "Type tile", "Number 1x2", "Element f32"],
    );
}

#[test]
fn the_outline_has_symbols_and_aliases() {
    check(PROGRAM, "!t = tile<8xf32>", &["Alias! !t", "Type tile", "Number 8", "Element f32"]);
    check(PROGRAM, "cuda_tile.module @m", &["Control cuda_tile.module", "Module! @m"]);
    check(PROGRAM, "get_global @g", &["Op get_global", "Global= @g"]);
    let found = shown(PROGRAM, 0..PROGRAM.len() as u32);
    assert!(found.iter().any(|word| word == "Global!= @g"), "{found:#?}");
}

#[test]
fn directives_have_their_own_words() {
    check(
        PROGRAM,
        "//@ launch \"small\" grid=(8, 1, 1)",
        &["Directive //@", "Directive launch", "Text \"small\"", "Attribute grid", "Number 8", "Number 1", "Number 1"],
    );
    check(
        PROGRAM,
        "//@   %p = f32[1024] uniform(-1, 1e-3, seed=1)",
        &[
            "Directive //@",
            "Parameter %p",
            "Element f32",
            "Number 1024",
            "Function uniform",
            "Number 1",
            "Number 1e-3",
            "Attribute seed",
            "Number 1",
        ],
    );
    check(
        PROGRAM,
        "//@ expect %p ~= sum(%p) rtol=1e-3",
        &[
            "Directive //@",
            "Directive expect",
            "Parameter %p",
            "Function sum",
            "Parameter %p",
            "Attribute rtol",
            "Number 1e-3",
        ],
    );
}

#[test]
fn a_forward_line_names_an_entry() {
    let text = "//@ forward @f.2 grid=8\n//@ forward @\"a b\"\n//@ expect %a ~= %b @f\n";
    let found = shown(text, 0..text.len() as u32);
    let line = ["Directive //@", "Directive forward", "Entry @f.2", "Attribute grid", "Number 8"];
    assert_eq!(found[..5], line);
    assert_eq!(found[7], "Entry @\"a b\"");
    assert!(!found[8..].iter().any(|word| word.starts_with("Entry")), "`@` multiplies: {found:?}");
}

#[test]
fn old_names_are_marked_and_unknown_ones_have_no_color() {
    check(PROGRAM, "print \"hello %i\"", &["Op~ print", "Text \"hello %i\""]);
    check(PROGRAM, "%bad = nope %n", &["Value! %bad", "Parameter %n"]);
}

#[test]
fn broken_text_and_generic_form_are_handled() {
    for text in
        ["", "%", "\"", "entry @", "//@", "//@ \"", "//@ %", "{ } }", "#a = ", "!x", "\u{fe0f}ä // ü\n//@ ä \"ö"]
    {
        shown(text, 0..text.len() as u32);
        shown(text, 0..u32::MAX);
    }
    let generic = "\"cuda_tile.entry\"() <{sym_name = \"a\"}> ({\n  \"cuda_tile.return\"() : () -> ()\n}) : () -> ()\n";
    assert_eq!(shown(generic, 0..generic.len() as u32)[0], "Control \"cuda_tile.entry\"");
}

#[test]
fn functions_of_the_preview_are_functions() {
    let text = "cuda_tile.module @m {\n  preview$func extern @f(%x: tile<f32>)\n  preview$extern_impl @f_impl implements \
                @f(%x: tile<f32>)\n  entry @k() {\n    preview$call @f() : () -> ()\n  }\n}\n";
    let found = shown(text, 0..text.len() as u32);
    let functions: Vec<&str> = found.iter().filter(|word| word.contains('@')).map(String::as_str).collect();
    assert_eq!(functions, ["Module! @m", "Entry! @f", "Entry! @f_impl", "Entry @f", "Entry! @k", "Entry @f"]);
}
