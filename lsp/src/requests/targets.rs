//! `tile/targets`: the targets of kernels, for editors that let the user choose one.

use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use tile_backend::worker::Host;
use tower_lsp::jsonrpc::Result;

/// The parameters, which are empty: `{}`.
#[derive(Deserialize)]
pub(crate) struct TargetsParams {}

/// A target.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    /// The value for the setting `tile.run.target` and for `tile run --target`.
    target: String,
    /// A short description.
    description: String,
    /// Whether it is the current setting.
    is_chosen: bool,
}

/// The targets of every machine.
const HERE: [(&str, &str); 2] = [
    ("cpu", "the CPU engine: needs no GPU, follows the specification exactly, detects errors"),
    ("cuda", "the first GPU, through NVIDIA's compiler and driver"),
];

pub(crate) async fn handle(shared: &Shared) -> Result<Vec<Listed>> {
    let chosen = shared.settings().run_on;
    let here = HERE.map(|(name, about)| (name.to_string(), about.to_string()));
    let own =
        Host::named().into_iter().map(|(name, launcher)| (name, format!("the first GPU reached through `{launcher}`")));
    let mut all: Vec<(String, String)> = here.into_iter().chain(own).collect();
    if all.iter().all(|(name, _)| **name != *chosen) {
        all.push((chosen.to_string(), "the current setting".to_string()));
    }
    let listed =
        |(target, description): (String, String)| Listed { is_chosen: *target == *chosen, target, description };
    Ok(all.into_iter().map(listed).collect())
}
