; The scopes in which `config.toml` disables closing brackets automatically.

(string) @string
(comment) @comment.inclusive
(directive) @comment.inclusive
