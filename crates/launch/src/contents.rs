//! The initial contents of buffers.

use super::address::Address;
use super::buffer::{Buffer, Value, extent, offsets, replica_extent, row_major};
use super::directive::Arg;
use super::error::LaunchError;
use super::literal::Number;
use super::shape::bracketed;
use super::spec::{Init, Spec};
use super::{npy, random};
use rayon::prelude::*;
use std::io;
use tile_analysis::number::{encode, encode_int};
use tile_dialect::Element;
use tile_input::size;

/// A function that returns the bytes of a file named by a launch. It resolves the path and can deny access.
pub type Files<'a> = &'a dyn Fn(&str) -> io::Result<Vec<u8>>;

impl Arg {
    /// The initial value of the argument. A buffer can take at most `cap` bytes.
    pub fn value(&self, cap: u64, files: Files<'_>) -> Result<Value, LaunchError> {
        self.spec.value(cap, files).map_err(|message| LaunchError::new(self.range.clone(), message))
    }
}

impl Spec {
    /// The size of the buffer in bytes: 0 for a number, `None` if it overflows.
    pub fn bytes(&self) -> Option<u64> {
        let Spec::Buffer { element, shape, strides, .. } = self else { return Some(0) };
        let dense = extent(shape, &row_major(shape)?)?;
        let spread = strides.as_ref().map_or(Some(dense), |strides| extent(shape, strides))?;
        dense.max(spread).checked_mul(element.bytes() as u64)?.checked_mul(self.replicas())
    }

    /// The addresses in the buffer with their offsets, in elements.
    pub fn placed_addresses(&self) -> Vec<(usize, &Address)> {
        let Spec::Buffer { shape, strides, .. } = self else { return Vec::new() };
        let Some(own) = strides.clone().or_else(|| row_major(shape)) else { return Vec::new() };
        let step = replica_extent(shape, &own).unwrap_or(0) as usize;
        let inits = self.inits();
        if inits.iter().all(|init| init.address_list().is_none()) {
            return Vec::new();
        }
        let places: Vec<usize> = offsets(shape, &own).collect();
        let mut found = Vec::new();
        for (replica, init) in inits.iter().enumerate() {
            let list = init.address_list().unwrap_or_default();
            found.extend(list.iter().map(|(index, address)| (replica * step + places[*index], address)));
        }
        found
    }

    /// The number, or the initial buffer with 0 in place of each address. A buffer can take at most `cap` bytes.
    pub fn value(&self, cap: u64, files: Files<'_>) -> Result<Value, String> {
        match self {
            Spec::Scalar(number) => Ok(Value::Scalar(*number)),
            Spec::Address(_) => Ok(Value::Address),
            Spec::Buffer { element, shape, strides, replicas, init } => {
                Buffer::new(*element, shape, strides.as_deref(), *replicas, init, cap, files).map(Value::Buffer)
            }
        }
    }
}

impl Buffer {
    /// A buffer initialized with `init`, of at most `cap` bytes. Replicas are its outermost dimension: they are
    /// adjacent, and each ends with its last element.
    pub fn new(
        element: Element,
        shape: &[u64],
        strides: Option<&[u64]>,
        replicas: Option<u64>,
        init: &Init,
        cap: u64,
        files: Files<'_>,
    ) -> Result<Buffer, String> {
        let too_large = || too_large(element, shape, replicas, cap);
        if let Some(strides) = strides.filter(|strides| strides.len() != shape.len()) {
            return Err(format!("{} strides do not match the shape {}", strides.len(), bracketed(shape)));
        }
        let own = strides.map(<[u64]>::to_vec).or_else(|| row_major(shape)).ok_or_else(too_large)?;
        let (mut full_shape, mut strides) = (shape.to_vec(), own.clone());
        if let Some(replicas) = replicas {
            full_shape.insert(0, replicas);
            strides.insert(0, replica_extent(shape, &own).ok_or_else(too_large)?);
        }
        let row_major = row_major(&full_shape).ok_or_else(too_large)?;
        let count = size_in(element, extent(&full_shape, &row_major), cap).ok_or_else(too_large)?;
        let dense = match init {
            Init::Replicas(inits) => {
                let count = count / inits.len().max(1);
                let parts = inits.iter().map(|init| contents(init, element, shape, count, files));
                parts.collect::<Result<Vec<_>, _>>()?.concat()
            }
            init => contents(init, element, &full_shape, count, files)?,
        };
        if strides == row_major {
            return Ok(Buffer { element, shape: full_shape, strides, bytes: dense });
        }
        // The memory of the last replica has the same size as that of the others.
        let extent = extent(shape, &own).and_then(|extent| extent.checked_mul(replicas.unwrap_or(1)));
        let extent = size_in(element, extent, cap).ok_or_else(too_large)?;
        let bytes = vec![0; extent * element.bytes()];
        let mut buffer = Buffer { element, shape: full_shape, strides, bytes };
        buffer.scatter(&dense);
        Ok(buffer)
    }
}

/// The number of elements, if they fit in `cap` bytes.
fn size_in(element: Element, extent: Option<u64>, cap: u64) -> Option<usize> {
    let bytes = extent?.checked_mul(element.bytes() as u64)?;
    let fits = bytes <= cap && isize::try_from(bytes).is_ok();
    fits.then_some(extent? as usize)
}

fn too_large(element: Element, shape: &[u64], replicas: Option<u64>, cap: u64) -> String {
    let replicas = replicas.map_or(String::new(), |replicas| format!(" with {replicas} replicas"));
    let limit = size::shown(cap);
    format!("a buffer of {element}{}{replicas} exceeds the limit of {limit}", bracketed(shape))
}

/// The elements in row-major order without gaps.
fn contents(init: &Init, element: Element, shape: &[u64], count: usize, files: Files<'_>) -> Result<Vec<u8>, String> {
    let fill = |number: Number| Ok(repeat(element, count, number.encode(element)?));
    match init {
        Init::Zeros => Ok(vec![0; count * element.bytes()]),
        Init::Ones => fill(Number::Whole(1)),
        Init::Fill(number) => fill(*number),
        Init::Iota => Ok(generate(element, count, |index| iota(element, index))),
        Init::Uniform { low, high, seed } => uniform(element, count, *low, *high, *seed),
        Init::Normal { mean, deviation, seed } => {
            let (mean, deviation) = (mean.to_f64(), deviation.to_f64());
            Ok(generate(element, count, |index| encode(element, random::normal(mean, deviation, *seed, index))))
        }
        Init::Npy(file) => {
            let bytes = files(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
            npy::read(&bytes, element, shape).map_err(|message| format!("`{file}`: {message}"))
        }
        Init::Values(values) | Init::Addresses { values, .. } => list(element, count, values),
        Init::Replicas(_) => Err("a replica cannot have replicas".to_string()),
    }
}

fn iota(element: Element, index: u64) -> u64 {
    if element.is_int() { encode_int(element, index as i64) } else { encode(element, index as f64) }
}

fn uniform(element: Element, count: usize, low: Number, high: Number, seed: u64) -> Result<Vec<u8>, String> {
    if element.is_float() {
        let (low, high) = (low.to_f64(), high.to_f64());
        return Ok(generate(element, count, |index| encode(element, random::uniform(low, high, seed, index))));
    }
    let (from, to) = (low.to_f64() as i128, high.to_f64() as i128);
    let exact = |number, rounded| if let Number::Whole(value) = number { value } else { rounded };
    let (from, to) = (exact(low, from), exact(high, to));
    let span =
        to.checked_sub(from).filter(|span| *span > 0).ok_or_else(|| format!("uniform({low}, {high}) is empty"))?;
    let draw = |index| encode_int(element, random::uniform_whole(from, span as u128, seed, index) as i64);
    Ok(generate(element, count, draw))
}

fn list(element: Element, count: usize, values: &[Number]) -> Result<Vec<u8>, String> {
    if values.len() != count {
        return Err(format!("the list has length {}, expected {count}", values.len()));
    }
    let mut bytes = Vec::with_capacity(count * element.bytes());
    for value in values {
        bytes.extend_from_slice(&value.encode(element)?.to_le_bytes()[..element.bytes()]);
    }
    Ok(bytes)
}

fn repeat(element: Element, count: usize, bits: u64) -> Vec<u8> {
    bits.to_le_bytes()[..element.bytes()].repeat(count)
}

/// The elements that `bits` computes from their indices, on all cores.
fn generate(element: Element, count: usize, bits: impl Fn(u64) -> u64 + Sync) -> Vec<u8> {
    /// The number of elements that a core computes at a time.
    const TOGETHER: usize = 1 << 14;
    let size = element.bytes();
    let mut bytes = vec![0; count * size];
    let fill = |(chunk, bytes): (usize, &mut [u8])| {
        for (place, bytes) in bytes.chunks_exact_mut(size).enumerate() {
            bytes.copy_from_slice(&bits((chunk * TOGETHER + place) as u64).to_le_bytes()[..size]);
        }
    };
    if count <= TOGETHER {
        fill((0, &mut bytes));
    } else {
        bytes.par_chunks_mut(TOGETHER * size).enumerate().for_each(fill);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::parse_spec;
    use super::*;

    fn no_files(name: &str) -> io::Result<Vec<u8>> {
        Err(io::Error::new(io::ErrorKind::NotFound, format!("no {name} here")))
    }

    fn build(spec: &str) -> Result<Buffer, String> {
        match parse_spec(spec).unwrap().value(1 << 20, &no_files)? {
            Value::Buffer(buffer) => Ok(buffer),
            other => panic!("{other:?}"),
        }
    }

    fn values(spec: &str) -> Vec<f64> {
        build(spec).unwrap().values().unwrap()
    }

    #[test]
    fn each_initializer_fills_the_buffer() {
        assert_eq!(values("f32[3] zeros"), [0.0; 3]);
        assert_eq!(values("bf16[3] ones"), [1.0; 3]);
        assert_eq!(values("f16[2] fill(-2.5)"), [-2.5; 2]);
        assert_eq!(values("i8[300] iota")[126..130], [126.0, 127.0, -128.0, -127.0]);
        assert_eq!(values("f8E4M3FN[19] iota")[16..], [16.0, 16.0, 18.0]);
        assert_eq!(values("i1[2, 2] [[1, 0], [0, 1]]"), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(values("f64[] fill(7)"), [7.0]);
        assert_eq!(values("f64[0, 5] iota"), []);
        assert_eq!(build("i64[1] fill(18446744073709551615)").unwrap().bytes, [0xFF; 8]);
        assert_eq!(build("tf32[1] fill(1)").unwrap().bytes, [0, 0, 0x80, 0x3F]);
    }

    #[test]
    fn random_values_never_change() {
        let expected: Vec<f64> = (0..4).map(|index| random::uniform(-1.0, 1.0, 1, index)).collect();
        assert_eq!(values("f64[2, 2] uniform(-1, 1, seed=1)"), expected);
        // Computed independently, so that a change of the generator is detected.
        assert_eq!(values("i32[6] uniform(-100, 100, seed=42)"), [48.0, -69.0, -45.0, -32.0, -93.0, 73.0]);
        assert!(values("i8[1000] uniform(-3, 3)").iter().all(|x| (-3.0..3.0).contains(x)));
        assert_ne!(values("f32[8] normal(0, 1, seed=1)"), values("f32[8] normal(0, 1, seed=2)"));
    }

    #[test]
    fn strides_leave_gaps_and_may_transpose() {
        let buffer = build("i8[2, 2] strides=[4, 1] iota").unwrap();
        assert_eq!(buffer.bytes, [0, 1, 0, 0, 2, 3]);
        assert_eq!(buffer.values().unwrap(), [0.0, 1.0, 2.0, 3.0]);
        let buffer = build("i16[2, 3] strides=[1, 2] [[1, 2, 3], [4, 5, 6]]").unwrap();
        assert_eq!(buffer.bytes, [1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]);
        assert_eq!(buffer.values().unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(!buffer.is_dense());
    }

    #[test]
    fn replicas_are_the_outermost_dimension() {
        let buffer = build("i8[2, 2] strides=[3, 1] replicas=2 iota").unwrap();
        assert_eq!((&buffer.shape[..], &buffer.strides[..]), (&[2, 2, 2][..], &[5, 3, 1][..]));
        assert_eq!(buffer.bytes, [0, 1, 0, 2, 3, 4, 5, 0, 6, 7]);
        assert_eq!(buffer.count(), Some(8));
        let buffer = build("i8[3] replicas=2 [iota, [7, 8, 9]]").unwrap();
        assert!(buffer.is_dense());
        assert_eq!(buffer.bytes, [0, 1, 2, 7, 8, 9]);
        assert_eq!(build("i8[] replicas=2 [1, ones]").unwrap().shape, [2]);
        assert_eq!(build("i8[0] replicas=2 zeros").unwrap().bytes, [0; 0]);
        assert_eq!(parse_spec("f32[10] strides=[2] replicas=3 zeros").unwrap().bytes(), Some(19 * 4 * 3));
        let message = "a buffer of f32[131073] with 2 replicas exceeds the limit of 1 MiB";
        assert_eq!(build("f32[131073] replicas=2 zeros"), Err(message.into()));
    }

    #[test]
    fn addresses_have_places_in_memory() {
        let places = |spec: &str| {
            let spec = parse_spec(spec).unwrap();
            let placed = spec.placed_addresses();
            placed.iter().map(|(place, address)| (*place, address.to_string())).collect::<Vec<_>>()
        };
        let two = |a, b| vec![(a, "&%a".to_string()), (b, "&%b".to_string())];
        assert_eq!(places("i64[3] [&%a, 5, &%b]"), two(0, 2));
        assert_eq!(places("i64[2, 2] strides=[5, 1] [[1, &%a], [&%b, 5]]"), two(1, 5));
        assert_eq!(places("i64[2, 2] strides=[1, 2] [[1, &%a], [&%b, 5]]"), two(2, 1));
        assert_eq!(places("i64[2] strides=[2] replicas=2 [[&%a, 1], [2, &%b]]"), two(0, 5));
        assert_eq!(places("i64[2] replicas=3 [zeros, [&%a, 1], [2, &%b]]"), two(2, 5));
        assert_eq!(places("&%a"), []);
        assert_eq!(build("i64[2] [&%a, -1]").unwrap().values(), Some(vec![0.0, -1.0]));
    }

    #[test]
    fn a_buffer_above_the_limit_is_rejected_before_allocation() {
        let message = "a buffer of f32[262145] exceeds the limit of 1 MiB";
        assert_eq!(build("f32[262145] zeros"), Err(message.into()));
        assert!(build("f32[262144] zeros").is_ok());
        for spec in [
            "f32[9223372036854775807, 9223372036854775807] zeros",
            "f64[4294967296, 4294967296] zeros",
            "i8[2] strides=[9223372036854775807] zeros",
            "i8[1000000, 1000000] strides=[1, 1] zeros",
            "i8[0, 9223372036854775807, 9223372036854775807, 9223372036854775807] strides=[9, 9, 9, 9] zeros",
        ] {
            assert!(build(spec).is_err(), "{spec}");
        }
    }

    #[test]
    fn files_come_from_the_resolver() {
        assert_eq!(build("f32[1] npy(\"x.npy\")"), Err("cannot read `x.npy`: no x.npy here".into()));
        let stored = npy::write(&build("f32[2] [1, 2]").unwrap()).unwrap();
        let files = move |_: &str| Ok(stored.clone());
        let spec = parse_spec("f32[2] npy(\"x.npy\")").unwrap();
        let Ok(Value::Buffer(buffer)) = spec.value(100, &files) else { panic!() };
        assert_eq!(buffer.values().unwrap(), [1.0, 2.0]);
    }

    #[test]
    fn a_buffer_with_too_little_memory_has_no_count() {
        let mut buffer = build("f32[4] zeros").unwrap();
        buffer.bytes.pop();
        assert_eq!((buffer.count(), buffer.dense(), buffer.values()), (None, None, None));
        buffer.strides.clear();
        assert_eq!(buffer.count(), None);
    }
}
