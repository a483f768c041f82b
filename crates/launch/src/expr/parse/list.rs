//! Parses nested lists of numbers, whose nesting determines the shape.

use super::super::super::cursor::Parsed;
use super::super::super::{LaunchError, Number};
use super::super::{List, NodeId, Op};
use super::Parser;

impl Parser<'_, '_> {
    /// Parses `[1, 2]` or `[[1, 2], [3, 4]]`.
    pub(super) fn list(&mut self, start: usize) -> Parsed<NodeId> {
        let mut values = vec![];
        let shape = self.list_level(&mut values)?;
        Ok(self.push(Op::List(Box::new(List { shape, values })), start))
    }

    /// Parses one level of the nesting and returns its shape.
    fn list_level(&mut self, values: &mut Vec<Number>) -> Parsed<Vec<usize>> {
        if self.cursor.peek() != Some('[') {
            values.push(self.cursor.number()?.0);
            return Ok(vec![]);
        }
        let start = self.cursor.start();
        self.cursor.expect("[")?;
        let (mut count, mut entry) = (0, None);
        while !self.cursor.eat("]") {
            let found = self.nested(|parser| parser.list_level(values))?;
            if entry.get_or_insert_with(|| found.clone()) != &found {
                let range = start..self.cursor.position();
                return Err(LaunchError::new(range, "the entries of the list have different shapes"));
            }
            count += 1;
            if !self.cursor.eat(",") {
                self.cursor.expect("]")?;
                break;
            }
        }
        Ok([vec![count], entry.unwrap_or_default()].concat())
    }
}
