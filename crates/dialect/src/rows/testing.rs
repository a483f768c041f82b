//! Ops that only the upstream test build supports. The tools accept them with `--upstream-tests`.

use super::*;

pub(crate) const ROWS: &[OpRow] = &[OpRow {
    op: Mnemonic::TestingFunc,
    name: "testing$func",
    group: Group::Testing,
    attrs: &[
        attr("sym_name", AttrKind::SymbolName, Required, "The function's name."),
        attr("function_type", AttrKind::Type, Required, "The types of its parameters and results."),
        attr("arg_attrs", AttrKind::DictList, Optional, "Attributes of the parameters."),
        attr("res_attrs", AttrKind::DictList, Optional, "Attributes of the results."),
    ],
    regions: &[RegionRow {
        name: "body",
        terminator: Some(Mnemonic::Return),
        args: RegionArgs::Header,
        arg_names: &["arg#"],
        optional: false,
    }],
    form: "$sym_name signature($body) attributes-dict $body",
    effect: Effect::Regions,
    doc: "A function for upstream's own tests, with parameters and results of any type.",
    ..OP
}];
