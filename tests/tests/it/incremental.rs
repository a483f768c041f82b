//! Incremental checking: an edit inside an entry recomputes only that entry.

use salsa::EventKind;
use std::sync::{Arc, Mutex};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};

/// A program of about 10,000 lines.
fn program() -> String {
    let entry = |number: usize| {
        let lines = "    %1 = addf %0, %0 : tile<8xf32>\n".replace("%1", "%a");
        let mut body = String::from("    %0 = constant <f32: 1.0> : tile<8xf32>\n");
        for line in 0..18 {
            body += &lines.replace("%a", &format!("%a{line}"));
        }
        format!("  entry @kernel_{number}() {{\n{body}  }}\n")
    };
    format!("cuda_tile.module @m {{\n{}}}\n", (0..480).map(entry).collect::<String>())
}

#[test]
fn an_edit_in_one_entry_parses_and_checks_that_entry_only() {
    let ran: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = ran.clone();
    let mut db = Database::watched(move |event| {
        if let EventKind::WillExecute { database_key } = event.kind {
            log.lock().expect("no thread panicked").push(format!("{database_key:?}"));
        }
    });
    let text = program();
    assert!(text.lines().count() > 10_000, "{}", text.lines().count());
    let file = File::new(&db, Arc::from(text.as_str()), Options::default());
    assert_eq!(diagnostics(&db, file), []);
    let first = std::mem::take(&mut *ran.lock().expect("no thread panicked"));
    let count = |ran: &[String], query: &str| ran.iter().filter(|key| key.starts_with(query)).count();
    assert_eq!(count(&first, "lowered("), 480, "everything is computed once");

    // An insertion in the middle of the file, which also moves everything after it.
    let at = text.find("@kernel_240").expect("the entry exists");
    let at = at + text[at..].find("1.0").expect("the entry has a constant");
    file.edit(&mut db, at..at, "2");
    assert_eq!(diagnostics(&db, file), []);
    let again = std::mem::take(&mut *ran.lock().expect("no thread panicked"));
    assert_eq!((count(&again, "lowered("), again.len()), (1, 1), "{again:?}");

    // Between two entries.
    let at = text.find("  entry @kernel_100").expect("the entry exists");
    file.edit(&mut db, at..at, "  // a comment\n");
    assert_eq!(diagnostics(&db, file), []);
    assert_eq!(*ran.lock().expect("no thread panicked"), [""; 0]);

    // Something that all entries depend on.
    file.edit(&mut db, 0..0, "!t = !cuda_tile.tile<i32>\n");
    assert_eq!(diagnostics(&db, file), []);
    let again = ran.lock().expect("no thread panicked");
    assert_eq!((count(&again, "lowered("), again.len()), (480, 480), "{again:?}");
}
