//! The environment of child processes: workers on this machine, and NVIDIA's tools. They receive the variables that
//! they need, but not the others, which can contain secrets such as access tokens.

use std::ffi::OsStr;
use std::process::Command;

/// The variables that are passed on.
const NAMES: [&str; 25] = [
    "APPDATA",
    "CONDA_PREFIX",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOCALAPPDATA",
    "LOGNAME",
    "NUMBER_OF_PROCESSORS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "VIRTUAL_ENV",
    "WINDIR",
    "COMSPEC",
];

/// The prefixes of variables that are passed on: settings of this program, of NVIDIA's driver and tools, of the dynamic
/// linker, of the C library, of Rust's runtime, and of coverage measurements.
const PREFIXES: [&str; 16] = [
    "CUDA_",
    "DYLD_",
    "GLIBC_",
    "LC_",
    "LD_",
    "LLVM_PROFILE_",
    "MALLOC_",
    "NVCC_",
    "NVIDIA_",
    "NVVM",
    "PTXAS",
    "RAYON_",
    "RUST_",
    "TILEIR",
    "TILE_",
    "XDG_",
];

/// Removes all other variables from the environment of a command. Must precede changes to its environment.
pub(crate) fn restrict(command: &mut Command) -> &mut Command {
    command.env_clear().envs(std::env::vars_os().filter(|(name, _)| is_passed(name)))
}

/// Whether a variable is passed on. Windows ignores the case of names.
fn is_passed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let name = if cfg!(windows) { name.to_ascii_uppercase() } else { name.to_string() };
    NAMES.contains(&name.as_str()) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_passed_on() {
        let passed = |name: &str| is_passed(name.as_ref());
        for name in ["PATH", "HOME", "CUDA_VISIBLE_DEVICES", "TILE_CACHE_DIR", "LD_LIBRARY_PATH", "LC_ALL"] {
            assert!(passed(name), "{name}");
        }
        let secrets =
            ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "HF_TOKEN", "NPM_TOKEN", "LDAP_PASSWORD"];
        for name in secrets.into_iter().chain(["", "XPATH", "PATH_TOKEN", "MY_CUDA_TOKEN"]) {
            assert!(!passed(name), "{name}");
        }
    }
}
