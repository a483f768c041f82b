; ---- `entry @name(…) { … }` ----

(op
  body: (op_body
    (symbol)
    (group)
    (region) @function.inside)) @function.around

; ---- `module @name { … }` ----

(op
  body: (op_body
    .
    (symbol)
    .
    (attribute_dictionary)?
    .
    (region) @class.inside)) @class.around

(comment)+ @comment.around
