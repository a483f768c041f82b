//! `tile/targets`: what kernels can run on, for editors that let the user choose.

use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use tile_backend::worker::Host;
use tower_lsp::jsonrpc::Result;

/// There is nothing to say: `{}`.
#[derive(Deserialize)]
pub(crate) struct TargetsParams {}

/// Something to run kernels on.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    /// What the setting `tile.run.target` and `tile run --target` take.
    target: String,
    /// A few words about it.
    description: String,
    /// Whether it is what the settings say now.
    is_chosen: bool,
}

/// What every machine has words for.
const HERE: [(&str, &str); 2] = [
    ("cpu", "the CPU engine: needs no GPU, follows the language exactly, finds what goes wrong"),
    ("cuda", "the first GPU, through NVIDIA's compiler and driver"),
];

pub(crate) async fn handle(shared: &Shared) -> Result<Vec<Listed>> {
    let chosen = shared.settings().run_on;
    let here = HERE.map(|(name, about)| (name.to_string(), about.to_string()));
    let own = Host::named().into_iter().map(|(name, launcher)| (name, format!("the first GPU behind `{launcher}`")));
    let mut all: Vec<(String, String)> = here.into_iter().chain(own).collect();
    if all.iter().all(|(name, _)| **name != *chosen) {
        all.push((chosen.to_string(), "what the settings say".to_string()));
    }
    let listed =
        |(target, description): (String, String)| Listed { is_chosen: *target == *chosen, target, description };
    Ok(all.into_iter().map(listed).collect())
}
