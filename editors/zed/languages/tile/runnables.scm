; The icon next to an entry's name offers the tasks of `tasks.json` with this tag.

(
  (op
    name: (op_name) @_op
    body: (op_body . (symbol) @run @entry))
  (#match? @_op "(^|[.])entry$")
  (#set! tag tile-entry)
)
