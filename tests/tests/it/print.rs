//! Printed programs read back as the same program.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics, layout, lowered};
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugInfo, debug_info};
use tile_analysis::diagnostic::Severity;
use tile_analysis::diagnostics::PAGES;
use tile_analysis::ir::{Body, Module};
use tile_analysis::print::{self, Style};
use tile_analysis::program::Program;
use tile_dialect::{Mnemonic, Version, ops};
use tile_tests::examples;
use tile_tests::programs::{every_op, upstream_chunks};

/// Accepts every op.
const LATEST: Options = Options {
    version: Version::V13_5,
    gpu: None,
    bytecode: Version::NEWEST,
    upstream_tests: false,
    any_names: false,
    rules: true,
    preview: true,
};
const UPSTREAM: Options = Options { version: Version::NEWEST, upstream_tests: true, preview: false, ..LATEST };

fn errors(text: &str, options: Options) -> Vec<String> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), options);
    let found = diagnostics(&db, file).into_iter().filter(|found| found.severity == Severity::Error);
    found.map(|found| format!("{}: {}", found.range.start, found.message)).collect()
}

/// A program without the names of parameters, which have no effect on its meaning.
fn nameless(mut program: Module) -> Module {
    for entry in &mut program.entries {
        let body = Arc::make_mut(entry);
        body.params.iter_mut().for_each(|name| *name = "".into());
    }
    program
}

fn lower(text: &str) -> Module {
    let db = Database::default();
    Program::of(&db, File::new(&db, Arc::from(text), LATEST)).module()
}

/// Valid programs with their names: the examples, `tests/programs`, and the programs of the pages of diagnostics and
/// ops.
fn valid_programs() -> Vec<(String, String)> {
    let pages = PAGES.iter().map(|page| (page.code.to_string(), page.right.to_string()));
    let documented = ops().iter().map(|row| (row.name.to_string(), row.example_program()));
    let all = examples().into_iter().chain(every_op()).chain(pages).chain(documented);
    all.filter(|(_, text)| errors(text, LATEST).is_empty()).collect()
}

#[test]
fn every_valid_program_reads_back_in_both_forms() {
    let programs = valid_programs();
    assert!(programs.len() > 200, "only {} valid programs", programs.len());
    for (name, text) in programs {
        let program = nameless(lower(&text));
        for style in [Style::Custom, Style::Generic] {
            let options = print::Options { style, version: LATEST.version };
            let printed = print::module(&program, None, options);
            assert_eq!(errors(&printed, LATEST), [""; 0], "{name} as {style:?}:\n{printed}");
            let again = nameless(lower(&printed));
            assert!(again == program, "{name} as {style:?} reads back differently:\n{printed}");
            assert_eq!(
                print::module(&again, None, options),
                printed,
                "{name} as {style:?} prints differently the second time"
            );
        }
    }
}

/// The entries and test functions of a file, with their ops.
fn items(text: &str) -> Vec<(Mnemonic, Body)> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), UPSTREAM);
    let items = layout(&db, file).items.iter().map(|&(_, item)| lowered(&db, item, file));
    items
        .map(|lowered| {
            let mut body = Body::clone(&lowered.body);
            body.params.iter_mut().for_each(|name| *name = "".into());
            (lowered.op, body)
        })
        .collect()
}

/// Whether a text contains ops of other dialects, which the IR does not represent.
fn has_no_ir(text: &str) -> bool {
    let generic = text.lines().filter_map(|line| line.split_once('"').filter(|(_, rest)| rest.contains("\"(")));
    let mut names =
        generic.filter(|(before, _)| before.trim().is_empty() || before.ends_with("= ")).map(|(_, rest)| rest);
    names.any(|name| !name.starts_with("cuda_tile."))
}

#[test]
fn upstreams_valid_programs_read_back_in_both_forms() {
    let chunks = upstream_chunks();
    let (mut count, mut wrong, none) = (0, Vec::new(), chunks.is_empty());
    for (name, text) in chunks {
        let items = items(&text);
        if items.is_empty() || has_no_ir(&text) || !errors(&text, UPSTREAM).is_empty() {
            continue;
        }
        let program = Module { entries: Vec::new(), ..lower(&text) };
        for style in [Style::Custom, Style::Generic] {
            let options = print::Options { style, ..print::Options::default() };
            let body: String = items.iter().map(|(op, body)| print::item(*op, body, options)).collect();
            let globals = print::module(&program, None, options);
            let printed = globals.strip_suffix("}\n").expect("a module ends with `}`").to_string() + &body + "}\n";
            let found = errors(&printed, UPSTREAM);
            if !found.is_empty() {
                wrong.push(format!("{name} as {style:?}: {found:?}\n{printed}"));
            } else if self::items(&printed) != items {
                wrong.push(format!("{name} as {style:?} reads back differently:\n{text}\n{printed}"));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(none || count > 150, "only {count} programs were compared");
}

/// A location with all its references expanded, so that tables in another order compare equal.
fn expanded(info: &DebugInfo, id: DebugId) -> String {
    let of = |id: &DebugId| expanded(info, *id);
    match &info.attrs[id.0 as usize] {
        DebugAttr::Scoped { position, scope } => format!("{position:?} in {}", of(scope)),
        DebugAttr::CallSite { callee, caller } => format!("{} at {}", of(callee), of(caller)),
        DebugAttr::Named { name, child } => format!("{name:?}({})", of(child)),
        DebugAttr::Fused(parts) => format!("fused{:?}", parts.iter().map(of).collect::<Vec<_>>()),
        DebugAttr::CompileUnit { file } => format!("unit({})", of(file)),
        DebugAttr::Subprogram { file, line, name, linkage_name, unit, scope_line, declaration } => {
            format!("{name:?} {linkage_name:?} {line} {scope_line} {} {} {declaration}", of(file), of(unit))
        }
        DebugAttr::LexicalBlock { scope, file, line, column } => {
            format!("block {line} {column} {} {}", of(scope), of(file))
        }
        plain => format!("{plain:?}"),
    }
}

fn locations(info: &DebugInfo, program: &Module) -> Vec<String> {
    let entries = program.entries.iter().enumerate();
    let all = entries.flat_map(|(entry, body)| {
        let ops = (0..body.ops.len()).map(move |op| info.op(entry, op));
        std::iter::once(info.entry(entry)).chain(ops)
    });
    all.map(|id| expanded(info, id)).collect()
}

/// An op has its name in the version, and an unused result that the version lacks is not printed.
#[test]
fn old_versions_have_their_own_spellings() {
    let text = "cuda_tile.module @kernels {
  entry @f(%x: tile<f32>) {
    %0 = fpowf %x, %x : tile<f32>
    %1 = print_tko \"a\" -> token
    %2 = print_tko \"%f\", %0 : tile<f32> -> token
    %3 = print_tko \"b\" token = %2 -> token
    return
  }
}
";
    let print = |version| print::module(&lower(text), None, print::Options { version, ..print::Options::default() });
    assert_eq!(print(Version::V13_4), text);
    assert_eq!(print(Version::V13_2), text.replace("fpowf", "pow"));
    // The last print needs the token of the previous one, which 13.1 cannot express; reading it back reports that.
    let old = print(Version::V13_1);
    let lines: Vec<&str> = old.lines().skip(3).take(3).collect();
    assert_eq!(lines[0], "    print \"a\"");
    assert_eq!(lines[1], "    %2 = print \"%f\", %0 : tile<f32> -> token");
}

#[test]
fn locations_read_back() {
    let mut programs = examples();
    programs.extend(upstream_chunks().into_iter().filter(|(name, _)| name.contains("debug")));
    for (name, text) in programs {
        let options = Options { upstream_tests: true, ..Options::default() };
        if !errors(&text, options).is_empty() {
            continue;
        }
        let db = Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), Options::default());
        let (program, info) = (Program::of(&db, file).module(), debug_info(&db, file, "folder/a.tile"));
        let printed = print::module(&program, Some(&info), print::Options::default());
        assert_eq!(errors(&printed, Options::default()), [""; 0], "{name}:\n{printed}");
        let file = File::new(&db, Arc::from(printed.as_str()), Options::default());
        let again = debug_info(&db, file, "folder/b.tile");
        assert_eq!(
            locations(&again, &Program::of(&db, file).module()),
            locations(&info, &program),
            "{name}:\n{printed}"
        );
        assert_eq!(
            print::module(&Program::of(&db, file).module(), Some(&again), print::Options::default()),
            printed,
            "{name}"
        );
    }
}

/// Values decoded from bytecode have no names; they are printed with the names that NVIDIA's disassembler chooses.
#[test]
fn unnamed_values_are_called_as_by_nvidia() {
    let text = "cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume bounded<0, 4>, %y : tile<i32>
    %b = addi %a, %x : tile<i32>
    %c = assume bounded<0, 4>, %b : tile<i32>
    %d = assume div_by<4>, %c : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %e = assume bounded<0, 4>, %one : tile<i32>
    %f = assume div_by<4>, %p : tile<ptr<i32>>
    %t = iota : tile<8xi32>
    %s = scan %t dim = 0 reverse = false identities = [0 : i32] : tile<8xi32> -> tile<8xi32>
    (%l: tile<i32>, %r: tile<i32>) {
      yield %l : tile<i32>
    }
    %m:2 = reduce %t, %s dim = 0 identities = [0 : i32, 0 : i32] : tile<8xi32>, tile<8xi32> -> tile<i32>, tile<i32>
    (%l0: tile<i32>, %r0: tile<i32>, %l1: tile<i32>, %r1: tile<i32>) {
      yield %l0, %r1 : tile<i32>, tile<i32>
    }
    %g = assume bounded<0, 9>, %m#0 : tile<i32>
    %h = assume bounded<0, 9>, %m#1 : tile<i32>
  }
}";
    let options = print::Options { version: LATEST.version, ..print::Options::default() };
    let program = lower(text);
    let bytes = tile_backend::bytecode::encode(&program, None, LATEST.version).expect("the program can be encoded");
    let decoded = tile_backend::bytecode::decode(&bytes).expect("the bytecode is valid");
    insta::assert_snapshot!(print::module(&decoded.module, None, options));
}
