//! Disassembles cubins with NVIDIA's tools.

use super::compiler::{Stop, child, program};
use std::time::Duration;

/// The disassemblers and their arguments.
pub(super) const TOOLS: [(&str, &[&str]); 2] = [("nvdisasm", &["--print-code"]), ("cuobjdump", &["--dump-sass"])];

/// The time limit of a disassembler.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Returns the instructions of a cubin, or an error message.
pub fn of(cubin: &[u8], stop: &Stop) -> Result<String, String> {
    let found = TOOLS.iter().find_map(|(name, arguments)| Some((program(name)?, arguments)));
    let Some((path, arguments)) = found else {
        return Err("neither `nvdisasm` nor `cuobjdump` was found, which disassemble GPU code: install one with `pip install nvidia-cuda-nvdisasm` or the CUDA toolkit".to_string());
    };
    let folder = tempfile::tempdir().map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let file = folder.path().join("program.cubin");
    std::fs::write(&file, cubin).map_err(|error| format!("`{}`: {error}", file.display()))?;
    let mut command = child::tool(&path);
    command.args(*arguments).arg(&file);
    let shown = path.display();
    match child::run(command, TIMEOUT, stop) {
        Ok(Some(ended)) if ended.status.success() => Ok(format!("{}\n", ended.output)),
        Ok(Some(ended)) => Err(format!("`{shown}` failed ({}): {}", ended.status, ended.output)),
        Ok(None) if stop.is_stopped() => Err(format!("`{shown}` was stopped")),
        Ok(None) => Err(format!("`{shown}` timed out after {TIMEOUT:?}")),
        Err(error) => Err(format!("`{shown}`: {error}")),
    }
}
