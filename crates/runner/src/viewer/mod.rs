//! The tile viewer: a page that shows the contents of a value, a buffer or an expectation of a launch.

mod page;
mod view;

pub use page::Viewer;
pub use view::{named, viewed_at, viewing};
