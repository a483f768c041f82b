-- :checkhealth tile
local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local err = health.error or health.report_error

local function program()
  local tile = require('tile')
  local name = tile.command()[1]
  if vim.fn.executable(name) == 0 then
    err(name .. ' is not executable', {
      'install `tile`, or put it on PATH',
      "or set its path: require('tile').setup({ cmd = { '/path/to/tile', 'lsp' } })",
    })
    return
  end
  local lines, success = tile.call({ '--version' })
  if success then
    ok(('%s: %s'):format(vim.fn.exepath(name), lines[1] or ''))
  else
    err(('%s does not print its version: %s'):format(vim.fn.exepath(name), lines[1] or ''))
  end
end

local function server()
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'tile' })
    or vim.tbl_filter(function(client)
      return client.name == 'tile'
    end, vim.lsp.get_active_clients())
  if #clients == 0 then
    info('no server is running: it starts when a .tile file is opened')
  end
  for _, client in ipairs(clients) do
    ok(('a server is running for %s, positions in %s'):format(client.config.root_dir or 'single files', client.offset_encoding or 'utf-16'))
  end
end

local function colors()
  local success = vim.treesitter and vim.treesitter.start and pcall(vim.treesitter.inspect_language or vim.treesitter.language.inspect, 'tile')
  local added = vim.treesitter and vim.treesitter.language and vim.treesitter.language.add
  if not success and added then
    local found, answer = pcall(vim.treesitter.language.add, 'tile')
    success = found and answer ~= nil and answer ~= false
  end
  if success then
    ok('the tree-sitter parser `tile` is installed and used for highlighting and folding')
  else
    info('no tree-sitter parser `tile`: syntax/tile.vim highlights; parser/tile.so on runtimepath would be more precise')
  end
end

local function debugger()
  if not require('tile.debug').installed() then
    info('nvim-dap is not installed: :TileDebug and breakpoints require it')
    return
  end
  local found, dap = pcall(require, 'dap')
  if found and dap.adapters.tile then
    ok('nvim-dap is configured to debug launches: :TileDebug')
  elseif found then
    info('nvim-dap is configured to debug launches when a .tile file is opened')
  else
    warn('nvim-dap is installed but cannot be loaded: ' .. tostring(dap))
  end
end

function M.check()
  start('tile')
  program()
  server()
  colors()
  debugger()
  if vim.lsp.inlay_hint then
    ok('types and printed text are shown in the code')
  else
    warn('this Neovim does not support inlay hints: printed text appears only in :TileOutput', { 'use Neovim 0.10 or newer' })
  end
end

return M
