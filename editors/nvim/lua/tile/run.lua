-- Running launches: one, with or without the sanitizer, or all of a file.
local tile = require('tile')
local output = require('tile.output')
local M = {}

--- Calls `done` with the launches of a buffer, from the top down: { entry, entry_line, launch, range }.
local function launches(client, bufnr, done)
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  tile.request(client, 'tile/launches', params, function(problem, entries)
    if problem then
      tile.warn(problem.message or vim.inspect(problem))
      return
    end
    local found = {}
    for _, entry in ipairs(type(entries) == 'table' and entries or {}) do
      for _, launch in ipairs(entry.launches) do
        local name = type(launch.launch) == 'string' and launch.launch or nil
        table.insert(found, { entry = entry.entry, entry_line = entry.range.start.line, launch = name, range = launch.range })
      end
    end
    done(found)
  end, bufnr)
end

M.launches = launches

--- The launch with this name, or else the last one at or above the line, or else the first one.
local function pick(found, line, name)
  if name then
    for _, each in ipairs(found) do
      if each.launch == name or each.entry == name then
        return each
      end
    end
    return nil
  end
  local nearest = found[1]
  for _, each in ipairs(found) do
    if each.range.start.line <= line then
      nearest = each
    end
  end
  return nearest
end

local function client_or_warning(bufnr)
  local client = tile.client(bufnr)
  if not client then
    tile.warn('no language server in this buffer')
  end
  return client
end

--- Runs a launch, and calls `done` with an error or the result.
local function execute(client, bufnr, launch, options, done)
  output.title(launch.entry, launch.launch)
  local open = tile.options().open_output
  if open or (open == nil and vim.lsp.inlay_hint == nil) then
    output.open()
  end
  -- Only the CPU engine has a sanitizer, profiles and traces.
  local needs_cpu = options.sanitize or options.observe == 'profile' or options.observe == 'trace'
  local target = needs_cpu and 'cpu' or tile.options().target
  local argument = {
    uri = vim.uri_from_bufnr(bufnr),
    entry = launch.entry,
    launch = launch.launch,
    sanitize = options.sanitize or false,
    observe = options.observe,
    target = target,
  }
  local params = { command = 'tile.run', arguments = { argument } }
  tile.request(client, 'workspace/executeCommand', params, function(problem, answer)
    if problem then
      output.append((problem.message or vim.inspect(problem)) .. '\n')
    elseif answer and answer.verdict then
      output.append(answer.verdict .. '\n')
    end
    done(problem, answer)
  end, bufnr)
end

--- Calls `act` with the client, the buffer, and the launch or entry with this name, or else the launch nearest to the cursor.
local function with_launch(name, act)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_or_warning(bufnr)
  if not client then
    return
  end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  launches(client, bufnr, function(found)
    local launch = pick(found, line, name)
    if not launch then
      tile.warn(name and ('no launch named ' .. name) or 'this file has no launches; write one above an entry: //@ launch grid=(1, 1, 1)')
      return
    end
    act(client, bufnr, launch)
  end)
end

local function run(name, options)
  with_launch(name, function(client, bufnr, launch)
    execute(client, bufnr, launch, options, function(problem)
      if problem then
        tile.warn(problem.message or vim.inspect(problem))
      end
    end)
  end)
end

--- Runs the launch or entry with this name, or else the launch nearest to the cursor.
function M.run(name)
  run(name, {})
end

--- The same with the sanitizer.
function M.sanitize(name)
  run(name, { sanitize = true })
end

--- The same, and shows the cost of each line in front of it.
function M.profile(name)
  run(name, { observe = 'profile' })
end

--- The same, and shows each value of the first tile block when it is computed.
function M.trace(name)
  run(name, { observe = 'trace' })
end

--- The same many times, and shows how long it takes.
function M.bench(name)
  run(name, { observe = 'bench' })
end

--- Searches for the fastest hints of a kernel on a GPU. The server shows the progress, and asks whether to write the hints.
function M.tune(name)
  with_launch(name, function(client, bufnr, launch)
    local argument =
      { uri = vim.uri_from_bufnr(bufnr), entry = launch.entry, launch = launch.launch, target = tile.options().target }
    local params = { command = 'tile.tune', arguments = { argument } }
    tile.request(client, 'workspace/executeCommand', params, function(problem, answer)
      if problem then
        tile.warn(problem.message or vim.inspect(problem))
      elseif answer and answer.result then
        -- The server shows the table.
        output.title(launch.entry, launch.launch)
        output.append(answer.result .. '\n')
      end
    end, bufnr)
  end)
end

--- The failures of a launch as items of the quickfix list.
local function items(client, bufnr, launch, problem, answer)
  local failures = answer and answer.failures or {}
  if problem then
    failures = { { range = launch.range, message = problem.message or vim.inspect(problem) } }
  end
  local uri = vim.uri_from_bufnr(bufnr)
  return vim.tbl_map(function(failure)
    local location = vim.lsp.util.locations_to_items({ { uri = uri, range = failure.range } }, client.offset_encoding)[1]
    local code = type(failure.code) == 'string' and failure.code .. ': ' or ''
    local name = launch.launch and launch.entry .. ' · ' .. launch.launch or launch.entry
    return {
      bufnr = bufnr,
      lnum = location.lnum,
      col = location.col,
      type = 'E',
      text = name .. ': ' .. code .. vim.split(failure.message, '\n', { plain = true })[1],
    }
  end, failures)
end

local function report(list, passed, count)
  vim.fn.setqflist({}, ' ', { title = ('tile: %d of %d launches passed'):format(passed, count), items = list })
  if #list > 0 and tile.options().open_quickfix then
    local before = vim.api.nvim_get_current_win()
    vim.cmd('botright copen')
    vim.api.nvim_set_current_win(before)
  end
  local level = passed == count and vim.log.levels.INFO or vim.log.levels.WARN
  vim.notify(('tile: %d of %d launches passed'):format(passed, count), level)
end

--- Runs all launches in the buffer, or those with this name or entry. Failures are listed in the quickfix list.
function M.test(name)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_or_warning(bufnr)
  if not client then
    return
  end
  local target = tile.options().target
  local sanitize = target == nil or target == 'cpu'
  launches(client, bufnr, function(found)
    local selected = vim.tbl_filter(function(each)
      return name == nil or each.launch == name or each.entry == name
    end, found)
    if #selected == 0 then
      tile.warn(name and ('no launch named ' .. name) or 'this file has no launches')
      return
    end
    local list, passed = {}, 0
    local function run_from(index)
      local launch = selected[index]
      if not launch then
        report(list, passed, #selected)
        return
      end
      execute(client, bufnr, launch, { sanitize = sanitize }, function(problem, answer)
        passed = passed + ((answer and answer.passed) and 1 or 0)
        vim.list_extend(list, items(client, bufnr, launch, problem, answer))
        run_from(index + 1)
      end)
    end
    run_from(1)
  end)
end

--- The names of launches for completion; empty if the server does not answer in time.
function M.launch_names(start)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = tile.client(bufnr)
  local names, ready = {}, false
  if client then
    launches(client, bufnr, function(found)
      for _, each in ipairs(found) do
        local name = each.launch or each.entry
        if vim.startswith(name, start) then
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
