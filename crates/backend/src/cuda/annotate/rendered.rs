//! An annotated listing as text.
//!
//! Each kernel begins with its mix and that of each source line. Its instructions follow in their order, below the
//! source lines that they come from. The text contains no addresses, so that a change of the program changes few lines.

use super::kernel::{Annotated, Instruction, Kernel, Row, SourceLine};
use super::mix::Mix;
use super::owners::Owners;
use std::collections::BTreeMap;

/// What is shown for each instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Its text.
    Lines,
    /// Its address, its text, and the live registers.
    Addresses,
}

/// The instructions of a source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The kernel.
    pub kernel: String,
    /// The source line; `None` for instructions without one.
    pub source: Option<SourceLine>,
    /// The lines of the program, from 0. Usually one.
    pub lines: Vec<u32>,
    /// The rows of the text with its instructions, from 0.
    pub rows: Vec<u32>,
    /// Its instructions by class.
    pub mix: Mix,
}

/// An annotated listing as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// The source lines of each kernel: in the order of the program's lines, then lines of other files, then the
    /// instructions without a source line.
    pub groups: Vec<Group>,
}

/// The number of characters of a source line that are shown.
const MAX_SOURCE: usize = 100;

/// Renders a listing below some lines of text, such as its title.
pub fn rendered(annotated: &Annotated, owners: &Owners, detail: Detail, title: &str) -> Rendered {
    let mut writer = Writer { owners, detail, rows: 0, found: Rendered::default() };
    title.lines().chain(annotated.head.iter().map(String::as_str)).for_each(|line| writer.line(line));
    annotated.kernels.iter().for_each(|kernel| writer.kernel(kernel));
    writer.found
}

struct Writer<'w> {
    owners: &'w Owners,
    detail: Detail,
    /// The number of rows so far.
    rows: u32,
    found: Rendered,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.found.text += line.trim_end();
        self.found.text.push('\n');
        self.rows += 1;
    }

    fn kernel(&mut self, kernel: &Kernel) {
        let mut groups = self.groups(kernel);
        self.line("");
        self.line(&format!("// kernel {}: {}", kernel.name, total(&kernel.instructions().collect())));
        for group in &groups {
            self.line(&format!("//   {}: {}", self.place(group), total(&group.mix)));
        }
        self.line("");
        let mut last: Option<&Instruction> = None;
        for row in &kernel.rows {
            match row {
                Row::Other(text) => self.line(text),
                Row::Instruction(instruction) => {
                    if last.is_none_or(|last| (&last.line, &last.callers) != (&instruction.line, &instruction.callers))
                    {
                        self.heading(&groups, instruction);
                    }
                    if let Some(group) = groups.iter_mut().find(|group| group.source == instruction.line) {
                        group.rows.push(self.rows);
                    }
                    self.line(&shown(instruction, self.detail));
                    last = Some(instruction);
                }
            }
        }
        self.found.groups.extend(groups);
    }

    /// The instructions of a kernel by source line.
    fn groups(&self, kernel: &Kernel) -> Vec<Group> {
        let mut by_line: BTreeMap<Option<&SourceLine>, Mix> = BTreeMap::new();
        for instruction in kernel.instructions() {
            by_line.entry(instruction.line.as_ref()).or_default().add(instruction);
        }
        let mut groups: Vec<Group> = Vec::new();
        for (source, mix) in by_line {
            let lines = source.map(|source| self.owners.lines(&kernel.name, source)).unwrap_or_default();
            groups.push(Group { kernel: kernel.name.clone(), source: source.cloned(), lines, rows: Vec::new(), mix });
        }
        let order = |group: &Group| (group.source.is_none(), group.lines.is_empty(), group.lines.first().copied());
        groups.sort_by_key(order);
        groups
    }

    /// The comment above the first of the instructions of a source line.
    fn heading(&mut self, groups: &[Group], instruction: &Instruction) {
        let Some(group) = groups.iter().find(|group| group.source == instruction.line) else { return };
        let text = group.lines.first().map(|&line| self.owners.text(line)).unwrap_or_default();
        let mut heading = format!("    // {}: {}", self.place(group), shortened(text));
        for caller in &instruction.callers {
            heading += &format!(", inlined at {}", self.source(caller));
        }
        self.line(heading.trim_end_matches([' ', ':']));
    }

    /// The name of a group: `line 12`, `kernel.py:7`, `no line`.
    fn place(&self, group: &Group) -> String {
        group.source.as_ref().map_or_else(|| "no line".to_string(), |source| self.source(source))
    }

    fn source(&self, source: &SourceLine) -> String {
        if self.owners.is_own(&source.file) {
            format!("line {}", source.line)
        } else {
            format!("{}:{}", source.file, source.line)
        }
    }
}

/// `384 instructions, 24 live registers: 4 LDG.32, 40 integer`.
fn total(mix: &Mix) -> String {
    let plural = |count: u32, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let live = mix.live.map(|live| format!(", {}", plural(live, "live register"))).unwrap_or_default();
    format!("{}{live}: {}", plural(mix.instructions, "instruction"), mix.text())
}

fn shown(instruction: &Instruction, detail: Detail) -> String {
    match (detail, instruction.address) {
        (Detail::Addresses, Some(address)) => {
            let live = instruction.live.map(|live| format!("{live:3} live")).unwrap_or_default();
            format!("    /*{address:04x}*/ {live:8}  {}", instruction.text)
        }
        _ => format!("    {}", instruction.text),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SOURCE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::annotate::class::of_sass;
    use tile_analysis::context::Options;
    use tile_analysis::db::{Database, File};
    use tile_analysis::debug_info::debug_info;
    use tile_analysis::program::Program;

    /// The second op has a location in a Python file.
    const PROGRAM: &str = "cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %y = addf %x, %x : tile<f32> loc(\"k.py\":7:3)
  }
}
";

    fn instruction(text: &str, place: Option<(&str, u32)>, live: u32) -> Row {
        let line = place.map(|(file, line)| SourceLine { file: file.to_string(), line });
        let unit = of_sass(text.split(' ').next().unwrap_or_default(), text);
        let (text, callers) = (text.to_string(), Vec::new());
        Row::Instruction(Instruction { address: Some(16), text, unit, line, callers, ptx_line: None, live: Some(live) })
    }

    fn rendering(detail: Detail) -> Rendered {
        let db = Database::default();
        let file = File::new(&db, PROGRAM.into(), Options::default());
        let owners = Owners::new(&Program::of(&db, file), &debug_info(&db, file, "a.tile"), "a.tile");
        let rows = vec![
            instruction("LDG.E R0, [R2.64]", Some(("a.tile", 3)), 4),
            Row::Other(".L_x_0:".to_string()),
            instruction("FADD R0, R0, R0", Some(("k.py", 7)), 2),
            instruction("LDG.E.128 R4, [R2.64]", Some(("a.tile", 3)), 8),
            instruction("EXIT", None, 0),
        ];
        let kernels = vec![Kernel { name: "k".to_string(), rows }];
        rendered(&Annotated { head: Vec::new(), kernels }, &owners, detail, "// SASS of a.tile.")
    }

    #[test]
    fn a_listing_names_source_lines() {
        let expected = "// SASS of a.tile.

// kernel k: 4 instructions, 8 live registers: 1 LDG.32, 1 LDG.128, 1 float, 1 branch
//   line 3: 2 instructions, 8 live registers: 1 LDG.32, 1 LDG.128
//   k.py:7: 1 instruction, 2 live registers: 1 float
//   no line: 1 instruction, 0 live registers: 1 branch

    // line 3: %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    LDG.E R0, [R2.64]
.L_x_0:
    // k.py:7: %y = addf %x, %x : tile<f32> loc(\"k.py\":7:3)
    FADD R0, R0, R0
    // line 3: %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    LDG.E.128 R4, [R2.64]
    // no line
    EXIT
";
        assert_eq!(rendering(Detail::Lines).text, expected);
        assert!(rendering(Detail::Addresses).text.contains("\n    /*0010*/   8 live  LDG.E.128 R4, [R2.64]\n"));
    }

    #[test]
    fn rows_belong_to_lines_of_the_program() {
        let found = rendering(Detail::Lines);
        let lines: Vec<_> = found.groups.iter().map(|group| (group.lines.clone(), group.rows.clone())).collect();
        assert_eq!(lines, [(vec![2], vec![8, 13]), (vec![3], vec![11]), (vec![], vec![15])]);
        let row = |row: u32| found.text.lines().nth(row as usize).map(str::trim);
        assert_eq!(row(11), Some("FADD R0, R0, R0"));
        assert_eq!(found.groups[0].mix.short(), "1 LDG.32 · 1 LDG.128 · 8 regs");
        assert_eq!(found.groups[1].mix.short(), "1 instruction · 2 regs");
    }
}
