//! The open folders, and the programs in them that are not open themselves.
//!
//! No program outside the folders is read: links and hidden folders are not followed. As in `tile check`, files that
//! `.gitignore` or the project excludes are skipped. The diagnostics of a file are kept until the file changes.

mod facts;

use crate::paths::path_of;
use crate::project::Projects;
pub(crate) use facts::Facts;
use facts::{Known, MAX_BYTES, Stamp};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tile_analysis::context::Options;
use tile_config::Configs;
use tile_files::below_where;
use tokio::sync::Notify;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{InitializeParams, WorkspaceFolder};

/// The maximum number of files.
const MAX_FILES: usize = 4000;

/// The maximum depth of folders.
const MAX_DEPTH: usize = 24;

/// Folders that do not contain programs.
const SKIPPED: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// The open folders and their files.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    folders: Mutex<Folders>,
    known: Mutex<HashMap<PathBuf, Known>>,
    /// The URIs of documents that were open before.
    closed: Mutex<HashSet<String>>,
    /// Each is held by the running search of its kind: a folder that does not answer must not occupy more threads.
    searches: [Arc<tokio::sync::Mutex<()>>; 3],
    /// Notified when files, or the set of open ones, may have changed.
    pub(crate) changed: Notify,
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Search {
    /// Symbols of the programs in the folders.
    Symbols,
    /// Diagnostics of these programs.
    Diagnostics,
    /// Whether a file exists.
    File,
}

/// The open folders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folders(Vec<PathBuf>);

impl Folders {
    /// Whether a path is in one of them.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.0.iter().any(|folder| path.starts_with(folder))
    }
}

impl Workspace {
    /// Takes the open folders from the parameters of `initialize`.
    #[expect(deprecated, reason = "older clients name one folder in a deprecated field")]
    pub(crate) fn open(&self, params: &InitializeParams) {
        let named = params.workspace_folders.as_deref().unwrap_or_default().iter();
        let mut folders: Vec<PathBuf> = named.filter_map(|folder| path_of(&folder.uri)).collect();
        if folders.is_empty() {
            folders.extend(params.root_uri.as_ref().and_then(path_of));
        }
        lock(&self.folders).0 = folders;
    }

    /// Updates the open folders.
    pub(crate) fn change(&self, added: &[WorkspaceFolder], removed: &[WorkspaceFolder]) {
        let mut folders = lock(&self.folders);
        let gone: Vec<PathBuf> = removed.iter().filter_map(|folder| path_of(&folder.uri)).collect();
        folders.0.retain(|folder| !gone.contains(folder));
        for path in added.iter().filter_map(|folder| path_of(&folder.uri)) {
            if !folders.0.contains(&path) {
                folders.0.push(path);
            }
        }
        drop(folders);
        self.changed.notify_waiters();
    }

    /// Notes that a document was opened.
    pub(crate) fn opened(&self, uri: &str) {
        lock(&self.closed).remove(uri);
        self.changed.notify_waiters();
    }

    /// Notes that a document was closed.
    pub(crate) fn closed(&self, uri: &str) {
        lock(&self.closed).insert(uri.to_string());
        self.changed.notify_waiters();
    }

    /// The URIs of documents that were open before.
    pub(crate) fn all_closed(&self) -> HashSet<String> {
        lock(&self.closed).clone()
    }

    /// The open folders.
    pub(crate) fn folders(&self) -> Folders {
        lock(&self.folders).clone()
    }

    /// Runs a search on another thread, after earlier ones of the same kind.
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        kind: Search,
        search: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let turn = self.searches[kind as usize].clone().lock_owned().await;
        let found = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            search()
        });
        found.await.map_err(|_| Error::internal_error())
    }

    /// Returns the facts of the programs in the open folders, except for those that `is_open` says are open. Reads only
    /// files that have changed since the last call. Calls `report` with the number of files done and their total.
    pub(crate) fn facts(
        &self,
        options: Options,
        projects: &Projects,
        is_open: impl Fn(&Path) -> bool,
        mut report: impl FnMut(usize, usize),
    ) -> Vec<(PathBuf, Arc<Facts>)> {
        let files = self.files(projects);
        let mut found = Vec::new();
        let mut kept = HashMap::new();
        for (index, (path, stamp)) in files.iter().enumerate() {
            if !is_open(path) {
                // An error in a project file is shown when a document of the project is opened.
                let project = projects.at(path).unwrap_or_default();
                let options = project.rules.over(options);
                let before = lock(&self.known).remove(path).filter(|known| known.is_of(*stamp, options, &project));
                let known = before.unwrap_or_else(|| Known::read(path, *stamp, options, project));
                found.extend(known.facts.clone().map(|facts| (path.clone(), facts)));
                kept.insert(path.clone(), known);
            }
            report(index + 1, files.len());
        }
        *lock(&self.known) = kept;
        found
    }

    /// The files that may be programs, sorted.
    fn files(&self, projects: &Projects) -> Vec<(PathBuf, Stamp)> {
        let configs = projects.configs();
        let mut files = Vec::new();
        for folder in &self.folders().0 {
            search(folder, &configs, &mut files);
        }
        files.sort_by(|a, b| a.0.cmp(&b.0));
        files.dedup_by(|a, b| a.0 == b.0);
        files
    }
}

fn search(folder: &Path, configs: &Configs, files: &mut Vec<(PathBuf, Stamp)>) {
    let found = RefCell::new(Vec::new());
    let has_room = || files.len() + found.borrow().len() < MAX_FILES;
    let enters = |path: &Path| {
        let depth = path.strip_prefix(folder).map_or(0, |below| below.components().count());
        let is_skipped = path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped));
        has_room() && depth <= MAX_DEPTH && !is_skipped
    };
    let (paths, _) = below_where(folder, configs, &enters, |path| {
        // A link has its own metadata, not that of its target.
        let known = may_be_program(path).then(|| path.symlink_metadata().ok()).flatten();
        let Some(known) = known.filter(|known| known.is_file() && known.len() <= MAX_BYTES && has_room()) else {
            return false;
        };
        found.borrow_mut().push((path.to_path_buf(), Stamp { modified: known.modified().ok(), length: known.len() }));
        true
    });
    let taken: HashSet<PathBuf> = paths.into_iter().collect();
    let found = found.into_inner().into_iter();
    files.extend(found.filter(|(path, _)| taken.contains(path)));
}

/// Whether a file's name is that of a program. MLIR files are programs if they contain a Tile IR module.
fn may_be_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tile" || extension == "mlir")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_inside_the_folders_are_known() {
        let root = std::env::temp_dir().join(format!("tile-workspace-{}", std::process::id()));
        let inside = root.join("in");
        for folder in ["in/sub", "in/.hidden", "in/target", "out"] {
            std::fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        let program = "cuda_tile.module @m {\n  entry @k() {\n    %x = negf %no : tile<f32>\n  }\n}\n";
        for file in ["in/a.tile", "in/sub/b.mlir", "in/.hidden/c.tile", "in/target/d.tile", "out/e.tile", "in/f.txt"] {
            std::fs::write(root.join(file), program).expect("a file");
        }
        std::fs::write(inside.join("other.mlir"), "module {}\n").expect("a file");
        #[cfg(unix)]
        for (target, link) in [("out", "in/link"), ("out/e.tile", "in/link.tile")] {
            std::os::unix::fs::symlink(root.join(target), root.join(link)).expect("a link");
        }
        let workspace = Workspace::default();
        lock(&workspace.folders).0 = vec![inside.clone()];
        let names = || {
            let facts = workspace.facts(Options::default(), &Projects::default(), |_| false, |_, _| {});
            let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
            facts.iter().map(|(path, facts)| (name(path), facts.diagnostics().len())).collect::<Vec<_>>()
        };
        assert_eq!(names(), [("a.tile".to_string(), 1), ("b.mlir".to_string(), 1)]);
        std::fs::write(inside.join("a.tile"), "cuda_tile.module @m {\n}\n").expect("a file");
        assert_eq!(names()[0], ("a.tile".to_string(), 0));
        // Files that `exclude` or `.gitignore` leaves out are skipped here too.
        std::fs::write(inside.join("tile.toml"), "exclude = [\"sub\"]\n").expect("a file");
        assert_eq!(names(), [("a.tile".to_string(), 0)]);
        std::fs::write(inside.join("tile.toml"), "target-version = \"13.1\"\n").expect("a file");
        std::fs::write(inside.join(".gitignore"), "b.mlir\n").expect("a file");
        let old = program.replace("%x = negf %no : tile<f32>", "print \"a\"");
        std::fs::write(inside.join("a.tile"), old).expect("a file");
        assert_eq!(names(), [("a.tile".to_string(), 0)], "13.1 calls the op `print`");
        std::fs::remove_dir_all(&root).expect("the folder is ours");
    }
}
