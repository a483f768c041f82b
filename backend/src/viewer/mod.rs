//! The tile viewer: a page that shows the contents of a value, a buffer or an expectation of a launch.

mod collect;
mod page;

pub use collect::{collect, named, viewing};
pub use page::Viewer;
