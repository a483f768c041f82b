-- The target of kernels: the CPU or a GPU of this machine, or another machine.
local tile = require('tile')
local M = {}

--- The server's list: { target, description, isChosen }; empty if the server does not answer in time.
local function listed()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = tile.client(bufnr)
  local found, ready = {}, false
  if client then
    tile.request(client, 'tile/targets', vim.empty_dict(), function(_, answer)
      found, ready = type(answer) == 'table' and answer or {}, true
    end, bufnr)
    vim.wait(500, function()
      return ready
    end, 10)
  end
  return found
end

--- The names with this prefix, for completion.
function M.names(start)
  local names = vim.tbl_map(function(each)
    return each.target
  end, listed())
  return vim.tbl_filter(function(name)
    return vim.startswith(name, start)
  end, names)
end

--- The current target.
function M.now()
  local set = tile.options().settings.run
  return tile.options().target or (set and set.target) or 'cpu'
end

--- Updates the server's settings, which determine the target of lenses.
local function update(client, name)
  for _, settings in ipairs({ client.settings or {}, client.config.settings or {} }) do
    settings.tile = vim.tbl_deep_extend('force', settings.tile or {}, { run = { target = name } })
  end
  local params = { settings = client.settings or client.config.settings }
  if vim.fn.has('nvim-0.11') == 1 then
    client:notify('workspace/didChangeConfiguration', params)
  else
    client.notify('workspace/didChangeConfiguration', params)
  end
end

local function choose(name)
  tile.options().target = name
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'tile' }) or vim.lsp.get_active_clients()
  for _, client in pairs(clients) do
    if client.name == 'tile' then
      update(client, name)
    end
  end
end

--- Selects the target: a name as for `tile run --target`, or else from a list.
function M.choose(name)
  if name then
    choose(name)
    return
  end
  local now = M.now()
  local shown = function(each)
    return ('%s %-12s %s'):format(each.target == now and '*' or ' ', each.target, each.description)
  end
  vim.ui.select(listed(), { prompt = 'Select target', format_item = shown }, function(each)
    if each then
      choose(each.target)
    end
  end)
end

return M
