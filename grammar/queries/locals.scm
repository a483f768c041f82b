; The scope of arguments and induction variables is the op's body; that of results is the surrounding region.

[
  (source_file)
  (region)
  (op_body)
] @local.scope

(result
  (value) @local.definition @local.definition.var)

(argument
  name: (value) @local.definition @local.definition.parameter @local.definition.variable.parameter)

(iter_value
  name: (value) @local.definition @local.definition.parameter @local.definition.variable.parameter)

(induction_variable
  name: (value) @local.definition @local.definition.parameter @local.definition.variable.parameter)

(value) @local.reference
