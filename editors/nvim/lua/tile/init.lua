-- Tile IR for Neovim 0.7 to 0.12: starts `tile lsp`, and runs kernels on request. Opening or saving a file never runs
-- anything.
local M = {}

local options = {
  cmd = { 'tile', 'lsp' },
  cmd_env = nil,
  -- Show types and printed text next to the code (Neovim 0.10 and newer).
  inlay_hints = true,
  -- Show the types that complete a statement after the cursor, and insert them with <Tab> (Neovim 0.12 and newer).
  inline_completion = true,
  -- Open the output window on a run: true, false, or nil for "only without inlay hints".
  open_output = nil,
  -- Open the quickfix window when a test fails.
  open_quickfix = true,
  -- The target of kernels: 'cpu', 'cuda', 'cuda:1', or a user-defined name. :TileTarget changes it.
  target = nil,
  -- The section `tile` of the server's settings, such as { inlayHints = { types = false } }.
  settings = {},
}

local has_inlay_hints = vim.lsp.inlay_hint ~= nil

-- Neovim 0.11 and newer start servers themselves, configured by `lsp/tile.lua`.
local starts_by_itself = vim.lsp.config ~= nil and vim.lsp.enable ~= nil

--- Changes the options above. Optional.
function M.setup(changes)
  options = vim.tbl_extend('force', options, changes or {})
  if starts_by_itself then
    vim.lsp.config('tile', M.config())
  end
end

--- The current options.
function M.options()
  return options
end

function M.warn(message)
  vim.notify('tile: ' .. message, vim.log.levels.WARN)
end
local warn = M.warn

--- Shows the rest of statements in a buffer. <Tab> inserts it, unless the user has mapped that key.
local function complete_inline(bufnr)
  vim.lsp.inline_completion.enable(true, { bufnr = bufnr })
  local mapped = vim.fn.maparg('<Tab>', 'i', false, true)
  -- Neovim itself maps the key to jump in snippets.
  if not vim.tbl_isempty(mapped) and not (mapped.desc or ''):find('snippet', 1, true) then
    return
  end
  vim.keymap.set('i', '<Tab>', function()
    if vim.lsp.inline_completion.get() then
      return ''
    end
    if vim.snippet.active({ direction = 1 }) then
      return '<Cmd>lua vim.snippet.jump(1)<CR>'
    end
    return '<Tab>'
  end, { buffer = bufnr, expr = true, desc = 'Insert the rest of the statement' })
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

--- Sends a request, in any version of Neovim.
function M.request(client, method, params, handler, bufnr)
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, handler, bufnr)
  else
    client.request(method, params, handler, bufnr)
  end
end

--- The configuration of the server.
function M.config()
  -- Announces the commands that the editor implements; the server offers them in lenses and actions.
  local hints = require('tile.hints')
  local implemented = require('tile.debug').installed() and { 'tile.debug', 'tile.view' } or { 'tile.view' }
  return {
    name = 'tile',
    cmd = options.cmd,
    cmd_env = options.cmd_env,
    filetypes = { 'tile' },
    root_markers = { '.git' },
    settings = { tile = options.settings },
    init_options = { settings = options.settings, commands = implemented },
    commands = {
      ['tile.debug'] = function(command)
        require('tile.debug').lens(command)
      end,
      ['tile.view'] = function(command)
        require('tile.dataflow').view(command.arguments[1])
      end,
    },
    handlers = {
      ['tile/runOutput'] = function(_, result)
        require('tile.output').append(result.text)
      end,
      ['workspace/inlayHint/refresh'] = hints.needed and hints.refresh or nil,
    },
    on_attach = function(_, attached)
      if options.inlay_hints and has_inlay_hints and vim.lsp.inlay_hint.enable then
        pcall(vim.lsp.inlay_hint.enable, true, { bufnr = attached })
      end
      if options.inline_completion and vim.lsp.inline_completion then
        complete_inline(attached)
      end
    end,
  }
end

--- The command line that starts the server.
function M.command()
  local cmd = starts_by_itself and vim.lsp.config.tile and vim.lsp.config.tile.cmd or options.cmd
  return type(cmd) == 'table' and cmd or options.cmd
end

--- Runs `tile` with these arguments. Returns its output as lines, and whether it succeeded.
function M.call(arguments)
  local command = { M.command()[1] }
  vim.list_extend(command, arguments)
  local lines = vim.fn.systemlist(command)
  return lines, vim.v.shell_error == 0
end

local old_clients = {} -- root -> client id, for Neovim without vim.lsp.start

--- Starts the server for a buffer, or attaches the one for its folder.
function M.start(bufnr)
  bufnr = resolved(bufnr)
  local file = vim.api.nvim_buf_get_name(bufnr)
  if vim.bo[bufnr].buftype ~= '' or file:match('^%w[%w+.-]+://') then
    return
  end
  local program = M.command()[1]
  if vim.fn.executable(program) == 0 then
    warn(program .. " is not on PATH; set its path with require('tile').setup({ cmd = { '/path/to/tile', 'lsp' } })")
    return
  end
  if starts_by_itself then
    return
  end
  local config = M.config()
  config.root_dir = root_of(file)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = bufnr })
    return
  end
  local root = config.root_dir
  local id = old_clients[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    old_clients[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(bufnr, id)
  end
end

--- Highlights the buffer with tree-sitter if the parser `tile` and its queries are installed; otherwise syntax/tile.vim
--- does.
function M.highlight(bufnr)
  if not vim.treesitter or not vim.treesitter.start or not pcall(vim.treesitter.start, resolved(bufnr), 'tile') then
    return false
  end
  -- Use the tree for folding too, if foldmethod is expr.
  if vim.treesitter.foldexpr then
    vim.opt_local.foldexpr = 'v:lua.vim.treesitter.foldexpr()'
  end
  return true
end

-- Running is implemented in a separate file.
for _, name in ipairs({ 'run', 'sanitize', 'profile', 'trace', 'bench', 'tune', 'test', 'launch_names' }) do
  M[name] = function(...)
    return require('tile.run')[name](...)
  end
end

--- Debugs the launch or entry with this name, or else the launch at the cursor, with nvim-dap.
function M.debug(name)
  require('tile.debug').debug(name)
end

return M
