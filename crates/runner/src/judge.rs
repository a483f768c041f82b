//! Checks the expectations of a launch.

use crate::contents::{self, Viewed};
use crate::events::{Event, Events, Stage};
use crate::gradient::GradientError;
use crate::report::{ReportedFinding, Verdict};
use crate::run::Run;
use tile_launch::expr::Scope;
use tile_launch::{After, Expect, Value};

/// The maximum number of elements in a formula of an expectation.
const MAX_FORMULA_ELEMENTS: usize = 1 << 28;

impl Run<'_> {
    /// Checks the expectations. Removes expected findings.
    pub fn judge(
        &self,
        before: &[(String, Value)],
        after: &[(String, Value)],
        printed: &str,
        findings: &mut Vec<ReportedFinding>,
        events: &dyn Events,
    ) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let codes: Vec<String> = findings.iter().map(|found| found.code.clone()).collect();
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
            if self.settings.watching.view == Some(Viewed::Expectation(number as u32))
                && let Ok(Some(compared)) = expect.compared(&after, &scope)
            {
                contents::of_sides(&compared).into_iter().for_each(|side| events.send(Event::Contents(Box::new(side))));
            }
            let range = expect.range();
            events.send(Event::Stage(Stage::Comparing(range.start as u32..range.end as u32)));
            let outcome = match expect.gradient() {
                None => expect.check(&after, &scope),
                Some(check) => match self.differentiate(check, before) {
                    Ok(derivatives) => check.compare(derivatives, &Scope { args: after.args, ..scope }),
                    Err(GradientError::Undefined(error)) => Err(error),
                    Err(GradientError::Stopped(finding)) => {
                        findings.push(*finding);
                        break;
                    }
                },
            };
            let (passed, summary, differences) = match outcome {
                Ok(outcome) => (outcome.passed, outcome.summary, outcome.differences),
                Err(error) => (false, error.to_string(), None),
            };
            if passed && is_error(expect) {
                findings.clear();
            }
            let range = range.start as u32..range.end as u32;
            verdicts.push(Verdict { passed, summary, range, differences });
        }
        verdicts
    }
}
