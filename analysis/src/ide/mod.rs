//! What an editor asks: one file a feature. Plain data in and out: offsets, labels, strings.

pub mod op_doc;
