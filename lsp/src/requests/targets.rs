//! `tile/targets`: the targets that kernels can run on, for editors that let the user choose.

use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use tile_backend::worker::Host;
use tower_lsp::jsonrpc::Result;

/// No parameters: `{}`.
#[derive(Deserialize)]
pub(crate) struct TargetsParams {}

/// A target.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    /// Its name for the setting `tile.run.target` and `tile run --target`.
    target: String,
    /// A short description.
    description: String,
    /// Whether it is the configured one.
    is_chosen: bool,
}

/// The predefined targets.
const HERE: [(&str, &str); 2] = [
    ("cpu", "the CPU engine: needs no GPU, implements the language exactly, has a sanitizer"),
    ("cuda", "the first GPU, through NVIDIA's compiler and driver"),
];

pub(crate) async fn handle(shared: &Shared) -> Result<Vec<Listed>> {
    let chosen = shared.settings().run_on;
    let here = HERE.map(|(name, about)| (name.to_string(), about.to_string()));
    let own = Host::named().into_iter().map(|(name, launcher)| (name, format!("the first GPU, through `{launcher}`")));
    let mut all: Vec<(String, String)> = here.into_iter().chain(own).collect();
    if all.iter().all(|(name, _)| **name != *chosen) {
        all.push((chosen.to_string(), "the configured target".to_string()));
    }
    let listed =
        |(target, description): (String, String)| Listed { is_chosen: *target == *chosen, target, description };
    Ok(all.into_iter().map(listed).collect())
}
