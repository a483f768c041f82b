; ---- Neovim ----

[
  (region)
  (group)
  (list)
  (dictionary)
] @indent.begin

; The parts of an op on separate lines.
(op) @indent.begin

[
  "}"
  ")"
  "]"
] @indent.branch @indent.end

(block_label) @indent.branch

[
  (comment)
  (directive)
  (file_metadata)
] @indent.ignore

(ERROR) @indent.auto

; ---- Helix ----

[
  (region)
  (group)
  (list)
  (dictionary)
] @indent

[
  "}"
  ")"
  "]"
] @outdent
