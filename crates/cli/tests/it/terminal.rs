//! Commands on a terminal, without the program `script`, which minimal systems lack.

use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// A command whose standard streams are its own terminal. Dropping it kills the command.
pub(crate) struct OnTerminal {
    pub(crate) child: Child,
    screen: File,
}

impl OnTerminal {
    /// Starts a command in its own process group. Fails if the system has no terminals.
    pub(crate) fn start(command: &mut Command) -> io::Result<OnTerminal> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let screen = openpt(flags)?;
        grantpt(&screen)?;
        unlockpt(&screen)?;
        let terminal = File::from(ioctl_tiocgptpeer(&screen, flags)?);
        command.stdin(terminal.try_clone()?).stdout(terminal.try_clone()?).stderr(terminal).process_group(0);
        let child = command.spawn()?;
        // The handles in the command would keep the terminal open.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(OnTerminal { child, screen: screen.into() })
    }

    /// Appends the next output of the command to `shown`. Returns false at the end.
    pub(crate) fn read(&mut self, shown: &mut String) -> bool {
        let mut some = [0; 256];
        match self.screen.read(&mut some) {
            Ok(count @ 1..) => shown.push_str(&String::from_utf8_lossy(&some[..count])),
            // Linux reports an error once no process has the terminal open.
            Ok(0) | Err(_) => return false,
        }
        true
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        // The command has already ended, unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
