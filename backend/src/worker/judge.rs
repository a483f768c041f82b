//! Checks the expectations of a launch, and saves buffers.

use super::contents::{self, Viewed};
use super::event_sink::EventSink;
use super::gradient::GradientError;
use super::protocol::{Event, Report, Stage, Verdict};
use super::run::JobRun;
use tile_launch::expr::Scope;
use tile_launch::{After, Expect, LaunchError, Value, npy};

/// The maximum number of elements in a formula of an expectation.
const MAX_FORMULA_ELEMENTS: usize = 1 << 28;

/// The maximum total size of the files of a report in bytes. It is sent as one message.
const MAX_SAVED: usize = 1000 << 20;

impl JobRun<'_> {
    /// Checks the expectations. Removes expected findings from the report.
    pub(super) fn judge(
        &self,
        before: &[(String, Value)],
        after: &[(String, Value)],
        printed: &str,
        report: &mut Report,
        events: &EventSink<'_>,
    ) {
        let codes: Vec<String> = report.findings.iter().map(|found| found.code.clone()).collect();
        let after = After { args: after, printed, findings: &codes };
        let files = |name: &str| self.file(name);
        let scope = Scope { args: before, files: &files, max_elements: MAX_FORMULA_ELEMENTS };
        let is_error = |expect: &Expect| matches!(expect, Expect::Error { .. });
        let expects_error = self.launch.expects.iter().any(is_error);
        for (number, expect) in self.launch.expects.iter().enumerate() {
            // The results of a run that stopped early are incomplete.
            if !codes.is_empty() && !expects_error {
                break;
            }
            if !codes.is_empty() && expect.gradient().is_some() {
                continue;
            }
            if self.job.watching.view == Some(Viewed::Expectation(number as u32))
                && let Ok(Some(compared)) = expect.compared(&after, &scope)
            {
                contents::of_sides(&compared).into_iter().for_each(|side| events.send(Event::Contents(Box::new(side))));
            }
            let range = expect.range();
            events.stage(Stage::Comparing(range.start as u32..range.end as u32));
            let outcome = match expect.gradient() {
                None => expect.check(&after, &scope),
                Some(check) => match self.differentiate(check, before) {
                    Ok(derivatives) => check.compare(derivatives, &Scope { args: after.args, ..scope }),
                    Err(GradientError::Undefined(error)) => Err(error),
                    Err(GradientError::Stopped(finding)) => {
                        report.findings.push(*finding);
                        break;
                    }
                },
            };
            let (passed, summary, differences) = match outcome {
                Ok(outcome) => (outcome.passed, outcome.summary, outcome.differences),
                Err(error) => (false, error.to_string(), None),
            };
            if passed && is_error(expect) {
                report.findings.clear();
            }
            let range = range.start as u32..range.end as u32;
            report.verdicts.push(Verdict { passed, summary, range, differences });
        }
    }

    pub(super) fn saved(&self, after: &[(String, Value)]) -> Result<Vec<(String, Vec<u8>)>, Box<LaunchError>> {
        let problem = |message: String| Box::new(LaunchError { range: 0..0, message, help: None });
        let mut left = MAX_SAVED;
        let mut one = |name: &String| match after.iter().find(|(known, _)| known == name) {
            Some((_, Value::Buffer(buffer))) => {
                let file = npy::write(buffer).map_err(|why| problem(format!("cannot save `%{name}`: {why}")))?;
                let too_large = || problem(format!("cannot save `%{name}`: the files exceed the limit of 1000 MiB"));
                left = left.checked_sub(file.len()).ok_or_else(too_large)?;
                Ok((name.clone(), file))
            }
            Some(_) => Err(problem(format!("cannot save `%{name}`: it is a number, not a buffer"))),
            None => Err(problem(format!("cannot save `%{name}`: unknown parameter"))),
        };
        self.job.save.iter().map(&mut one).collect()
    }
}
