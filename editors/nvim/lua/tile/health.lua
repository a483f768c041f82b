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
    err(name .. ' cannot be run', {
      'install `tile`, or put it on PATH',
      "or name it: require('tile').setup({ cmd = { '/path/to/tile', 'lsp' } })",
    })
    return
  end
  local lines, fine = tile.ask({ '--version' })
  if fine then
    ok(('%s: %s'):format(vim.fn.exepath(name), lines[1] or ''))
  else
    err(('%s does not say its version: %s'):format(vim.fn.exepath(name), lines[1] or ''))
  end
end

local function server()
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'tile' })
    or vim.tbl_filter(function(client)
      return client.name == 'tile'
    end, vim.lsp.get_active_clients())
  if #clients == 0 then
    info('no server runs: it starts with the first .tile file')
  end
  for _, client in ipairs(clients) do
    ok(('a server runs for %s, positions in %s'):format(client.config.root_dir or 'single files', client.offset_encoding or 'utf-16'))
  end
end

local function colours()
  local fine = vim.treesitter and vim.treesitter.start and pcall(vim.treesitter.inspect_language or vim.treesitter.language.inspect, 'tile')
  local added = vim.treesitter and vim.treesitter.language and vim.treesitter.language.add
  if not fine and added then
    local found, answer = pcall(vim.treesitter.language.add, 'tile')
    fine = found and answer ~= nil and answer ~= false
  end
  if fine then
    ok('tree-sitter knows the language: colours and folds come from it')
  else
    info('no tree-sitter parser `tile`: syntax/tile.vim colours; parser/tile.so on runtimepath would do it better')
  end
end

local function debugger()
  if not require('tile.debug').installed() then
    info('no nvim-dap is installed: :TileDebug and breakpoints take it')
    return
  end
  local found, dap = pcall(require, 'dap')
  if found and dap.adapters.tile then
    ok('nvim-dap knows how to debug launches: :TileDebug')
  elseif found then
    info('nvim-dap is told how to debug launches with the first .tile file')
  else
    warn('nvim-dap is installed, but cannot be loaded: ' .. tostring(dap))
  end
end

function M.check()
  start('tile')
  program()
  server()
  colours()
  debugger()
  if vim.lsp.inlay_hint then
    ok('types and printed text stand beside the code')
  else
    warn('this Neovim has no inlay hints: printed text appears in :TileOutput only', { 'Neovim 0.10 has them' })
  end
end

return M
