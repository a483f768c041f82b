//! Which files a run may read, according to the initialization options.

use tile_input::Reach;
use tower_lsp::ls_types::InitializeParams;

/// The name of the setting in the initialization options.
const SETTING: &str = "filesOutsideFolder";

/// What the error message names as the way to allow more.
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
