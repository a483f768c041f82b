//! Which files a run may read, as the initialization options of the server say.

use tile_input::Reach;
use tower_lsp::ls_types::InitializeParams;

/// The setting, as the initialization options name it.
const SETTING: &str = "filesOutsideFolder";

/// What allows a run to read more.
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
