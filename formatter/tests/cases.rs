//! Every file of `tests/cases` is laid out as the `.expected` file beside it says. `TILE_BLESS=1` writes those files.

mod support;

use std::fs;
use std::path::Path;
use support::checked;

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tile"));
    paths.sort();
    assert!(!paths.is_empty());
    let mut wrong = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a readable case");
        let formatted = checked(&path.display().to_string(), &text);
        let expected = path.with_extension("expected");
        if std::env::var_os("TILE_BLESS").is_some() {
            fs::write(&expected, &formatted).expect("a writable folder");
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(&formatted) {
            wrong.push(format!("{}:\n{formatted}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}
