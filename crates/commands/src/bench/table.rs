//! The table of `tile bench`.

use crate::messages::output_failed;
use crate::style::{Tone, output, toned};
use codespan_reporting::term::termcolor::WriteColor;
use std::io;
use tile_backend::cuda::bench::{operations_unit, time};
use tile_tune::results::{Bound, Change, LaunchResult, Results, Verdict};

/// Writes the results, one table for each device. Returns the exit status.
pub(super) fn write(results: &[LaunchResult], baseline: Option<&Results>, threshold: f64) -> u8 {
    let mut out = output();
    let mut rest = results;
    while let [first, ..] = rest {
        let same = |result: &&LaunchResult| result.target == first.target && result.device == first.device;
        let (table, other) = rest.split_at(rest.iter().take_while(same).count());
        if let Err(error) = of_device(&mut out, table, baseline, threshold) {
            return output_failed(&error);
        }
        rest = other;
    }
    0
}

fn of_device(
    out: &mut dyn WriteColor,
    results: &[LaunchResult],
    baseline: Option<&Results>,
    threshold: f64,
) -> io::Result<()> {
    let first = &results[0];
    writeln!(out, "{} ({})", first.device, first.target)?;
    for (rate, unit, what) in peaks(results) {
        writeln!(out, "peak: {rate:.0} {unit} {what}")?;
    }
    let has_peaks = first.peak_bytes_per_second.is_some();
    let head = if has_peaks { "of peak" } else { "" };
    let rates =
        results.iter().map(|result| result.peak_operations_per_second.unwrap_or(result.operations_per_second()));
    let (unit, name) = operations_unit(rates.fold(0.0, f64::max));
    write!(out, "{:>11} {:>8} {:>10} {head:>8} {name:>10} {head:>8} ", "time", "±", "GB/s")?;
    if has_peaks {
        write!(out, "{:>8} ", "bound")?;
    }
    if baseline.is_some() {
        write!(out, "{:>24} ", "change")?;
    }
    writeln!(out, " launch")?;
    let comparison = (baseline, threshold);
    results.iter().try_for_each(|result| line(out, result, unit, has_peaks, comparison))?;
    writeln!(out)
}

/// The peak rates of a device, without repetitions: they depend on the arithmetic of a kernel.
fn peaks(results: &[LaunchResult]) -> Vec<(f64, &'static str, &'static str)> {
    let memory = results[0].peak_bytes_per_second.map(|rate| (rate / 1e9, "GB/s", "of memory"));
    let mut rates: Vec<f64> = results.iter().filter_map(|result| result.peak_operations_per_second).collect();
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let shown = |rate: f64| {
        let (unit, name) = operations_unit(rate);
        (rate / unit, name, "of arithmetic")
    };
    memory.into_iter().chain(rates.into_iter().map(shown)).collect()
}

fn line(
    out: &mut dyn WriteColor,
    result: &LaunchResult,
    unit: f64,
    has_peaks: bool,
    (baseline, threshold): (Option<&Results>, f64),
) -> io::Result<()> {
    let precision = format!("{:.1} %", 100.0 * result.seconds.precision());
    write!(out, "{:>11} {precision:>8} ", time(result.seconds.value))?;
    let at_least = if result.is_lower_bound { "≥ " } else { "" };
    for (amount, rate, part) in [
        (result.bytes, result.bytes_per_second() / 1e9, result.of_peak_bytes()),
        (result.operations, result.operations_per_second() / unit, result.of_peak_operations()),
    ] {
        let rate = if amount > 0 { format!("{at_least}{}", significant(rate)) } else { "-".to_string() };
        let part = part.filter(|_| amount > 0).map_or_else(String::new, |part| format!("{:.1} %", 100.0 * part));
        write!(out, "{rate:>10} {part:>8} ")?;
    }
    if has_peaks {
        let bound = match result.roofline() {
            Some((Bound::Memory, _)) => "memory",
            Some((Bound::Compute, _)) => "compute",
            None => "-",
        };
        write!(out, "{bound:>8} ")?;
    }
    if let Some(baseline) = baseline {
        let old = baseline.find(&result.launch, &result.target);
        changed(out, result, old, old.and_then(|old| result.change(old, threshold)))?;
    }
    writeln!(out, " {}", result.launch)
}

fn changed(
    out: &mut dyn WriteColor,
    result: &LaunchResult,
    old: Option<&LaunchResult>,
    change: Option<Change>,
) -> io::Result<()> {
    let Some((old, Change { ratio, verdict })) = old.zip(change) else { return write!(out, "{:>24} ", "new") };
    if old.device != result.device {
        return write!(out, "{:>24} ", "other device");
    }
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    let text = format!("{:+.1} % ({:+.1} … {:+.1})", percent(ratio.value), percent(ratio.low), percent(ratio.high));
    let text = format!("{text:>24} ");
    match verdict {
        Verdict::Slower => toned(out, Tone::Bad, &text),
        Verdict::Faster => toned(out, Tone::Good, &text),
        Verdict::Unchanged => write!(out, "{text}"),
    }
}

/// Formats a number with at least three significant digits.
fn significant(number: f64) -> String {
    let decimals = (2.0 - number.max(1e-9).log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{number:.decimals$}")
}
