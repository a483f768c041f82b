//! Throughput of a kernel: bytes and operations per second, compared with the peak of the GPU.

use crate::statistics::{self, CONFIDENCE};
use serde::{Deserialize, Serialize};
use std::fmt;
use tile_analysis::ir::{Body, Op};
use tile_analysis::types::Scalar;
use tile_dialect::{Element, OperandName};
use tile_input::size;

/// Peak rates of a GPU as reported by its driver; 0 if unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Memory bandwidth, in bytes per second.
    pub bytes: f64,
    /// The number of multiprocessors.
    pub processors: f64,
    /// The clock rate of a multiprocessor, in Hz.
    pub clock: f64,
}

/// Operations per clock of a multiprocessor, by architecture: ordinary f32, and f16 with an f32 accumulator on tensor
/// cores. A fused multiply-add counts as two.
const PER_CLOCK: [(&str, f64, f64); 7] = [
    ("sm_80", 128.0, 2048.0),
    ("sm_86", 256.0, 512.0),
    ("sm_89", 256.0, 1024.0),
    ("sm_90", 256.0, 4096.0),
    ("sm_100", 256.0, 8192.0),
    ("sm_103", 256.0, 8192.0),
    ("sm_120", 256.0, 512.0),
];

/// The kind of arithmetic that limits the speed of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Ordinary instructions.
    Plain,
    /// Matrix products of this element type.
    Product(Element),
}

impl Arithmetic {
    /// Determines what an entry mainly computes: matrix products, if it has any.
    pub fn of(body: &Body) -> Arithmetic {
        body.ops.iter().find_map(|op| factor(body, op)).map_or(Arithmetic::Plain, Arithmetic::Product)
    }
}

/// Returns the element type of the factors, if the op is a matrix product. Unlike in `fma`, the types of the factors
/// and the accumulator are independent.
fn factor(body: &Body, op: &Op) -> Option<Element> {
    let row = op.op.row();
    let operand = |name| body.operand(op, row.operand(name)?.0).map(|value| body.ty(value));
    let (lhs, acc) = (operand(OperandName::Lhs)?, operand(OperandName::Acc)?);
    row.rules.iter().all(|rule| !is_same_type(rule)).then_some(())?;
    match (lhs.as_tile()?.element, acc.as_tile()?.shape.len()) {
        (Scalar::Number(element), 2..) => Some(element),
        _ => None,
    }
}

fn is_same_type(rule: &tile_dialect::Rule) -> bool {
    matches!(rule, tile_dialect::Rule::SameType(names) if names.contains(&"lhs") && names.contains(&"acc"))
}

impl Rates {
    /// Peak operations per second; `None` if unknown.
    pub fn operations(&self, architecture: &str, arithmetic: Arithmetic) -> Option<f64> {
        let (_, plain, product) = PER_CLOCK.iter().find(|(name, ..)| *name == architecture)?;
        let per_clock = match arithmetic {
            Arithmetic::Plain => *plain,
            // Elements with half the bits have twice the rate.
            Arithmetic::Product(element) => match element.bits() {
                16 => *product,
                8 => 2.0 * product,
                19 => product / 2.0,
                32 if !element.is_int() => *plain,
                _ => return None,
            },
        };
        Some(per_clock * self.processors * self.clock).filter(|rate| *rate > 0.0)
    }
}

/// The time that a kernel takes, and the resulting throughput.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    /// The name of the device.
    pub device: String,
    /// The duration of each run in seconds, in the order of the runs.
    pub seconds: Vec<f64>,
    /// The bytes of the buffers that are read or written, each counted once.
    pub bytes: u64,
    /// The number of operations on elements.
    pub operations: u64,
    /// Whether both numbers are lower bounds, because the trip count of a loop is unknown.
    pub is_open: bool,
    /// Peak memory bandwidth of the GPU in bytes per second, if known.
    pub most_bytes: Option<f64>,
    /// Peak operations per second of the GPU, if known.
    pub most_operations: Option<f64>,
}

impl Bench {
    /// The median duration in seconds.
    pub fn median(&self) -> f64 {
        statistics::median(&self.seconds, CONFIDENCE).map_or(0.0, |median| median.value)
    }

    /// Bytes per second.
    pub fn bytes_per_second(&self) -> f64 {
        rate(self.bytes, self.median())
    }

    /// Operations per second.
    pub fn operations_per_second(&self) -> f64 {
        rate(self.operations, self.median())
    }
}

fn rate(amount: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { amount as f64 / seconds } else { 0.0 }
}

/// Formats as `NVIDIA H200: median of 20 runs 1.234 ms (best 1.2 ms); 4000.0 GB/s (83 % of 4814 GB/s); 0.3 TFLOP/s
/// (…)`.
impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = self.seconds.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let (count, median) = (self.seconds.len(), time(self.median()));
        write!(f, "{}: median of {count} runs {median} (best {})", self.device, time(best))?;
        let least = if self.is_open { "at least " } else { "" };
        let (unit, name) = operations_unit(self.most_operations.unwrap_or(self.operations_per_second()));
        let parts = [
            (self.bytes, 1e9, "GB/s", self.bytes_per_second(), self.most_bytes),
            (self.operations, unit, name, self.operations_per_second(), self.most_operations),
        ];
        for (_, unit, name, rate, most) in parts.iter().filter(|(amount, ..)| *amount > 0) {
            write!(f, "; {least}{:.2} {name}", rate / unit)?;
            if let Some(most) = most.filter(|most| *most > 0.0) {
                write!(f, " ({:.1} % of {:.0} {name})", 100.0 * rate / most, most / unit)?;
            }
        }
        match self.bytes {
            0 => Ok(()),
            bytes => write!(f, "; moves {}", size::shown(bytes)),
        }
    }
}

/// The unit in which rates of operations up to this one are shown, in operations per second, and its name.
pub fn operations_unit(most: f64) -> (f64, &'static str) {
    if most < 1e12 { (1e9, "GFLOP/s") } else { (1e12, "TFLOP/s") }
}

/// Formats a time with four significant digits or so.
pub fn time(seconds: f64) -> String {
    match seconds {
        1.0.. => format!("{seconds:.3} s"),
        1e-3.. => format!("{:.3} ms", seconds * 1e3),
        _ => format!("{:.2} µs", seconds * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_follow_from_the_time() {
        let bench = Bench {
            device: "X1".to_string(),
            seconds: vec![0.001, 0.002, 0.002, 0.004],
            bytes: 4 << 20,
            operations: 2_000_000_000,
            is_open: false,
            most_bytes: Some(4e9),
            most_operations: None,
        };
        assert_eq!(
            bench.to_string(),
            "X1: median of 4 runs 2.000 ms (best 1.000 ms); 2.10 GB/s (52.4 % of 4 GB/s); 1.00 TFLOP/s; moves 4 MiB"
        );
        let open = Bench { is_open: true, seconds: vec![1e-5], bytes: 0, ..bench };
        assert_eq!(open.to_string(), "X1: median of 1 runs 10.00 µs (best 10.00 µs); at least 200.00 TFLOP/s");
    }

    #[test]
    fn the_peak_follows_from_the_clock() {
        let rates = Rates { bytes: 4.8e12, processors: 132.0, clock: 1.98e9 };
        let tera = |arithmetic| rates.operations("sm_90", arithmetic).map(|rate| (rate / 1e12).round());
        assert_eq!(tera(Arithmetic::Product(Element::F16)), Some(1071.0));
        assert_eq!(tera(Arithmetic::Product(Element::F8E4M3FN)), Some(2141.0));
        assert_eq!(tera(Arithmetic::Product(Element::TF32)), Some(535.0));
        assert_eq!(tera(Arithmetic::Plain), Some(67.0));
        assert_eq!(rates.operations("sm_200", Arithmetic::Plain), None);
        assert_eq!(Rates::default().operations("sm_90", Arithmetic::Plain), None);
    }
}
