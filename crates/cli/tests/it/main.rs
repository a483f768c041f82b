//! End-to-end tests of the programs `tile` and `tile-fmt`.

mod bad_input;
mod checking;
#[cfg(unix)]
mod compiler;
#[cfg(target_os = "linux")]
mod concurrent;
#[cfg(target_os = "linux")]
mod crashes;
mod debugging;
#[cfg(target_os = "linux")]
mod device;
mod diff;
mod documentation;
#[cfg(target_os = "linux")]
mod driver;
mod editor;
#[cfg(target_os = "linux")]
mod faults;
mod formatting;
#[cfg(unix)]
mod gpu;
mod graph;
mod harness;
#[cfg(unix)]
mod hosts;
#[cfg(target_os = "linux")]
mod libraries;
mod lsp;
#[cfg(unix)]
mod lsp_gpu;
#[cfg(unix)]
mod lsp_remarks;
mod lsp_robust;
#[cfg(target_os = "linux")]
mod lsp_tuning;
mod lsp_values;
#[cfg(target_os = "linux")]
mod measuring_hosts;
mod opt;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod projects;
#[cfg(unix)]
mod reduce;
mod running;
#[cfg(target_os = "linux")]
mod security;
#[cfg(target_os = "linux")]
mod sessions;
mod shown;
#[path = "../../../../tests/src/skip.rs"]
mod skip;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(target_os = "linux")]
mod traced;
#[cfg(target_os = "linux")]
mod tuning;
#[cfg(target_os = "linux")]
mod view;
mod waiting;
#[cfg(target_os = "linux")]
mod worker_ends;
