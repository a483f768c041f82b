//! Tells Zed how to start `tile lsp`: the program in the setting `lsp.tile.binary`, else `tile` on `PATH`.

use zed_extension_api::{self as zed, LanguageServerId, Result, Worktree, settings::LspSettings};

struct TileExtension;

impl zed::Extension for TileExtension {
    fn new() -> Self {
        TileExtension
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let set = LspSettings::for_worktree("tile", worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = set.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path
            .or_else(|| worktree.which("tile"))
            .ok_or("tile is not on PATH; install it, or set lsp.tile.binary.path")?;
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".into()]),
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(TileExtension);
