; Neovim uses the names outer and inner, Helix around and inside.

; ---- `entry @name(…) { … }` ----

(op
  body: (op_body
    (symbol)
    (group)
    (region) @function.inner @function.inside)) @function.outer @function.around

; ---- `module @name { … }` ----

(op
  body: (op_body
    .
    (symbol)
    .
    (region) @class.inner @class.inside)) @class.outer @class.around

(op
  body: (op_body
    .
    (symbol)
    .
    (attribute_dictionary)
    .
    (region) @class.inner @class.inside)) @class.outer @class.around

; ---- regions: the body of a loop, a branch, a combiner ----

(region) @block.outer @block.around
(region (_) @block.inner @block.inside)

; ---- ops ----

(op) @statement.outer @entry.around
(op_body) @statement.inner @entry.inside

(results) @assignment.lhs
(op (results) (op_body) @assignment.rhs) @assignment.outer

; ---- parameters, operands, attributes ----

(argument) @parameter.outer @parameter.inner @parameter.around @parameter.inside
(iter_value) @parameter.outer @parameter.inner @parameter.around @parameter.inside
(op_body (value) @parameter.outer @parameter.inner @parameter.around @parameter.inside)
(group (value) @parameter.outer @parameter.inner @parameter.around @parameter.inside)

(named_attribute) @attribute.outer
(named_attribute value: (_) @attribute.inner)

[
  (integer)
  (float)
] @number.inner

; ---- comments ----

(comment) @comment.outer @comment.inner @comment.inside
(comment)+ @comment.around
