if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1
vim.b.undo_ftplugin = 'setlocal commentstring< comments< shiftwidth< expandtab< iskeyword< formatoptions<'

vim.opt_local.commentstring = '// %s'
vim.opt_local.comments = '://@,://'
vim.opt_local.shiftwidth = 2
vim.opt_local.expandtab = true
vim.opt_local.iskeyword:append('%,$')
vim.opt_local.formatoptions:remove('t')

local tile = require('tile')
tile.highlight(0)
tile.start(0)
if require('tile.debug').installed() then
  require('tile.debug').setup()
end
