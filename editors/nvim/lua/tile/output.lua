-- The window with the output of kernels.
local M = {}

local bufnr

local function buffer()
  if not bufnr or not vim.api.nvim_buf_is_valid(bufnr) then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, 'tile://output')
    vim.bo[bufnr].bufhidden = 'hide'
    vim.bo[bufnr].swapfile = false
  end
  return bufnr
end

local function window()
  local found = vim.fn.win_findbuf(buffer())
  return found[1]
end

--- Opens the window at the bottom without moving the cursor.
function M.open()
  if window() then
    return
  end
  local before = vim.api.nvim_get_current_win()
  vim.cmd('botright 8split')
  vim.api.nvim_win_set_buf(0, buffer())
  vim.wo.number = false
  vim.wo.winfixheight = true
  vim.api.nvim_set_current_win(before)
end

--- Appends text, which can end in the middle of a line.
function M.append(text)
  local into = buffer()
  local last = vim.api.nvim_buf_line_count(into) - 1
  local column = #vim.api.nvim_buf_get_lines(into, last, last + 1, false)[1]
  vim.api.nvim_buf_set_text(into, last, column, last, column, vim.split(text:gsub('\r\n', '\n'), '\n', { plain = true }))
  local shown = window()
  if shown then
    vim.api.nvim_win_set_cursor(shown, { vim.api.nvim_buf_line_count(into), 0 })
  end
end

function M.title(entry, launch)
  local into = buffer()
  local count = vim.api.nvim_buf_line_count(into)
  local fresh = vim.api.nvim_buf_get_lines(into, count - 1, count, false)[1] == ''
  local name = entry or 'kernel'
  if type(launch) == 'string' then
    name = name .. ' · ' .. launch
  end
  M.append((fresh and '' or '\n') .. '▶ ' .. name .. '\n')
end

function M.text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer(), 0, -1, false), '\n')
end

return M
