//! Parses the PTX of a cubin.
//!
//! It has neither `.loc` directives nor comments: empty lines are in their places. The disassembly relates machine
//! instructions to lines of the PTX and to source lines, which gives the source lines of most PTX. Between two
//! directives, all PTX is from one source line, so the rest follows from its neighbors.

use super::class::of_ptx;
use super::kernel::{Annotated, Instruction, Kernel, Row, SourceLine};
use super::sass::split;
use std::collections::HashMap;

/// A source line, with the lines of calls for inlined code.
type Origin = (SourceLine, Vec<SourceLine>);

/// The source lines of PTX lines, which are numbered from 1, according to the machine code.
pub(super) fn source_lines(kernels: &[Kernel]) -> HashMap<u32, Origin> {
    let mut found = HashMap::new();
    for instruction in kernels.iter().flat_map(Kernel::instructions) {
        if let (Some(ptx), Some(line)) = (instruction.ptx_line, &instruction.line) {
            found.entry(ptx).or_insert_with(|| (line.clone(), instruction.callers.clone()));
        }
    }
    found
}

/// Parses PTX.
pub(super) fn read(lines: &[String], sources: &HashMap<u32, Origin>) -> Annotated {
    let origins = origins(lines, sources);
    let mut found = Annotated::default();
    let mut is_continued = false;
    for ((line, origin), number) in lines.iter().zip(origins).zip(1..) {
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        if let Some(name) = kernel(text) {
            found.kernels.push(Kernel { name: name.to_string(), rows: Vec::new() });
        }
        let Some(kernel) = found.kernels.last_mut() else {
            found.head.push(text.to_string());
            continue;
        };
        let is_first = !is_continued && is_instruction(text);
        let text = text.replace('\t', " ").replace("  ", " ");
        is_continued = (is_first || is_continued) && !text.ends_with(';');
        kernel.rows.push(if is_first {
            Row::Instruction(instruction(&text, origin, number))
        } else {
            Row::Other(text)
        });
    }
    found
}

/// The kernel or function that a line begins to define: `.visible .entry gemm(`.
fn kernel(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(".entry ")?;
    rest.split(|c: char| c.is_whitespace() || c == '(').find(|name| !name.is_empty())
}

/// Whether an instruction begins: neither a label, a directive nor a brace.
fn is_instruction(text: &str) -> bool {
    let (opcode, _) = split(text);
    opcode.starts_with(|c: char| c.is_ascii_lowercase()) && !opcode.ends_with(':')
}

fn instruction(text: &str, origin: Option<Origin>, number: u32) -> Instruction {
    let text = text.trim_end_matches(';');
    let (line, callers) = origin.map_or((None, Vec::new()), |(line, callers)| (Some(line), callers));
    let unit = of_ptx(split(text).0);
    Instruction { address: None, text: text.to_string(), unit, line, callers, ptx_line: Some(number), live: None }
}

/// The source line of each line: its own, else that of the line before it or after it in the same block, else that of
/// the previous block. Blocks are separated by directives.
fn origins(lines: &[String], sources: &HashMap<u32, Origin>) -> Vec<Option<Origin>> {
    let mut found: Vec<Option<Origin>> = (1..).zip(lines).map(|(number, _)| sources.get(&number).cloned()).collect();
    let is_empty = |index: usize| lines.get(index).is_some_and(|line| line.trim().is_empty());
    let is_directive = |index: usize| is_empty(index) && is_empty(index + 1);
    let forward = |found: &mut [Option<Origin>], stops: &dyn Fn(usize) -> bool| {
        for index in 1..lines.len() {
            if found[index].is_none() && !stops(index) {
                found[index] = found[index - 1].clone();
            }
        }
    };
    forward(&mut found, &is_directive);
    for index in (1..lines.len()).rev() {
        if found[index - 1].is_none() && !is_directive(index - 1) {
            found[index - 1] = found[index].clone();
        }
    }
    // Machine code for some inline assembly is listed under the line before it.
    forward(&mut found, &|index| kernel(lines[index].trim()).is_some());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines 6 to 9 and 12 to 14 are between directives.
    const PTX: &str = ".version 9.5
.target sm_90a
.visible .entry k(
.param .u32 k_param_0
)
{


ld.param.b32 \t%r1, [k_param_0];
@%p6 bra \t$L__BB0_9;


$L__BB0_9:
add.s32 \t%r2, %r1, 1;
call.uni (retval0),
f,
();


ret;
}";

    #[test]
    fn instructions_have_the_source_lines_of_their_machine_code() {
        let lines: Vec<String> = PTX.lines().map(str::to_string).collect();
        let at = |line| (SourceLine { file: "a.tile".into(), line }, Vec::new());
        let found = read(&lines, &HashMap::from([(10, at(3)), (14, at(4))]));
        assert_eq!(found.head, [".version 9.5", ".target sm_90a"]);
        let [kernel] = &found.kernels[..] else { panic!("one kernel") };
        assert_eq!(kernel.name, "k");
        let all: Vec<_> =
            kernel.instructions().map(|each| (each.text.as_str(), each.line.as_ref().map(|line| line.line))).collect();
        let expected = [
            ("ld.param.b32 %r1, [k_param_0]", Some(3)),
            ("@%p6 bra $L__BB0_9", Some(3)),
            ("add.s32 %r2, %r1, 1", Some(4)),
            ("call.uni (retval0),", Some(4)),
            ("ret", Some(4)),
        ];
        assert_eq!(all, expected);
        assert!(kernel.rows.contains(&Row::Other("f,".into())), "a further line is not an instruction");
    }

    #[test]
    fn other_text_has_no_kernels() {
        assert_eq!(read(&[], &HashMap::new()), Annotated::default());
        assert_eq!(read(&[".entry ".into()], &HashMap::new()).kernels, []);
    }
}
