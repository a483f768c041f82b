//! Detects writes outside of a kernel's tensor views, such as between the rows of a view with gaps, that only the other
//! target performs.

use super::compare::{Compared, Outside};
use tile_engine::RecordedView;
use tile_launch::{Buffer, Value};

/// The maximum number of elements that are visited in all views of a buffer. Beyond it, the views are assumed to cover
/// everything.
const MAX_VISITED: u64 = 1 << 28;

/// The tensor views of a run, and the start address of each argument; 0 for a number.
pub(super) struct Views {
    pub(super) views: Vec<RecordedView>,
    pub(super) addresses: Vec<u64>,
}

/// A buffer before the run, after the run on the CPU engine, and after the run on the other target.
struct BufferStates<'a> {
    before: &'a Buffer,
    expected: &'a Buffer,
    got: &'a Buffer,
}

/// Records in the comparisons where the other target wrote outside of the views. `views` runs the kernel again, so it
/// is called only if the other target changed an element that the CPU engine did not.
pub(super) fn note(
    compared: &mut [Compared],
    before: &[(String, Value)],
    expected: &[(String, Value)],
    got: &[(String, Value)],
    views: impl FnOnce() -> Option<Views>,
) {
    let mut suspects = Vec::new();
    for (argument, ((name, before), (expected, got))) in before.iter().zip(expected.iter().zip(got)).enumerate() {
        let (Value::Buffer(before), Value::Buffer(expected), Value::Buffer(got)) = (before, &expected.1, &got.1) else {
            continue;
        };
        let changed = BufferStates { before, expected, got }.changed();
        if !changed.is_empty() {
            suspects.push((argument, name, expected, changed));
        }
    }
    let Some(views) = (!suspects.is_empty()).then(views).flatten() else { return };
    for (argument, name, buffer, mut changed) in suspects {
        let Some(covered) = covered(buffer, views.addresses[argument], &views.views) else { continue };
        changed.retain(|&index| !covered[index]);
        if let (Some(&first), Some(compared)) = (changed.first(), compared.iter_mut().find(|one| one.name == *name)) {
            compared.outside = Some(Outside { count: changed.len() as u64, first: buffer.indices(first as u64) });
            compared.passed = false;
        }
    }
}

impl BufferStates<'_> {
    /// The indices of elements that the other target changed and the CPU engine did not.
    fn changed(&self) -> Vec<usize> {
        if self.expected.bytes == self.got.bytes {
            return Vec::new();
        }
        let size = self.before.element.bytes();
        let [before, expected, got] = [self.before, self.expected, self.got].map(|buffer| buffer.bytes.chunks(size));
        let elements = before.zip(expected).zip(got).enumerate();
        let is_changed = |((before, expected), got): ((&[u8], &[u8]), &[u8])| before == expected && before != got;
        elements.filter(|(_, element)| is_changed(*element)).map(|(place, _)| place).collect()
    }
}

/// Whether each element of the buffer at this address is covered by a view; `None` if no view is in the buffer, or if
/// unknown.
fn covered(buffer: &Buffer, address: u64, views: &[RecordedView]) -> Option<Vec<bool>> {
    let size = buffer.element.bytes() as u64;
    let length = buffer.bytes.len() as u64;
    let inside = |view: &&RecordedView| (address..address + length).contains(&view.address);
    let views: Vec<&RecordedView> = views.iter().filter(inside).collect();
    if views.is_empty() || views.iter().any(|view| view.element.bits() == 4) || buffer.element.bits() == 4 {
        return None;
    }
    let mut covered = vec![false; (length / size) as usize];
    let mut left = MAX_VISITED;
    for view in views {
        let bytes = view.element.bytes() as u64;
        let dims: Vec<(u64, u64)> = view
            .shape
            .iter()
            .zip(&view.strides)
            .map(|(&extent, &stride)| (extent as u64, stride as u64 * bytes))
            .collect();
        let mut mark = |offset: u64| {
            left = left.checked_sub(1)?;
            let end = (offset + bytes).min(length).div_ceil(size);
            covered[(offset / size) as usize..end as usize].fill(true);
            Some(())
        };
        visit(&dims, view.address - address, length, &mut mark)?;
    }
    Some(covered)
}

/// Calls `mark` for the offsets of all elements below `length`. All strides must be positive.
fn visit(dims: &[(u64, u64)], offset: u64, length: u64, mark: &mut impl FnMut(u64) -> Option<()>) -> Option<()> {
    let Some(((extent, step), inner)) = dims.split_first() else { return mark(offset) };
    let offsets = (0..*extent).map_while(|index| offset.checked_add(index.checked_mul(*step)?));
    offsets.take_while(|&offset| offset < length).try_for_each(|offset| visit(inner, offset, length, mark))
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use super::*;
    use tile_dialect::Element;

    fn buffer(numbers: &[u16]) -> Vec<(String, Value)> {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let (shape, strides) = (vec![numbers.len() as u64], vec![1]);
        vec![("c".to_string(), Value::Buffer(Buffer { element: Element::F16, shape, strides, bytes }))]
    }

    fn view(element: Element, shape: &[i64], strides: &[i64], offset: u64) -> RecordedView {
        RecordedView { address: 4096 + offset, shape: shape.into(), strides: strides.into(), element }
    }

    /// Compares a run that writes rows of three elements with another target that writes a fourth one.
    fn compared_rows(views: Vec<RecordedView>) -> (bool, String) {
        let before = buffer(&[0; 8]);
        let expected = buffer(&[1, 1, 1, 0, 1, 1, 1, 0]);
        let got = buffer(&[1, 1, 1, 0x3C00, 1, 1, 1, 0x3C00]);
        let mut compared = compare::all(&[], None, &expected, &got);
        note(&mut compared, &before, &expected, &got, || Some(Views { views, addresses: vec![4096] }));
        (compared[0].passed, compared[0].to_string())
    }

    #[test]
    fn writes_between_rows_are_outside() {
        let outside = "2 of these are outside the tensor views, the first at [3]: the GPU wrote outside the view";
        for (views, is_outside) in [
            (vec![view(Element::F16, &[2, 3], &[4, 1], 0)], true),
            (vec![view(Element::F16, &[3, 2], &[1, 4], 0)], true),
            (vec![view(Element::F16, &[3], &[1], 0), view(Element::F16, &[3], &[1], 8)], true),
            (vec![view(Element::I8, &[2, 6], &[8, 1], 0)], true),
            (vec![view(Element::F16, &[2, 4], &[4, 1], 0)], false),
            (vec![view(Element::I32, &[100], &[1], 0)], false),
            // Without a view in the buffer, the intended elements are unknown.
            (vec![], false),
            (vec![view(Element::F16, &[3], &[1], 1 << 20)], false),
            (vec![view(Element::F16, &[1 << 20, 1 << 20, 3], &[1, 1, 1], 0)], false),
        ] {
            let (passed, text) = compared_rows(views.clone());
            assert!(!passed && text.ends_with(outside) == is_outside, "{views:?}: {text}");
        }
    }

    #[test]
    fn elements_that_the_engine_changes_too_are_not_outside() {
        let (before, expected, got) = (buffer(&[0; 2]), buffer(&[1, 2]), buffer(&[1, 3]));
        let mut compared = compare::all(&[], None, &expected, &got);
        note(&mut compared, &before, &expected, &got, || panic!("the kernel must not run again"));
        assert_eq!(compared[0].outside, None);
    }
}
