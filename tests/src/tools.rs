//! NVIDIA's tools, where they are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program on the search path. Where it is missing, reports the running test as skipped.
pub fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        crate::skip::without_tool(name);
    }
    found
}

/// What `tileirdisasm` prints of bytecode, with locations, or what it says is wrong.
pub fn disassemble(tool: &Path, bytecode: &[u8]) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a folder for the bytecode");
    let path = folder.path().join("program.tileirbc");
    std::fs::write(&path, bytecode).expect("it takes a file");
    let output = Command::new(tool).arg("-g").arg(&path).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// Compiles bytecode with `tileiras`, or says what it says. It does not optimise: that takes long and refuses nothing.
pub fn assemble(tool: &Path, bytecode: &[u8], gpu: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder for the bytecode");
    let (program, cubin) = (folder.path().join("program.tileirbc"), folder.path().join("program.cubin"));
    std::fs::write(&program, bytecode).expect("it takes a file");
    let mut command = Command::new(tool);
    command.arg(format!("--gpu-name={gpu}")).args(["-g", "--opt-level=0"]).arg("-o").arg(&cubin).arg(&program);
    let output = command.output().expect("it runs");
    match output.status.success() && cubin.is_file() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
    }
}
