//! What the compiler says on its standard error: errors and warnings, mostly with the place that they are about.

use super::remarks::SourceLocation;

/// How bad something is that the compiler says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It refuses the program.
    Error,
    /// It compiles the program all the same.
    Warning,
    /// It explains what it said before.
    Note,
}

/// Something that the compiler says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// How bad it is.
    pub level: Level,
    /// What it is about.
    pub place: Option<SourceLocation>,
    /// What it says.
    pub message: String,
    /// Its name and details, where it is written as a block of several lines.
    pub block: Option<Block>,
}

/// What a complaint of several lines adds to its message, as `tileiras` writes it since 13.5:
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
    /// The other lines: names, in lower case, and values.
    pub details: Vec<(String, String)>,
}

const LEVELS: [(&str, Level); 4] =
    [("error: ", Level::Error), ("warning: ", Level::Warning), ("note: ", Level::Note), ("remark: ", Level::Note)];

/// What it says when it has said everything else.
const CLOSING: &str = "failed to compile Tile IR program";

/// Reads what the compiler says. Lines that begin nothing new belong to what stands in front of them.
pub fn read(said: &str) -> Vec<Complaint> {
    let mut found: Vec<Complaint> = Vec::new();
    let mut in_block = false;
    for line in said.lines() {
        if line.trim().is_empty() {
            in_block = false;
            continue;
        }
        if in_block && found.last_mut().is_some_and(|last| add_to_block(last, line.trim())) {
            continue;
        }
        let head = block_head(line);
        in_block = head.is_some();
        match head.or_else(|| one(line)) {
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

/// The first line of a block: `warning[CODE]: MESSAGE`.
fn block_head(line: &str) -> Option<Complaint> {
    let (word, rest) = line.trim_start().split_once('[')?;
    let level = LEVELS.iter().find(|(known, _)| known.strip_suffix(": ") == Some(word))?.1;
    let (_, message) = rest.split_once("]: ")?;
    Some(Complaint { level, place: None, message: message.trim().to_string(), block: Some(Block::default()) })
}

/// Adds a further line of a block. Whether it is one.
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

/// `"file":3:11`.
fn position(text: &str) -> Option<SourceLocation> {
    let (file, position) = text.strip_prefix('"')?.rsplit_once("\":")?;
    let (line, column) = position.split_once(':')?;
    Some(SourceLocation { file: file.to_string(), line: line.parse().ok()?, column: column.trim().parse().ok()? })
}

/// What the compiler says where a valid program needs something that the GPU, or the compiler for any GPU, does not
/// support.
const LACKS: [&str; 2] = ["Incompatibility with architecture", "must have rank 0; use an f4 tile view"];

/// What is not supported, where that is why the compiler refuses a program.
pub fn lacks(said: &str) -> Option<String> {
    let errors = read(said).into_iter().filter(|complaint| complaint.level == Level::Error);
    let mut lacking = errors.filter(|complaint| LACKS.iter().any(|words| complaint.message.contains(words)));
    lacking.next().map(|complaint| complaint.message.lines().next().unwrap_or_default().to_string())
}

/// A text without its numbers, which change where a program changes: `#` stands for each.
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

fn one(line: &str) -> Option<Complaint> {
    let heads = LEVELS.iter().filter_map(|(word, level)| Some((head_end(line, word)?, *word, *level)));
    let (end, word, level) = heads.min_by_key(|(end, ..)| *end)?;
    let message = line[end + word.len()..].trim().to_string();
    Some(Complaint { level, place: place(&line[..end]), message, block: None })
}

/// Where the word stands behind the place, or at the start of the line.
fn head_end(line: &str, word: &str) -> Option<usize> {
    if line.starts_with(word) {
        return Some(0);
    }
    let at = line.find(&format!(": {word}"))?;
    Some(at + 2)
}

/// The first `loc("file":3:11)` of a text.
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
    fn what_a_gpu_lacks_is_told_from_mistakes() {
        let lacking = "Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'";
        assert_eq!(lacks(&format!("loc(\"a.tile\":3:11): error: {lacking}\n")).as_deref(), Some(lacking));
        assert!(
            lacks("error: at offset 10: tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for it").is_some()
        );
        assert_eq!(lacks("error: the program is wrong"), None);
        assert_eq!(lacks(&format!("warning: {lacking}")), None);
    }

    #[test]
    fn complaints_are_read_with_their_places() {
        let said = "#cuda_tile.di_loc<loc(\"bad.tile\":3:11) in #cuda_tile.di_subprogram<file = <\"bad.tile\" in \"\">>>: \
            error: Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'\n  more of it\n\
            loc(\"k.py\":5:6): warning: slow: error: not this\nerror: at large\n\
            error: failed to compile Tile IR program\n";
        let place = |file: &str, line, column| Some(SourceLocation { file: file.to_string(), line, column });
        let found: Vec<_> = read(said).into_iter().map(|found| (found.level, found.place, found.message)).collect();
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

    /// As `tileiras` 13.5.37 writes it for a kernel of cuTile Python.
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
        // Without the blank lines, and with a warning whose shape is cut.
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
