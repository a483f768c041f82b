; Modules, entries and globals: ops that have a name and no result.

(op
  !results
  name: (op_name) @context
  body: (op_body . (symbol) @name)) @item
