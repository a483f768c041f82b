" Highlights words by their position, without names of ops. Used if the tree-sitter parser for Tile IR is not installed.
if exists('b:current_syntax')
  finish
endif

syntax match tileKeyword /\v<[A-Za-z_]\w*>/ contained
syntax match tileWord /\v<[A-Za-z_][[:alnum:]_$]*>/
syntax match tileNumber /\v<\d+(\.\d*)?([eE][-+]?\d+)?>|<0x\x+>/
syntax match tileDimension /\v<\d+x|\?x?/
syntax match tileOp /\v(^|\=|\{)\s*([A-Za-z_][[:alnum:]_$]*\.)*[A-Za-z_][[:alnum:]_$]*>(\s*[<(=])@!/ contains=tileEquals,tileBrace
syntax match tileEquals /=/ contained
syntax match tileBrace /{/ contained
syntax match tileControl /\v(^|[{}])\s*\zs(if|else|for|loop|break|continue|yield|return)>/
syntax match tileDeclaration /\v^\s*\zs([A-Za-z_][[:alnum:]_$.]*\s+)+\ze\@/
syntax match tileType /\v[A-Za-z_]\w*\ze\<|<token>(\s*\=)@!/
syntax match tileAttribute /\v([[:alnum:]_)\]]\s+)@<=[a-z_]\w*\ze\</
syntax match tileKey /\v<[A-Za-z_][[:alnum:]_.]*\ze\s*\=/
syntax match tileElement /\v(<|x@<=)([su]?i|[a-z]*f[a-z]*)\d+(E\d+M\d+[A-Z]*)?>/
syntax match tileValue /%[[:alnum:]_$.-]\+\(#\d\+\)\?/
syntax match tileSymbol /@\("[^"]*"\|[[:alnum:]_$.-]\+\)/
syntax match tileAlias /[!#][A-Za-z_][[:alnum:]_$.]*/
syntax match tileLabel /\^[[:alnum:]_$.-]\+/
syntax match tileEscape /\v\\(["\\nt]|\x\x)/ contained
syntax region tileString start=/"/ end=/"/ oneline contains=tileEscape
syntax match tileComment ,//.*, contains=@Spell
syntax match tileDirective ,//@.*, contains=tileString,tileValue,tileNumber,tileDirectiveWord
syntax match tileDirectiveWord ,//@\s*\zs\w\+, contained

highlight default link tileWord Keyword
highlight default link tileNumber Number
highlight default link tileDimension Number
highlight default link tileOp Function
highlight default link tileControl Conditional
highlight default link tileDeclaration Structure
highlight default link tileType Type
highlight default link tileElement Type
highlight default link tileAttribute Identifier
highlight default link tileKey Identifier
highlight default link tileValue Identifier
highlight default link tileSymbol Function
highlight default link tileAlias PreProc
highlight default link tileLabel Label
highlight default link tileEscape SpecialChar
highlight default link tileString String
highlight default link tileComment Comment
highlight default link tileDirective SpecialComment
highlight default link tileDirectiveWord PreProc

let b:current_syntax = 'tile'
