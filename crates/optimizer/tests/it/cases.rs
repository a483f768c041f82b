//! The programs in `tests/cases/`, each optimized by the pass that it is named after, or by all.
//!
//! Entries whose names begin with `kept` must not change.

use std::path::{Path, PathBuf};
use tile_opt::{Pass, Settings, optimize};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = std::fs::read_dir(folder).expect("the folder is readable");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("the folder is readable").path()).collect();
    paths.sort();
    paths
}

/// The entries of a text by name, from their comments to their closing braces.
fn entries(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("\n  entry @").skip(1);
    let entry = |part| -> Option<(&str, &str)> {
        let part: &str = part;
        let end = part.find("\n  }")?;
        Some((part.split('(').next()?, &part[..end]))
    };
    parts.filter_map(entry).collect()
}

#[test]
fn cases_are_optimized() {
    let mut kept = 0;
    for path in cases() {
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the case is readable");
        let pass = name.split('-').next().and_then(Pass::named);
        let passes = pass.map_or(Pass::ALL.to_vec(), |pass| vec![pass]);
        let settings = Settings { contract: name.ends_with("-contract"), ..Settings::default() };
        let optimized = optimize(&text, &passes, &settings, &mut |_| {});
        let optimized = optimized.unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let (before, after) = (entries(&text), entries(&optimized.text));
        for ((entry, before), (_, after)) in
            before.iter().zip(&after).filter(|((entry, _), _)| entry.starts_with("kept"))
        {
            assert_eq!(before, after, "{name}: @{entry} changed");
            kept += 1;
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, optimized.text);
        });
    }
    assert!(kept > 10, "only {kept} entries must not change");
}

#[test]
fn every_pass_has_a_case() {
    let names: Vec<String> = cases().iter().map(|path| path.display().to_string()).collect();
    for pass in Pass::ALL {
        let file = format!("{}.tile", pass.name());
        assert!(names.iter().any(|name| name.ends_with(&file)), "no case {file}");
    }
}
