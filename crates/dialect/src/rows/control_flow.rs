//! Loops, branches and the ops that end regions.

use super::*;

/// A region of a loop or branch.
const fn body(
    name: &'static str,
    terminator: Mnemonic,
    args: RegionArgs,
    arg_names: &'static [&'static str],
) -> RegionRow {
    RegionRow { name, terminator: Some(terminator), args, arg_names, optional: false }
}

const fn terminator(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::ControlFlow,
        operands: const { &[many("operands", Class::Any, "The values to pass on.")] },
        form: "attr-dict {$operands : types($operands)}?",
        layout: "results# all(operands)",
        effect: Effect::Pure,
        flow: Flow::Terminator,
        doc,
        ..OP
    }
}

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::For,
        name: "for",
        opcode: Some(0x29),
        group: Group::ControlFlow,
        operands: &[
            one("lowerBound", ONE_INT, "The initial value of the induction variable."),
            one("upperBound", ONE_INT, "The exclusive upper bound."),
            one("step", ONE_INT, "The increment, which must be positive."),
            many("initValues", Class::Any, "The initial values of the carried values."),
        ],
        attrs: &[AttrRow {
            since: Version::V13_2,
            ..attr("unsignedCmp", AttrKind::Flag("unsigned"), Optional, "The bounds are compared as unsigned.")
        }],
        results: &[results("resultValues", Class::Any)],
        regions: &[body("region", Mnemonic::Continue, RegionArgs::Header, &["loopIdx", "iterArg#"])],
        form: "$unsignedCmp argument($region) in ($lowerBound to $upperBound, step $step) : type($lowerBound) {iter_values(bind($region, $initValues)) -> (types($resultValues))}? $region attr-dict",
        rules: &[Rule::SameType(&["lowerBound", "upperBound", "step"]), Rule::SameTypes("initValues", "resultValues")],
        layout: "results# flags(unsignedCmp)@13.2 all(lowerBound upperBound step initValues) region",
        effect: Effect::Regions,
        result_name: "for",
        doc: "Runs its region for lowerBound, lowerBound + step, … while less than upperBound. The operands of continue are carried into the next iteration; those of the last iteration become the results.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Loop,
        name: "loop",
        opcode: Some(0x41),
        group: Group::ControlFlow,
        operands: &[many("initValues", Class::Any, "The initial values of the carried values.")],
        results: &[results("resultValues", Class::Any)],
        regions: &[body("region", Mnemonic::Continue, RegionArgs::Header, &["arg#"])],
        form: "{iter_values(bind($region, $initValues)) : types($initValues) {-> types($resultValues)}?}? {: types($resultValues)}? $region attr-dict",
        layout: "results# all(initValues) region",
        effect: Effect::Regions,
        doc: "Runs its region until a break. The operands of continue are carried into the next iteration; those of break become the results.",
        ..OP
    },
    OpRow {
        op: Mnemonic::If,
        name: "if",
        opcode: Some(0x32),
        group: Group::ControlFlow,
        operands: &[one("condition", ONE_TRUTH, "Selects the region to run.")],
        results: &[results("results", Class::Any)],
        regions: &[
            body("thenRegion", Mnemonic::Yield, RegionArgs::None, &[]),
            RegionRow { optional: true, ..body("elseRegion", Mnemonic::Yield, RegionArgs::None, &[]) },
        ],
        form: "$condition {-> (types($results))}? $thenRegion {else $elseRegion}? attr-dict",
        layout: "results# condition region",
        effect: Effect::Regions,
        doc: "Runs one of two regions. Its results are the values that the region yields, so both regions are required if there are results.",
        ..OP
    },
    terminator(Mnemonic::Break, "break", 0x0A, "Leaves the enclosing loop; its operands become the loop's results."),
    terminator(
        Mnemonic::Continue,
        "continue",
        0x11,
        "Ends this iteration of the enclosing for or loop; its operands are the carried values of the next one.",
    ),
    terminator(
        Mnemonic::Yield,
        "yield",
        0x6D,
        "Ends a region of if, reduce or scan and passes its operands to that op.",
    ),
    terminator(
        Mnemonic::Return,
        "return",
        0x5C,
        "Ends the tile block. An entry returns nothing, so it has no operands.",
    ),
    OpRow {
        op: Mnemonic::Assert,
        name: "assert",
        opcode: Some(0x05),
        group: Group::ControlFlow,
        operands: &[one("condition", TRUTH, "The condition, which must be true for every element.")],
        attrs: &[attr("message", AttrKind::Str, Required, "The message to report if it is false.")],
        form: "$condition, $message attr-dict : type($condition)",
        layout: "message condition",
        effect: Effect::Memory,
        doc: "Reports an error to the host if an element of the condition is false.",
        ..OP
    },
];
