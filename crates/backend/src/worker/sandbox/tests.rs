//! Tests of the sandbox, each in a thread that enters it.

#[path = "../../../../../tests/src/skip.rs"]
mod skip;

use super::super::free_memory;
use super::*;
use std::fs::{self, File, OpenOptions};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::Command;

/// Runs a test in a sandboxed thread, if the system supports both parts of the sandbox.
fn sandboxed(test: impl FnOnce() + Send + 'static) {
    if Sandbox::supported() != (Sandbox { files: true, calls: true }) {
        return skip::skipped(format_args!("the sandbox of this system is: {}", Sandbox::supported().description()));
    }
    let entered = std::thread::spawn(|| {
        Sandbox::enter();
        test();
    });
    entered.join().expect("the test passes in the sandbox");
}

/// Also where no filter can be installed, such as in an emulator.
#[test]
fn the_filter_of_system_calls_can_be_compiled() {
    assert!(calls::program().is_ok_and(|filter| !filter.is_empty()));
}

#[test]
fn files_can_be_neither_read_nor_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a");
    fs::write(&path, "secret").expect("the folder is writable");
    let inside = path.clone();
    sandboxed(move || {
        for path in [inside.as_path(), "/etc/passwd".as_ref(), "/proc/self/environ".as_ref(), "/dev/zero".as_ref()] {
            assert!(File::open(path).is_err(), "{}", path.display());
            assert!(OpenOptions::new().append(true).open(path).is_err(), "{}", path.display());
        }
        let folder = inside.parent().expect("the file is in a folder");
        assert!(fs::read_dir(folder).is_err());
        assert!(File::create(folder.join("b")).is_err());
        assert!(fs::create_dir(folder.join("b")).is_err());
        assert!(fs::rename(&inside, folder.join("b")).is_err());
        assert!(fs::remove_file(&inside).is_err());
        assert!(std::os::unix::fs::symlink("/", folder.join("b")).is_err());
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        assert!(fs::set_permissions(&inside, mode).is_err());
    });
    assert_eq!(fs::read_dir(folder.path()).expect("the folder is readable").count(), 1);
    assert_eq!(fs::read_to_string(path).expect("the file is readable"), "secret");
}

#[test]
fn neither_programs_nor_connections_can_be_started() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("the socket is bound");
    sandboxed(move || {
        assert!(Command::new("true").spawn().is_err());
        assert!(Command::new("/proc/self/exe").spawn().is_err());
        assert!(TcpStream::connect(address).is_err());
        assert!(TcpListener::bind("127.0.0.1:0").is_err());
        assert!(UdpSocket::bind("127.0.0.1:0").is_err());
        assert!(UnixStream::pair().is_err());
        assert!(UnixDatagram::unbound().is_err());
    });
}

#[test]
fn other_processes_can_be_neither_signaled_nor_read() {
    use rustix::process::{Pid, Signal, getppid, kill_process};
    let parent = getppid().map_or(1, |parent| parent.as_raw_nonzero().get());
    sandboxed(move || {
        let pid = Pid::from_raw(parent).expect("a process ID");
        assert!(kill_process(pid, Signal::CONT).is_err());
        for file in ["environ", "maps", "mem", "cmdline"] {
            assert!(File::open(format!("/proc/{parent}/{file}")).is_err(), "{file}");
        }
    });
}

/// The engine can start threads, allocate memory, and read the size of the machine.
#[test]
fn the_engine_can_do_its_work() {
    let before = (free_memory::available().is_some(), std::thread::available_parallelism().ok());
    sandboxed(move || {
        assert_eq!((free_memory::available().is_some(), std::thread::available_parallelism().ok()), before);
        let sums = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4_u8).map(|start| scope.spawn(move || vec![start; 64 << 20].len())).collect();
            threads.into_iter().map(|thread| thread.join().expect("the thread ends")).sum::<usize>()
        });
        assert_eq!(sums, 256 << 20);
        assert!(std::panic::catch_unwind(|| panic!("a panic is reported")).is_err());
        std::thread::sleep(std::time::Duration::from_millis(1));
        eprintln!("{:?}", std::time::Instant::now());
    });
}
