//! The whole table, and finding a row by name.

use crate::form::{Form, compile};
use crate::mnemonic::COUNT;
use crate::{OpRow, Spelling, Version, rows};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{LazyLock, OnceLock};

/// What stands in front of an op's or a type's name where the dialect is spelt out.
pub const DIALECT_PREFIX: &str = "cuda_tile.";

/// What every bytecode file starts with.
pub const BYTECODE_MAGIC: [u8; 8] = *b"\x7fTileIR\0";

/// The names of the composite types, which start a type without `!`.
pub const TYPE_NAMES: [&str; 7] =
    ["tile", "ptr", "tensor_view", "partition_view", "strided_view", "gather_scatter_view", "token"];

/// The first version that has the composite type called `name`.
pub fn type_since(name: &str) -> Version {
    if matches!(name, "strided_view" | "gather_scatter_view") { Version::V13_3 } else { Version::V13_1 }
}

/// What a name in the text stands for.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The op.
    pub row: &'static OpRow,
    /// The other spelling that was used, if it was one.
    pub spelling: Option<&'static Spelling>,
}

impl Named {
    /// How the op is written under this name.
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

/// Every op's row, in the order of [`crate::Mnemonic`].
pub fn ops() -> &'static [&'static OpRow; COUNT] {
    static OPS: LazyLock<[&'static OpRow; COUNT]> = LazyLock::new(|| {
        let mut table: Vec<&'static OpRow> = rows::ALL.iter().flat_map(|rows| rows.iter()).collect();
        table.sort_by_key(|row| row.op);
        table.try_into().expect("one row an op")
    });
    &OPS
}

/// The op that is spelt `name`, with or without the dialect prefix.
pub fn lookup(name: &str) -> Option<Named> {
    static NAMES: LazyLock<HashMap<&'static str, Named, BuildHasherDefault<Fnv>>> = LazyLock::new(|| {
        let mut names = HashMap::default();
        for row in ops() {
            names.insert(row.name, Named { row, spelling: None });
            for spelling in row.spellings {
                names.insert(spelling.name, Named { row, spelling: Some(spelling) });
            }
        }
        names
    });
    NAMES.get(name.strip_prefix(DIALECT_PREFIX).unwrap_or(name)).copied()
}

/// The op with this number in bytecode.
pub fn by_opcode(opcode: u64) -> Option<&'static OpRow> {
    static OPCODES: LazyLock<Vec<Option<&'static OpRow>>> = LazyLock::new(|| {
        let highest = ops().iter().filter_map(|row| row.opcode).max().unwrap_or(0);
        let mut table = vec![None; usize::from(highest) + 1];
        for row in ops() {
            if let Some(opcode) = row.opcode {
                table[usize::from(opcode)] = Some(*row);
            }
        }
        table
    });
    OPCODES.get(usize::try_from(opcode).ok()?).copied().flatten()
}

/// FNV-1a: short names hash faster than with the standard library's keyed hash, and nobody attacks this map.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_has_one_row_in_its_place() {
        for (index, row) in ops().iter().enumerate() {
            assert_eq!(row.op as usize, index, "{}", row.name);
        }
    }

    #[test]
    fn every_name_leads_to_its_row() {
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
                    assert!(row.operand(name).is_some() || row.result(name).is_some(), "{}: {name}", row.name);
                }
            }
        }
    }

    #[test]
    fn opcodes_are_unique_and_every_row_is_documented() {
        let mut seen = HashMap::new();
        for row in ops() {
            if let Some(opcode) = row.opcode {
                assert!(seen.insert(opcode, row.name).is_none(), "{opcode:#x} stands twice");
            }
            assert!(row.doc.ends_with('.'), "{} has no documentation", row.name);
        }
    }
}
