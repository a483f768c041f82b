-- A Markdown page printed by the program, in a new window.
local M = {}

--- Lets the syntax of Markdown color `tile` code, as the tree-sitter parser does if it is installed.
local function color_code()
  local languages = vim.g.markdown_fenced_languages or {}
  if not vim.tbl_contains(languages, 'tile') then
    table.insert(languages, 'tile')
    vim.g.markdown_fenced_languages = languages
  end
end

--- Opens a window with these lines, read-only.
function M.open(lines)
  vim.cmd('botright split')
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.wo.wrap = true
  vim.wo.linebreak = true
  color_code()
  -- Newer versions highlight Markdown with a parser that is not always installed.
  vim.cmd('silent! setlocal filetype=markdown')
  vim.bo[bufnr].modifiable = false
end

return M
