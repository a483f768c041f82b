//! NVIDIA's tools: all releases that are installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tile_dialect::Version;

/// The tools of one release, which are in one folder.
#[derive(Clone, Debug)]
pub struct Release {
    /// The newest bytecode version that they read and `tile` knows.
    pub version: Version,
    /// Their folder.
    pub folder: PathBuf,
}

/// The releases on the search path, newest first. If there are none, reports the running test as skipped.
pub fn releases() -> &'static [Release] {
    static RELEASES: OnceLock<Vec<Release>> = OnceLock::new();
    let releases = RELEASES.get_or_init(|| {
        let mut found: Vec<Release> = Vec::new();
        for folder in folders() {
            let version = newest_version(&folder.join("tileiras"));
            if let Some(version) = version.filter(|version| found.iter().all(|other| other.version != *version)) {
                found.push(Release { version, folder });
            }
        }
        found.sort_by_key(|release| std::cmp::Reverse(release.version));
        found
    });
    if releases.is_empty() {
        crate::skip::without_tool("tileiras");
    }
    releases
}

/// The path of a tool, preferably of the newest release. If it is missing, reports the running test as skipped.
pub fn find(name: &str) -> Option<PathBuf> {
    let newest = releases().first().map(|release| release.folder.clone());
    let found = newest.into_iter().chain(folders()).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        crate::skip::without_tool(name);
    }
    found
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

/// The newest bytecode version that a compiler reads and `tile` knows.
fn newest_version(compiler: &Path) -> Option<Version> {
    let output = Command::new(compiler).arg("--list-versions").output().ok()?;
    String::from_utf8_lossy(&output.stdout).split_whitespace().filter_map(Version::from_name).max()
}

impl Release {
    /// Disassembles bytecode with `tileirdisasm` of this release, with locations, or returns its error message.
    pub fn disassemble(&self, bytecode: &[u8]) -> Result<String, String> {
        disassemble(&self.folder.join("tileirdisasm"), bytecode)
    }

    /// Compiles bytecode with `tileiras` and `ptxas` of this release, or returns the error message. Without
    /// optimization, which takes long and reports no further errors.
    pub fn assemble(&self, bytecode: &[u8], gpu: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().expect("a temporary folder is created");
        let (program, cubin) = (folder.path().join("program.tileirbc"), folder.path().join("program.cubin"));
        std::fs::write(&program, bytecode).expect("the file is written");
        let path = std::env::join_paths([self.folder.clone()].into_iter().chain(folders())).expect("no `:` in folders");
        let mut command = Command::new(self.folder.join("tileiras"));
        command.env("PATH", path).arg(format!("--gpu-name={gpu}")).args(["-g", "--opt-level=0"]);
        let output = command.arg("-o").arg(&cubin).arg(&program).output().expect("`tileiras` runs");
        if output.status.success() && cubin.is_file() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
        }
    }
}

/// Disassembles bytecode with `tileirdisasm`, with locations, or returns its error message.
pub fn disassemble(tool: &Path, bytecode: &[u8]) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let path = folder.path().join("program.tileirbc");
    std::fs::write(&path, bytecode).expect("the file is written");
    let output = Command::new(tool).arg("-g").arg(&path).output().expect("`tileirdisasm` runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}
