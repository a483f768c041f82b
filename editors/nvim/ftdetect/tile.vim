autocmd BufRead,BufNewFile *.tile set filetype=tile
