//! Hints about accesses: those of the examples, those of their own pages, and their fixes.

use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::{Applicability, Diagnostic, Tag};
use tile_analysis::diagnostics::accesses;
use tile_analysis::fixes::{apply, fix_all};
use tile_analysis::levels::Levels;
use tile_analysis::quota::Quota;
use tile_backend::hints::{Findings, of_accesses};
use tile_dataflow::volume::THOROUGH;
use tile_dialect::Version;
use tile_launch::find;
use tile_tests::examples;

fn hints(text: &str) -> Vec<Diagnostic> {
    let checked = batch::check(text, Options::default(), |_| Keep::Everything);
    find::of(text, &checked).iter().flat_map(|entry| of_accesses(text, entry, &Options::default(), THOROUGH)).collect()
}

#[test]
fn hints_of_the_examples() {
    let mut lines = Vec::new();
    for (name, text) in examples() {
        for hint in hints(&text) {
            let line = text[..hint.range.start as usize].matches('\n').count() + 1;
            lines.push(format!("{name}:{line}: {} {}; {}", hint.page.code, hint.message, hint.notes.join("; ")));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_page_shows_its_hint() {
    for page in accesses::PAGES {
        let codes = |text: &str| hints(text).iter().map(|hint| hint.page.code).collect::<Vec<_>>();
        assert!(find::check(page.wrong, Options::default()).is_empty(), "{}: the wrong program", page.code);
        assert!(find::check(page.right, Options::default()).is_empty(), "{}: the right program", page.code);
        assert!(codes(page.wrong).contains(&page.code), "{}: found {:?}", page.code, codes(page.wrong));
        assert_eq!(codes(page.right), [""; 0], "{}: in the right program", page.code);
    }
}

#[test]
fn a_fix_of_a_hint_resolves_it() {
    let pages = accesses::PAGES.iter().map(|page| (page.code.to_string(), page.wrong.to_string()));
    for (name, text) in examples().into_iter().chain(pages) {
        let before = hints(&text);
        let errors = |text: &str| find::check(text, Options::default()).len();
        for hint in &before {
            for fix in &hint.fixes {
                let fixed = apply(&text, &fix.edits);
                let count = |hints: &[Diagnostic]| hints.iter().filter(|other| other.page == hint.page).count();
                assert!(count(&hints(&fixed)) < count(&before), "{name}: {}\n{fixed}", hint.message);
                assert_eq!(errors(&fixed), errors(&text), "{name}: {}\n{fixed}", hint.message);
            }
        }
    }
}

#[test]
fn all_fixes_of_hints_together_add_no_error() {
    for (name, text) in examples() {
        let Some(fixed) = fix_all(&text, &hints(&text), Applicability::Unsafe, hints) else { continue };
        let errors = |text: &str| find::check(text, Options::default());
        assert_eq!(errors(&fixed.text).len(), errors(&text).len(), "{name}\n{:?}", errors(&fixed.text));
        assert!(fixed.left.iter().all(|hint| hint.fixes.is_empty()), "{name}: {:?}", fixed.left);
    }
}

#[test]
fn a_comment_allows_a_hint() {
    for page in accesses::PAGES {
        let before = hints(page.wrong);
        let first = before.iter().find(|hint| hint.page == page).expect("the wrong program has the hint");
        let line = page.wrong[..first.range.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let (above, below) = page.wrong.split_at(line);
        for word in [page.code, page.name] {
            let text = format!("{above}    // tile: allow({word}) measured\n{below}");
            let count = |hints: &[Diagnostic]| hints.iter().filter(|hint| hint.page == page).count();
            assert_eq!(count(&hints(&text)), count(&before) - 1, "{text}");
            assert_eq!(find::check(&text, Options::default()), [], "{text}");
        }
    }
}

#[test]
fn hints_are_updated_after_edits() {
    let typed = ["%bx", "16", "\n", "    //@ launch\n", "}", "//", " ", "inbounds = [true]", ""];
    let mut random = fastrand::Rng::with_seed(1);
    let (mut db, mut seen) = (Database::default(), 0);
    for (name, text) in examples().into_iter().filter(|(_, text)| !hints(text).is_empty()).take(6) {
        let (file, mut findings) = (File::new(&db, text.as_str().into(), Options::default()), Findings::default());
        for step in 0..40 {
            let start = file.text(&db).floor_char_boundary(random.usize(..file.text(&db).len()));
            let end = file.text(&db).ceil_char_boundary((start + random.usize(..4)).min(file.text(&db).len()));
            file.edit(&mut db, start..end, random.choice(typed).unwrap_or_default());
            let found = findings.of(&db, file, &mut |_| true);
            seen += found.len();
            assert_eq!(
                found,
                Findings::default().of(&db, file, &mut |_| true),
                "{name}, step {step}:\n{}",
                file.text(&db)
            );
            if step % 4 == 0 {
                file.write(&mut db, &text);
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn older_versions_are_not_told_of_inbounds() {
    let page = accesses::PAGES.iter().find(|page| page.code == "P0202").expect("it is a page");
    let checked = batch::check(page.wrong, Options::default(), |_| Keep::Everything);
    let count = |version| {
        let options = Options { version, ..Options::default() };
        of_accesses(page.wrong, &find::of(page.wrong, &checked)[0], &options, THOROUGH).len()
    };
    assert_eq!((count(Version::V13_3), count(Version::V13_4)), (0, 2));
}

/// A hint about one access, for details that the examples do not contain.
#[track_caller]
fn entry_has(body: &str, expected: &[&str]) {
    let text = format!(
        "cuda_tile.module @m {{\n  //@ launch grid=(4, 1, 1)\n  //@   %x = f32[4096] iota\n  //@   %n = 64\n  \
         entry @k(%x: tile<ptr<f32>>, %n: tile<i32>) {{\n    %b, %y, %z = get_tile_block_id : tile<i32>\n    \
         %zero = constant <i32: 0> : tile<i32>\n    %one = constant <i32: 1> : tile<i32>\n{body}\n  }}\n}}\n"
    );
    assert_eq!(find::check(&text, Options::default()), [], "{text}");
    let of_accesses = |hint: &&Diagnostic| hint.page.code != accesses::UNUSED_RESULT.code;
    let shown = |hint: &Diagnostic| format!("{} {}", hint.page.code, hint.message);
    let found: Vec<String> = hints(&text).iter().filter(of_accesses).map(shown).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn an_op_without_effect_whose_result_is_not_used_is_reported() {
    let text = "cuda_tile.module @m {\n  entry @k() {\n    %a = constant <i32: 1> : tile<i32>\n    \
                %b = addi %a, %a : tile<i32>\n    %c, %d, %e = get_tile_block_id : tile<i32>\n    \
                print_tko \"%i\", %d : tile<i32> -> token\n  }\n}\n";
    let found: Vec<_> = hints(text).into_iter().map(|hint| (hint.message, hint.tag)).collect();
    let faded = Some(Tag::Unnecessary);
    assert_eq!(
        found,
        [
            ("the result of `constant` is used only by unused ops".to_string(), faded),
            ("the result of `addi` is not used".to_string(), faded),
        ]
    );
}

const VIEW: &str = "    %v = make_tensor_view %x, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>\n";
const TYPE: &str = "partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>, tile<i32>";

#[test]
fn a_load_that_does_not_depend_on_its_loop_is_repeated() {
    let in_loop = |index: &str| {
        format!(
            "{VIEW}    for %i in (%zero to %n, step %one) : tile<i32> {{\n      \
             %t, %k = load_view_tko weak %w[{index}] : {TYPE} -> tile<64xf32>, token\n    }}"
        )
    };
    entry_has(&in_loop("%i"), &[]);
    entry_has(&in_loop("%b"), &["P0204 every iteration loads the same tile"]);
}

#[test]
fn a_load_of_memory_that_the_entry_writes_is_not_repeated() {
    let load =
        |name: &str| format!("    %{name}, %k_{name} = load_view_tko weak %w[%b] : {TYPE} -> tile<64xf32>, token\n");
    let store = format!("    %s = store_view_tko weak %t, %w[%b] token = %k_t : tile<64xf32>, {TYPE} -> token\n");
    let [first, second] = ["t", "u"].map(load);
    entry_has(&format!("{VIEW}{first}{second}"), &["P0204 this tile has been loaded before"]);
    entry_has(&format!("{VIEW}{first}{store}"), &[]);
    entry_has(&format!("{VIEW}{first}{store}{second}"), &[]);
}

/// The quotient of a negative number, as an unsigned one, is the index of a tile beyond the tensor.
#[test]
fn a_tile_at_an_unsigned_quotient_is_not_inside() {
    let path = tile_tests::root().join("tests/accesses/unsigned.tile");
    let text = std::fs::read_to_string(path).expect("the program is readable");
    assert!(text.contains("@tile_beyond_the_tensor"));
    assert!(hints(&text).iter().all(|hint| hint.page.code != "P0202"), "{:?}", hints(&text));
}

#[test]
fn a_load_of_a_buffer_with_two_names_is_not_repeated() {
    let program = |argument: &str| {
        let view = |name: &str| {
            format!(
                "    %v{name} = make_tensor_view %{name}, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>\n    \
                 %w{name} = make_partition_view %v{name} : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>\n"
            )
        };
        let ty = "partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32>";
        let load = |name: &str| {
            format!("    %{name}, %k{name} = load_view_tko weak %wx[%zero] : {ty} -> tile<64xf32>, token\n")
        };
        format!(
            "cuda_tile.module @m {{\n  //@ launch\n  //@   %x = f32[64] iota\n  //@   %y = {argument}\n  \
             entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{\n    %zero = constant <i32: 0> : tile<i32>\n\
             {}{}{}    %s = store_view_tko weak %a, %wy[%zero] : tile<64xf32>, {ty} -> token\n{}  }}\n}}\n",
            view("x"),
            view("y"),
            load("a"),
            load("b")
        )
    };
    let codes = |argument: &str| {
        assert_eq!(find::check(&program(argument), Options::default()), []);
        hints(&program(argument)).iter().map(|hint| hint.page.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("f32[64] zeros"), ["P0204"]);
    assert_eq!(codes("&%x"), [""; 0]);
}

#[test]
fn a_store_of_every_block_overlaps() {
    let store = |index: &str| {
        format!(
            "{VIEW}    %t = constant <f32: 1.0> : tile<64xf32>\n    \
             %k = store_view_tko weak %t, %w[{index}] : tile<64xf32>, {TYPE} -> token"
        )
    };
    entry_has(&store("%b"), &[]);
    let leaves =
        "    %c = cmpi not_equal %b, %zero, signed : tile<i32> -> tile<i1>\n    if %c {\n      return\n    }\n";
    entry_has(&format!("{leaves}{}", store("%one")), &[]);
    entry_has(&store("%one"), &["P0205 several tile blocks store to the same 64 elements of `%x`"]);
    let lock = "    %old, %locked = atomic_rmw_tko relaxed device %x, addf, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token\n";
    entry_has(&format!("    %f = constant <f32: 1.0> : tile<f32>\n{lock}{}", store("%one")), &[]);
}

#[test]
fn divisibility_is_derived_from_what_is_stated() {
    let view = |rows: &str| {
        format!(
            "    %p = assume div_by<16>, %x : tile<ptr<f32>>\n{rows}\n    \
             %v = make_tensor_view %p, shape = [64, 64], strides = [%rows, 1] : tile<i32> -> tensor_view<64x64xf32, strides=[?,1]>\n    \
             %w = make_partition_view %v : partition_view<tile=(16x64), tensor_view<64x64xf32, strides=[?,1]>>\n    \
             %t, %k = load_view_tko weak %w[%b, %zero] : partition_view<tile=(16x64), tensor_view<64x64xf32, strides=[?,1]>>, tile<i32> -> tile<16x64xf32>, token"
        )
    };
    let missing = ["P0201 the compiler cannot use TMA, because it does not know that `%rows` is a multiple of 4"];
    entry_has(&view("    %rows = muli %n, %one : tile<i32>"), &missing);
    entry_has(&view("    %four = constant <i32: 4> : tile<i32>\n    %rows = muli %n, %four : tile<i32>"), &[]);
    let assumed = "    %even = assume div_by<2>, %n : tile<i32>\n";
    entry_has(&view(&format!("{assumed}    %rows = muli %even, %even : tile<i32>")), &[]);
    entry_has(&view(&format!("{assumed}    %rows = addi %even, %even : tile<i32>")), &missing);
}

/// Unused results of an entry are offered together, and counted once, also if there is only one.
#[test]
fn a_quota_shows_as_many_unused_results_as_it_can() {
    for (entries, in_each) in [(150, 1), (1, 150), (50, 3), (149, 2)] {
        let unused: String = (0..in_each).map(|n| format!("    %v{n} = constant <i32: {n}> : tile<i32>\n")).collect();
        let entry = |n| format!("  entry @k{n}() {{\n{unused}  }}\n");
        let text = format!("cuda_tile.module @m {{\n{}}}\n", (0..entries).map(entry).collect::<String>());
        let db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        let levels = Levels::default();
        let mut quota = Quota::new(&levels, 100);
        let found = Findings::default().of(&db, file, &mut |found| quota.admits(found));
        let omitted: Vec<_> = quota.omitted().map(|omitted| (omitted.page.code, omitted.count)).collect();
        assert_eq!((found.len(), omitted), (100, vec![("L0015", entries * in_each - 100)]));
    }
}

/// After an edit, an access is counted only as far as the steps of all accesses of its entry allow.
#[test]
fn accesses_of_an_entry_share_the_steps_after_an_edit() {
    let view = "partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>";
    let unstated = |loads: usize| {
        let load = |index| {
            format!("    %v{index}, %t{index} = load_view_tko weak %p[%b] : {view}, tile<i32> -> tile<16xf32>, token\n")
        };
        let loads: String = (0..loads).map(load).collect();
        let text = format!(
            "cuda_tile.module @m {{\n  //@ launch grid=(2000, 1, 1)\n  //@   %x = f32[32000] iota\n  //@   %n = 32000\n  \
             entry @k(%x: tile<ptr<f32>>, %n: tile<i32>) {{\n    %b, %y, %z = get_tile_block_id : tile<i32>\n    \
             %v = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>\n    \
             %p = make_partition_view %v : {view}\n{loads}  }}\n}}\n"
        );
        let db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        let found = Findings::default().of(&db, file, &mut |_| true);
        assert_eq!(find::check(&text, Options::default()), [], "{text}");
        found.iter().filter(|hint| hint.diagnostic.page == &accesses::UNSTATED_BOUNDS).count()
    };
    assert_eq!((unstated(1), unstated(100), unstated(200)), (1, 100, 0));
}
