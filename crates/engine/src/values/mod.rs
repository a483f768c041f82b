//! Values of the IR at run time: tiles, views and tokens.

pub(crate) mod pool;
pub(crate) mod tile;
pub(crate) mod value;
