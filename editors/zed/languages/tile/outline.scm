; Modules, entries and globals: ops with a name and without results.

(op
  !results
  name: (op_name) @context
  body: (op_body . (symbol) @name)) @item
