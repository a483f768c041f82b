//! Requests about the state of a run that has stopped.

use super::Session;
use crate::console;
use crate::protocol::*;
use crate::stack::{self, tile_block};
use crate::values::{self, Children, Row};
use tile_analysis::ir::Value;
use tile_backend::debug::Why;

impl Session<'_> {
    /// The only thread is the running tile block.
    pub(super) fn threads(&self) -> Threads {
        let stopped = self.run.as_ref().and_then(|run| run.stopped().as_ref().map(|stopped| stopped.block));
        let name = stopped.map_or("tile blocks".to_string(), tile_block);
        Threads { threads: vec![Thread { id: 1, name }] }
    }

    pub(super) fn stack(&self, arguments: &StackTraceArguments) -> Result<StackTrace, String> {
        let (source, stopped) = self.stopped()?;
        let frames = stack::frames(&source, &stopped);
        let total_frames = frames.len();
        let levels = arguments.levels.filter(|&levels| levels > 0).unwrap_or(usize::MAX);
        let wanted = frames.into_iter().skip(arguments.start_frame.unwrap_or(0)).take(levels);
        Ok(StackTrace { stack_frames: wanted.collect(), total_frames })
    }

    pub(super) fn variables(&mut self, arguments: &VariablesArguments) -> Result<Variables, String> {
        let (source, stopped) = self.stopped()?;
        let run = self.run.as_ref().ok_or("no launch is running")?;
        let variables = match self.rows.children(&source, &stopped, arguments.variables_reference) {
            Children::Known(variables) => variables,
            Children::Parameters(names) => {
                let mut parameter = |name: String| {
                    let row = Row { of: name.clone(), index: Vec::new() };
                    Ok(self.rows.variable(name.clone(), row, &run.evaluate(name)?))
                };
                names.into_iter().map(&mut parameter).collect::<Result<_, String>>()?
            }
            Children::Of(row) => {
                let range = values::requested(arguments.start, arguments.count);
                self.rows.variables(&row, range.start, &run.children(&row, range)?)
            }
        };
        Ok(Variables { variables })
    }

    pub(super) fn evaluate(
        &mut self,
        EvaluateArguments { expression, context }: EvaluateArguments,
    ) -> Result<Evaluated, String> {
        self.stopped()?;
        // Helix evaluates without a context.
        let command = matches!(&context[..], "repl" | "").then(|| console::parse(&expression)).flatten();
        if let Some(command) = command {
            return Ok(Evaluated { result: self.execute(command)?, described: Described::default() });
        }
        let of = values::formula(&expression, context == "hover");
        let item = self.running()?.evaluate(of.clone())?;
        let row = Row { of, index: Vec::new() };
        Ok(Evaluated { result: item.shown.to_string(), described: self.rows.described(row, &item) })
    }

    /// The names of values that can follow in the debug console.
    pub(super) fn completions(&self, arguments: &CompletionsArguments) -> Result<Completions, String> {
        let (source, stopped) = self.stopped()?;
        let parameters = 0..source.body().params.len() as u32;
        let values = stopped.values.iter().rev().map(|(value, _)| *value).chain(parameters);
        let names = values.map(|value| source.name(Value(value)));
        Ok(Completions { targets: console::completions(&arguments.text, arguments.column, names) })
    }

    pub(super) fn exception(&self) -> Result<ExceptionInfo, String> {
        let (_, stopped) = self.stopped()?;
        match stopped.why {
            Why::Failed { code, message } => {
                let description = format!("{message}, in {}", tile_block(stopped.block));
                Ok(ExceptionInfo { exception_id: code, description, break_mode: "always" })
            }
            _ => Err("nothing has failed".to_string()),
        }
    }
}
