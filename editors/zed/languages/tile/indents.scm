; Zed indents the lines between the start of `@indent` and `@end`.

(_ "{" "}" @end) @indent
(_ "(" ")" @end) @indent
(_ "[" "]" @end) @indent

; The parts of an op on separate lines.
(op) @indent
