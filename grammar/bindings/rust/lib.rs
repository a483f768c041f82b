//! tree-sitter grammar of Tile IR.
