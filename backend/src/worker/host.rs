//! Hosts: the machine on which kernels run, and the target there.

use super::client::{Worker, WorkerError};
use super::protocol::Target;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

/// How a worker is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// As a process on this machine.
    #[default]
    Here,
    /// With a launcher: these words precede `tile worker`.
    Launcher(Vec<String>),
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

impl Start {
    /// Parses a launcher as a shell would: words, which can be quoted.
    pub fn parse_launcher(text: &str) -> Result<Start, String> {
        let words = words(text).ok_or_else(|| format!("the launcher `{text}` has an unclosed quote"))?;
        if words.is_empty() {
            return Err("expected a command, such as 'ssh gpubox'".to_string());
        }
        Ok(Start::Launcher(words))
    }

    /// Starts a worker that can use GPUs.
    pub fn worker(&self) -> Result<Worker, WorkerError> {
        self.worker_with(&["worker"])
    }

    fn worker_with(&self, arguments: &[&str]) -> Result<Worker, WorkerError> {
        let words = match self {
            Start::Here => return Worker::start(arguments),
            Start::Launcher(words) => words,
        };
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg("tile").args(arguments);
        // A process group, so that everything that the launcher starts can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Worker::start_with_launcher(&mut command, words.join(" "))
    }
}

impl Host {
    /// Starts a worker for jobs with this target. Workers for the CPU engine run in a sandbox.
    pub fn worker(&self) -> Result<Worker, WorkerError> {
        match self.target {
            Target::Cpu => self.start.worker_with(&["worker", "--sandbox"]),
            Target::Cuda(_) => self.start.worker(),
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
        Ok(Host { start: Start::parse_launcher(launcher).map_err(|message| format!("`{name}`: {message}"))?, target })
    }
}

impl FromStr for Host {
    type Err = String;

    /// Parses `cpu`, `cuda`, `cuda:1`, or a name of the user, such as `gpubox` or `gpubox:cuda:1`.
    fn from_str(text: &str) -> Result<Host, String> {
        Host::read(text, &own_file())
    }
}

/// The names and launchers in the user's file. Names of targets are reserved.
fn named(file: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let places = lines.filter_map(|line| line.split_once('=')).map(|(name, launcher)| (name.trim(), launcher.trim()));
    places.filter(|(name, _)| Target::from_str(name).is_err())
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
            Ok(Start::Launcher(words)) => words.join("|"),
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
        let start = Start::Launcher(vec!["ssh".into(), "gpubox".into()]);
        let there = |target| Ok(Host { start: start.clone(), target });
        assert_eq!((read("gpubox"), read("gpubox:cuda:2")), (there(Target::Cuda(0)), there(Target::Cuda(2))));
        assert_eq!(read("gpubox:cpu"), there(Target::Cpu));
        assert!(read("gpubox:x").is_err() && read("bad").is_err());
        assert!(read("other").is_err_and(|why| why.ends_with("or one of your hosts: `gpubox`, `bad`")));
        assert_eq!(there(Target::Cpu).map(|place| place.with_launcher(&Start::Here)), there(Target::Cpu));
        assert_eq!(here(Target::Cpu).map(|place: Host| place.with_launcher(&start)), there(Target::Cpu));
    }
}
