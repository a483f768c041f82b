-- Bytecode as text: a `.tileirbc` file is read with `tile dis` and cannot be written.
local tile = require('tile')
local M = {}

--- Fills a buffer with the text of its bytecode file.
function M.read(bufnr, file)
  local lines, success = tile.call({ 'dis', vim.fn.fnamemodify(file, ':p') })
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].readonly = true
  vim.bo[bufnr].swapfile = false
  if success or (lines[1] or ''):match('^cuda_tile%.module') then
    vim.bo[bufnr].filetype = 'tile'
  else
    tile.warn(lines[1] or (file .. ' is not valid bytecode'))
  end
end

function M.write(file)
  tile.warn(vim.fn.fnamemodify(file, ':t') .. ' is shown as text and cannot be written; save it as a .tile file with :saveas and use `tile build`')
end

return M
