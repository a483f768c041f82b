//! Determines the gradients of expectations, by runs of the forward kernel on the CPU engine.

mod derivative;
mod differences;

use super::compare::indices;
use super::protocol::ReportedFinding;
use super::run::JobRun;
use super::timer::Timer;
use differences::{Change, Failure, Outputs, gradient};
use std::ops::Range;
use tile_engine::Memory;
use tile_launch::bind::{ForwardKernel, Kernels, extra_arguments};
use tile_launch::expect::{Derivatives, GradientCheck};
use tile_launch::gradient::{Gradient, Operand, spacing};
use tile_launch::{Buffer, Launch, LaunchError, Value};

/// The fraction of the tolerance of an expectation that the error of finite differences may use up.
const ERROR_SHARE: f64 = 0.1;

/// The reason why a gradient is unknown.
pub(super) enum GradientError {
    /// It does not exist.
    Undefined(LaunchError),
    /// The forward kernel stopped.
    Stopped(Box<ReportedFinding>),
}

impl JobRun<'_> {
    /// Determines a gradient. `before` are the values of the launch before the run.
    pub(super) fn differentiate(
        &self,
        check: &GradientCheck,
        before: &[(String, Value)],
    ) -> Result<Derivatives, GradientError> {
        let Some(forward) = &self.launch.forward else { return self.differentiate_entry(check, before) };
        let Some((start, lowered)) = self.forward_entry(&forward.entry) else {
            return Err(undefined(forward.name.clone(), format!("unknown entry `@{}`", forward.entry)));
        };
        let launch = Launch { grid: forward.grid, forward: None, ..self.launch.clone() };
        let (entry, spans) = (&lowered.body, &lowered.spans);
        JobRun { launch: &launch, entry, spans, start, ..*self }.differentiate_entry(check, before)
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
        let timer = Timer::resume(self.job.timeout_ms, self.began);
        let options = self.plain_run(&timer);
        let run = |changed: &Buffer, change: Option<Change>| {
            values[by].1 = Value::Buffer(changed.clone());
            let mut memory = Memory::new();
            let placement = self.place_values(&values, &mut memory);
            let options = tile_engine::Options { sanitize: self.job.sanitize && change.is_none(), ..options.clone() };
            let arguments = &placement.arguments;
            let ended = tile_engine::run(self.module, self.entry, arguments, &mut memory, &options, &mut Vec::new());
            match ended {
                Ok(_) => Ok(placement.buffer_after(of, &output, &memory).values().unwrap_or_default()),
                Err(finding) => {
                    let mut found = self.found(*finding, &timer);
                    found.notes.push(self.about(operands, &input, change));
                    Err(Box::new(found))
                }
            }
        };
        let tolerance = check.tolerance(before);
        let allowed = |value: f64| ERROR_SHARE * (tolerance.atol + tolerance.rtol * value.abs());
        let found = gradient(&input, &outputs, allowed, run);
        let found = found.map_err(|failure| explained(failure, operands, &input))?;
        let (values, errors) = found.into_iter().map(|derivative| (derivative.value, derivative.error)).unzip();
        Ok(Derivatives { values, errors })
    }

    /// The values of the entry's parameters in order, followed by those of further arguments.
    fn own_values(&self, before: &[(String, Value)]) -> Vec<(String, Value)> {
        let extra = extra_arguments(Kernels { entry: self.entry, forward: ForwardKernel::Same }, self.launch);
        let names = self.entry.params.iter().map(|name| &**name).chain(extra.map(|arg| arg.name.as_str()));
        names.filter_map(|name| before.iter().find(|(known, _)| known == name).cloned()).collect()
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
    let index = if buffer.shape.is_empty() { String::new() } else { format!("{:?}", indices(position as u64, buffer)) };
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
