//! Parses the output of `nvdisasm`.

use super::class::of_sass;
use super::kernel::{Instruction, Kernel, Row, SourceLine};
use super::spacing;
use std::collections::HashMap;

/// The file that the line table names for lines of the PTX.
const PTX: &str = ".nv_debug_ptx_txt";

/// The start of a section's name in the disassembly.
const SECTION: &str = ".text.";

/// The column of the general-purpose registers in a table of live registers.
const REGISTERS: &str = "GPR";

/// Parses a disassembly with source lines (`--print-line-info-inline --print-line-info-ptx`) and one with the number of
/// live registers (`--life-range-mode count`).
pub(super) fn read(lines: &str, live: &str) -> Vec<Kernel> {
    let live = live_registers(live);
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut place = Place::default();
    let mut is_open = false;
    for line in lines.lines() {
        if let Some(comment) = line.trim_start().strip_prefix("//## ") {
            place.comment(comment);
        } else if line.starts_with("//-") {
            is_open = false;
        } else if let Some(name) = kernel(line) {
            kernels.push(Kernel { name: name.to_string(), rows: Vec::new() });
            (place, is_open) = (Place::default(), true);
        } else if is_function(line) {
            // The line table has no rows for functions of NVIDIA's library, which follow the code that calls them.
            place = Place::default();
        } else if let Some(kernel) = kernels.last_mut().filter(|_| is_open) {
            if let Some((address, text)) = instruction(line) {
                let live = live.get(&(kernel.name.clone(), address)).copied();
                kernel.rows.push(Row::Instruction(place.instruction(address, text, live)));
            } else if let Some(label) = line.strip_suffix(':').filter(|label| !label.starts_with(char::is_whitespace)) {
                kernel.rows.push(Row::Other(format!("{label}:")));
            }
        }
    }
    kernels.iter_mut().for_each(drop_padding);
    kernels
}

/// The kernel whose code begins here: `.text.gemm:`.
fn kernel(line: &str) -> Option<&str> {
    line.strip_prefix(SECTION)?.strip_suffix(':')
}

/// Whether a function begins: `.type name,@function`.
fn is_function(line: &str) -> bool {
    line.trim_start().starts_with(".type") && line.ends_with("@function")
}

/// The address and the text of an instruction: `/*0010*/ MOV R1, R2 ;`.
fn instruction(line: &str) -> Option<(u64, &str)> {
    let (address, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let (text, _) = rest.split_once(';')?;
    Some((u64::from_str_radix(address, 16).ok()?, text.trim()))
}

/// The instructions that fill a kernel up to its alignment.
fn drop_padding(kernel: &mut Kernel) {
    let is_padding = |row: &Row| matches!(row, Row::Instruction(instruction) if instruction.text == "NOP");
    while kernel.rows.last().is_some_and(is_padding) {
        kernel.rows.pop();
    }
}

/// Where the following instructions come from.
#[derive(Default)]
struct Place {
    line: Option<SourceLine>,
    callers: Vec<SourceLine>,
    ptx_line: Option<u32>,
    /// Whether the previous comment named a source line, so that the next one names its caller.
    is_named: bool,
}

impl Place {
    /// Reads `File "a.tile", line 3`, which may go on with ` inlined at "b.tile", line 7`. A comment of its own repeats
    /// the line of the call.
    fn comment(&mut self, comment: &str) {
        let Some((file, rest)) = comment.strip_prefix("File \"").and_then(|rest| rest.split_once("\", line ")) else {
            return;
        };
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let Ok(line) = digits.parse::<u32>() else { return };
        if file == PTX {
            self.ptx_line = Some(line);
            return;
        }
        let line = SourceLine { file: file.to_string(), line: spacing::line(line) };
        if self.is_named {
            self.callers.push(line);
        } else {
            self.callers.clear();
            self.line = Some(line);
        }
        self.is_named = true;
    }

    fn instruction(&mut self, address: u64, text: &str, live: Option<u32>) -> Instruction {
        self.is_named = false;
        let (opcode, operands) = split(text);
        Instruction {
            address: Some(address),
            text: text.to_string(),
            unit: of_sass(opcode, operands),
            line: self.line.clone(),
            callers: self.callers.clone(),
            ptx_line: self.ptx_line,
            live,
        }
    }
}

/// Splits an instruction into its opcode and its operands, without its predicate.
pub(super) fn split(text: &str) -> (&str, &str) {
    let unguarded =
        if text.starts_with('@') { text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest) } else { text };
    let unguarded = unguarded.trim_start();
    unguarded.split_once(char::is_whitespace).unwrap_or((unguarded, ""))
}

/// The live general-purpose registers by kernel and address, from rows such as `/*0010*/ … ; // |  12 |   1 |`.
fn live_registers(text: &str) -> HashMap<(String, u64), u32> {
    let (mut found, mut name, mut column) = (HashMap::new(), "", None);
    for line in text.lines() {
        if let Some(next) = kernel(line.split("//").next().unwrap_or_default().trim_end()) {
            name = next;
        }
        let Some((_, table)) = line.rsplit_once("// |") else { continue };
        let mut cells = table.split('|').map(str::trim);
        if let Some(position) = cells.clone().position(|cell| cell == REGISTERS) {
            column = Some(position);
        } else if let (Some((address, _)), Some(column)) = (instruction(line), column) {
            let count = cells.nth(column).and_then(|cell| cell.parse().ok()).unwrap_or(0);
            found.insert((name.to_string(), address), count);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::annotate::class::Class;
    use crate::cuda::annotate::mix::Mix;

    const LINES: &str = "\t.target\tsm_90a\n
//--------------------- .text.first --------------------------
\t.section\t.text.first,\"ax\",@progbits
        .type           first,@function
first:
.text.first:
        /*0000*/                   S2R R0, SR_TID.X ;
\t//## File \"f.tile\", line 192
\t//## File \".nv_debug_ptx_txt\", line 26
        /*0010*/                   LDC R1, c[0x0][0x28] ;
\t//## File \".nv_debug_ptx_txt\", line 27
        /*0020*/              @!P1 LDG.E.64 R12, desc[UR6][R8.64] ;
\t//## File \"lib.tile\", line 451 inlined at \"f.tile\", line 256
\t//## File \"f.tile\", line 256
\t//## File \".nv_debug_ptx_txt\", line 30
.L_x_0:
        /*0030*/                   FADD R2, R2, R3 ;
        /*0040*/                   EXIT ;
        .type           $__internal_0_$__cuda_div,@function
$__internal_0_$__cuda_div:
        /*0050*/                   RET.REL.NODEC R14 `(first) ;
        /*0060*/                   NOP ;
        /*0070*/                   NOP ;
//--------------------- .text.second --------------------------
second:
.text.second:
        /*0000*/                   EXIT ;
";

    const LIVE: &str = "
.text.first:                                       // |       |        |
                                                   // | PRED  | GPR    |
                                                   // |   #   |   #    |
        /*0000*/        S2R R0, SR_TID.X ;         // |       |        |
        /*0010*/        LDC R1, c[0x0][0x28] ;     // |   1   |   12   |
.text.second:                                      // |       |        |
        /*0000*/        EXIT ;                     // |   3   |   4    |
";

    fn line(file: &str, line: u32) -> SourceLine {
        SourceLine { file: file.to_string(), line }
    }

    #[test]
    fn instructions_have_source_lines_and_live_registers() {
        let [first, second] = &read(LINES, LIVE)[..] else { panic!("two kernels") };
        assert_eq!((first.name.as_str(), second.name.as_str()), ("first", "second"));
        let all: Vec<&Instruction> = first.instructions().collect();
        let lines: Vec<_> = all.iter().map(|each| each.line.clone()).collect();
        let (own, library) = (line("f.tile", 3), line("lib.tile", 7));
        assert_eq!(lines, [None, Some(own.clone()), Some(own), Some(library.clone()), Some(library), None]);
        assert_eq!(all[3].callers, [line("f.tile", 4)]);
        assert_eq!(
            all.iter().map(|each| each.ptx_line).collect::<Vec<_>>(),
            [None, Some(26), Some(27), Some(30), Some(30), None]
        );
        assert_eq!(all.iter().map(|each| each.live).collect::<Vec<_>>(), [Some(0), Some(12), None, None, None, None]);
        assert_eq!(all[2].text, "@!P1 LDG.E.64 R12, desc[UR6][R8.64]");
        assert_eq!(first.rows[3], Row::Other(".L_x_0:".to_string()));
        let of_second: Vec<_> = second.instructions().map(|each| (each.line.clone(), each.live)).collect();
        assert_eq!(of_second, [(None, Some(4))], "a kernel does not inherit the line of the previous one");
    }

    #[test]
    fn padding_is_not_counted() {
        let mix: Mix = read(LINES, LIVE)[0].instructions().collect();
        assert_eq!((mix.instructions, mix.live, mix.of(Class::Other)), (6, Some(12), 0));
        assert_eq!(mix.text(), "1 LDG.64, 1 constant, 1 float, 1 move, 2 branch");
        assert_eq!(mix.short(), "1 LDG.64 · 12 regs");
    }

    #[test]
    fn other_text_has_no_kernels() {
        for text in ["", "//## File", ".text.k", "/*00", "/*zz*/ MOV ;", "//## File \"a\", line x"] {
            assert_eq!(read(text, text), [], "{text}");
        }
        assert_eq!(
            read(".text.k:\n//## File \"a\", line 99999999999\n/*0*/ @P0", ""),
            [Kernel { name: "k".into(), rows: vec![] }]
        );
    }
}
