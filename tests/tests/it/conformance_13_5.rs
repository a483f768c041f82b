//! Bytecode of 13.5 that NVIDIA's tools wrote or rejected, if `../shared` contains it: we print the same text, and
//! reject the same files.

use std::fs;
use std::path::PathBuf;
use tile_analysis::context::Options;
use tile_analysis::print;
use tile_backend::bytecode::{self, decode};
use tile_dialect::Version;
use tile_tests::shape::{difference, shape};
use tile_tests::{programs, tools};

/// Parts of the names of files that break rules about the memory of a GPU. Only the compiler for that GPU checks these.
const ABOUT_A_GPU: [&str; 2] = ["_arch_", "_sm90"];

/// The bytecode files of a folder, with their names.
fn files(folder: &str) -> Vec<(String, PathBuf)> {
    let folder = tile_tests::root().join("../shared/conformance-13.5").join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        tile_tests::skipped("no programs in ../shared/conformance-13.5, which are not part of the project");
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let bytecode = paths.filter(|path| path.extension().is_some_and(|extension| extension == "tileirbc"));
    let mut files: Vec<_> =
        bytecode.map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path)).collect();
    files.sort();
    files
}

/// The lines inside a module.
fn lines(module: &str) -> Vec<&str> {
    let lines: Vec<&str> = module.lines().filter(|line| !line.trim().is_empty()).collect();
    let inner = &lines[1..lines.len() - 1];
    inner.iter().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect()
}

/// A line without what we print differently at every version: whitespace, the numbers of constants (ours are shorter),
/// line breaks in strings, and hints (ours keep the order of the file).
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

/// Compares our text with that of NVIDIA's disassembler, and checks that the program survives encoding.
fn differences(path: &PathBuf) -> Result<(), String> {
    let bytes = fs::read(path).expect("the file is readable");
    let theirs_text = fs::read_to_string(path.with_extension("tile")).expect("the text of the program exists");
    let decoded = decode(&bytes).map_err(|error| error.to_string())?;
    let options = print::Options { version: decoded.version, ..print::Options::default() };
    let ours = print::module(&decoded.module, None, options);
    let theirs = theirs_text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//"));
    for (ours, theirs) in lines(&ours).iter().zip(theirs.clone()) {
        if without_style(ours) != without_style(theirs) {
            return Err(format!("printed differently\n  ours:   {ours}\n  theirs: {theirs}"));
        }
    }
    if lines(&ours).len() != theirs.count() {
        return Err("the number of printed lines differs".to_string());
    }
    let program = format!("cuda_tile.module @m {{\n{}\n}}\n", theirs_text);
    let read = programs::lower(&program, "theirs", Options::default()).map_err(|errors| format!("{errors:?}"))?;
    if let Some(difference) = difference(&shape(&decoded.module, None), &shape(&read.module, None)) {
        return Err(format!("read differently: {difference}"));
    }
    print::check(&decoded.module, decoded.debug.as_ref()).map_err(|broken| format!("{:?}", broken.diagnostics))?;
    let again = bytecode::encode(&decoded.module, decoded.debug.as_ref(), decoded.version);
    let again = again.map_err(|unsupported| format!("{unsupported:?}"))?;
    if again == bytes {
        return Ok(());
    }
    // Other writers order their tables differently.
    let read = decode(&again).map_err(|error| format!("after encoding again: {error}"))?;
    if read.module != decoded.module {
        return Err("the program differs after encoding again".to_string());
    }
    let Some(release) = tools::releases().first().filter(|release| release.version >= decoded.version) else {
        return Ok(());
    };
    match (release.disassemble(&bytes), release.disassemble(&again)) {
        (Ok(first), Ok(second)) if first == second => Ok(()),
        (first, second) => Err(format!("the disassembly differs after encoding again\n{first:?}\n{second:?}")),
    }
}

#[test]
fn files_that_nvidias_tools_accept_are_printed_checked_and_encoded_alike() {
    let files: Vec<_> = ["ok", "ordinary"].into_iter().flat_map(files).collect();
    let wrong = files.iter().filter_map(|(name, path)| Some(format!("{name}: {}", differences(path).err()?)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

#[test]
fn files_that_nvidias_tools_reject_are_rejected() {
    let mut accepted = Vec::new();
    for (name, path) in files("reject") {
        // Newer bytecode is read with a warning, as far as possible.
        if name == "hdr_13_6" || ABOUT_A_GPU.iter().any(|part| name.contains(part)) {
            continue;
        }
        let Ok(decoded) = decode(&fs::read(path).expect("the file is readable")) else { continue };
        if print::check(&decoded.module, decoded.debug.as_ref()).is_ok() {
            accepted.push((name, decoded.version));
        }
    }
    // Rules that the tools of 13.5 apply to older bytecode too are lints here.
    accepted.retain(|(_, version)| *version == Version::NEWEST);
    assert!(accepted.is_empty(), "{accepted:?}");
}
