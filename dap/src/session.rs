//! What an editor asks for, and what it is answered.

use crate::prepare::{Prepare, Prepared, Wanted};
use crate::run::Run;
use crate::source::Source;
use crate::values::{self, Inside};
use crate::wire::Output;
use serde_json::{Value as Json, json};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tile_analysis::ir::Value;
use tile_backend::debug::{Command, Debugging, Pace, Stopped};

/// One editor that debugs one launch.
pub(crate) struct Session<'a> {
    output: Output,
    prepare: Prepare<'a>,
    /// The launch, when the editor has said which, and whether it stops at its beginning.
    launch: Option<(Prepared, bool)>,
    source: Option<Arc<Source>>,
    /// The numbers of the ops at which it stops.
    stops: Vec<u32>,
    run: Option<Run>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(output: Output, prepare: Prepare<'a>) -> Session<'a> {
        Session { output, prepare, launch: None, source: None, stops: Vec::new(), run: None }
    }

    /// Answers a request. Whether the editor has left.
    pub(crate) fn handle(&mut self, request: &Json) -> io::Result<bool> {
        if request["type"] != "request" {
            return Ok(false);
        }
        let command = request["command"].as_str().unwrap_or_default();
        let answer = self.answer(command, &request["arguments"]);
        let is_fine = answer.is_ok();
        self.output.answer(request, answer)?;
        match command {
            // What stops it can be said now that the program is known.
            "launch" if is_fine => self.output.event("initialized", json!({}))?,
            "disconnect" => return Ok(true),
            _ => {}
        }
        Ok(false)
    }

    /// Ends the run if there is one.
    pub(crate) fn end(&self) {
        self.run.iter().for_each(Run::kill);
    }

    fn answer(&mut self, command: &str, arguments: &Json) -> Result<Json, String> {
        let done = |()| json!({});
        match command {
            "initialize" => Ok(capabilities()),
            "launch" => self.launch(arguments).map(done),
            "attach" => Err("a launch is debugged from its beginning: use a `launch` configuration".to_string()),
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setExceptionBreakpoints" => Ok(json!({ "breakpoints": [] })),
            "configurationDone" => self.start().map(done),
            "threads" => Ok(self.threads()),
            "stackTrace" => self.stack(arguments),
            "scopes" => Ok(values::scopes()),
            "variables" => self.variables(arguments),
            "evaluate" => {
                let (source, stopped) = self.stopped()?;
                values::evaluate(&source, &stopped, arguments["expression"].as_str().unwrap_or_default())
            }
            "exceptionInfo" => self.exception(),
            "continue" => self.go(Pace::Run).map(|()| json!({ "allThreadsContinued": true })),
            "next" => self.go(Pace::Over).map(done),
            "stepIn" => self.go(Pace::Into).map(done),
            "stepOut" => self.go(Pace::Out).map(done),
            "pause" => self.running()?.command(Command::Pause).map(done),
            "terminate" | "disconnect" => {
                self.end();
                Ok(json!({}))
            }
            other => Err(format!("`{other}` is nothing that this debug adapter can do")),
        }
    }

    fn launch(&mut self, arguments: &Json) -> Result<(), String> {
        if self.run.is_some() {
            return Err("a session debugs one launch".to_string());
        }
        let text = |name: &str| arguments[name].as_str().filter(|text| !text.is_empty()).map(str::to_string);
        let program = text("program").ok_or("the launch configuration does not say which `program` it is about")?;
        let wanted = Wanted { program: program.clone(), entry: text("entry"), launch: text("launch") };
        let mut prepared = (self.prepare)(&wanted)?;
        prepared.job.sanitize = arguments["sanitize"].as_bool().unwrap_or(true);
        prepared.job.watching.block = block(&arguments["block"], prepared.job.launch.grid)?;
        self.source = Some(Arc::new(Source::new(program, &prepared)));
        self.launch = Some((prepared, arguments["stopOnEntry"].as_bool().unwrap_or(false)));
        Ok(())
    }

    /// The run begins when the editor has said all that it has to say before.
    fn start(&mut self) -> Result<(), String> {
        let (Some((prepared, on_entry)), Some(source)) = (self.launch.take(), &self.source) else {
            return Err("nothing has been launched".to_string());
        };
        let mut job = prepared.job;
        job.watching.debug = Some(Debugging { stops: self.stops.clone(), on_entry });
        let run = Run::start(job, source.clone(), self.output.clone()).map_err(|error| error.to_string())?;
        self.run = Some(run);
        Ok(())
    }

    /// Takes over all breakpoints of a file, and says where each one is.
    fn set_breakpoints(&mut self, arguments: &Json) -> Result<Json, String> {
        let wanted = arguments["breakpoints"].as_array().map_or(&[][..], Vec::as_slice);
        let source = self.source.as_ref().ok_or("nothing has been launched")?;
        if !is_same(arguments["source"]["path"].as_str().unwrap_or_default(), &source.path) {
            let other = json!({ "verified": false, "message": "this file is not the one that is debugged" });
            return Ok(json!({ "breakpoints": vec![other; wanted.len()] }));
        }
        let found: Vec<_> =
            wanted.iter().map(|wanted| source.op_on(wanted["line"].as_u64().unwrap_or(0) as u32)).collect();
        self.stops = found.iter().flatten().map(|op| op.0).collect();
        if let Some(run) = &self.run {
            // One that is over stops nowhere.
            let _ = run.command(Command::Stops(self.stops.clone()));
        }
        let name = &source.body().name;
        let told = found.iter().map(|op| match op.map(|op| source.op(op)) {
            Some(place) => json!({ "verified": true, "line": place.row }),
            None => json!({ "verified": false, "message": format!("there is no op of `@{name}` here or below") }),
        });
        Ok(json!({ "breakpoints": told.collect::<Vec<_>>() }))
    }

    /// The tile block that runs is the only thread.
    fn threads(&self) -> Json {
        let stopped = self.run.as_ref().and_then(|run| run.stopped().as_ref().map(|stopped| stopped.block));
        let name = stopped.map_or("tile blocks".to_string(), |[x, y, z]| format!("tile block ({x}, {y}, {z})"));
        json!({ "threads": [{ "id": 1, "name": name }] })
    }

    fn stack(&self, arguments: &Json) -> Result<Json, String> {
        let (source, stopped) = self.stopped()?;
        let frames = values::frames(&source, &stopped);
        let number = |name: &str| arguments[name].as_u64().unwrap_or(0) as usize;
        let (total, levels) = (frames.len(), if number("levels") == 0 { usize::MAX } else { number("levels") });
        let wanted: Vec<Json> = frames.into_iter().skip(number("startFrame")).take(levels).collect();
        Ok(json!({ "stackFrames": wanted, "totalFrames": total }))
    }

    fn variables(&self, arguments: &Json) -> Result<Json, String> {
        let (source, stopped) = self.stopped()?;
        let number = |name: &str| arguments[name].as_u64();
        let reference = number("variablesReference").unwrap_or(0);
        let variables = match values::inside(&source, &stopped, reference, number("start"), number("count")) {
            Inside::Known(variables) => variables,
            Inside::Elements(Value(value), places) => {
                let elements = self.running()?.elements(value, places.clone())?;
                values::elements(&source, Value(value), places.start, &elements)
            }
        };
        Ok(json!({ "variables": variables }))
    }

    fn exception(&self) -> Result<Json, String> {
        match self.stopped()?.1.why {
            tile_backend::debug::Why::Failed { code, message } => {
                Ok(json!({ "exceptionId": code, "description": message, "breakMode": "always" }))
            }
            _ => Err("nothing has failed".to_string()),
        }
    }

    fn go(&self, pace: Pace) -> Result<(), String> {
        self.stopped()?;
        self.running()?.command(Command::Go(pace))
    }

    fn running(&self) -> Result<&Run, String> {
        self.run.as_ref().ok_or_else(|| "nothing runs".to_string())
    }

    /// The program, and where its run has stopped.
    fn stopped(&self) -> Result<(Arc<Source>, Stopped), String> {
        let stopped = self.running()?.stopped().clone();
        let stopped = stopped.ok_or("the run has not stopped")?;
        Ok((self.source.clone().ok_or("nothing has been launched")?, stopped))
    }
}

/// What this adapter can do.
fn capabilities() -> Json {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsExceptionInfoRequest": true,
        "supportsTerminateRequest": true,
    })
}

/// The tile block that a configuration names.
fn block(wanted: &Json, grid: [u32; 3]) -> Result<Option<[u32; 3]>, String> {
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
        return Err(format!("`block` is {wanted}; tile blocks go from [0, 0, 0] to [{to_x}, {to_y}, {to_z}]"));
    }
    Ok(Some(block))
}

/// Whether two paths lead to the same file.
fn is_same(one: &str, other: &str) -> bool {
    let real = |path: &str| Path::new(path).canonicalize().ok();
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}
