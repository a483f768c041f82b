//! Tests that span several crates.

mod access_lints;
mod access_maps;
mod annotated;
mod batch;
mod bytecode;
mod conformance_13_5;
mod crates;
mod cutile_ir;
mod debug_info;
mod decode;
mod diff;
mod differential;
mod doc_pages;
mod exact;
mod examples;
mod fix_contract;
mod formatting;
mod generic_form;
mod gpu;
mod gpus;
mod grammar;
mod hints;
mod incremental;
mod learn;
#[cfg(unix)]
mod links;
mod lost_token;
mod mistakes;
mod modules;
mod mutants;
mod op_examples;
mod optimizer;
mod pages;
mod planted;
mod preview;
mod print;
#[cfg(unix)]
mod release;
mod remarks;
mod resources;
mod sanitize;
mod schedule;
mod security;
mod typing;
mod versions;
