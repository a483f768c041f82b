//! Where kernels run: on which machine, and on what there.

use super::client::{Worker, WorkerError};
use super::protocol::Target;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

/// How a worker is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// As a process of this machine.
    #[default]
    Here,
    /// By a launcher: these words are put in front of `tile worker`.
    Behind(Vec<String>),
}

/// Where kernels run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// How a worker is started there.
    pub start: Start,
    /// What it runs kernels on.
    pub target: Target,
}

/// The file of the user's own places, in the folder of the user's configuration. A workspace cannot name any: whoever
/// opens one would run what it says.
const FILE: &str = "tile/targets";

impl Start {
    /// Reads a launcher as a shell would: words, with quotes around those that hold blanks.
    pub fn behind(text: &str) -> Result<Start, String> {
        let words = words(text).ok_or_else(|| format!("the launcher `{text}` has a quote that nothing closes"))?;
        if words.is_empty() {
            return Err("a launcher is a command, such as 'ssh gpubox'".to_string());
        }
        Ok(Start::Behind(words))
    }

    /// Starts a worker.
    pub fn worker(&self) -> Result<Worker, WorkerError> {
        let words = match self {
            Start::Here => return Worker::start(),
            Start::Behind(words) => words,
        };
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(["tile", "worker"]);
        // So that all that the launcher starts ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Worker::start_behind(&mut command, words.join(" "))
    }
}

impl Host {
    /// Reads the places of a list, such as `cuda:0,cuda:1` or `gpubox`.
    pub fn list(text: &str) -> Result<Vec<Host>, String> {
        text.split(',').map(|name| name.trim().parse()).collect()
    }

    /// The names that the user has given to places, with their launchers, in the order of the user's file.
    pub fn named() -> Vec<(String, String)> {
        let file = own_file();
        named(&file).map(|(name, launcher)| (name.to_string(), launcher.to_string())).collect()
    }

    /// The place behind a launcher, unless its name brings one along.
    pub fn behind(self, launcher: &Start) -> Host {
        match self.start {
            Start::Here => Host { start: launcher.clone(), ..self },
            Start::Behind(_) => self,
        }
    }

    /// Reads a place: what to run on here, or a name from a file of the user's, with what to run on there behind a colon.
    fn read(text: &str, file: &str) -> Result<Host, String> {
        let here = Target::from_str(text).map(|target| Host { start: Start::Here, target });
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let launcher = match (&here, named(file).find(|(own, _)| *own == name)) {
            (Ok(_), _) | (_, None) => return here.map_err(|why| with_names(why, file)),
            (_, Some((_, launcher))) => launcher,
        };
        let target = rest.map_or(Ok(Target::Cuda(0)), Target::from_str)?;
        Ok(Host { start: Start::behind(launcher).map_err(|why| format!("`{name}`: {why}"))?, target })
    }
}

impl FromStr for Host {
    type Err = String;

    /// `cpu`, `cuda`, `cuda:1`, or a name of the user's, such as `gpubox` or `gpubox:cuda:1`.
    fn from_str(text: &str) -> Result<Host, String> {
        Host::read(text, &own_file())
    }
}

/// The lines of the user's file that name places: names and launchers. What is run on here has its name already.
fn named(file: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let places = lines.filter_map(|line| line.split_once('=')).map(|(name, launcher)| (name.trim(), launcher.trim()));
    places.filter(|(name, _)| Target::from_str(name).is_err())
}

/// What is said to a name that nobody has, with the names that the user has given.
fn with_names(why: String, file: &str) -> String {
    let names: Vec<String> = named(file).map(|(name, _)| format!("`{name}`")).collect();
    if names.is_empty() { why } else { format!("{why}; your own are {}", names.join(", ")) }
}

/// The text of the user's file; none where there is no such file.
fn own_file() -> String {
    user_file().and_then(|path| tile_input::read_text(&path, tile_input::MAX_SETTINGS).ok()).unwrap_or_default()
}

fn user_file() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named("XDG_CONFIG_HOME").or_else(|| named("APPDATA"));
    Some(folder.or_else(|| Some(named("HOME")?.join(".config")))?.join(Path::new(FILE)))
}

/// The words of a command; nothing where a quote is open.
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
    fn launchers_are_read_as_a_shell_reads_them() {
        let read = |text: &str| match Start::behind(text) {
            Ok(Start::Behind(words)) => words.join("|"),
            other => format!("{other:?}"),
        };
        assert_eq!(read("  ssh  gpubox "), "ssh|gpubox");
        assert_eq!(
            read(r#"kubectl exec -i 'a pod' "say \"hi\"" b\ c -- ''"#),
            "kubectl|exec|-i|a pod|say \"hi\"|b c|--|"
        );
        assert!(Start::behind("ssh 'x").is_err() && Start::behind(" ").is_err() && Start::behind("a\\").is_err());
    }

    #[test]
    fn places_are_targets_here_and_names_of_the_user() {
        let file = "# mine\ngpubox = ssh gpubox\n cuda = no\nbad = 'x\n";
        let read = |text: &str| Host::read(text, file);
        let here = |target| Ok(Host { start: Start::Here, target });
        assert_eq!((read("cpu"), read("cuda:1")), (here(Target::Cpu), here(Target::Cuda(1))));
        assert_eq!(read("cuda"), here(Target::Cuda(0)));
        let start = Start::Behind(vec!["ssh".into(), "gpubox".into()]);
        let there = |target| Ok(Host { start: start.clone(), target });
        assert_eq!((read("gpubox"), read("gpubox:cuda:2")), (there(Target::Cuda(0)), there(Target::Cuda(2))));
        assert_eq!(read("gpubox:cpu"), there(Target::Cpu));
        assert!(read("gpubox:x").is_err() && read("bad").is_err());
        assert!(read("other").is_err_and(|why| why.ends_with("your own are `gpubox`, `bad`")));
        assert_eq!(there(Target::Cpu).map(|place| place.behind(&Start::Here)), there(Target::Cpu));
        assert_eq!(here(Target::Cpu).map(|place: Host| place.behind(&start)), there(Target::Cpu));
    }
}
