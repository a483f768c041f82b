//! The messages of the Debug Adapter Protocol that this adapter receives and sends. Fields have the names and meanings
//! of the specification.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

/// A request. An adapter that sends no requests receives no other kind of message.
#[derive(Deserialize)]
pub(crate) struct Request {
    #[serde(rename = "type", default)]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) seq: i64,
    #[serde(default)]
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) arguments: Json,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LaunchArguments {
    #[serde(default, deserialize_with = "not_empty")]
    pub(crate) program: Option<String>,
    #[serde(default, deserialize_with = "not_empty")]
    pub(crate) entry: Option<String>,
    #[serde(default, deserialize_with = "not_empty")]
    pub(crate) launch: Option<String>,
    /// The only tile block to stop in, as written in the configuration.
    #[serde(default)]
    pub(crate) block: Json,
    pub(crate) sanitize: Option<bool>,
    pub(crate) stop_on_entry: Option<bool>,
}

/// Deserializes a string. Editors send unset settings as empty strings.
fn not_empty<'de, D: Deserializer<'de>>(text: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<String>::deserialize(text)?.filter(|text| !text.is_empty()))
}

#[derive(Deserialize)]
pub(crate) struct SetBreakpointsArguments {
    pub(crate) source: SourceArgument,
    #[serde(default)]
    pub(crate) breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Deserialize)]
pub(crate) struct SourceArgument {
    #[serde(default)]
    pub(crate) path: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceBreakpoint {
    pub(crate) line: u32,
    #[serde(default)]
    pub(crate) condition: String,
    #[serde(default)]
    pub(crate) hit_condition: String,
    #[serde(default)]
    pub(crate) log_message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTraceArguments {
    pub(crate) start_frame: Option<usize>,
    /// 0 means all.
    pub(crate) levels: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariablesArguments {
    pub(crate) variables_reference: u64,
    pub(crate) start: Option<u64>,
    pub(crate) count: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct EvaluateArguments {
    pub(crate) expression: String,
    #[serde(default)]
    pub(crate) context: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpointInfoArguments {
    /// The reference of the variable that contains the named one; none if the name is a formula.
    pub(crate) variables_reference: Option<u64>,
    pub(crate) name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpointInfo {
    /// `None` if there can be no breakpoint; the description says why.
    pub(crate) data_id: Option<String>,
    pub(crate) description: String,
    pub(crate) access_types: &'static [&'static str],
    pub(crate) can_persist: bool,
}

#[derive(Deserialize)]
pub(crate) struct SetDataBreakpointsArguments {
    #[serde(default)]
    pub(crate) breakpoints: Vec<DataBreakpoint>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpoint {
    pub(crate) data_id: String,
    #[serde(default)]
    pub(crate) condition: String,
    #[serde(default)]
    pub(crate) hit_condition: String,
}

#[derive(Deserialize)]
pub(crate) struct CompletionsArguments {
    pub(crate) text: String,
    /// The position of the cursor, counted from 1.
    pub(crate) column: usize,
}

#[derive(Serialize)]
pub(crate) struct Completions {
    pub(crate) targets: Vec<CompletionItem>,
}

#[derive(Serialize)]
pub(crate) struct CompletionItem {
    pub(crate) label: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// The start of the replaced text, counted from 1, and its length.
    pub(crate) start: usize,
    pub(crate) length: usize,
}

/// The arguments of `goToBlock`, a request of this adapter only.
#[derive(Deserialize)]
pub(crate) struct GoToBlockArguments {
    #[serde(default)]
    pub(crate) block: Json,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContinuedEvent {
    pub(crate) thread_id: u32,
    pub(crate) all_threads_continued: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    pub(crate) completion_trigger_characters: &'static [&'static str],
    pub(crate) supports_completions_request: bool,
    pub(crate) supports_conditional_breakpoints: bool,
    pub(crate) supports_configuration_done_request: bool,
    pub(crate) supports_data_breakpoints: bool,
    pub(crate) supports_evaluate_for_hovers: bool,
    pub(crate) supports_exception_info_request: bool,
    pub(crate) supports_hit_conditional_breakpoints: bool,
    pub(crate) supports_log_points: bool,
    pub(crate) supports_step_back: bool,
    pub(crate) supports_terminate_request: bool,
}

#[derive(Clone, Serialize)]
pub(crate) struct Breakpoint {
    pub(crate) verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

impl Breakpoint {
    /// A breakpoint that has no effect.
    pub(crate) fn unverified(message: String) -> Breakpoint {
        Breakpoint { verified: false, line: None, message: Some(message) }
    }
}

#[derive(Serialize)]
pub(crate) struct Breakpoints {
    pub(crate) breakpoints: Vec<Breakpoint>,
}

#[derive(Serialize)]
pub(crate) struct Thread {
    pub(crate) id: u32,
    pub(crate) name: String,
}

#[derive(Serialize)]
pub(crate) struct Threads {
    pub(crate) threads: Vec<Thread>,
}

#[derive(Serialize)]
pub(crate) struct SourceFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) path: String,
}

#[derive(Serialize)]
pub(crate) struct StackFrame {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) source: SourceFile,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    pub(crate) stack_frames: Vec<StackFrame>,
    pub(crate) total_frames: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Scope {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) presentation_hint: Option<&'static str>,
    pub(crate) variables_reference: u64,
    pub(crate) expensive: bool,
}

#[derive(Serialize)]
pub(crate) struct Scopes {
    pub(crate) scopes: Vec<Scope>,
}

/// The type and the children of a variable or an expression.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Described {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) ty: Option<String>,
    /// 0 if there are no children.
    pub(crate) variables_reference: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) indexed_variables: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evaluate_name: Option<String>,
    #[serde(flatten)]
    pub(crate) described: Described,
}

#[derive(Serialize)]
pub(crate) struct Variables {
    pub(crate) variables: Vec<Variable>,
}

#[derive(Serialize)]
pub(crate) struct Evaluated {
    pub(crate) result: String,
    #[serde(flatten)]
    pub(crate) described: Described,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionInfo {
    pub(crate) exception_id: String,
    pub(crate) description: String,
    pub(crate) break_mode: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Continued {
    pub(crate) all_threads_continued: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoppedEvent {
    pub(crate) reason: &'static str,
    pub(crate) thread_id: u32,
    pub(crate) all_threads_stopped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    pub(crate) description: String,
}

#[derive(Serialize)]
pub(crate) struct OutputEvent<'a> {
    pub(crate) category: &'a str,
    pub(crate) output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<SourceFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExitedEvent {
    pub(crate) exit_code: u8,
}

/// The body of a message without content.
#[derive(Serialize)]
pub(crate) struct Empty {}
