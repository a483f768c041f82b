//! The requests of an editor.

mod inspect;
mod stops;

use crate::breakpoints::BreakpointSet;
use crate::console;
use crate::prepare::{LaunchRequest, Prepare, Prepared};
use crate::protocol::*;
use crate::run::DebugRun;
use crate::source::Source;
use crate::stack::tile_block;
use crate::values::{self, Rows};
use crate::wire::Output;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::io;
use std::sync::Arc;
use tile_backend::debug::{Command, Debugging, Pace, Stopped};

/// A session of one editor that debugs one launch.
pub(crate) struct Session<'a> {
    output: Output,
    prepare: Prepare<'a>,
    /// The launch, once the editor has named it, and whether it stops on entry.
    launch: Option<(Prepared, bool)>,
    source: Option<Arc<Source>>,
    breakpoints: BreakpointSet,
    /// The grid of the launch.
    grid: [u32; 3],
    run: Option<DebugRun>,
    rows: Rows,
}

impl<'a> Session<'a> {
    pub(crate) fn new(output: Output, prepare: Prepare<'a>) -> Session<'a> {
        Session {
            output,
            prepare,
            launch: None,
            source: None,
            breakpoints: BreakpointSet::default(),
            grid: [1; 3],
            run: None,
            rows: Rows::default(),
        }
    }

    /// Answers a request. Returns whether the editor has disconnected.
    pub(crate) fn handle(&mut self, request: Request) -> io::Result<bool> {
        if request.kind != "request" {
            return Ok(false);
        }
        let Request { seq, command, arguments, .. } = request;
        let answer = self.answer(&command, arguments);
        let is_ok = answer.is_ok();
        self.output.answer(seq, &command, answer)?;
        match &command[..] {
            // Breakpoints can be resolved now that the program is known.
            "launch" if is_ok => self.output.event("initialized", Empty {})?,
            "disconnect" => return Ok(true),
            _ => {}
        }
        Ok(false)
    }

    /// Ends the run, if any.
    pub(crate) fn end(&self) {
        self.run.iter().for_each(DebugRun::kill);
    }

    fn answer(&mut self, command: &str, arguments: Json) -> Result<Json, String> {
        match command {
            "initialize" => body(CAPABILITIES),
            "launch" => body(self.launch(read(command, arguments)?)?),
            "attach" => Err("attaching to a run is not supported; use a `launch` configuration".to_string()),
            "setBreakpoints" => body(self.set_breakpoints(&read(command, arguments)?)?),
            "dataBreakpointInfo" => body(self.data_breakpoint_info(read(command, arguments)?)?),
            "setDataBreakpoints" => body(self.set_data_breakpoints(&read(command, arguments)?)?),
            "setExceptionBreakpoints" => body(Breakpoints { breakpoints: Vec::new() }),
            "configurationDone" => body(self.start()?),
            "threads" => body(self.threads()),
            "stackTrace" => body(self.stack(&read(command, arguments)?)?),
            "scopes" => body(values::scopes()),
            "variables" => body(self.variables(&read(command, arguments)?)?),
            "evaluate" => body(self.evaluate(read(command, arguments)?)?),
            "completions" => body(self.completions(&read(command, arguments)?)?),
            "exceptionInfo" => body(self.exception()?),
            "continue" => {
                self.go(Pace::Run)?;
                body(Continued { all_threads_continued: true })
            }
            "next" => body(self.go(Pace::Over)?),
            "stepIn" => body(self.go(Pace::Into)?),
            "stepOut" => body(self.go(Pace::Out)?),
            "stepBack" => body(self.go(Pace::Back)?),
            "reverseContinue" => body(self.go(Pace::BackToBreakpoint)?),
            "goToBlock" => {
                let GoToBlockArguments { block } = read(command, arguments)?;
                body(self.go_to_block(&block).map(|_| Empty {})?)
            }
            "pause" => {
                self.running()?.command(Command::Pause)?;
                body(Empty {})
            }
            "terminate" | "disconnect" => {
                self.end();
                body(Empty {})
            }
            other => Err(format!("unsupported request `{other}`")),
        }
    }

    fn launch(&mut self, arguments: LaunchArguments) -> Result<Empty, String> {
        if self.run.is_some() {
            return Err("the session already debugs a launch".to_string());
        }
        let LaunchArguments { program, entry, launch, block, sanitize, stop_on_entry } = arguments;
        let program = program.ok_or("the launch configuration has no `program`")?;
        let mut prepared = (self.prepare)(&LaunchRequest { program: program.clone(), entry, launch })?;
        prepared.job.sanitize = sanitize.unwrap_or(true);
        self.grid = prepared.job.launch.grid;
        prepared.job.watching.block = parse_block(&block, prepared.job.launch.grid)?;
        self.source = Some(Arc::new(Source::new(program, &prepared)));
        self.launch = Some((prepared, stop_on_entry.unwrap_or(false)));
        Ok(Empty {})
    }

    /// Starts the run after the editor has finished its configuration.
    fn start(&mut self) -> Result<Empty, String> {
        let (Some((prepared, on_entry)), Some(source)) = (self.launch.take(), &self.source) else {
            return Err("nothing has been launched".to_string());
        };
        let mut job = prepared.job;
        job.debug = Some(Debugging {
            breakpoints: self.breakpoints.lines.clone(),
            data_breakpoints: self.breakpoints.data(),
            on_entry,
        });
        let run = DebugRun::start(job, source.clone(), self.output.clone()).map_err(|error| error.to_string())?;
        self.run = Some(run);
        Ok(Empty {})
    }

    /// Executes a command of the debug console. Returns the text to show.
    fn execute(&mut self, command: console::Command<'_>) -> Result<String, String> {
        match command {
            console::Command::Block(coordinates) => {
                let numbers =
                    coordinates.iter().map(|text| text.parse().map_or_else(|_| json!(text), |n: u32| json!(n)));
                let block = self.go_to_block(&Json::Array(numbers.collect()))?;
                Ok(format!("running to {}", tile_block(block)))
            }
            console::Command::Break(formula) => {
                let (source, _) = self.stopped()?;
                self.running()?.observe(formula)?;
                let is_set = self.breakpoints.toggle(formula, &source)?;
                self.update(Command::DataBreakpoints(self.breakpoints.data()));
                Ok(format!("{} a data breakpoint on {formula}", if is_set { "set" } else { "removed" }))
            }
        }
    }

    /// Runs to the start of a tile block, forwards or backwards. The editor does not know that this request continues
    /// the run.
    fn go_to_block(&mut self, block: &Json) -> Result<[u32; 3], String> {
        let block = parse_block(block, self.grid)?.ok_or("the request names no `block`")?;
        self.stopped()?;
        let event = ContinuedEvent { thread_id: 1, all_threads_continued: true };
        self.output.event("continued", event).map_err(|error| error.to_string())?;
        self.go(Pace::Block(block))?;
        Ok(block)
    }

    fn go(&mut self, pace: Pace) -> Result<Empty, String> {
        self.stopped()?;
        self.rows.clear();
        self.running()?.command(Command::Go(pace))?;
        Ok(Empty {})
    }

    fn running(&self) -> Result<&DebugRun, String> {
        self.run.as_ref().ok_or_else(|| "no launch is running".to_string())
    }

    /// The program, and where its run has stopped.
    fn stopped(&self) -> Result<(Arc<Source>, Stopped), String> {
        let stopped = self.running()?.stopped().clone();
        let stopped = stopped.ok_or("the run has not stopped")?;
        Ok((self.source.clone().ok_or("nothing has been launched")?, stopped))
    }
}

/// The capabilities of this adapter.
const CAPABILITIES: Capabilities = Capabilities {
    completion_trigger_characters: &["%"],
    supports_completions_request: true,
    supports_conditional_breakpoints: true,
    supports_configuration_done_request: true,
    supports_data_breakpoints: true,
    supports_evaluate_for_hovers: true,
    supports_exception_info_request: true,
    supports_hit_conditional_breakpoints: true,
    supports_log_points: true,
    supports_step_back: true,
    supports_terminate_request: true,
};

/// Parses the arguments of a request.
fn read<T: DeserializeOwned>(command: &str, arguments: Json) -> Result<T, String> {
    // `arguments` is optional in the protocol.
    let arguments = if arguments.is_null() { json!({}) } else { arguments };
    serde_json::from_value(arguments).map_err(|error| format!("invalid arguments of `{command}`: {error}"))
}

fn body(body: impl Serialize) -> Result<Json, String> {
    serde_json::to_value(body).map_err(|error| error.to_string())
}

/// Parses the tile block of a launch configuration.
fn parse_block(wanted: &Json, grid: [u32; 3]) -> Result<Option<[u32; 3]>, String> {
    if wanted.is_null() {
        return Ok(None);
    }
    let [to_x, to_y, to_z] = grid.map(|extent| extent - 1);
    let numbers = wanted.as_array().filter(|numbers| (1..=3).contains(&numbers.len()));
    let mut block = [0; 3];
    for (at, number) in block.iter_mut().zip(numbers.into_iter().flatten()) {
        *at = number.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX);
    }
    if numbers.is_none() || block.iter().zip(grid).any(|(at, extent)| *at >= extent) {
        return Err(format!("`block` is {wanted}; the grid's tile blocks are [0, 0, 0] to [{to_x}, {to_y}, {to_z}]"));
    }
    Ok(Some(block))
}
