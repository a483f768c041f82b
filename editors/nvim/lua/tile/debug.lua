-- Debugging launches with nvim-dap, if it is installed, and `tile debug-adapter`.
local tile = require('tile')
local M = {}

--- Returns whether nvim-dap is installed, without loading it.
function M.installed()
  return package.loaded.dap ~= nil or #vim.api.nvim_get_runtime_file('lua/dap.lua', false) > 0
end

--- The name of a launch, with its entry.
local function path(launch)
  return launch.launch and launch.entry .. '/' .. launch.launch or launch.entry
end

--- The launches to choose from at a line: the launch whose directive contains it, or else those of the entry around
--- it. All launches if the line is above them.
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

--- Calls `done` with the launch with this name, or else the one at the cursor; lets the user choose if there are
--- several. Calls `done` with nil if there is none.
local function choose(name, done)
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local client = tile.client(bufnr)
  if not client then
    -- The debug adapter uses the first launch.
    done({ launch = name })
    return
  end
  require('tile.run').launches(client, bufnr, function(found)
    local matches = name and vim.tbl_filter(function(each)
      return each.launch == name or each.entry == name or path(each) == name
    end, found) or M.candidates(found, line)
    if #matches == 0 then
      tile.warn(name and ('no launch named ' .. name) or 'this file has no launches; write one above an entry: //@ launch grid=(1, 1, 1)')
      done(nil)
    elseif #matches == 1 then
      done(matches[1])
    else
      vim.ui.select(matches, { prompt = 'Select launch to debug', format_item = path }, done)
    end
  end)
end

--- A configuration for nvim-dap that determines the launch when it is used.
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

--- The definition of the adapter.
local function adapter()
  local command = tile.command()
  return {
    type = 'executable',
    command = command[1],
    args = { 'debug-adapter', '--folder', vim.fn.getcwd() },
    options = { env = tile.options().cmd_env },
  }
end

--- Defines the adapter and the configurations in nvim-dap. Existing ones are kept.
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

--- Debugs the launch or entry with this name, or else the launch at the cursor.
function M.debug(name)
  local found, dap = pcall(require, 'dap')
  if not found then
    tile.warn('debugging requires nvim-dap, which is not installed')
    return
  end
  M.setup()
  local file = vim.api.nvim_buf_get_name(0)
  if vim.bo.modified then
    tile.warn('the buffer has unsaved changes; debugging the saved file')
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

--- Debugs the launch of a lens.
function M.lens(command)
  M.debug(path({
    entry = command.arguments[1].entry,
    launch = type(command.arguments[1].launch) == 'string' and command.arguments[1].launch or nil,
  }))
end

return M
