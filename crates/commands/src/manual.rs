//! `tile manual`: generates manual pages and shell completions from the command definitions. Requires the feature
//! `manual`.

use crate::messages::fail;
use clap::{Args, Command};
use clap_complete::Shell;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Write manual pages and shell completions.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Output folder, which receives `man/` and `completions/`
    folder: PathBuf,
}

/// The subfolder of the manual pages.
const PAGES: &str = "man";

/// The last section of each page.
const END: &str = "\
.SH \"EXIT STATUS\"
.TP
0
Success.
.TP
1
Errors in a program, failed expectations or unformatted files.
.TP
2
Wrong usage, a file that cannot be read or written, or a missing tool.
";

/// The shells to generate completions for.
const SHELLS: [Shell; 5] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish];

/// Runs the command; `tile` is the definition of the program.
pub(crate) fn run(arguments: &Arguments, tile: Command) -> u8 {
    let written = programs(tile).into_iter().try_for_each(|program| write(program, &arguments.folder));
    match written.and_then(|()| end_pages(&arguments.folder.join(PAGES))) {
        Ok(()) => 0,
        Err(error) => fail(format_args!("cannot write to `{}`: {error}", arguments.folder.display())),
    }
}

/// `tile` without its hidden commands, and `tile-fmt`.
fn programs(mut all: Command) -> [Command; 2] {
    all.build();
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let about = all.get_about().cloned().unwrap_or_default();
    let tile = Command::new("tile").version(env!("CARGO_PKG_VERSION")).about(about).subcommands(shown.cloned());
    let formatter = Command::new("tile-fmt").version(env!("CARGO_PKG_VERSION")).about("Format CUDA Tile IR programs");
    [
        tile.subcommand_required(true).disable_help_subcommand(true),
        tile_fmt::command::Arguments::augment_args(formatter),
    ]
}

fn write(mut program: Command, folder: &Path) -> io::Result<()> {
    let (pages, completions) = (folder.join(PAGES), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    let name = program.get_name().to_string();
    for shell in SHELLS {
        clap_complete::generate_to(shell, &mut program, name.as_str(), &completions)?;
    }
    let fish = completions.join(format!("{name}.fish"));
    OpenOptions::new().append(true).open(fish)?.write_all(fish_values(&program).as_bytes())?;
    clap_mangen::generate_to(program, &pages)
}

/// Completions of positional arguments, which `clap_complete` omits for fish.
fn fish_values(program: &Command) -> String {
    let name = program.get_name();
    let line = |command: &Command| {
        let values = command.get_positionals().flat_map(|argument| argument.get_possible_values());
        let values: Vec<String> = values.map(|value| value.get_name().to_string()).collect();
        let condition = format!("__fish_{name}_using_subcommand {}", command.get_name());
        match values.is_empty() {
            true => String::new(),
            false => format!("complete -c {name} -n \"{condition}\" -f -a \"{}\"\n", values.join(" ")),
        }
    };
    program.get_subcommands().map(line).collect()
}

/// Appends [`END`] to each page.
fn end_pages(pages: &Path) -> io::Result<()> {
    for page in fs::read_dir(pages)? {
        OpenOptions::new().append(true).open(page?.path())?.write_all(END.as_bytes())?;
    }
    Ok(())
}
