//! Bytecode of 13.5 that NVIDIA's tools wrote or refused, where `../shared` has it: what they print we print, what they refuse we
//! refuse.

use std::fs;
use std::path::PathBuf;
use tile_analysis::context::Options;
use tile_analysis::print;
use tile_backend::bytecode::{self, decode};
use tile_dialect::Version;
use tile_tests::shape::{difference, shape};
use tile_tests::{programs, tools};

/// Rules about memory of a GPU, which only the compiler for that GPU checks.
const ABOUT_A_GPU: [&str; 2] = ["_arch_", "_sm90"];

/// The bytecode files of a folder, with their names.
fn files(folder: &str) -> Vec<(String, PathBuf)> {
    let folder = tile_tests::root().join("../shared/conformance-13.5").join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        tile_tests::skipped("no programs in ../shared/conformance-13.5, which are not part of the project");
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let bytecode = paths.filter(|path| path.extension().is_some_and(|extension| extension == "tileirbc"));
    let mut files: Vec<_> =
        bytecode.map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path)).collect();
    files.sort();
    files
}

/// The lines of a module without the module around them.
fn lines(module: &str) -> Vec<&str> {
    let lines: Vec<&str> = module.lines().filter(|line| !line.trim().is_empty()).collect();
    let inner = &lines[1..lines.len() - 1];
    inner.iter().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect()
}

/// A line without what is printed in another way at every version: blanks, the numbers of constants, which are shorter here, line
/// breaks in strings, and hints, which keep the order of their file.
fn without_style(line: &str) -> String {
    let mut text: String = line.replace("\\0A", "\\n").split_whitespace().collect();
    for (opening, closing) in [("constant<", ">:"), ("identities=[", "]"), ("optimization_hints=", ">")] {
        if let Some(start) = text.find(opening)
            && let Some(length) = text[start..].find(closing)
        {
            text.replace_range(start..start + length, opening);
        }
    }
    text
}

/// What differs from the text that NVIDIA's disassembler prints, and whether the program and its bytes survive.
fn differences(path: &PathBuf) -> Result<(), String> {
    let bytes = fs::read(path).expect("it can be read");
    let theirs_text = fs::read_to_string(path.with_extension("tile")).expect("its text is there");
    let decoded = decode(&bytes).map_err(|error| error.to_string())?;
    let options = print::Options { version: decoded.version, ..print::Options::default() };
    let ours = print::module(&decoded.module, None, options);
    let theirs = theirs_text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//"));
    for (ours, theirs) in lines(&ours).iter().zip(theirs.clone()) {
        if without_style(ours) != without_style(theirs) {
            return Err(format!("printed otherwise\n  ours:   {ours}\n  theirs: {theirs}"));
        }
    }
    if lines(&ours).len() != theirs.count() {
        return Err("another number of lines is printed".to_string());
    }
    let whole = format!("cuda_tile.module @m {{\n{}\n}}\n", theirs_text);
    let read = programs::lower(&whole, "theirs", Options::default()).map_err(|errors| format!("{errors:?}"))?;
    if let Some(difference) = difference(&shape(&decoded.module, None), &shape(&read.module, None)) {
        return Err(format!("read otherwise: {difference}"));
    }
    print::check(&decoded.module, decoded.debug.as_ref()).map_err(|broken| format!("{:?}", broken.diagnostics))?;
    let again = bytecode::encode(&decoded.module, decoded.debug.as_ref(), decoded.version);
    let again = again.map_err(|unsupported| format!("{unsupported:?}"))?;
    if again == bytes {
        return Ok(());
    }
    // Other writers order their tables in another way.
    let read = decode(&again).map_err(|error| format!("written again: {error}"))?;
    if read.module != decoded.module {
        return Err("the program differs when written again".to_string());
    }
    let Some(release) = tools::releases().first().filter(|release| release.version >= decoded.version) else {
        return Ok(());
    };
    match (release.disassemble(&bytes), release.disassemble(&again)) {
        (Ok(first), Ok(second)) if first == second => Ok(()),
        (first, second) => Err(format!("disassembled otherwise when written again\n{first:?}\n{second:?}")),
    }
}

#[test]
fn what_nvidias_tools_take_is_printed_checked_and_written_alike() {
    let files: Vec<_> = ["ok", "ordinary"].into_iter().flat_map(files).collect();
    let wrong = files.iter().filter_map(|(name, path)| Some(format!("{name}: {}", differences(path).err()?)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

#[test]
fn what_nvidias_tools_refuse_is_refused() {
    let mut taken = Vec::new();
    for (name, path) in files("reject") {
        // Newer bytecode is read as far as it can be, with a warning.
        if name == "hdr_13_6" || ABOUT_A_GPU.iter().any(|part| name.contains(part)) {
            continue;
        }
        let Ok(decoded) = decode(&fs::read(path).expect("it can be read")) else { continue };
        if print::check(&decoded.module, decoded.debug.as_ref()).is_ok() {
            taken.push((name, decoded.version));
        }
    }
    // Rules that the tools of 13.5 apply to bytecode of every version are lints.
    taken.retain(|(_, version)| *version == Version::NEWEST);
    assert!(taken.is_empty(), "{taken:?}");
}
