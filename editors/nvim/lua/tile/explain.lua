-- The pages of diagnostic codes, as `tile explain` prints them.
local tile = require('tile')
local M = {}

--- The code of the diagnostic at the cursor, or else of the first one in its line.
local function code_at_cursor()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local first
  for _, each in ipairs(vim.diagnostic.get(0, { lnum = cursor[1] - 1 })) do
    local code = each.code or (each.user_data and each.user_data.lsp and each.user_data.lsp.code)
    if type(code) == 'string' then
      if each.col <= cursor[2] and cursor[2] < (each.end_col or each.col) then
        return code
      end
      first = first or code
    end
  end
  return first
end

--- Opens the page of a code, or else of the diagnostic at the cursor.
function M.open(code)
  code = code or code_at_cursor()
  if not code then
    tile.warn('no diagnostic in this line; try :TileExplain E0101')
    return
  end
  local lines, success = tile.call({ 'explain', code })
  if not success then
    tile.warn(lines[1] or ('no page for ' .. code))
    return
  end
  require('tile.page').open(lines)
end

--- Codes with this prefix, for completion.
function M.codes(start)
  local lines = tile.call({ 'explain' })
  local codes = vim.tbl_map(function(line)
    return line:match('^%u%d+') or ''
  end, lines)
  return vim.tbl_filter(function(code)
    return code ~= '' and vim.startswith(code, start:upper())
  end, codes)
end

return M
