//! `tile opt`.

mod arguments;
mod verify;

pub(crate) use arguments::Arguments;

use crate::destination::Destination;
use crate::launches::{Program, say, show_all};
use crate::limit::Limit;
use crate::messages::{fail, print};
use crate::project;
use crate::sources::{self, SourceFile};
use std::fmt::Write;
use tile_analysis::lines::Lines;
use tile_analysis::render::Source;
use tile_opt::{Failure, Optimized, Pass, Settings, Step, optimize};

/// Runs the command. The status is 1 if the program has errors, or if `--verify` finds a difference.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.list_passes {
        return print(list());
    }
    improve(arguments).unwrap_or_else(fail)
}

/// The passes with their descriptions.
fn list() -> String {
    let line = |pass: Pass| format!("{:12} {}", pass.name(), pass.about());
    Pass::ALL.map(line).join("\n")
}

fn improve(arguments: &Arguments) -> Result<u8, String> {
    let path = arguments.file.as_deref().unwrap_or("-");
    let destination = Destination::of(&arguments.output, path)?;
    let options = arguments.preview.options_in(&project::configs(), path)?;
    let settings = Settings { options, contract: arguments.contracts() };
    let program = Program::check(sources::read(path)?, options);
    let optimized = optimize(&program.file.text, &arguments.passes(), &settings, &mut |step| {
        if arguments.print_after_each {
            say(after(&step));
        }
    });
    let optimized = match optimized {
        Ok(optimized) => optimized,
        Err(failure) => return Ok(refuse(&program, &failure)),
    };
    let mut status = 0;
    if arguments.verify {
        let SourceFile { name, has_mark, .. } = &program.file;
        let after = SourceFile { name: name.clone(), text: optimized.text.clone(), has_mark: *has_mark };
        status = verify::verify(&program, &Program::check(after, options), arguments.timeout)?;
    }
    if status == 0 {
        status = destination.write(program.file.holding(&optimized.text).as_bytes())?;
    }
    say(statistics(&optimized));
    Ok(status)
}

/// The text after a pass, below a heading.
fn after(step: &Step<'_>) -> String {
    let heading = format!("// ----- after {}: {}", step.pass.name(), changes(step.count));
    if step.count == 0 { heading } else { format!("{heading}\n{}", step.text.trim_end()) }
}

fn changes(count: usize) -> String {
    match count {
        0 => "no changes".to_string(),
        1 => "1 change".to_string(),
        count => format!("{count} changes"),
    }
}

/// The passes that changed something, with the number of changes.
fn statistics(optimized: &Optimized) -> String {
    let mut text = String::new();
    for (pass, count) in optimized.counts.iter().filter(|(_, count)| *count > 0) {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}{} {count}", pass.name());
    }
    if text.is_empty() { "no changes".to_string() } else { format!("changes: {text}") }
}

/// Reports why a program is not optimized. Returns the exit status.
fn refuse(program: &Program, failure: &Failure) -> u8 {
    match failure {
        Failure::Errors(errors) => show_all(&program.source(), errors, Limit::default()),
        Failure::Invalid { pass, text, errors } => {
            say(format_args!("error: bug in `tile`: the pass `{}` made an invalid program", pass.name()));
            let name = format!("{} after {}", program.file.name, pass.name());
            show_all(&Source { name: &name, text, lines: &Lines::new(text) }, errors, Limit::default());
        }
    }
    1
}
