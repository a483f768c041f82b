//! The compiler's output on standard error: errors and warnings, most of them with a source location.

use super::remarks::SourceLocation;

/// The severity of a message of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The compiler rejects the program.
    Error,
    /// The program compiles anyway.
    Warning,
    /// An explanation of the previous message.
    Note,
}

/// A message of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The severity.
    pub level: Level,
    /// The source location.
    pub place: Option<SourceLocation>,
    /// The text.
    pub message: String,
    /// The name and details of a message that is a block of several lines.
    pub block: Option<Block>,
}

/// The name and details of a multi-line message, the format that `tileiras` uses since 13.5:
///
/// ```text
///     warning[]: High register usage
///       --> "kernels.py":934:0
///        |
///        = name: RegisterPressure
///        = reason: Estimated per-thread register usage exceeds the available budget.
///        = suggestion: Reduce the tile size or lower the occupancy hint.
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its name, such as `RegisterPressure`.
    pub name: String,
    /// The other lines: names in lower case, and values.
    pub details: Vec<(String, String)>,
}

const LEVELS: [(&str, Level); 4] =
    [("error: ", Level::Error), ("warning: ", Level::Warning), ("note: ", Level::Note), ("remark: ", Level::Note)];

/// The last message of every failed compilation.
const CLOSING: &str = "failed to compile Tile IR program";

/// Parses the compiler's output. A line that does not begin a message continues the previous one.
pub fn read(output: &str) -> Vec<Complaint> {
    let mut found: Vec<Complaint> = Vec::new();
    let mut in_block = false;
    for line in output.lines() {
        if line.trim().is_empty() {
            in_block = false;
            continue;
        }
        if in_block && found.last_mut().is_some_and(|last| add_to_block(last, line.trim())) {
            continue;
        }
        let head = block_head(line);
        in_block = head.is_some();
        match head.or_else(|| single_line(line)) {
            Some(complaint) if complaint.message == CLOSING => {}
            Some(complaint) => found.push(complaint),
            None => match found.last_mut().filter(|last| last.block.is_none()) {
                Some(last) => last.message = format!("{}\n{}", last.message, line.trim_end()),
                None => {
                    let message = line.trim().to_string();
                    found.push(Complaint { level: Level::Error, place: None, message, block: None });
                }
            },
        }
    }
    found
}

/// Parses the first line of a block: `warning[CODE]: MESSAGE`.
fn block_head(line: &str) -> Option<Complaint> {
    let (word, rest) = line.trim_start().split_once('[')?;
    let level = LEVELS.iter().find(|(known, _)| known.strip_suffix(": ") == Some(word))?.1;
    let (_, message) = rest.split_once("]: ")?;
    Some(Complaint { level, place: None, message: message.trim().to_string(), block: Some(Block::default()) })
}

/// Adds a line to a block. Returns false if the line does not belong to it.
fn add_to_block(complaint: &mut Complaint, line: &str) -> bool {
    let Some(block) = &mut complaint.block else { return false };
    if let Some(place) = line.strip_prefix("--> ") {
        complaint.place = position(place);
        return true;
    }
    if let Some((name, value)) = line.strip_prefix("= ").and_then(|line| line.split_once(": ")) {
        match name {
            "name" => block.name = value.to_string(),
            _ => block.details.push((name.to_string(), value.to_string())),
        }
        return true;
    }
    line == "|"
}

/// Parses `"file":3:11`.
fn position(text: &str) -> Option<SourceLocation> {
    let (file, position) = text.strip_prefix('"')?.rsplit_once("\":")?;
    let (line, column) = position.split_once(':')?;
    Some(SourceLocation { file: file.to_string(), line: line.parse().ok()?, column: column.trim().parse().ok()? })
}

/// Messages about valid programs that need something that the GPU, or the compiler for every GPU, does not support.
const LACKS: [&str; 2] = ["Incompatibility with architecture", "must have rank 0; use an f4 tile view"];

/// Returns the compiler's message about an unsupported feature, if that is the reason for the refusal.
pub fn lacks(output: &str) -> Option<String> {
    let errors = read(output).into_iter().filter(|complaint| complaint.level == Level::Error);
    let mut lacking = errors.filter(|complaint| LACKS.iter().any(|words| complaint.message.contains(words)));
    lacking.next().map(|complaint| complaint.message.lines().next().unwrap_or_default().to_string())
}

/// Replaces each number in a text by `#`, because numbers such as lines change with the program.
pub(crate) fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let letters = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if letters.starts_with(|c: char| c.is_ascii_digit()) {
            out.extend(["#", &word[letters.len()..]])
        } else {
            out.push_str(word)
        }
    }
    out
}

fn single_line(line: &str) -> Option<Complaint> {
    let heads = LEVELS.iter().filter_map(|(word, level)| Some((head_end(line, word)?, *word, *level)));
    let (end, word, level) = heads.min_by_key(|(end, ..)| *end)?;
    let message = line[end + word.len()..].trim().to_string();
    Some(Complaint { level, place: place(&line[..end]), message, block: None })
}

/// Returns where the level begins: at the start of the line or after the location.
fn head_end(line: &str, word: &str) -> Option<usize> {
    if line.starts_with(word) {
        return Some(0);
    }
    let at = line.find(&format!(": {word}"))?;
    Some(at + 2)
}

/// Parses the first `loc("file":3:11)` in a text.
fn place(text: &str) -> Option<SourceLocation> {
    let (_, rest) = text.split_once("loc(\"")?;
    let (file, rest) = rest.split_once("\":")?;
    let (position, _) = rest.split_once(')')?;
    let (line, column) = position.split_once(':')?;
    let column = column.split(|c: char| !c.is_ascii_digit()).next()?;
    Some(SourceLocation { file: file.to_string(), line: line.parse().ok()?, column: column.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_features_are_distinguished_from_errors() {
        let lacking = "Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'";
        assert_eq!(lacks(&format!("loc(\"a.tile\":3:11): error: {lacking}\n")).as_deref(), Some(lacking));
        assert!(
            lacks("error: at offset 10: tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for it").is_some()
        );
        assert_eq!(lacks("error: the program is wrong"), None);
        assert_eq!(lacks(&format!("warning: {lacking}")), None);
    }

    #[test]
    fn messages_have_locations() {
        let output = "#cuda_tile.di_loc<loc(\"bad.tile\":3:11) in #cuda_tile.di_subprogram<file = <\"bad.tile\" in \"\">>>: \
            error: Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'\n  more of it\n\
            loc(\"k.py\":5:6): warning: slow: error: not this\nerror: at large\n\
            error: failed to compile Tile IR program\n";
        let place = |file: &str, line, column| Some(SourceLocation { file: file.to_string(), line, column });
        let found: Vec<_> = read(output).into_iter().map(|found| (found.level, found.place, found.message)).collect();
        assert_eq!(found[0].0, Level::Error);
        assert_eq!(found[0].1, place("bad.tile", 3, 11));
        assert_eq!(found[0].2, "Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'\n  more of it");
        assert_eq!(found[1], (Level::Warning, place("k.py", 5, 6), "slow: error: not this".to_string()));
        assert_eq!(found[2], (Level::Error, None, "at large".to_string()));
        assert_eq!(found.len(), 3);
        assert_eq!(read("error: failed to compile Tile IR program"), []);
        assert_eq!(read("Segmentation fault")[0].message, "Segmentation fault");
        assert_eq!(without_numbers("x.cpp:12: 0x7f at f8E8 in tile<16x4xf32>, 3"), "x.cpp:#: # at f8E8 in tile<#>, #");
    }

    /// Output of `tileiras` 13.5.37 for a kernel of cuTile Python.
    const PRESSURE: &str = r#"
    warning[]: High register usage
      --> "kernels.py":934:0
       |
       = name: RegisterPressure
       = reason: Estimated per-thread register usage exceeds the available budget. This is usually caused by a large tile size.
       = suggestion: Reduce the tile size or lower the occupancy hint.


"#;

    #[test]
    fn blocks_are_read_with_their_details() {
        let [found] = &read(PRESSURE)[..] else { panic!("{:?}", read(PRESSURE)) };
        assert_eq!((found.level, found.message.as_str()), (Level::Warning, "High register usage"));
        assert_eq!(found.place, Some(SourceLocation { file: "kernels.py".into(), line: 934, column: 0 }));
        let block = found.block.as_ref().expect("a block");
        assert_eq!(block.name, "RegisterPressure");
        let names: Vec<&str> = block.details.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["reason", "suggestion"]);
        assert_eq!(block.details[1].1, "Reduce the tile size or lower the occupancy hint.");
    }

    #[test]
    fn a_block_ends_where_something_else_begins() {
        let refused = "loc(\"k.py\":5:6): error: no\nerror: failed to compile Tile IR program\n";
        let all = read(&format!("{PRESSURE}{refused}"));
        assert_eq!(all.len(), 2);
        assert_eq!((all[1].level, all[1].message.as_str()), (Level::Error, "no"));
        // Without the blank lines, and with an incomplete warning.
        let all =
            read("    warning[W7]: Compiler warning: x\n       = name: GenericWarning\nloc(\"k\":1:2): error: no\n");
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].block.as_ref().map(|block| block.name.as_str()), Some("GenericWarning"));
        assert_eq!(all[1].message, "no");
        let cut = read("warning[]: High register usage");
        assert_eq!(cut[0].block, Some(Block::default()));
        assert_eq!(cut[0].place, None);
    }
}
