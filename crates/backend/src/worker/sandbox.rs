//! The sandbox of workers that run only the CPU engine: a second line of defense behind the engine's own bounds checks.
//!
//! Such a worker receives everything in messages, so it needs neither files nor the network. On Linux, Landlock denies
//! access to files, and seccomp denies system calls that the engine does not need. Workers for GPUs have no sandbox,
//! because drivers and compilers need files, devices and processes.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;

/// The parts of the sandbox that the system supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Whether Landlock denies access to files.
    pub files: bool,
    /// Whether seccomp denies system calls.
    pub calls: bool,
}

impl Sandbox {
    /// Restricts the calling thread, and all threads that it starts later, as far as the system supports it.
    pub fn enter() -> Sandbox {
        #[cfg(target_os = "linux")]
        let entered = Sandbox { files: files::restrict().unwrap_or(false), calls: calls::restrict().is_ok() };
        #[cfg(not(target_os = "linux"))]
        let entered = Sandbox::default();
        entered
    }

    /// Determines what the system supports. Restricts only a thread that ends at once.
    pub fn supported() -> Sandbox {
        std::thread::spawn(Sandbox::enter).join().unwrap_or_default()
    }

    /// A description for the user.
    pub fn description(self) -> &'static str {
        match self {
            Sandbox { files: true, calls: true } => "Landlock and seccomp",
            Sandbox { files: true, calls: false } => "Landlock, but not seccomp",
            Sandbox { files: false, calls: true } => "seccomp, but not Landlock, which needs Linux 5.13 or later",
            Sandbox { files: false, calls: false } => "none; it needs Linux with Landlock and seccomp",
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
