//! Tests of the playground's requests.

mod edits;
mod features;
mod robust;
mod runs;
mod support;
