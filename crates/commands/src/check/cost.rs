//! The report of `tile check --explain-cost`.

use super::arguments::Arguments;
use crate::launches::Program;
use crate::messages::{fail, output_failed};
use crate::style::{Tone, output, toned};
use crate::{project, sources};
use codespan_reporting::term::termcolor::WriteColor;
use std::collections::BTreeSet;
use std::io;
use tile_analysis::ide::cost;
use tile_analysis::ir::OpId;
use tile_analysis::range_analysis::{Launched, known_values};
use tile_analysis::render::escape_line;
use tile_backend::cuda::occupancy::Multiprocessor;
use tile_dataflow::footprint::{Footprint, Live, MAX_REGISTERS, threads};
use tile_input::size::shown;
use tile_launch::find::EntryLaunches;

/// Explains the cost of the entries of files that have no errors. Returns the exit status.
pub(super) fn explain(arguments: &Arguments, files: &[String]) -> u8 {
    let mut out = output();
    let status = files.iter().map(|file| match program(arguments, file) {
        Ok(program) if program.errors.is_empty() => {
            let written =
                program.entries.iter().try_for_each(|found| Explained::new(arguments, &program, found).write(&mut out));
            written.map_or_else(|error| output_failed(&error), |()| 0)
        }
        // Its errors have been shown.
        Ok(_) => 0,
        Err(message) => fail(message),
    });
    status.max().unwrap_or(0)
}

fn program(arguments: &Arguments, path: &str) -> Result<Program, String> {
    let options = arguments.preview.options_in(&project::configs(), path)?;
    Ok(Program::check(sources::read(path)?, options))
}

/// An entry and its live tiles.
struct Explained<'a> {
    program: &'a Program,
    found: &'a EntryLaunches,
    footprint: Footprint,
    threads: u64,
    /// The shared memory of a tile block in bytes, if the GPU is known.
    shared: Option<u64>,
    /// The element types of its tiles.
    elements: BTreeSet<&'static str>,
}

impl<'a> Explained<'a> {
    fn new(arguments: &Arguments, program: &'a Program, found: &'a EntryLaunches) -> Explained<'a> {
        let footprint = Footprint::of(&found.entry);
        let elements = footprint.at.iter().flat_map(|live| live.by_element.keys().copied()).collect();
        let gpu = arguments.gpu.map(|gpu| gpu.name());
        let threads = threads(&found.entry, gpu);
        let shared = gpu.and_then(Multiprocessor::of).map(|found| found.shared_of_block());
        Explained { program, found, footprint, threads, shared, elements }
    }

    fn write(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        let text = &self.program.file.text[self.found.start as usize..];
        let known = known_values(text, &self.found.entry, &self.found.spans, &Launched::default());
        let cost = cost::of_entry(&self.found.entry, &known);
        let name = escape_line(&self.program.file.name);
        write!(out, "{name}:{}: @{}", self.program.row(self.found.name.start), self.found.entry.name)?;
        if !cost.is_nothing() {
            write!(
                out,
                ": {cost} per tile block{}",
                if cost.is_open { ", counting each loop and branch once" } else { "" }
            )?;
        }
        let Some(peak) = self.footprint.peak else { return writeln!(out, "\n  no tiles are kept in registers") };
        write!(out, "\n{:>6}{:>12}", "line", "live")?;
        for element in &self.elements {
            write!(out, "{element:>12}")?;
        }
        if self.footprint.shared() > 0 {
            write!(out, "{:>12}", "shared")?;
        }
        writeln!(out, "{:>12}  op", "registers")?;
        for (id, live) in self.footprint.changes(&self.found.entry) {
            self.line(out, id, live, id == peak)?;
        }
        writeln!(
            out,
            "  estimated for {} threads from the tiles alone; `tile build --resources` shows what the compiler needs",
            self.threads
        )
    }

    fn line(&self, out: &mut dyn WriteColor, id: OpId, live: &Live, is_peak: bool) -> io::Result<()> {
        let offset = self.found.start + self.found.spans.op_names[id.0 as usize].start;
        write!(out, "{:>6}{:>12}", self.program.row(offset), shown(live.total()))?;
        for element in &self.elements {
            let bytes = live.by_element.get(element).map_or_else(|| "-".to_string(), |&bytes| shown(bytes));
            write!(out, "{bytes:>12}")?;
        }
        if self.footprint.shared() > 0 {
            let text = format!("{:>12}", if live.shared == 0 { "-".to_string() } else { shown(live.shared) });
            let is_over = self.shared.is_some_and(|limit| live.shared > limit);
            if is_over { toned(out, Tone::Bad, &text)? } else { write!(out, "{text}")? }
        }
        let registers = live.registers_per_thread(self.threads);
        let text = format!("{registers:>12}");
        match registers {
            0..=128 => write!(out, "{text}")?,
            129..=MAX_REGISTERS => toned(out, Tone::Warning, &text)?,
            _ => toned(out, Tone::Bad, &text)?,
        }
        let mark = if is_peak { "  (most registers)" } else { "" };
        writeln!(out, "  {}{mark}", self.found.entry.op(id).op.row().name)
    }
}
