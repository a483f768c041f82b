//! The programs of two folders that belong together.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tile_config::Configs;
use tile_dialect::BYTECODE_MAGIC;
use tile_input::MAX_PROGRAM;

/// The programs of two folders under one relative path.
pub(super) struct Pair {
    /// The relative path, without the extension if the two have different ones.
    pub(super) name: String,
    pub(super) a: Option<PathBuf>,
    pub(super) b: Option<PathBuf>,
}

/// Pairs the programs below two folders: first those of the same relative path, then those whose paths differ only in
/// the extension. Also returns messages about folders that cannot be read.
pub(super) fn pairs(a: &Path, b: &Path, configs: &Configs) -> (Vec<Pair>, Vec<String>) {
    let (mut found_a, mut problems) = programs(a, configs);
    let (mut found_b, more) = programs(b, configs);
    problems.extend(more);
    let mut pairs = Vec::new();
    let mut take = |key: &dyn Fn(&Path) -> PathBuf, found_a: &mut Found, found_b: &mut Found| {
        let mut by_key: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        found_b.keys().for_each(|path| by_key.entry(key(path)).or_default().push(path.clone()));
        let names: Vec<PathBuf> = found_a.keys().cloned().collect();
        for path in names {
            let Some(other) = by_key.get_mut(&key(&path)).and_then(Vec::pop) else { continue };
            let name = if other == path { path.clone() } else { key(&path) };
            let (x, y) = (found_a.remove(&path), found_b.remove(&other));
            pairs.push(Pair { name: shown(&name), a: x, b: y });
        }
    };
    take(&Path::to_path_buf, &mut found_a, &mut found_b);
    take(&|path| path.with_extension(""), &mut found_a, &mut found_b);
    pairs.extend(found_a.into_iter().map(|(name, path)| Pair { name: shown(&name), a: Some(path), b: None }));
    pairs.extend(found_b.into_iter().map(|(name, path)| Pair { name: shown(&name), a: None, b: Some(path) }));
    pairs.sort_by(|a, b| a.name.cmp(&b.name));
    (pairs, problems)
}

/// Programs by their paths relative to a folder.
type Found = BTreeMap<PathBuf, PathBuf>;

fn programs(folder: &Path, configs: &Configs) -> (Found, Vec<String>) {
    let (files, problems) = tile_files::below(folder, configs, is_program);
    let relative = |path: PathBuf| Some((path.strip_prefix(folder).ok()?.to_path_buf(), path));
    (files.into_iter().filter_map(relative).collect(), problems)
}

fn is_program(path: &Path) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("tile" | "tileirbc") => true,
        Some("mlir") => tile_input::contains(path, b"cuda_tile.module", MAX_PROGRAM).unwrap_or(false),
        _ => is_bytecode(path),
    }
}

fn is_bytecode(path: &Path) -> bool {
    let mut start = [0; BYTECODE_MAGIC.len()];
    let is_file = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    is_file && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == BYTECODE_MAGIC
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
