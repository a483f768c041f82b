; If two patterns capture the same node, the later one wins.

; ---- comments ----

(comment) @comment
(directive) @keyword.directive

; ---- names and literals ----

(string) @string
(boolean) @boolean
(integer) @number
(float) @number.float
(dynamic) @constant.builtin
(value) @variable
(result_index) @number
(symbol) @constant
(block_name) @label
(keyword) @keyword.modifier
(identifier) @constant.builtin
(type_name) @type
(attribute_name) @attribute
(named_attribute name: (_) @property)
(metadata_entry name: (_) @property)

(argument name: (value) @variable.parameter)
(iter_value name: (value) @variable.parameter)
(induction_variable name: (value) @variable.parameter)

(type_alias name: (type_name) @type.definition)

; ---- ops, by their shape: new ops need no change here ----

(op name: (op_name) @function.builtin)

; Terminators: no result, no `->`.
(region
  (op !results name: (op_name) @keyword.return !body) . (comment)* .)
(region
  (op !results name: (op_name) @keyword.return body: (op_body !result_types)) . (comment)* .)
(block
  (op !results name: (op_name) @keyword.return !body) . (comment)* .)
(block
  (op !results name: (op_name) @keyword.return body: (op_body !result_types)) . (comment)* .)

; Ops with a region.
(op
  name: (op_name) @keyword
  body: (op_body (region)))
(op
  name: (op_name) @keyword
  body: (op_body (group (region))))

; `module @name {`
(op
  name: (op_name) @keyword
  body: (op_body . (symbol) @module (region)))

; `entry @name(…) {`
(op
  name: (op_name) @keyword.function
  body: (op_body (symbol) @function . (group) (region)))

; `global @name <…> : …`, the only definition without a region.
(op
  name: (op_name) @keyword
  body: (op_body (symbol) @variable (parameters) types: (type_annotation)))

; `preview$func extern @name<…>(…)`, `preview$extern_impl @name …` and `preview$call @name(…)`
((op
  name: (op_name) @keyword.function
  body: (op_body (symbol) @function))
  (#match? @keyword.function "preview.(func|extern_impl)$"))
((op
  name: (op_name) @function.builtin
  body: (op_body (symbol) @function))
  (#match? @function.builtin "preview.call$"))

; ---- keywords of the language ----

[
  "attributes"
  "in"
  "loc"
  "at"
  "callsite"
  "fused"
  "to"
  "unknown"
] @keyword

; `iter_values(…)`
(op_body (keyword) @keyword . (group))
; `to`, `step`
(group (keyword) @keyword)
; `else {`
(op_body (region) . (keyword) @keyword . (region))

; ---- punctuation ----

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
  "<"
  ">"
] @punctuation.bracket

[
  "{-#"
  "#-}"
] @punctuation.special

[
  ","
  ":"
  "::"
] @punctuation.delimiter

[
  "="
  "->"
  "*"
  "+"
  "-"
  "/"
  "|"
  "x"
] @operator
