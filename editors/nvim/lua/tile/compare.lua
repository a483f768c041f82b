-- Two programs by meaning: `tile diff` reprints both so that only differences in meaning remain, and two windows show the
-- texts with their differences.
local tile = require('tile')
local M = {}

local function show(name, text)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(vim.trim(text), '\n'))
  vim.api.nvim_buf_set_name(bufnr, ('tile://compared/%d/%s'):format(bufnr, name))
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.cmd('silent! setlocal syntax=tile')
  vim.bo[bufnr].modifiable = false
  vim.cmd('diffthis')
end

--- Compares the file of the current buffer with another file, in a new tab.
function M.compare(other)
  local own = vim.api.nvim_buf_get_name(0)
  if own == '' then
    tile.warn('save the program to a file first')
    return
  end
  if vim.bo.modified then
    tile.warn('unsaved changes are not compared')
  end
  local lines, success = tile.call({ 'diff', '--json', '--', own, vim.fn.fnamemodify(other, ':p') })
  if not success then
    tile.warn(lines[1] or 'the programs cannot be compared')
    return
  end
  local report = vim.fn.json_decode(lines)
  local left, right = vim.fn.fnamemodify(own, ':t'), vim.fn.fnamemodify(other, ':t')
  if report.verdict == 'same' then
    vim.notify(('%s and %s do not differ in meaning'):format(left, right))
    return
  end
  vim.cmd('tabnew')
  show(left, report.normalized.a)
  vim.cmd('rightbelow vnew')
  show(right, report.normalized.b)
end

return M
