//! Hosts: the machine on which kernels run, and the target there.

use super::client::Worker;
use super::error::WorkerError;
use super::killer::Killer;
use super::protocol::Target;
use super::starting::{Starting, Stderr, default_timeout};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

/// How a worker is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// As a process on this machine.
    #[default]
    Here,
    /// With a launcher.
    Launcher(Launcher),
}

/// A command that starts workers, usually on another machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The words that precede `tile worker`.
    pub words: Vec<String>,
    /// Its name in the user's file, if it has one.
    pub name: Option<String>,
    /// The time limit for the start of a worker, if it has its own.
    pub start_timeout: Option<Duration>,
}

/// A machine and a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// How the worker is started.
    pub start: Start,
    /// The target on that machine.
    pub target: Target,
}

/// The file with the user's hosts, in the user's configuration folder. A workspace cannot define hosts, because opening
/// it would then run commands of its author.
const FILE: &str = "tile/targets";

/// The end of a setting's name in that file: the time limit of a host for the start of a worker, in seconds.
const START_TIMEOUT: &str = ".start-timeout";

impl Start {
    /// Parses a launcher as a shell would: words, which can be quoted.
    pub fn parse_launcher(text: &str) -> Result<Start, String> {
        let words = words(text).ok_or_else(|| format!("the launcher `{text}` has an unclosed quote"))?;
        if words.is_empty() {
            return Err("expected a command, such as 'ssh gpubox'".to_string());
        }
        Ok(Start::Launcher(Launcher { words, name: None, start_timeout: None }))
    }

    /// Sets the time limit for the start of a worker, unless it is `None`.
    pub fn with_timeout(mut self, timeout: Option<Duration>) -> Start {
        if let Start::Launcher(launcher) = &mut self {
            launcher.start_timeout = timeout.or(launcher.start_timeout);
        }
        self
    }

    /// The time limit for the start of a worker.
    pub(super) fn timeout(&self) -> Duration {
        match self {
            Start::Launcher(Launcher { start_timeout: Some(timeout), .. }) => *timeout,
            _ => default_timeout(),
        }
    }

    /// Starts a worker that can use GPUs.
    pub fn worker(&self) -> Result<Worker, WorkerError> {
        self.worker_with(|_| {})
    }

    /// Starts a worker that can use GPUs, and passes on its killer before it has answered.
    pub fn worker_with(&self, spawned: impl FnOnce(Killer)) -> Result<Worker, WorkerError> {
        started(self.spawn(&["worker"], Stderr::Inherited)?, spawned)
    }

    fn spawn(&self, arguments: &[&str], stderr: Stderr) -> Result<Starting, WorkerError> {
        let launcher = match self {
            Start::Here => return Starting::local(arguments),
            Start::Launcher(launcher) => launcher,
        };
        let words = &launcher.words;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg("tile").args(arguments);
        lead_session(&mut command);
        Starting::spawn(&mut command, Some((words.join(" "), launcher.start_timeout)), stderr)
    }
}

/// Waits for the first message of a worker, whose killer is passed on.
fn started(starting: Starting, spawned: impl FnOnce(Killer)) -> Result<Worker, WorkerError> {
    spawned(starting.killer());
    starting.wait(|_| {})
}

/// Starts a command in a session of its own. Then everything that it starts can be killed with it, and it cannot wait
/// for an answer on the terminal, such as a password.
#[allow(unsafe_code)]
fn lead_session(command: &mut Command) {
    #[cfg(unix)]
    // SAFETY: the closure makes one system call between fork and exec, and does not access memory.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, || {
            rustix::process::setsid()?;
            Ok(())
        });
    }
    #[cfg(not(unix))]
    let _ = command;
}

impl Host {
    /// Starts a worker for jobs with this target.
    pub fn worker(&self) -> Result<Worker, WorkerError> {
        self.worker_with(|_| {})
    }

    /// Starts a worker for jobs with this target, and passes on its killer before it has answered.
    pub fn worker_with(&self, spawned: impl FnOnce(Killer)) -> Result<Worker, WorkerError> {
        started(self.start.spawn(self.arguments(), Stderr::Inherited)?, spawned)
    }

    /// Starts a worker whose launcher does not print to standard error.
    pub(super) fn spawn(&self) -> Result<Starting, WorkerError> {
        self.start.spawn(self.arguments(), Stderr::Captured)
    }

    /// The arguments of `tile`. Workers for the CPU engine run in a sandbox.
    fn arguments(&self) -> &'static [&'static str] {
        match self.target {
            Target::Cpu => &["worker", "--sandbox"],
            Target::Cuda(_) => &["worker"],
        }
    }

    /// Parses a list of hosts, such as `cuda:0,cuda:1` or `gpubox`.
    pub fn list(text: &str) -> Result<Vec<Host>, String> {
        text.split(',').map(|name| name.trim().parse()).collect()
    }

    /// The names and launchers of the user's hosts, in the order of the file.
    pub fn named() -> Vec<(String, String)> {
        let file = own_file();
        named(&file).map(|(name, launcher)| (name.to_string(), launcher.to_string())).collect()
    }

    /// The host with a launcher, unless it already has one.
    pub fn with_launcher(self, launcher: &Start) -> Host {
        match self.start {
            Start::Here => Host { start: launcher.clone(), ..self },
            Start::Launcher(_) => self,
        }
    }

    /// Parses a host: a target on this machine, or a name in the user's file, optionally followed by a colon and a
    /// target.
    fn read(text: &str, file: &str) -> Result<Host, String> {
        let here = Target::from_str(text).map(|target| Host { start: Start::Here, target });
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let launcher = match (&here, named(file).find(|(own, _)| *own == name)) {
            (Ok(_), _) | (_, None) => return here.map_err(|message| with_names(message, file)),
            (_, Some((_, launcher))) => launcher,
        };
        let target = rest.map_or(Ok(Target::Cuda(0)), Target::from_str)?;
        let of_host = |message| format!("`{name}`: {message}");
        let mut start = Start::parse_launcher(launcher).map_err(of_host)?;
        if let Start::Launcher(launcher) = &mut start {
            launcher.name = Some(name.to_string());
            launcher.start_timeout = start_timeout(name, file).map_err(of_host)?;
        }
        Ok(Host { start, target })
    }
}

impl fmt::Display for Host {
    /// Writes the host as in `--target`, or its launcher if it has no name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.start, self.target) {
            (Start::Here, target) => write!(f, "{target}"),
            (Start::Launcher(Launcher { name: None, words, .. }), target) => {
                write!(f, "{} ({target})", words.join(" "))
            }
            (Start::Launcher(Launcher { name: Some(name), .. }), Target::Cuda(0)) => f.write_str(name),
            (Start::Launcher(Launcher { name: Some(name), .. }), target) => write!(f, "{name}:{target}"),
        }
    }
}

/// A host, and how many workers run there at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostWorkers {
    /// The host.
    pub host: Host,
    /// The number of workers, if it is given.
    pub workers: Option<NonZeroUsize>,
}

impl FromStr for HostWorkers {
    type Err = String;

    /// Parses a host, optionally followed by `=` and a number, such as `cluster=4`.
    fn from_str(text: &str) -> Result<HostWorkers, String> {
        let (host, workers) = match text.split_once('=') {
            None => (text, None),
            Some((host, count)) => {
                let expected = |_| format!("expected a number of workers after `{host}=`, such as `{host}=4`");
                (host, Some(count.trim().parse().map_err(expected)?))
            }
        };
        Ok(HostWorkers { host: host.trim().parse()?, workers })
    }
}

impl HostWorkers {
    /// The host of each worker. The first workers of all hosts come first.
    pub fn assign(all: &[HostWorkers]) -> Vec<Host> {
        let count = |one: &HostWorkers| one.workers.map_or(1, usize::from);
        let rounds = all.iter().map(count).max().unwrap_or(0);
        (0..rounds)
            .flat_map(|round| all.iter().filter(move |one| round < count(one)))
            .map(|one| one.host.clone())
            .collect()
    }
}

/// The setting of a named host: the time limit for the start of a worker.
fn start_timeout(name: &str, file: &str) -> Result<Option<Duration>, String> {
    let key = format!("{name}{START_TIMEOUT}");
    match settings(file).find(|(own, _)| *own == key) {
        None => Ok(None),
        Some((_, text)) => parse_seconds(text)
            .map(Some)
            .ok_or_else(|| format!("expected a positive number of seconds for `{key}`, found `{text}`")),
    }
}

/// Parses a positive number of seconds.
fn parse_seconds(text: &str) -> Option<Duration> {
    text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds < 1e9).map(Duration::from_secs_f64)
}

impl FromStr for Host {
    type Err = String;

    /// Parses `cpu`, `cuda`, `cuda:1`, or a name of the user, such as `gpubox` or `gpubox:cuda:1`.
    fn from_str(text: &str) -> Result<Host, String> {
        Host::read(text, &own_file())
    }
}

/// The settings of hosts in the user's file.
fn settings(file: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('=')).map(|(name, value)| (name.trim(), value.trim()))
}

/// The names and launchers in the user's file. Names of targets are reserved.
fn named(file: &str) -> impl Iterator<Item = (&str, &str)> {
    settings(file).filter(|(name, _)| Target::from_str(name).is_err() && !name.ends_with(START_TIMEOUT))
}

/// Extends the message about an unknown host with the names of the user's hosts.
fn with_names(message: String, file: &str) -> String {
    let names: Vec<String> = named(file).map(|(name, _)| format!("`{name}`")).collect();
    if names.is_empty() { message } else { format!("{message}, or one of your hosts: {}", names.join(", ")) }
}

/// The text of the user's file; empty if it does not exist.
fn own_file() -> String {
    user_file().and_then(|path| tile_input::read_text(&path, tile_input::MAX_SETTINGS).ok()).unwrap_or_default()
}

fn user_file() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named("XDG_CONFIG_HOME").or_else(|| named("APPDATA"));
    Some(folder.or_else(|| Some(named("HOME")?.join(".config")))?.join(Path::new(FILE)))
}

/// The words of a command; `None` if a quote is not closed.
fn words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().push(letters.next()?),
            (_, Some(_)) => word.get_or_insert_default().push(letter),
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_are_parsed_like_a_shell() {
        let read = |text: &str| match Start::parse_launcher(text) {
            Ok(Start::Launcher(launcher)) => launcher.words.join("|"),
            other => format!("{other:?}"),
        };
        assert_eq!(read("  ssh  gpubox "), "ssh|gpubox");
        assert_eq!(
            read(r#"kubectl exec -i 'a pod' "say \"hi\"" b\ c -- ''"#),
            "kubectl|exec|-i|a pod|say \"hi\"|b c|--|"
        );
        assert!(
            Start::parse_launcher("ssh 'x").is_err()
                && Start::parse_launcher(" ").is_err()
                && Start::parse_launcher("a\\").is_err()
        );
    }

    #[test]
    fn hosts_are_local_targets_or_names_of_the_user() {
        let file = "# mine\ngpubox = ssh gpubox\n cuda = no\nbad = 'x\n";
        let read = |text: &str| Host::read(text, file);
        let here = |target| Ok(Host { start: Start::Here, target });
        assert_eq!((read("cpu"), read("cuda:1")), (here(Target::Cpu), here(Target::Cuda(1))));
        assert_eq!(read("cuda"), here(Target::Cuda(0)));
        let (words, name) = (vec!["ssh".into(), "gpubox".into()], Some("gpubox".into()));
        let start = Start::Launcher(Launcher { words, name, start_timeout: None });
        let there = |target| Ok(Host { start: start.clone(), target });
        assert_eq!((read("gpubox"), read("gpubox:cuda:2")), (there(Target::Cuda(0)), there(Target::Cuda(2))));
        assert_eq!(read("gpubox:cpu"), there(Target::Cpu));
        assert!(read("gpubox:x").is_err() && read("bad").is_err());
        assert!(read("other").is_err_and(|why| why.ends_with("or one of your hosts: `gpubox`, `bad`")));
        assert_eq!(there(Target::Cpu).map(|place| place.with_launcher(&Start::Here)), there(Target::Cpu));
        assert_eq!(here(Target::Cpu).map(|place: Host| place.with_launcher(&start)), there(Target::Cpu));
    }
    #[test]
    fn a_host_can_have_its_own_time_limit() {
        let file = "box.start-timeout = 90\nbox = ssh box\nfar = ssh far\nfar.start-timeout = -1\n";
        let timeout = |text: &str| Host::read(text, file).map(|host| host.start.timeout());
        assert_eq!(timeout("box:cpu"), Ok(Duration::from_secs(90)));
        assert!(timeout("far").is_err_and(|why| why.contains("found `-1`")));
        let host = Host::read("box", file).expect("the host is defined");
        assert_eq!(host.start.with_timeout(Some(Duration::from_secs(5))).timeout(), Duration::from_secs(5));
        assert!(Host::read("x", file).is_err_and(|why| why.ends_with("hosts: `box`, `far`")));
    }

    #[test]
    fn hosts_are_written_as_they_are_read() {
        let file = "box = ssh box\n";
        for text in ["cpu", "cuda:1", "box", "box:cpu", "box:cuda:2"] {
            assert_eq!(Host::read(text, file).map(|host| host.to_string()).as_deref(), Ok(text));
        }
        let start = Start::parse_launcher("ssh box").expect("the launcher has two words");
        assert_eq!(Host { start, target: Target::Cpu }.to_string(), "ssh box (cpu)");
    }

    #[test]
    fn workers_are_assigned_in_turn() {
        let assign = |text: &str| {
            let hosts: Result<Vec<HostWorkers>, String> = text.split(',').map(str::parse).collect();
            hosts.map(|hosts| HostWorkers::assign(&hosts).iter().map(Host::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(assign("cuda:0=3,cpu,cuda:1=2").as_deref(), Ok("cuda:0 cpu cuda:1 cuda:0 cuda:1 cuda:0"));
        assert!(assign("cpu=0").is_err_and(|why| why.contains("such as `cpu=4`")));
        assert!(assign("cpu=").is_err() && assign("other=2").is_err());
    }
}
