//! The examples of documentation topics as complete programs.

use crate::{Launch, Spec, parse};
use tile_analysis::ide::doc::Topic;
use tile_analysis::lines::comment_lines_above;
use tile_dialect::program_of;

/// The example of a topic as a complete program: statements become the body of an entry, and directives get an entry
/// with the parameters that they name. `None` if the topic has no example.
pub fn example_program(topic: &Topic) -> Option<String> {
    let example = topic.example();
    if example.trim().is_empty() {
        None
    } else if example.contains("cuda_tile.module") {
        Some(example)
    } else if example.starts_with("//@") {
        of_directives(&example)
    } else {
        Some(program_of(&example))
    }
}

/// A program whose only entry has these directives.
fn of_directives(directives: &str) -> Option<String> {
    let found = parse(directives, comment_lines_above(directives, directives.len()));
    let launch = found.launches.first()?;
    let lines = directives.lines().fold(String::new(), |lines, line| format!("{lines}  {line}\n"));
    let head = format!("cuda_tile.module @example {{\n{lines}");
    Some(format!("{head}  entry @example({}) {{\n    return\n  }}\n}}\n", parameters(launch)))
}

/// The parameters of an entry that matches a launch.
fn parameters(launch: &Launch) -> String {
    let of_spec = |spec: &Spec| match spec {
        Spec::Scalar(_) => "tile<i32>".to_string(),
        Spec::Address(_) => "tile<i64>".to_string(),
        Spec::Buffer { element, .. } => format!("tile<ptr<{element}>>"),
    };
    let all = launch.args.iter().map(|arg| format!("%{}: {}", arg.name, of_spec(&arg.spec)));
    all.collect::<Vec<_>>().join(", ")
}
