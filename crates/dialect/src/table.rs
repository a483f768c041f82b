//! The complete op table, and lookup of rows by name or opcode.

use crate::form::{Form, compile};
use crate::mnemonic::COUNT;
use crate::names::DIALECT_PREFIX;
use crate::rows::{
    atomic, bitwise, control_flow, conversion, core, float, float_math, integer, matrix, memory, misc, multimem,
    preview, shape, testing, view,
};
use crate::{Mnemonic, OpRow, Spelling};
use std::sync::{LazyLock, OnceLock};

/// Every row, by chapter.
const CHAPTERS: [&[OpRow]; 16] = [
    atomic::ROWS,
    bitwise::ROWS,
    control_flow::ROWS,
    conversion::ROWS,
    core::ROWS,
    float::ROWS,
    float_math::ROWS,
    integer::ROWS,
    matrix::ROWS,
    memory::ROWS,
    misc::ROWS,
    multimem::ROWS,
    preview::ROWS,
    shape::ROWS,
    testing::ROWS,
    view::ROWS,
];

/// The op that a name refers to.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The op.
    pub row: &'static OpRow,
    /// The spelling that was used, if it is not the op's name.
    pub spelling: Option<&'static Spelling>,
}

impl Named {
    fn at(op: u8, spelling: Option<u8>) -> Named {
        let row = ops()[op as usize];
        Named { row, spelling: spelling.map(|index| &row.spellings[index as usize]) }
    }

    /// The name itself, without the dialect prefix.
    pub fn name(self) -> &'static str {
        self.spelling.map_or(self.row.name, |spelling| spelling.name)
    }

    /// The form of the op under this name.
    pub fn form(self) -> &'static Form {
        static OWN: [OnceLock<Form>; COUNT] = [const { OnceLock::new() }; COUNT];
        static OTHER: [OnceLock<Form>; COUNT] = [const { OnceLock::new() }; COUNT];
        let (cells, text) = match self.spelling.and_then(|spelling| spelling.form) {
            Some(text) => (&OTHER, text),
            None => (&OWN, self.row.form),
        };
        cells[self.row.op as usize].get_or_init(|| compile(self.row, text))
    }
}

impl Mnemonic {
    /// The row of the op.
    pub fn row(self) -> &'static OpRow {
        ops()[self as usize]
    }
}

/// The row of every op, in the order of [`crate::Mnemonic`].
pub fn ops() -> &'static [&'static OpRow; COUNT] {
    static OPS: [&OpRow; COUNT] = in_order();
    &OPS
}

const fn in_order() -> [&'static OpRow; COUNT] {
    let mut ops = [&CHAPTERS[0][0]; COUNT];
    let (mut chapter, mut at) = (0, 0);
    while chapter < CHAPTERS.len() {
        if at == CHAPTERS[chapter].len() {
            (chapter, at) = (chapter + 1, 0);
        } else {
            let row = &CHAPTERS[chapter][at];
            ops[row.op as usize] = row;
            at += 1;
        }
    }
    ops
}

/// The op spelled `name`, with or without the dialect prefix.
pub fn lookup(name: &str) -> Option<Named> {
    let name = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name);
    let mut slot = first_slot(name.as_bytes());
    loop {
        let (op, spelling) = NAMES[slot]?;
        let named = Named::at(op, spelling);
        if named.name() == name {
            return Some(named);
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// The size of the hash table of op names, large enough that most names do not collide.
const SLOTS: usize = 512;

/// A hash table of op names: the op, and the index of its other spelling if the name is one.
static NAMES: [Option<(u8, Option<u8>)>; SLOTS] = hash_table();

const fn hash_table() -> [Option<(u8, Option<u8>)>; SLOTS] {
    let (mut names, ops) = ([None; SLOTS], in_order());
    let (mut op, mut spelling) = (0, None);
    while op < COUNT {
        let row = ops[op];
        let (name, next) = match spelling {
            None => (row.name, 0),
            Some(index) => (row.spellings[index as usize].name, index as usize + 1),
        };
        let mut slot = first_slot(name.as_bytes());
        while names[slot].is_some() {
            slot = (slot + 1) % SLOTS;
        }
        names[slot] = Some((op as u8, spelling));
        (op, spelling) = if next < row.spellings.len() { (op, Some(next as u8)) } else { (op + 1, None) };
    }
    names
}

/// The slot of a name in the table; after a collision, the next free one is used. The hash is FNV-1a, which is fast for
/// short names.
const fn first_slot(name: &[u8]) -> usize {
    let (mut hash, mut at) = (0x811c_9dc5_u32, 0);
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash as usize ^ hash as usize >> 16) % SLOTS
}

/// The op with this number in bytecode.
pub fn by_opcode(opcode: u64) -> Option<&'static OpRow> {
    static PUBLIC: LazyLock<[Option<&'static OpRow>; 256]> = LazyLock::new(|| {
        let mut table = [None; 256];
        for row in ops() {
            if let Some(slot) = row.opcode.and_then(|opcode| table.get_mut(usize::from(opcode))) {
                *slot = Some(*row);
            }
        }
        table
    });
    // The opcodes of the preview are much larger than the others.
    let preview = || ops().iter().find(|row| row.opcode.is_some_and(|found| u64::from(found) == opcode));
    match usize::try_from(opcode).ok().and_then(|opcode| PUBLIC.get(opcode)) {
        Some(row) => *row,
        None => preview().copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn rows_are_in_the_order_of_the_enum() {
        for (index, row) in ops().iter().enumerate() {
            assert_eq!(row.op as usize, index, "{}", row.name);
        }
    }

    #[test]
    fn every_name_is_found() {
        for row in ops() {
            assert_eq!(lookup(row.name).expect(row.name).row.op, row.op);
            assert_eq!(lookup(&format!("cuda_tile.{}", row.name)).expect(row.name).row.op, row.op);
            for spelling in row.spellings {
                assert_eq!(lookup(spelling.name).expect(spelling.name).row.op, row.op);
            }
        }
        assert!(lookup("addq").is_none());
    }

    #[test]
    fn every_form_and_layout_compiles() {
        for row in ops() {
            assert!(!Named { row, spelling: None }.form().pieces.is_empty() || row.form.is_empty(), "{}", row.name);
            for spelling in row.spellings {
                Named { row, spelling: Some(spelling) }.form();
            }
            crate::layout::compile(row);
        }
    }

    #[test]
    fn rules_name_operands_and_results() {
        for row in ops() {
            for rule in row.rules {
                for name in rule.names() {
                    assert!(row.operand_named(name).is_some() || row.result(name).is_some(), "{}: {name}", row.name);
                }
            }
        }
    }

    #[test]
    fn opcodes_are_unique_and_every_row_is_documented() {
        let mut seen = HashMap::new();
        for row in ops() {
            if let Some(opcode) = row.opcode {
                assert!(seen.insert(opcode, row.name).is_none(), "duplicate opcode {opcode:#x}");
            }
            assert!(row.doc.ends_with('.'), "{} lacks documentation", row.name);
        }
    }
}
