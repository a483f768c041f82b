//! Runs a job.

use super::event_sink::EventSink;
use super::gpu::Gpus;
use super::protocol::{Event, Job, Report, Stage, Target};
use super::raw_report::RawReport;
use super::requests::Requests;
use super::run::JobRun;
use std::ops::Range;
use std::sync::Arc;
use tile_analysis::db::{Database, File};
use tile_analysis::program::Program;
use tile_clock::Instant;
use tile_engine::findings::{ASSERTION_FAILED, DID_NOT_FINISH};
use tile_launch::bind::takes_multicast;
use tile_launch::{Expect, LaunchError};
use tile_runner::{load, write_addresses};

/// Findings that a GPU detects reliably. It detects an access outside of a buffer only if no other buffer is there.
static FOUND_ON_GPUS: [&str; 2] = [ASSERTION_FAILED.code, DID_NOT_FINISH.code];

/// Runs a job, and reports events as they happen. `requests` delivers the commands of a debugger.
pub(super) fn run(job: &Job, gpus: &mut Gpus, requests: &Requests, events: &mut (dyn FnMut(Event) + Send)) -> Report {
    let db = Database::default();
    let file = File::new(&db, Arc::from(job.text.as_str()), load::options());
    let Some(entry) = load::entry(&db, file, &job.entry) else { return problem(load::unknown_entry(&job.entry)) };
    let program = Program::of(&db, file);
    let module = program.module();
    let run = JobRun::new(job, &program, &module, entry, Instant::now());
    let report = run.start(gpus, requests, events).unwrap_or_else(|error| problem(*error));
    Report { ends_worker: gpus.broken, ..report }
}

/// A report of a launch that cannot be executed.
fn problem(error: LaunchError) -> Report {
    Report { findings: vec![error.into()], ..Report::default() }
}

impl JobRun<'_> {
    fn start(
        &self,
        gpus: &mut Gpus,
        requests: &Requests,
        events: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Report, Box<LaunchError>> {
        if let Some(skipped) = self.skips() {
            return Ok(Report { skipped: Some(skipped), ..Report::default() });
        }
        let events = EventSink::new(events);
        if let Err(error) = self.refuse_replicas() {
            let skipped = Some(error.message.clone());
            return Ok(Report { skipped, ..problem(*error) });
        }
        self.refuse_calls()?;
        let mut before = self.values()?;
        events.stage(Stage::Running);
        let outcome = match self.job.target {
            Target::Cpu => self.on_cpu(&before, requests, &events),
            Target::Cuda(number) => self.on_gpu(number, gpus, &before, &mut |event| events.send(event))?,
        };
        let RawReport {
            after,
            addresses,
            printed,
            found: findings,
            profile,
            values,
            blocks,
            seconds,
            waited,
            notes,
            bench,
            crash,
            skipped,
        } = outcome;
        let mut report = Report {
            seconds,
            waited,
            blocks,
            findings,
            profile,
            values,
            notes,
            bench,
            crash,
            skipped,
            ..Report::default()
        };
        if self.job.compare && report.findings.is_empty() {
            report.compared = self.compare(&before, &after, &addresses)?;
        }
        write_addresses(&addresses, &mut before);
        report.buffers = self.observe_buffers(&before, &after, &events);
        let printed = String::from_utf8_lossy(&printed);
        report.verdicts = self.judge(&before, &after, &printed, &mut report.findings, &events);
        if !self.job.save.is_empty() {
            events.stage(Stage::Saving);
            report.saved = self.saved(&after)?;
        }
        Ok(report)
    }

    /// The reason to skip a launch on its target: it expects a finding that only the CPU engine detects.
    fn skips(&self) -> Option<String> {
        if self.job.target == Target::Cpu {
            return None;
        }
        self.launch.expects.iter().find_map(|expect| match expect {
            Expect::Error { code, .. } if !FOUND_ON_GPUS.contains(&code.as_str()) => {
                Some(format!("it expects {code}, which only the CPU engine detects"))
            }
            _ => None,
        })
    }

    /// Returns an error for replicas on a GPU, because each replica is the memory of a different GPU.
    fn refuse_replicas(&self) -> Result<(), Box<LaunchError>> {
        if self.job.target == Target::Cpu {
            return Ok(());
        }
        let launch = self.launch;
        let refuse = |range: &Range<usize>, message: String| {
            let help = Some("run it with `--target cpu`, which emulates all devices".to_string());
            Err(Box::new(LaunchError { range: range.clone(), message, help }))
        };
        for arg in &launch.args {
            if arg.spec.replicas() > 1 {
                let replicas = arg.spec.replicas();
                let message = format!("`%{}` has {replicas} replicas, but a single GPU supports only one", arg.name);
                return refuse(&arg.range, message);
            }
            if let Some(address) = arg.spec.addresses().find(|address| address.multicast) {
                let message = format!("`{address}` is a multicast object, which needs several GPUs");
                return refuse(&arg.range, message);
            }
        }
        for (name, ty) in self.entry.params.iter().zip(self.types()) {
            if let Some(arg) = launch.arg(name).filter(|_| takes_multicast(ty)) {
                let message = format!("`%{name}` is a multicast pointer, which needs several GPUs");
                return refuse(&arg.range, message);
            }
        }
        Ok(())
    }
}
