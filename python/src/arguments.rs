//! The arguments of a launch: numbers and the memory of arrays.

use crate::entry::types;
use crate::program::{Found, Program};
use crate::regions::Extent;
use crate::scalar;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tile_analysis::number::decode_int;
use tile_analysis::range_analysis::Launched;
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Element;

/// The memory of an array, for a pointer.
#[pyclass(frozen, module = "tile_ir._native")]
pub(crate) struct Array(Extent);

/// The name, element type, address, size in bytes and writability of an array.
type ArrayFields = (String, String, usize, usize, bool);

#[pymethods]
impl Array {
    /// `name` is the array's name in messages, `element` its element type; `bytes` bytes begin at `address`.
    #[new]
    fn new(name: String, element: &str, address: usize, bytes: usize, is_writable: bool) -> PyResult<Array> {
        let element = Element::from_name(element)
            .ok_or_else(|| PyTypeError::new_err(format!("Tile IR has no element type {element}")))?;
        Ok(Array(Extent { name, element, address, bytes, is_writable }))
    }

    /// What it was created from.
    fn fields(&self) -> ArrayFields {
        let Extent { name, element, address, bytes, is_writable } = &self.0;
        (name.clone(), element.to_string(), *address, *bytes, *is_writable)
    }
}

/// A buffer of 64-bit integers and of pointers into arrays, for a pointer.
#[pyclass(frozen, get_all, module = "tile_ir._native")]
pub(crate) struct Words {
    name: String,
    words: Vec<Word>,
}

/// An element of [`Words`].
#[derive(FromPyObject, IntoPyObjectRef)]
enum Word {
    Number(i64),
    Array(Py<Array>),
}

#[pymethods]
impl Words {
    #[new]
    fn new(name: String, words: Vec<Word>) -> Words {
        Words { name, words }
    }
}

/// An argument: a number or memory.
#[derive(FromPyObject)]
pub(crate) enum Passed<'py> {
    Array(Bound<'py, Array>),
    Words(Bound<'py, Words>),
    Number(Bound<'py, PyAny>),
}

/// The arguments of a launch before their memory is placed.
pub(crate) struct Placed {
    pub(crate) arrays: Vec<Extent>,
    /// Each buffer of words: its name, and its words or arrays, by number.
    pub(crate) buffers: Vec<(String, Vec<PlacedWord>)>,
    pub(crate) arguments: Vec<PlacedArgument>,
}

pub(crate) enum PlacedWord {
    Number(i64),
    Array(usize),
}

pub(crate) enum PlacedArgument {
    Number(u64),
    Array(usize),
    Words(usize),
}

impl Placed {
    pub(crate) fn of(program: &Program, found: Found<'_>, passed: &[Passed<'_>]) -> PyResult<Placed> {
        let body = &found.lowered.body;
        let mut placed = Placed { arrays: Vec::new(), buffers: Vec::new(), arguments: Vec::new() };
        if passed.len() != body.params.len() {
            let (expected, given) = (body.params.len(), passed.len());
            let message = format!("`@{}` of {} takes {expected} arguments, not {given}", body.name, program.path);
            return Err(PyTypeError::new_err(message));
        }
        for ((name, ty), passed) in body.params.iter().zip(types(body)).zip(passed) {
            let argument = placed.argument(ty, passed).map_err(|why| {
                PyTypeError::new_err(format!("argument `{name}` of `@{}`, a `{ty}`: {why}", body.name))
            })?;
            placed.arguments.push(argument);
        }
        Ok(placed)
    }

    /// What is known about a launch with these arguments.
    pub(crate) fn launched(&self, found: Found<'_>, grid: [u32; 3]) -> Launched {
        let number = |(argument, ty): (&PlacedArgument, Type)| match argument {
            PlacedArgument::Number(bits) => {
                let element = ty.as_tile()?.number().filter(|element| !element.is_float())?;
                Some(decode_int(element, *bits))
            }
            _ => None,
        };
        let size = |argument: &PlacedArgument| match argument {
            PlacedArgument::Array(array) => {
                let Extent { element, bytes, .. } = &self.arrays[*array];
                i64::try_from(bytes / element.bytes() * element.nibbles() as usize * 4).ok()
            }
            _ => None,
        };
        let arrays = |argument: &PlacedArgument| match argument {
            PlacedArgument::Array(array) => Some(self.arrays[*array].address),
            _ => None,
        };
        let starts: Vec<Option<usize>> = self.arguments.iter().map(arrays).collect();
        let pairs = (0..starts.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
        let aliases = pairs.filter(|&[first, second]| starts[first].is_some() && starts[first] == starts[second]);
        Launched {
            grid: Some(grid.map(i64::from)),
            params: self.arguments.iter().zip(types(&found.lowered.body)).map(number).collect(),
            buffers: self.arguments.iter().map(size).collect(),
            addresses: Vec::new(),
            aliases: aliases.collect(),
        }
    }

    fn argument(&mut self, ty: Type, passed: &Passed<'_>) -> Result<PlacedArgument, String> {
        let element = ty.as_tile().filter(|tile| tile.shape.is_empty()).map(|tile| tile.element);
        match (element, passed) {
            (Some(Scalar::Number(element)), Passed::Number(number)) => {
                scalar::bits(number, element).map(PlacedArgument::Number)
            }
            (Some(Scalar::Number(_)), _) => Err("expected a number".to_string()),
            (Some(Scalar::Pointer(_)), Passed::Array(array)) => Ok(PlacedArgument::Array(self.array(array.get()))),
            (Some(Scalar::Pointer(_)), Passed::Words(words)) => {
                let words = words.get();
                let place = |word: &Word| match word {
                    Word::Number(number) => PlacedWord::Number(*number),
                    Word::Array(array) => PlacedWord::Array(self.array(array.get())),
                };
                let buffer = (words.name.clone(), words.words.iter().map(place).collect());
                self.buffers.push(buffer);
                Ok(PlacedArgument::Words(self.buffers.len() - 1))
            }
            (Some(Scalar::Pointer(_)), Passed::Number(_)) => Err("expected an array".to_string()),
            (None, _) => Err("a value of this type cannot be passed".to_string()),
        }
    }

    fn array(&mut self, array: &Array) -> usize {
        self.arrays.push(array.0.clone());
        self.arrays.len() - 1
    }
}
