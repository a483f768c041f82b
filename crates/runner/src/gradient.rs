//! Determines the gradients of expectations, by runs of the forward kernel on the CPU engine.

mod derivative;
mod differences;

use crate::report::ReportedFinding;
use crate::run::Run;
use differences::{Change, Failure, Outputs, gradient};
use std::ops::Range;
use tile_engine::Memory;
use tile_engine::findings::Finding;
use tile_launch::expect::{Derivatives, GradientCheck};
use tile_launch::gradient::{Gradient, Operand, spacing};
use tile_launch::{Arg, Buffer, Launch, LaunchError, Value};

/// The fraction of the tolerance of an expectation that the error of finite differences may use up.
const ERROR_SHARE: f64 = 0.1;

/// The reason why a gradient is unknown.
pub(crate) enum GradientError {
    /// It does not exist.
    Undefined(LaunchError),
    /// The forward kernel stopped.
    Stopped(Box<ReportedFinding>),
}

impl Run<'_> {
    /// Determines a gradient. `before` are the values of the launch before the run.
    pub(crate) fn differentiate(
        &self,
        check: &GradientCheck,
        before: &[(String, Value)],
    ) -> Result<Derivatives, GradientError> {
        let Some(forward) = &self.launch.forward else { return self.differentiate_entry(check, before) };
        let Some((start, lowered)) = self.forward_entry(&forward.entry) else {
            return Err(undefined(forward.range.clone(), format!("unknown entry `@{}`", forward.entry)));
        };
        let launch = Launch { grid: forward.grid, forward: None, ..self.launch.clone() };
        let (entry, spans) = (&lowered.body, &lowered.spans);
        Run { launch: &launch, entry, spans, start, ..*self }.differentiate_entry(check, before)
    }

    /// Determines a gradient of the entry of this run.
    fn differentiate_entry(
        &self,
        check: &GradientCheck,
        before: &[(String, Value)],
    ) -> Result<Derivatives, GradientError> {
        let operands = &check.gradient;
        let mut values = self.own_values(before);
        let (of, output) = buffer(&operands.of, &values)?;
        let (by, input) = buffer(&operands.by, &values)?;
        let weights = match &operands.weights {
            Some(weights) => buffer(weights, before)?.1.values().unwrap_or_default(),
            None => vec![1.0; output.count().unwrap_or(0)],
        };
        let outputs = Outputs { weights, spacing: spacing(output.element).unwrap_or(0.0) };
        let timer = self.resumed_timer();
        let options = self.plain_run(&timer);
        let run = |changed: &Buffer, change: Option<Change>| {
            values[by].1 = Value::Buffer(changed.clone());
            let options =
                tile_engine::Options { sanitize: self.settings.sanitize && change.is_none(), ..options.clone() };
            self.output(&values, of, &options).map_err(|finding| {
                let mut found = self.found(*finding, &timer);
                found.notes.push(self.about(operands, &input, change));
                Box::new(found)
            })
        };
        let tolerance = check.tolerance(before);
        let allowed = |value: f64| ERROR_SHARE * (tolerance.atol + tolerance.rtol * value.abs());
        let found = gradient(&input, &outputs, allowed, run);
        let found = found.map_err(|failure| explained(failure, operands, &input))?;
        let (values, errors) = found.into_iter().map(|derivative| (derivative.value, derivative.error)).unzip();
        let shape = input.shape.iter().map(|&extent| extent as usize).collect();
        Ok(Derivatives { shape, values, errors })
    }

    /// The values of the entry's own arguments.
    fn own_values(&self, before: &[(String, Value)]) -> Vec<(String, Value)> {
        let value = |arg: &Arg| before.iter().find(|(known, _)| *known == arg.name).cloned();
        self.own_args().filter_map(value).collect()
    }

    /// Runs the entry, and returns the elements of the buffer with this number after the run.
    fn output(
        &self,
        values: &[(String, Value)],
        of: usize,
        options: &tile_engine::Options,
    ) -> Result<Vec<f64>, Box<Finding>> {
        let mut memory = Memory::new();
        let placement = self.place_values(values, &mut memory);
        tile_engine::run(self.module, self.entry, &placement.arguments, &mut memory, options, &mut Vec::new())?;
        let (_, Value::Buffer(before)) = &values[of] else { return Ok(Vec::new()) };
        Ok(placement.buffer_after(of, before, &memory).values().unwrap_or_default())
    }

    /// The note about the run in which the forward kernel stopped.
    fn about(&self, gradient: &Gradient, input: &Buffer, change: Option<Change>) -> String {
        let run = format!("in a run of the forward kernel `@{}` for `{gradient}`", self.entry.name);
        match change {
            None => run,
            Some(Change { place, from, to }) => {
                format!("{run}, with {} changed from {from} to {to}", element(&gradient.by, input, place))
            }
        }
    }
}

/// An operand among the values of a launch: its number and its contents.
fn buffer(operand: &Operand, values: &[(String, Value)]) -> Result<(usize, Buffer), GradientError> {
    let mut all = values.iter().enumerate();
    let found = all.find_map(|(number, (name, value))| match value {
        Value::Buffer(buffer) if *name == operand.name => Some((number, buffer.clone())),
        _ => None,
    });
    let message = || format!("the forward kernel has no buffer `%{}`", operand.name);
    found.ok_or_else(|| undefined(operand.range.clone(), message()))
}

fn undefined(range: Range<usize>, message: String) -> GradientError {
    GradientError::Undefined(LaunchError { range, message, help: None })
}

/// An element of an operand, such as `` `%x[2, 3]` ``, by its index in row-major order.
fn element(operand: &Operand, buffer: &Buffer, place: usize) -> String {
    let position = buffer.positions().nth(place).unwrap_or(0);
    let index = if buffer.shape.is_empty() { String::new() } else { format!("{:?}", buffer.indices(position as u64)) };
    format!("`%{}{index}`", operand.name)
}

fn explained(failure: Failure<Box<ReportedFinding>>, gradient: &Gradient, input: &Buffer) -> GradientError {
    let Gradient { of, by, weights, .. } = gradient;
    let output = match weights {
        None => format!("`%{}`", of.name),
        Some(weights) => format!("the sum of `%{} * %{}`", of.name, weights.name),
    };
    let message = match failure {
        Failure::Run(finding) => return GradientError::Stopped(finding),
        Failure::Input(place, value) => {
            format!("{} is {value}, so no derivative exists there", element(by, input, place))
        }
        Failure::Output => format!("{output} is not finite, so it has no derivative"),
        Failure::Neighborhood(place) => {
            format!("{output} is not finite if {} changes slightly, so it has no derivative", element(by, input, place))
        }
    };
    undefined(gradient.range.clone(), message)
}
