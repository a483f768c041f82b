//! Layouts: extents and strides for each dimension. Dimensions can be nested.

use super::expr::{constant, is_integer};
use crate::types::{Field, Layout, PreviewValue};
use tile_dialect::PreviewAttr;

/// The maximum number of elements of a layout that are checked one by one.
const MAX_ELEMENTS: i64 = 1 << 20;

impl Layout {
    /// The layout in an attribute.
    pub fn of(value: &PreviewValue) -> Option<Layout> {
        (value.attr == PreviewAttr::Layout)
            .then(|| Layout { shapes: value.list(0).into(), strides: value.list(1).into() })
    }

    /// The layout as an attribute.
    pub fn to_value(&self) -> PreviewValue {
        let fields = [Field::List(self.shapes.clone()), Field::List(self.strides.clone())].into();
        PreviewValue { attr: PreviewAttr::Layout, fields }
    }

    /// Checks that both sides have the same nesting and contain numbers.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.shapes.len() != self.strides.len() {
            let (shapes, strides) = (self.shapes.len(), self.strides.len());
            return Err(format!("the shapes of a layout have rank {shapes}, but its strides have rank {strides}"));
        }
        self.shapes.iter().zip(&self.strides).try_for_each(|(shape, stride)| check_nesting(shape, stride))?;
        let (shapes, strides) = (numbers(&self.shapes), numbers(&self.strides));
        if let Some(extent) = shapes.into_iter().find(|&extent| extent < 1) {
            return Err(format!("the shapes of a layout must be positive, found {extent}"));
        }
        match strides.into_iter().find(|&stride| stride < 0) {
            Some(stride) => Err(format!("the strides of a layout must not be negative, found {stride}")),
            None => Ok(()),
        }
    }

    /// The number of elements of a mode; `None` if it depends on a variable.
    pub(super) fn mode_size(&self, mode: usize) -> Option<i64> {
        let mut leaves = Vec::new();
        flatten(self.shapes.get(mode)?, &mut leaves);
        leaves.into_iter().try_fold(1i64, |size, extent| size.checked_mul(constant(extent)?))
    }

    /// Whether every stride of a mode is 0; `None` if that depends on a variable.
    pub(super) fn is_broadcast(&self, mode: usize) -> Option<bool> {
        let mut leaves = Vec::new();
        flatten(self.strides.get(mode)?, &mut leaves);
        leaves.into_iter().map(constant).try_fold(true, |all, stride| Some(all && stride? == 0))
    }

    /// The number of elements; `None` if it depends on a variable.
    pub(super) fn size(&self) -> Option<i64> {
        (0..self.shapes.len()).try_fold(1i64, |size, mode| size.checked_mul(self.mode_size(mode)?))
    }

    /// Checks that the positions of the elements are 0, 1, … in some order. Layouts with variables are not checked.
    pub(super) fn check_bijection(&self) -> Result<(), String> {
        let (mut shapes, mut strides) = (Vec::new(), Vec::new());
        self.shapes.iter().for_each(|shape| flatten(shape, &mut shapes));
        self.strides.iter().for_each(|stride| flatten(stride, &mut strides));
        let (Some(size), Some(strides)) = (self.size(), strides.into_iter().map(constant).collect::<Option<Vec<_>>>())
        else {
            return Ok(());
        };
        if size <= 0 {
            return Err(format!("`mem_layout` has {size} elements; it must have at least one"));
        }
        if size > MAX_ELEMENTS {
            return Ok(());
        }
        let extents: Vec<i64> = shapes.into_iter().filter_map(constant).collect();
        let mut seen = vec![false; size as usize];
        let mut index = vec![0i64; extents.len()];
        for _ in 0..size {
            let position: i128 =
                index.iter().zip(&strides).map(|(&at, &stride)| i128::from(at) * i128::from(stride)).sum();
            match usize::try_from(position).ok().and_then(|position| seen.get_mut(position)) {
                Some(taken) if !*taken => *taken = true,
                _ => {
                    return Err(format!(
                        "`mem_layout` must map its {size} elements to distinct positions 0 to {}; position {position} is repeated or out of range",
                        size - 1
                    ));
                }
            }
            for (at, &extent) in index.iter_mut().zip(&extents) {
                *at += 1;
                if *at < extent {
                    break;
                }
                *at = 0;
            }
        }
        Ok(())
    }
}

/// The constant numbers on one side of a layout.
fn numbers(side: &[PreviewValue]) -> Vec<i64> {
    let mut leaves = Vec::new();
    side.iter().for_each(|mode| flatten(mode, &mut leaves));
    leaves.into_iter().filter_map(constant).collect()
}

/// The numbers of a mode, with nested tuples flattened.
fn flatten<'v>(value: &'v PreviewValue, leaves: &mut Vec<&'v PreviewValue>) {
    if value.attr == PreviewAttr::Tuple {
        value.list(0).iter().for_each(|inner| flatten(inner, leaves));
    } else {
        leaves.push(value);
    }
}

fn check_nesting(shape: &PreviewValue, stride: &PreviewValue) -> Result<(), String> {
    match (shape.attr, stride.attr) {
        (PreviewAttr::Tuple, PreviewAttr::Tuple) => {
            let (shapes, strides) = (shape.list(0), stride.list(0));
            if shapes.len() != strides.len() {
                return Err("the shapes and the strides of a layout must have the same nesting".to_string());
            }
            shapes.iter().zip(strides).try_for_each(|(shape, stride)| check_nesting(shape, stride))
        }
        (PreviewAttr::Tuple, _) | (_, PreviewAttr::Tuple) => {
            Err("the shapes and the strides of a layout must have the same nesting".to_string())
        }
        // A plain division is not an integer, but NVIDIA's parser accepts it here.
        _ if [shape, stride].into_iter().all(|value| value.attr == PreviewAttr::Div || is_integer(value)) => Ok(()),
        _ => Err("a layout must consist of integer expressions".to_string()),
    }
}
