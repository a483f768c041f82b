-- Tile IR for Neovim 0.7 to 0.12: starts `tile lsp`, and runs kernels on request. Nothing runs on opening or saving a file.
local M = {}

local options = {
  cmd = { 'tile', 'lsp' },
  cmd_env = nil,
  -- Types and printed text beside the code, where Neovim can show them (0.10 and newer).
  inlay_hints = true,
  -- Open the output window on a run: true, false, or nil for "only where there are no inlay hints".
  open_output = nil,
}

local RUN = 'tile.run'
local has_inlay_hints = vim.lsp.inlay_hint ~= nil

--- Changes the options above. Optional.
function M.setup(changes)
  options = vim.tbl_extend('force', options, changes or {})
end

local function warn(message)
  vim.notify('tile: ' .. message, vim.log.levels.WARN)
end

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local git = vim.fn.finddir('.git', folder .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or folder
end

local function resolved(bufnr)
  return (bufnr == nil or bufnr == 0) and vim.api.nvim_get_current_buf() or bufnr
end

--- The client of the language server in a buffer.
function M.client(bufnr)
  bufnr = resolved(bufnr)
  local clients
  if vim.lsp.get_clients then
    clients = vim.lsp.get_clients({ bufnr = bufnr, name = 'tile' })
  else
    clients = vim.lsp.buf_get_clients(bufnr)
  end
  for _, client in pairs(clients) do
    if client.name == 'tile' then
      return client
    end
  end
end

local function request(client, method, params, handler, bufnr)
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, handler, bufnr)
  else
    client.request(method, params, handler, bufnr)
  end
end

local old_clients = {} -- root -> client id, for Neovim without vim.lsp.start

--- Starts the server for a buffer, or takes the one that serves its folder.
function M.start(bufnr)
  bufnr = resolved(bufnr)
  local file = vim.api.nvim_buf_get_name(bufnr)
  if vim.bo[bufnr].buftype ~= '' or file:match('^%w[%w+.-]+://') then
    return
  end
  if vim.fn.executable(options.cmd[1]) == 0 then
    warn(options.cmd[1] .. " is not on PATH; name it with require('tile').setup({ cmd = { '/path/to/tile', 'lsp' } })")
    return
  end
  local root = root_of(file)
  local config = {
    name = 'tile',
    cmd = options.cmd,
    cmd_env = options.cmd_env,
    root_dir = root,
    handlers = {
      ['tile/runOutput'] = function(_, result)
        require('tile.output').append(result.text)
      end,
    },
    on_attach = function(_, attached)
      if options.inlay_hints and has_inlay_hints and vim.lsp.inlay_hint.enable then
        pcall(vim.lsp.inlay_hint.enable, true, { bufnr = attached })
      end
    end,
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = bufnr })
    return
  end
  local id = old_clients[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    old_clients[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(bufnr, id)
  end
end

--- Colours the buffer by tree-sitter if its parser `tile` and queries are installed; else syntax/tile.vim does.
function M.highlight(bufnr)
  if vim.treesitter and vim.treesitter.start then
    return (pcall(vim.treesitter.start, resolved(bufnr), 'tile'))
  end
  return false
end

--- Calls `done` with the run lenses of a buffer, from the top down.
local function launches(client, bufnr, done)
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  request(client, 'textDocument/codeLens', params, function(problem, lenses)
    if problem then
      warn(problem.message or vim.inspect(problem))
      return
    end
    local found = vim.tbl_filter(function(lens)
      return lens.command and lens.command.command == RUN
    end, lenses or {})
    table.sort(found, function(a, b)
      return a.range.start.line < b.range.start.line
    end)
    done(found)
  end, bufnr)
end

local function target(lens)
  return (lens.command.arguments or {})[1] or {}
end

--- The launch of a name, else the last one at or above the line, else the first one.
local function pick(lenses, line, name)
  if name then
    for _, lens in ipairs(lenses) do
      if target(lens).launch == name or target(lens).entry == name then
        return lens
      end
    end
    return nil
  end
  local nearest = lenses[1]
  for _, lens in ipairs(lenses) do
    if lens.range.start.line <= line then
      nearest = lens
    end
  end
  return nearest
end

--- Runs a kernel: the launch (or entry) of this name, else the one nearest to the cursor.
function M.run(name)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = M.client(bufnr)
  if not client then
    warn('no language server in this buffer')
    return
  end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  launches(client, bufnr, function(lenses)
    local lens = pick(lenses, line, name)
    if not lens then
      warn(name and ('no launch is named ' .. name) or 'no launch stands above an entry in this file: //@ launch grid=(1, 1, 1)')
      return
    end
    local output = require('tile.output')
    local what = target(lens)
    output.title(what.entry, what.launch)
    if options.open_output or (options.open_output == nil and not has_inlay_hints) then
      output.open()
    end
    local command = { command = RUN, arguments = lens.command.arguments }
    request(client, 'workspace/executeCommand', command, function(problem)
      if problem then
        warn(problem.message or vim.inspect(problem))
      end
    end, bufnr)
  end)
end

--- The names `:TileRun` can take, for completion; empty if the server does not answer at once.
function M.launch_names(start)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = M.client(bufnr)
  local names, ready = {}, false
  if client then
    launches(client, bufnr, function(lenses)
      for _, lens in ipairs(lenses) do
        local name = target(lens).launch
        if type(name) ~= 'string' then
          name = target(lens).entry
        end
        if name and vim.startswith(name, start) then
          table.insert(names, name)
        end
      end
      ready = true
    end)
    vim.wait(500, function()
      return ready
    end, 10)
  end
  return names
end

return M
