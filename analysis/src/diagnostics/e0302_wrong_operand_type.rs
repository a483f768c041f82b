//! E0302: wrong operand type.

use super::words::alternatives;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use crate::types::{Type, TypeKind};
use std::ops::Range;
use tile_dialect::{BASE_FLOATS, Class, Element, FLOATS, INTS, NUMBERS, lookup};

/// The page of E0302.
pub(super) static PAGE: Page = Page {
    code: "E0302",
    name: "wrong-operand-type",
    severity: Severity::Error,
    text: r#"An operand or a result has a type that this op does not accept. Most ops accept only certain types:
`addi` adds integers and `addf` floats, and a load through a view needs a view of tiles rather than
a tensor view."#,
    fix: r#"Use the op for this type, or convert the operand first. `tile doc OP` lists the types that an op
accepts. Write a scalar as a tile of rank 0, such as `tile<i32>`."#,
    see: &["E0301", "E0303", "E0515", "tile"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = addf %a, %a : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = addi %a, %a : tile<4xi32>
  }
}
"#,
};

/// An operand or a result whose type the op does not take.
#[derive(Debug)]
pub(crate) struct WrongClass {
    pub(crate) op: &'static str,
    /// The name of the operand or result in the row of the op.
    pub(crate) part: &'static str,
    /// The position in a variadic part, from 0.
    pub(crate) position: usize,
    pub(crate) place: Range<u32>,
    pub(crate) class: Class,
    pub(crate) actual: Type,
    /// The names of the two operands, if they are swapped.
    pub(crate) swapped: Option<(&'static str, &'static str)>,
}

impl WrongClass {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let WrongClass { op, part, position, class, actual, .. } = self;
        let place = self.place.clone();
        if let Some((first, second)) = self.swapped {
            let message = format!("`{first}` and `{second}` of `{op}` are swapped");
            return Diagnostic::new(&PAGE, place, message).here(format!("`{first}` belongs here"));
        }
        let which = if *position == 0 { part.to_string() } else { format!("{part}[{position}]") };
        let message = format!("`{which}` of `{op}` must be {}, found `{actual}`", describe(*class));
        let found = Diagnostic::new(&PAGE, place, message);
        match hint(op, *class, *actual) {
            Some(hint) => found.note(hint),
            None => found,
        }
    }
}

/// Suggests a replacement for a type of another language, or the op that makes a type of the class.
fn hint(op: &str, class: Class, ty: Type) -> Option<String> {
    match (class, ty.kind()) {
        (_, TypeKind::Number(_) | TypeKind::Pointer(_)) => {
            Some(format!("a scalar is a tile of rank 0: write `tile<{ty}>` where it is defined"))
        }
        (_, TypeKind::Foreign(name)) => {
            let word = name.split(['<', '!']).next().unwrap_or("");
            foreign::ty(word).map(str::to_string)
        }
        (Class::TileView, TypeKind::TensorView(_)) => {
            Some("make a partition view of it first, with `make_partition_view`".to_string())
        }
        (Class::TensorView, TypeKind::Tile(tile)) if tile.pointee().is_some() => {
            Some("make a tensor view from the pointer first, with `make_tensor_view`".to_string())
        }
        (Class::ScalarOf([Element::I1]), TypeKind::Tile(tile)) if tile.number() == Some(Element::I1) => Some(
            "a condition is one element: choose between elements of tiles with `select`, or combine the conditions with `reduce`"
                .to_string(),
        ),
        (Class::ScalarOf([Element::I1]) | Class::TileOf([Element::I1]), TypeKind::Tile(tile))
            if tile.pointee().is_none() =>
        {
            Some("compare with `cmpi` or `cmpf` to get a condition".to_string())
        }
        (Class::TileOf(of), TypeKind::Tile(tile)) if INTS.iter().any(|int| tile.number() == Some(*int)) => match op {
            "mmaf" => Some("`mmai` multiplies integers".to_string()),
            _ if of == BASE_FLOATS && lookup(&format!("{}i", op.trim_end_matches('f'))).is_none() => {
                Some("convert integers first, with `itof … signed`".to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Describes a class of types, as in "a tile of integers".
pub fn describe(class: Class) -> String {
    let elements = |elements: &[Element]| match elements {
        _ if elements == INTS => "integers".to_string(),
        _ if elements == BASE_FLOATS => "f16, bf16, f32 or f64".to_string(),
        _ if elements == FLOATS => "floats".to_string(),
        _ if elements == NUMBERS => "numbers".to_string(),
        _ => alternatives(&elements.iter().map(|element| element.name()).collect::<Vec<_>>()),
    };
    match class {
        Class::Any => "of any type".to_string(),
        Class::Tile => "a tile".to_string(),
        Class::TileOf(list) => format!("a tile of {}", elements(list)),
        Class::ScalarOf(list) => format!("a rank-0 tile of {}", elements(list)),
        Class::Pointers => "a tile of pointers".to_string(),
        Class::Pointer => "a rank-0 tile of pointers".to_string(),
        Class::Token => "a token".to_string(),
        Class::TensorView => "a tensor view".to_string(),
        Class::TileView => "a partition, strided or gather/scatter view".to_string(),
        Class::PartitionView => "a partition view".to_string(),
        Class::StridedView => "a strided view".to_string(),
        Class::GatherScatterView => "a gather/scatter view".to_string(),
    }
}
