//! The files that a run may read, from the server's initialization options.

use tile_input::Reach;
use tower_lsp::ls_types::InitializeParams;

/// The name of the initialization option.
const SETTING: &str = "filesOutsideFolder";

/// The setting that lifts the restriction, for messages.
pub(crate) const UNLESS: &str = "the setting `tile.run.filesOutsideFolder`";

/// Reads the parameters of `initialize`.
pub(crate) fn reach(params: &InitializeParams) -> Reach {
    let options = params.initialization_options.as_ref();
    if options.and_then(|options| options.get(SETTING)?.as_bool()).unwrap_or(false) {
        return Reach::everywhere();
    }
    let folders = params.workspace_folders.iter().flatten();
    Reach::within(folders.filter_map(|folder| Some(folder.uri.to_file_path()?.into_owned())))
}
