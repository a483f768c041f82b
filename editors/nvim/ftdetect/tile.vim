autocmd BufRead,BufNewFile *.tile set filetype=tile
" MLIR files are programs if they contain a module; a comment can precede it.
autocmd BufRead *.mlir if match(getline(1, 500), '^\s*cuda_tile\.module\>') >= 0 | set filetype=tile | endif
