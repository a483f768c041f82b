//! Compares the formatted text of every file in `tests/cases` with the `.expected` file next to it. `TILE_BLESS=1`
//! rewrites the `.expected` files.

use crate::support;

use std::fs;
use support::{cases, checked, checked_widths};
use tile_fmt::{Options, format};

#[test]
fn cases_are_formatted_as_expected() {
    let mut wrong = Vec::new();
    for (path, text) in cases() {
        let formatted = checked(&path.display().to_string(), &text);
        let expected = path.with_extension("expected");
        if std::env::var_os("TILE_BLESS").is_some() {
            fs::write(&expected, &formatted).expect("the folder is writable");
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(&formatted) {
            wrong.push(format!("{}:\n{formatted}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}

#[test]
fn result_does_not_depend_on_original_line_breaks() {
    for (path, text) in cases() {
        checked_widths(&path.display().to_string(), &text);
    }
}

#[test]
fn line_ends_and_byte_order_marks_are_kept() {
    for (path, text) in cases() {
        let expected = format(&text, &Options::default());
        let returned = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(format(&returned(&text), &Options::default()), returned(&expected), "{}", path.display());
        let marked = format!("\u{feff}{text}");
        assert_eq!(format(&marked, &Options::default()), format!("\u{feff}{expected}"), "{}", path.display());
    }
}

#[test]
fn text_ends_with_one_line_break() {
    let format = |text: &str| format(text, &Options::default());
    assert_eq!(format("entry @a() {\n}"), "entry @a() {\n}\n");
    assert_eq!(format("entry @a() {\n}\n\n\n"), "entry @a() {\n}\n");
    assert_eq!(format(""), "");
    assert_eq!(format("\n \n"), "");
    // U+FEFF that is not at the start is not a byte order mark.
    assert_eq!(format("\n \u{feff}entry @a() {\n}"), "\n \u{feff}entry @a() {\n}");
}
