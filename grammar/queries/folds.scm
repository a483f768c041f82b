[
  (region)
  (group)
  (list)
  (dictionary)
  (parameters)
  (file_metadata)
] @fold

; Consecutive comments, and consecutive directives, fold together.
(comment)+ @fold
(directive)+ @fold
