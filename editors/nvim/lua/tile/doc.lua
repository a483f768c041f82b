-- The documentation of ops, types, keywords and launch directives, as `tile doc` prints it.
local tile = require('tile')
local M = {}

--- Opens the page of a term, or else of the word at the cursor.
function M.open(term)
  term = term or vim.fn.expand('<cword>')
  if term == '' then
    tile.warn('no word at the cursor; try :TileDoc partition_view')
    return
  end
  local lines, success = tile.call({ 'doc', '--', term })
  if not success then
    tile.warn(lines[1] or ('no page for ' .. term))
    return
  end
  require('tile.page').open(lines)
end

--- Terms with this prefix, for completion.
function M.terms(start)
  local found = {}
  for _, line in ipairs((tile.call({ 'doc' }))) do
    local name = line:match('^%- `([^`]+)`')
    if name and vim.startswith(name, start) and not vim.tbl_contains(found, name) then
      table.insert(found, name)
    end
  end
  return found
end

return M
