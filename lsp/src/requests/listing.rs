//! The commands that show the output of NVIDIA's compiler: PTX, or SASS for a GPU.

use super::compile::{Compilation, Compiled, compile};
use crate::commands::{ShowRequest, refused};
use crate::shared::Shared;
use serde_json::{Value, json};
use tile_backend::cuda::annotate::{self, Detail, Group, Rendered};
use tile_backend::cuda::compiler::Options;
use tile_backend::cuda::listing::Listing;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::ProgressToken;

/// Compiles a document and shows the result. The answer contains the path of the text. Dropping the future stops the
/// compiler.
pub(crate) async fn show(
    shared: &Shared,
    wanted: &ShowRequest,
    listing: Listing,
    token: Option<ProgressToken>,
) -> Result<Value> {
    let compilation = Compilation {
        title: format!("Compiling to {}", listing.extension().to_uppercase()),
        name: format!("tile.listing {} {}", listing.extension(), wanted.uri),
        // Line information relates instructions to their lines, and the PTX is taken from it.
        options: Options { line_info: true, ..Options::default() },
    };
    let rendered = compile(shared, wanted, compilation, token, move |compiled| rendered(listing, &compiled)).await?;
    let Rendered { text, groups } = rendered.map_err(refused)?;
    let mut answer = shared.show(wanted, listing.extension(), text)?;
    answer["lines"] = groups.into_iter().map(line).collect();
    Ok(answer)
}

/// The text of a compiled document.
fn rendered(listing: Listing, compiled: &Compiled) -> std::result::Result<Rendered, String> {
    let Compiled { compiler, gpu, encoded, code, .. } = compiled;
    let title = listing.title(&encoded.name, gpu, compiler);
    let title = format!("{title}\n// Choose another GPU with the setting `tile.build.gpu`.");
    match listing.annotated(&code.cubin, compiler) {
        Ok(annotated) if !annotated.kernels.is_empty() => {
            Ok(annotate::rendered(&annotated, &encoded.owners, Detail::Lines, &title))
        }
        other => {
            let why = other.err().unwrap_or_else(|| "the disassembly contains no kernel".to_string());
            let text = listing.of(&code.cubin, compiler, gpu)?;
            Ok(Rendered { text: format!("{title}\n// No source lines: {why}.\n\n{text}"), groups: Vec::new() })
        }
    }
}

/// The instructions of a source line, for clients that relate the text to the program.
fn line(group: Group) -> Value {
    let mix: Vec<Value> = group
        .mix
        .counts()
        .map(|(unit, count)| json!({ "class": unit.class, "name": unit.name, "bits": unit.bits, "count": count }))
        .collect();
    json!({
        "kernel": group.kernel,
        "lines": group.lines,
        "rows": group.rows,
        "instructions": group.mix.instructions,
        "registers": group.mix.live,
        "mix": mix,
        "summary": group.mix.short(),
    })
}
