-- Debugging launches with nvim-dap, where that is installed: `tile debug-adapter` does the work.
local tile = require('tile')
local M = {}

--- Whether nvim-dap is there, without loading it.
function M.installed()
  return package.loaded.dap ~= nil or #vim.api.nvim_get_runtime_file('lua/dap.lua', false) > 0
end

--- How a launch is called, with its entry.
local function path(launch)
  return launch.launch and launch.entry .. '/' .. launch.launch or launch.entry
end

--- The launches that a line leaves open: that of its directive, else those of its entry; above all of them, all.
function M.candidates(found, line)
  local above
  for _, each in ipairs(found) do
    if each.range.start.line <= line then
      above = each
    end
  end
  if not above then
    return found
  end
  if line < above.entry_line then
    return { above }
  end
  return vim.tbl_filter(function(each)
    return each.entry == above.entry
  end, found)
end

--- Calls `done` with the launch that is meant: of this name, else at the cursor, else the user's choice; with nothing if there
--- is none.
local function choose(name, done)
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local client = tile.client(bufnr)
  if not client then
    -- The debugger takes the first one.
    done({ launch = name })
    return
  end
  require('tile.run').launches(client, bufnr, function(found)
    local left = name and vim.tbl_filter(function(each)
      return each.launch == name or each.entry == name or path(each) == name
    end, found) or M.candidates(found, line)
    if #left == 0 then
      tile.warn(name and ('no launch is named ' .. name) or 'no launch stands above an entry in this file: //@ launch grid=(1, 1, 1)')
      done(nil)
    elseif #left == 1 then
      done(left[1])
    else
      vim.ui.select(left, { prompt = 'Which launch to debug', format_item = path }, done)
    end
  end)
end

--- A configuration of nvim-dap's that asks which launch is meant when it is used.
local function at_cursor(name, more)
  local configuration = vim.tbl_extend('force', { type = 'tile', request = 'launch', name = name, program = '${file}' }, more)
  return setmetatable(configuration, {
    __call = function(self)
      local waiting = coroutine.running()
      local chosen, answered = nil, false
      choose(nil, function(launch)
        chosen, answered = launch, true
        if coroutine.status(waiting) == 'suspended' then
          coroutine.resume(waiting)
        end
      end)
      if not answered then
        coroutine.yield()
      end
      local abort = require('dap').ABORT
      return vim.tbl_extend('force', self, chosen and { entry = chosen.entry, launch = chosen.launch } or { entry = abort })
    end,
  })
end

--- How the adapter is started.
local function adapter()
  local command = tile.command()
  return {
    type = 'executable',
    command = command[1],
    args = { 'debug-adapter', '--folder', vim.fn.getcwd() },
    options = { env = tile.options().cmd_env },
  }
end

--- Tells nvim-dap how to debug Tile IR. What is set already stays.
function M.setup()
  local dap = require('dap')
  dap.adapters.tile = dap.adapters.tile or function(done)
    done(adapter())
  end
  dap.configurations.tile = dap.configurations.tile
    or {
      at_cursor('Debug the launch at the cursor', {}),
      at_cursor('Debug the launch at the cursor, in the first tile block, from its first op', {
        block = { 0, 0, 0 },
        stopOnEntry = true,
      }),
    }
end

--- Debugs the launch or entry of this name, else the one at the cursor.
function M.debug(name)
  local found, dap = pcall(require, 'dap')
  if not found then
    tile.warn('debugging takes nvim-dap, which is not installed')
    return
  end
  M.setup()
  local file = vim.api.nvim_buf_get_name(0)
  if vim.bo.modified then
    tile.warn('the file is debugged as it was saved last')
  end
  choose(name, function(launch)
    if launch then
      dap.run({
        type = 'tile',
        request = 'launch',
        name = launch.entry and path(launch) or 'Debug',
        program = file,
        entry = launch.entry,
        launch = launch.launch,
      })
    end
  end)
end

--- What the lens above a launch does.
function M.lens(command)
  M.debug(path({
    entry = command.arguments[1].entry,
    launch = type(command.arguments[1].launch) == 'string' and command.arguments[1].launch or nil,
  }))
end

return M
