//! Disassembles cubins with NVIDIA's tools.

use super::compiler::{Stop, child, program};
use std::path::Path;
use std::time::Duration;

/// The disassembler that prints source lines and live registers.
const NVDISASM: &str = "nvdisasm";

/// The message if it is missing.
const MISSING: &str = "`nvdisasm` was not found, which relates instructions to source lines: install it with `pip install nvidia-cuda-nvdisasm` or the CUDA toolkit";

/// The disassemblers and their arguments.
pub(super) const TOOLS: [(&str, &[&str]); 2] = [(NVDISASM, &["--print-code"]), ("cuobjdump", &["--dump-sass"])];

/// The time limit of a disassembler.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Returns the instructions of a cubin, or an error message.
pub fn of(cubin: &[u8], stop: &Stop) -> Result<String, String> {
    let found = TOOLS.iter().find_map(|(name, arguments)| Some((program(name)?, arguments)));
    let Some((path, arguments)) = found else {
        return Err("neither `nvdisasm` nor `cuobjdump` was found, which disassemble GPU code: install one with `pip install nvidia-cuda-nvdisasm` or the CUDA toolkit".to_string());
    };
    Ok(format!("{}\n", output(&path, arguments, cubin, stop)?))
}

/// A disassembly by `nvdisasm`, twice, because it prints source lines only without live registers.
pub(super) struct WithLines {
    /// With comments that name source lines, the lines of calls, and lines of the PTX.
    pub(super) lines: String,
    /// With the numbers of live registers.
    pub(super) live: String,
}

/// Whether this machine has the disassembler that [`with_lines`] needs.
pub fn has_lines() -> bool {
    program(NVDISASM).is_some()
}

/// Returns the instructions of a cubin with their source lines and live registers, or an error message.
pub(super) fn with_lines(cubin: &[u8], stop: &Stop) -> Result<WithLines, String> {
    let path = program(NVDISASM).ok_or_else(|| MISSING.to_string())?;
    let lines = output(&path, &["--print-code", "--print-line-info-inline", "--print-line-info-ptx"], cubin, stop)?;
    let live = output(&path, &["--print-code", "--life-range-mode", "count"], cubin, stop)?;
    Ok(WithLines { lines, live })
}

/// Runs a disassembler on a cubin and returns what it prints.
fn output(path: &Path, arguments: &[&str], cubin: &[u8], stop: &Stop) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let file = folder.path().join("program.cubin");
    std::fs::write(&file, cubin).map_err(|error| format!("`{}`: {error}", file.display()))?;
    let mut command = child::tool(path);
    command.args(arguments).arg(&file);
    let shown = path.display();
    match child::run(command, TIMEOUT, stop) {
        Ok(Some(ended)) if ended.status.success() => Ok(ended.output),
        Ok(Some(ended)) => Err(format!("`{shown}` failed ({}): {}", ended.status, ended.output)),
        Ok(None) if stop.is_stopped() => Err(format!("`{shown}` was stopped")),
        Ok(None) => Err(format!("`{shown}` timed out after {TIMEOUT:?}")),
        Err(error) => Err(format!("`{shown}`: {error}")),
    }
}
