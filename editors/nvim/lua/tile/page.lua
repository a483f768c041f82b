-- A Markdown page printed by the program, in a new window.
local M = {}

--- Opens a window with these lines, read-only.
function M.open(lines)
  vim.cmd('botright split')
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].bufhidden = 'wipe'
  -- Newer versions highlight Markdown with a parser that is not always installed.
  vim.cmd('silent! setlocal filetype=markdown')
  vim.bo[bufnr].modifiable = false
end

return M
