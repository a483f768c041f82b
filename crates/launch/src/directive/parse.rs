//! The parser for launches.

use super::super::cursor::{Cursor, Parsed};
use super::super::{LaunchError, expect, spec};
use super::grid::extents;
use super::{Arg, Directives, Launch, forward, lines};
use std::ops::Range;
use tile_analysis::suggest;

/// Parses the directives in `block`, the bytes of the comment lines directly above an entry. Other comments in the
/// block are skipped. All ranges are bytes of `text`.
pub fn parse(text: &str, block: Range<usize>) -> Directives {
    let mut parser = DirectiveParser { text, found: Directives::default(), expects: vec![] };
    for line in lines::directives(text, block) {
        parser.line(line);
    }
    parser.finish_launch();
    parser.found
}

/// The words that a line of directives can begin with.
pub(in super::super) const DIRECTIVES: [&str; 4] = ["launch", "bench", "forward", "expect"];

/// The words that begin a launch.
const BEGINNINGS: [&str; 2] = ["launch", "bench"];

struct DirectiveParser<'a> {
    text: &'a str,
    found: Directives,
    /// The expectations of the last launch. They are parsed once all its arguments are known.
    expects: Vec<Range<usize>>,
}

impl DirectiveParser<'_> {
    fn line(&mut self, line: Range<usize>) {
        let mut cursor = Cursor::new(self.text, line.clone());
        let start = cursor.start();
        let result = match cursor.peek_word() {
            "launch" | "bench" => self.launch(&mut cursor, start..line.end),
            "forward" => self.forward(&mut cursor, start..line.end),
            "expect" => self.expectation(start..line.end),
            _ if cursor.peek() == Some('%') => self.argument(&mut cursor, start..line.end),
            word => {
                self.misspelled(word, start..line.end);
                Err(unknown(&mut cursor))
            }
        };
        if let Err(error) = result {
            self.found.errors.push(error);
        }
    }

    /// The launch that a line belongs to, extended to the end of the line.
    fn launch_of_line(&mut self, line: Range<usize>) -> Parsed<&mut Launch> {
        let Some(launch) = self.found.launches.last_mut() else {
            self.found.orphans.push(line.clone());
            let error = LaunchError::new(line, "this line does not belong to a launch");
            return Err(error.help("write `//@ launch` above it"));
        };
        launch.range.end = line.end;
        Ok(launch)
    }

    /// Begins a launch. It is kept even if its line has an error, so that the lines below it belong to a launch.
    fn begin(&mut self, range: Range<usize>) {
        self.finish_launch();
        self.found.launches.push(Launch {
            name: None,
            is_bench: false,
            grid: [1, 1, 1],
            args: vec![],
            forward: None,
            expects: vec![],
            range,
        });
    }

    /// Handles a line with an unknown word: begins a launch if the word resembles one that does, otherwise extends the
    /// last launch.
    fn misspelled(&mut self, word: &str, line: Range<usize>) {
        if suggest::closest(word, DIRECTIVES).is_some_and(|closest| BEGINNINGS.contains(&closest)) {
            self.begin(line);
        } else {
            self.last(|launch| launch.range.end = line.end);
        }
    }

    fn launch(&mut self, cursor: &mut Cursor<'_>, range: Range<usize>) -> Parsed<()> {
        self.begin(range);
        let is_bench = cursor.word().0 == "bench";
        self.last(|launch| launch.is_bench = is_bench);
        if let Some((name, range)) = name(cursor)? {
            self.unique_name(&name, range)?;
            self.last(|launch| launch.name = Some(name));
        }
        let grid = grid(cursor)?;
        self.last(|launch| launch.grid = grid);
        Ok(())
    }

    fn last(&mut self, change: impl FnOnce(&mut Launch)) {
        if let Some(launch) = self.found.launches.last_mut() {
            change(launch);
        }
    }

    fn unique_name(&self, name: &str, range: Range<usize>) -> Parsed<()> {
        if self.found.launches.iter().any(|launch| launch.name.as_deref() == Some(name)) {
            let error = LaunchError::new(range, format!("there is already a launch \"{name}\""));
            return Err(error.help("give this one another name"));
        }
        Ok(())
    }

    fn argument(&mut self, cursor: &mut Cursor<'_>, line: Range<usize>) -> Parsed<()> {
        self.launch_of_line(line.clone())?;
        let (name, range) = cursor.value_name()?;
        cursor.expect("=")?;
        let spec = spec::spec(cursor)?;
        cursor.finish()?;
        let launch = self.launch_of_line(line.clone())?;
        if launch.arg(name).is_some() {
            return Err(LaunchError::new(range, format!("`%{name}` is given twice in this launch")));
        }
        launch.args.push(Arg { name: name.to_string(), spec, range: line });
        Ok(())
    }

    fn forward(&mut self, cursor: &mut Cursor<'_>, line: Range<usize>) -> Parsed<()> {
        self.launch_of_line(line.clone())?;
        let forward = forward::parse(cursor)?;
        let launch = self.launch_of_line(line.clone())?;
        if launch.forward.is_some() {
            return Err(LaunchError::new(line, "the forward kernel is given twice in this launch"));
        }
        launch.forward = Some(Box::new(forward));
        Ok(())
    }

    fn expectation(&mut self, line: Range<usize>) -> Parsed<()> {
        self.launch_of_line(line.clone())?;
        self.expects.push(line);
        Ok(())
    }

    /// Parses the deferred expectations of the last launch.
    fn finish_launch(&mut self) {
        let pending = std::mem::take(&mut self.expects);
        let Some(launch) = self.found.launches.last_mut() else { return };
        let names: Vec<String> = launch.args.iter().map(|arg| arg.name.clone()).collect();
        for line in pending {
            let mut cursor = Cursor::new(self.text, line.clone());
            cursor.word();
            match expect::parse(&mut cursor, &names, line) {
                Ok(expect) => launch.expects.push(expect),
                Err(error) => self.found.errors.push(error),
            }
        }
        // Expectations are parsed after the arguments below them, so their errors are out of source order.
        self.found.errors.sort_by_key(|error| error.range.start);
    }
}

fn unknown(cursor: &mut Cursor<'_>) -> LaunchError {
    let all = "a directive is `launch`, `bench`, `forward`, `expect` or an argument such as `%a = f32[8] zeros`";
    let (word, range) = cursor.word();
    if word.is_empty() {
        return cursor.expected("a directive").help(all);
    }
    if cursor.eat("=") {
        return LaunchError::new(range, format!("unknown argument `{word}`")).help(format!("did you mean `%{word}`?"));
    }
    let help = match suggest::closest(word, DIRECTIVES) {
        Some(directive) => format!("did you mean `{directive}`?"),
        None => all.to_string(),
    };
    LaunchError::new(range, format!("unknown directive `{word}`")).help(help)
}

fn name(cursor: &mut Cursor<'_>) -> Parsed<Option<(String, Range<usize>)>> {
    if cursor.peek() != Some('"') {
        return Ok(None);
    }
    let (name, range) = cursor.string()?;
    if name.is_empty() {
        return Err(LaunchError::new(range, "the name is empty").help("leave it out, or write one"));
    }
    Ok(Some((name, range)))
}

/// The rest of a launch's line: `grid=…` or nothing.
fn grid(cursor: &mut Cursor<'_>) -> Parsed<[u32; 3]> {
    let mut grid = None;
    while !cursor.at_end() {
        let (key, range) = cursor.word();
        match key {
            "grid" if grid.is_some() => return Err(LaunchError::new(range, "the grid is given twice")),
            "grid" => {
                cursor.expect("=")?;
                grid = Some(extents(cursor)?);
            }
            "" => return Err(cursor.expected("`grid=` or nothing").help("write `launch \"name\" grid=(8, 1, 1)`")),
            _ => return Err(unknown_key(cursor, key, range)),
        }
    }
    Ok(grid.unwrap_or([1, 1, 1]))
}

fn unknown_key(cursor: &mut Cursor<'_>, key: &str, range: Range<usize>) -> LaunchError {
    if cursor.peek() != Some('=') {
        let help = format!("names are quoted: `launch \"{key}\"`");
        return LaunchError::new(range, format!("unknown key `{key}`")).help(help);
    }
    LaunchError::new(range, format!("a launch has no `{key}`")).help(suggest::did_you_mean(key, &["grid"]))
}
