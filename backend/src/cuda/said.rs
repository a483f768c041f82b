//! What the compiler says on its standard error: errors and warnings, mostly with the place that they are about.

use super::remarks::Place;

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
    pub place: Option<Place>,
    /// What it says.
    pub message: String,
}

const LEVELS: [(&str, Level); 4] =
    [("error: ", Level::Error), ("warning: ", Level::Warning), ("note: ", Level::Note), ("remark: ", Level::Note)];

/// What it says when it has said everything else.
const CLOSING: &str = "failed to compile Tile IR program";

/// Reads what the compiler says. Lines that begin nothing new belong to what stands in front of them.
pub fn read(said: &str) -> Vec<Complaint> {
    let mut found: Vec<Complaint> = Vec::new();
    for line in said.lines().filter(|line| !line.trim().is_empty()) {
        match one(line) {
            Some(complaint) if complaint.message == CLOSING => {}
            Some(complaint) => found.push(complaint),
            None => match found.last_mut() {
                Some(last) => last.message = format!("{}\n{}", last.message, line.trim_end()),
                None => found.push(Complaint { level: Level::Error, place: None, message: line.trim().to_string() }),
            },
        }
    }
    found
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
        match letters.starts_with(|c: char| c.is_ascii_digit()) {
            true => out.extend(["#", &word[letters.len()..]]),
            false => out.push_str(word),
        }
    }
    out
}

fn one(line: &str) -> Option<Complaint> {
    let heads = LEVELS.iter().filter_map(|(word, level)| Some((head_end(line, word)?, *word, *level)));
    let (end, word, level) = heads.min_by_key(|(end, ..)| *end)?;
    let message = line[end + word.len()..].trim().to_string();
    Some(Complaint { level, place: place(&line[..end]), message })
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
fn place(text: &str) -> Option<Place> {
    let (_, rest) = text.split_once("loc(\"")?;
    let (file, rest) = rest.split_once("\":")?;
    let (position, _) = rest.split_once(')')?;
    let (line, column) = position.split_once(':')?;
    let column = column.split(|c: char| !c.is_ascii_digit()).next()?;
    Some(Place { file: file.to_string(), line: line.parse().ok()?, column: column.parse().ok()? })
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
        let place = |file: &str, line, column| Some(Place { file: file.to_string(), line, column });
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
}
