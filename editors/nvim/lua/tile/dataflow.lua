-- Pages about the entry at the cursor, in the browser: its data flow graph, the accesses of a launch, and the elements of
-- a value, a buffer or an expectation.
local tile = require('tile')
local M = {}

--- Opens a file in the browser, in any version of Neovim.
function M.browse(path)
  if vim.ui.open then
    local _, problem = vim.ui.open(path)
    return problem
  end
  for _, program in ipairs({ 'xdg-open', 'open', 'explorer.exe' }) do
    if vim.fn.executable(program) == 1 then
      vim.fn.jobstart({ program, path }, { detach = true })
      return nil
    end
  end
  return 'no program to open it with'
end

local function open(method, missing, place)
  local client = tile.client(0)
  if not client then
    tile.warn('no language server in this buffer')
    return
  end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  if place then
    params = { textDocument = { uri = place.uri }, position = place.position }
  end
  tile.request(client, method, params, function(error, page)
    if error or not page or page == vim.NIL then
      tile.warn(error and error.message or missing)
      return
    end
    local path = vim.fn.tempname() .. '.html'
    vim.fn.writefile(vim.split(page.html, '\n', { plain = true }), path)
    local problem = M.browse(path)
    if problem then
      tile.warn(('cannot open %s: %s'):format(path, problem))
    end
  end, 0)
end

--- Shows how data flows in the entry at the cursor.
function M.graph()
  open('tile/graph', 'there is no entry at the cursor')
end

--- Shows the accesses of the launch at the cursor, or of the first one.
function M.accesses()
  open('tile/accesses', 'the accesses are those of a launch: add a `//@ launch` above the entry')
end

--- Shows the elements of the value, buffer or expectation at a place (`uri`, `position`), or at the cursor.
function M.view(place)
  open('tile/view', 'there is no value, buffer or expectation at the cursor', place)
end

return M
