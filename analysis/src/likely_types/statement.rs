//! A statement whose types are not written.

use crate::ir::Attr;
use crate::types::Type;
use tile_dialect::{AttrName, Element, Named, OperandName, Version};

/// What is known about a statement whose types are not written.
#[derive(Debug)]
pub(crate) struct Statement {
    /// The op.
    pub(crate) named: Named,
    /// The version of the language.
    pub(crate) version: Version,
    /// The types of the operands, one list for each operand of its row.
    pub(crate) operands: Vec<Vec<Type>>,
    /// The attributes of its row that are written.
    pub(crate) attrs: Vec<Attr>,
    /// The lists of numbers and values, by operand: a value is `None`.
    pub(crate) lists: Vec<(usize, Option<i64>)>,
    /// The literal of a constant.
    pub(crate) literal: Option<Literal>,
    /// The type of the global that it names.
    pub(crate) global: Option<Type>,
    /// The types of the visible values, nearest first.
    pub(crate) visible: Vec<Type>,
}

/// The literal of a constant.
#[derive(Debug)]
pub(crate) struct Literal {
    /// The element type.
    pub(crate) element: Element,
    /// The extents; empty for a single number.
    pub(crate) shape: Vec<i64>,
}

impl Statement {
    /// The type of an operand that consists of a single value.
    pub(super) fn operand(&self, index: usize) -> Option<Type> {
        match self.operands.get(index)?[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    pub(super) fn attr(&self, name: AttrName) -> Option<&Attr> {
        let (index, _) = self.named.row.attr(name)?;
        self.attrs.get(index)
    }

    /// The entries of a list of numbers and values.
    pub(super) fn list(&self, name: OperandName) -> Vec<Option<i64>> {
        let Some((index, _)) = self.named.row.operand(name) else { return Vec::new() };
        self.lists.iter().filter(|(of, _)| *of == index).map(|(_, entry)| *entry).collect()
    }
}

impl Literal {
    /// Reads a literal such as `<i32: [[1, 2], [3, 4]]>`. Each level of its brackets is a dimension.
    pub(crate) fn read(text: &str) -> Option<Literal> {
        let (element, value) = text.trim_start().strip_prefix('<')?.split_once(':')?;
        let (element, mut shape, mut rest) = (Element::from_name(element.trim())?, Vec::new(), value.trim_start());
        while let Some(inside) = rest.strip_prefix('[') {
            shape.push(entries(inside));
            rest = inside.trim_start();
        }
        Some(Literal { element, shape })
    }
}

/// The number of entries before the bracket that ends a list.
fn entries(list: &str) -> i64 {
    let (mut depth, mut count) = (0, 1);
    for c in list.chars() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => break,
            ']' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}
