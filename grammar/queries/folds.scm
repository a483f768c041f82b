[
  (region)
  (group)
  (list)
  (dictionary)
  (parameters)
  (file_metadata)
] @fold

; Lines of comments and of directives fold as one.
(comment)+ @fold
(directive)+ @fold
