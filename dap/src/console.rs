//! Commands of the debug console, for editors without another way to give them.

/// A command.
pub(crate) enum Command<'a> {
    /// `block X Y Z`: run to the start of a tile block.
    Block(Vec<&'a str>),
    /// `break FORMULA`: set a data breakpoint, or remove it.
    Break(&'a str),
}

/// Parses a command; `None` for a formula.
pub(crate) fn parse(text: &str) -> Option<Command<'_>> {
    let (command, arguments) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    match command {
        "block" => {
            let coordinates = arguments.split([' ', ',', '(', ')', '[', ']']).filter(|part| !part.is_empty());
            Some(Command::Block(coordinates.collect()))
        }
        "break" => Some(Command::Break(arguments.trim())),
        _ => None,
    }
}
