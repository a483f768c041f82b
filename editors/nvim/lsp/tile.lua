-- For vim.lsp.enable() in Neovim 0.11 and newer. vim.lsp.config('tile', { … }) changes it.
return require('tile').config()
