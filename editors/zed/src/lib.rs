//! The Zed extension: starts `tile lsp` and `tile debug-adapter`, with the program in the setting `lsp.tile.binary`, or
//! else `tile` on `PATH`. The setting `lsp.tile.settings` is passed to the server.

use zed_extension_api::{
    self as zed,
    serde_json::{json, Value},
    settings::LspSettings,
    DebugAdapterBinary, DebugConfig, DebugRequest, DebugScenario, DebugTaskDefinition, LanguageServerId, Result,
    StartDebuggingRequestArguments, StartDebuggingRequestArgumentsRequest, Worktree,
};

/// The name of the debug adapter, as in `extension.toml`.
const ADAPTER: &str = "tile";

/// The section of settings that the server requests.
const SECTION: &str = "tile";

struct TileExtension;

impl zed::Extension for TileExtension {
    fn new() -> Self {
        TileExtension
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let (path, arguments) = binary_settings(worktree);
        Ok(zed::Command {
            command: program(path, worktree)?,
            args: arguments.unwrap_or_else(|| vec!["lsp".into()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        let settings = LspSettings::for_worktree("tile", worktree)?.settings;
        Ok(settings.map(|settings| json!({ SECTION: settings })))
    }

    fn get_dap_binary(
        &mut self,
        adapter: String,
        task: DebugTaskDefinition,
        user_path: Option<String>,
        worktree: &Worktree,
    ) -> Result<DebugAdapterBinary, String> {
        check_name(&adapter)?;
        Ok(DebugAdapterBinary {
            command: Some(program(user_path.or_else(|| binary_settings(worktree).0), worktree)?),
            arguments: vec!["debug-adapter".into(), "--folder".into(), worktree.root_path()],
            envs: worktree.shell_env(),
            cwd: Some(worktree.root_path()),
            connection: None,
            request_args: StartDebuggingRequestArguments {
                configuration: task.config,
                request: StartDebuggingRequestArgumentsRequest::Launch,
            },
        })
    }

    fn dap_request_kind(&mut self, adapter: String, _: Value) -> Result<StartDebuggingRequestArgumentsRequest, String> {
        check_name(&adapter)?;
        Ok(StartDebuggingRequestArgumentsRequest::Launch)
    }

    fn dap_config_to_scenario(&mut self, config: DebugConfig) -> Result<DebugScenario, String> {
        check_name(&config.adapter)?;
        let DebugRequest::Launch(launch) = config.request else {
            return Err("attaching to a run is not supported".into());
        };
        let stop = config.stop_on_entry.unwrap_or(false);
        Ok(DebugScenario {
            label: config.label,
            adapter: config.adapter,
            build: None,
            config: json!({ "program": launch.program, "stopOnEntry": stop }).to_string(),
            tcp_connection: None,
        })
    }
}

/// The program and the arguments in the settings.
fn binary_settings(worktree: &Worktree) -> (Option<String>, Option<Vec<String>>) {
    let binary = LspSettings::for_worktree("tile", worktree).ok().and_then(|settings| settings.binary);
    binary.map_or((None, None), |binary| (binary.path, binary.arguments))
}

fn program(path: Option<String>, worktree: &Worktree) -> Result<String> {
    let found = path.or_else(|| worktree.which("tile"));
    found.ok_or_else(|| "tile is not on PATH; install it, or set lsp.tile.binary.path".into())
}

fn check_name(adapter: &str) -> Result<(), String> {
    if adapter == ADAPTER {
        Ok(())
    } else {
        Err(format!("unknown debug adapter `{adapter}`"))
    }
}

zed::register_extension!(TileExtension);
