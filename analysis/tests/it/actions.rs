//! Applies every action offered at every word of every example, one at a time, and checks that it introduces no
//! diagnostics.

use crate::programs;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::Edit;
use tile_analysis::diagnostics::PAGES;
use tile_analysis::ide::actions::actions;
use tile_analysis::ir::Module;
use tile_analysis::program::Program;

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let overlap = edits.windows(2).any(|pair| pair[0].range.end > pair[1].range.start);
    assert!(!overlap, "edits overlap: {edits:?}");
    let mut out = text.to_string();
    for edit in edits.into_iter().rev() {
        out.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
    }
    out
}

/// Returns the options for a program; the preview is allowed if the program uses it.
fn options(text: &str) -> Options {
    Options { preview: text.contains("preview$"), ..Options::default() }
}

/// Returns how often each diagnostic is reported, and all reports as text.
fn codes(text: &str) -> (HashMap<&'static str, usize>, String) {
    let db = Database::default();
    let file = File::new(&db, text.into(), options(text));
    let mut count = HashMap::new();
    let found = db::diagnostics(&db, file);
    found.iter().for_each(|found| *count.entry(found.page.code).or_default() += 1);
    (count, found.iter().map(|found| format!("{} {}\n", found.page.code, found.message)).collect())
}

/// Title prefixes of actions that must not change the meaning of a program.
const SAME_MEANING: &[&str] = &["Convert to", "Add the dialect", "Remove the dialect", "Extract", "Rename"];

/// Returns the IR of a program.
fn module(text: &str) -> Module {
    let db = Database::default();
    let file = File::new(&db, text.into(), options(text));
    Program::of(&db, file).module()
}

/// Returns the offsets of words, where a cursor may be.
fn words(text: &str) -> impl Iterator<Item = u32> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "%@!#_".contains(c);
    let starts =
        text.char_indices().filter(move |&(at, c)| is_word(c) && !text[..at].chars().next_back().is_some_and(is_word));
    starts.map(|(at, _)| at as u32).collect::<Vec<_>>().into_iter()
}

fn check(name: &str, text: &str, seen: &mut HashMap<String, usize>) {
    let db = Database::default();
    let text: Arc<str> = text.into();
    let file = File::new(&db, text.clone(), options(&text));
    let (before, _) = codes(&text);
    let mut done: HashSet<Vec<(u32, u32, String)>> = HashSet::new();
    for at in words(&text) {
        for action in actions(&db, file, at..at) {
            let key = action.edits.iter().map(|edit| (edit.range.start, edit.range.end, edit.content.clone()));
            if !done.insert(key.collect()) {
                continue;
            }
            let words: Vec<&str> = action.title.split(['`', '%', '@']).next().into_iter().collect();
            *seen.entry(words.concat()).or_default() += 1;
            let after = applied(&text, &action.edits);
            let (found, reported) = codes(&after);
            if before.is_empty() && SAME_MEANING.iter().any(|title| action.title.starts_with(title)) {
                assert!(module(&after) == module(&text), "{name}: `{}` at {at} changes:\n{after}", action.title);
            }
            for (code, count) in &found {
                let was = before.get(code).copied().unwrap_or(0);
                // Fixing an allowed lint leaves the comment that allows it unused.
                let is_unused_allow = *code == "L0010" && name.contains("L0010");
                let was = was + usize::from(is_unused_allow);
                assert!(*count <= was, "{name}: `{}` at {at} introduces {code}:\n{reported}\n{after}", action.title);
            }
        }
    }
}

/// A program whose extents and strides are constants, which no example has.
const CONSTANT_EXTENTS: &str = "\
!view = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %rows: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %columns = constant <i32: 64> : tile<i32>
    %in = make_tensor_view %a, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> !view
    %out = make_tensor_view %b, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> !view
    %x = make_partition_view %in : partition_view<tile=(8x8), !view>
    %y = make_partition_view %out : partition_view<tile=(8x8), !view>
    %tile, %t = load_view_tko weak %x[%zero, %zero] : partition_view<tile=(8x8), !view>, tile<i32> -> tile<8x8xf32>, token
    store_view_tko weak %tile, %y[%zero, %zero] token = %t : tile<8x8xf32>, partition_view<tile=(8x8), !view>, tile<i32> -> token
  }
}
";

#[test]
fn no_action_introduces_a_diagnostic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    programs(&root.join("../crates/dialect/src/examples"), &mut all);
    programs(&root.join("../examples"), &mut all);
    assert!(all.len() > 100);
    let mut programs: Vec<(String, String)> = Vec::new();
    for page in PAGES {
        programs.push((format!("the wrong example of {}", page.code), page.wrong.to_string()));
        programs.push((format!("the right example of {}", page.code), page.right.to_string()));
    }
    for path in all {
        let text = std::fs::read_to_string(&path).expect("the example is readable");
        programs.push((path.display().to_string(), text));
    }
    programs.push(("constant extents".to_string(), CONSTANT_EXTENTS.to_string()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let programs = &programs;
    let share = |first: usize| {
        let mut seen = HashMap::new();
        programs.iter().skip(first).step_by(threads).for_each(|(name, text)| check(name, text, &mut seen));
        seen
    };
    let seen: HashMap<String, usize> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || share(first))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    for expected in [
        "Order after",
        "Print",
        "Rename",
        "Convert to generic",
        "Add the dialect prefix",
        "Extract type alias",
        "Remove unused",
    ] {
        assert!(seen.keys().any(|title| title.starts_with(expected)), "`{expected}` was never offered: {seen:?}");
    }
    // Inlining a constant into a type.
    assert!(seen.contains_key("Inline "), "{seen:?}");
}
