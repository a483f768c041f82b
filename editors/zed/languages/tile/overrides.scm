; Where `config.toml` says that brackets do not close by themselves.

(string) @string
(comment) @comment.inclusive
(directive) @comment.inclusive
