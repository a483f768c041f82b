//! The instructions of a cubin as text, by NVIDIA's own disassemblers.

use super::compiler::{Stop, child, program};
use std::process::Command;
use std::time::Duration;

/// The programs that print instructions, and how they are told to.
pub(super) const TOOLS: [(&str, &[&str]); 2] = [("nvdisasm", &["--print-code"]), ("cuobjdump", &["--dump-sass"])];

/// How long one may take.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The instructions of a cubin, or why there is no text of them.
pub fn of(cubin: &[u8], stop: &Stop) -> Result<String, String> {
    let found = TOOLS.iter().find_map(|(name, arguments)| Some((program(name)?, arguments)));
    let Some((path, arguments)) = found else {
        return Err("there is neither `nvdisasm` nor `cuobjdump`, which print the instructions of a GPU: install one with `pip install nvidia-cuda-nvdisasm` or the CUDA toolkit".to_string());
    };
    let folder = tempfile::tempdir().map_err(|error| format!("no folder for the code: {error}"))?;
    let file = folder.path().join("program.cubin");
    std::fs::write(&file, cubin).map_err(|error| format!("`{}`: {error}", file.display()))?;
    let mut command = Command::new(&path);
    command.args(*arguments).arg(&file);
    let shown = path.display();
    match child::run(command, TIMEOUT, stop) {
        Ok(Some(ended)) if ended.status.success() => Ok(format!("{}\n", ended.said)),
        Ok(Some(ended)) => Err(format!("`{shown}` failed ({}): {}", ended.status, ended.said)),
        Ok(None) if stop.is_stopped() => Err(format!("`{shown}` was stopped")),
        Ok(None) => Err(format!("`{shown}` was given up after {TIMEOUT:?}")),
        Err(error) => Err(format!("`{shown}`: {error}")),
    }
}
