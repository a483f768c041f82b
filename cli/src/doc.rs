//! `tile doc` and `tile explain`.

use crate::fail;
use tile_analysis::diagnostic::Page;
use tile_analysis::{diagnostics, ide, suggest};
use tile_dialect::{lookup, ops};

/// Show what an op does and how it is written.
#[derive(clap::Args)]
pub(crate) struct DocArguments {
    /// The op's name, such as `addi`; all ops where it is left out.
    op: Option<String>,
}

/// Show what the code of a diagnostic means.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    /// The code, such as `E0203`; all codes where it is left out.
    code: Option<String>,
}

/// Runs `tile doc`.
pub(crate) fn doc(arguments: &DocArguments) -> u8 {
    let Some(name) = &arguments.op else {
        for row in ops() {
            println!("{:28}{}", row.name, row.doc.split_inclusive(". ").next().unwrap_or("").trim());
        }
        return 0;
    };
    let Some(named) = lookup(name) else {
        let hint = suggest::did_you_mean(name, &ops().map(|row| row.name));
        return fail(format_args!("there is no op `{name}`: {hint}"));
    };
    print!("{}", ide::op_doc::markdown(named.row));
    0
}

/// Runs `tile explain`.
pub(crate) fn explain(arguments: &ExplainArguments) -> u8 {
    let Some(code) = &arguments.code else {
        pages().for_each(|page| println!("{}  {}", page.code, page.name));
        return 0;
    };
    let Some(page) = pages().find(|page| page.code.eq_ignore_ascii_case(code) || page.name == code) else {
        return fail(format_args!("there is no diagnostic `{code}`; `tile explain` lists them all"));
    };
    println!("# {}: {}\n\n{}\n", page.code, page.name, page.text);
    println!("Wrong:\n\n```tile\n{}```\n\nRight:\n\n```tile\n{}```", page.wrong, page.right);
    0
}

/// The pages of every room.
fn pages() -> impl Iterator<Item = &'static Page> {
    diagnostics::PAGES.iter().copied().chain(tile_backend::pages())
}
