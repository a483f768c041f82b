-- Code generated from a program, as text: bytecode, PTX or SASS; and the remarks of NVIDIA's compiler about it.
local tile = require('tile')
local M = {}

local commands = { bytecode = 'tile.showBytecode', ptx = 'tile.showPtx', sass = 'tile.showSass' }

--- The kinds of code with this prefix, for completion.
function M.kinds(start)
  return vim.tbl_filter(function(kind)
    return vim.startswith(kind, start)
  end, { 'bytecode', 'ptx', 'sass' })
end

--- The buffer for a text, which is reused when the text is generated again.
local function buffer(name)
  local found = vim.fn.bufnr('^' .. name .. '$')
  if found ~= -1 and vim.api.nvim_buf_is_valid(found) then
    return found
  end
  local created = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(created, name)
  return created
end

local function show(kind, source, text)
  local bufnr = buffer(('tile://%s/%s'):format(kind, vim.fn.fnamemodify(source, ':t')))
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo[bufnr].modifiable = false
  local window = vim.fn.win_findbuf(bufnr)[1]
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd('vertical split')
    vim.api.nvim_win_set_buf(0, bufnr)
  end
  if kind == 'bytecode' then
    vim.bo[bufnr].filetype = 'tile'
  end
end

--- Executes a command that generates code from the program in this buffer, for the given GPU if any.
local function execute(command, argument, act)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = tile.client(bufnr)
  if not client then
    tile.warn('no language server in this buffer')
    return
  end
  argument.uri = vim.uri_from_bufnr(bufnr)
  tile.request(client, 'workspace/executeCommand', { command = command, arguments = { argument } }, function(problem, answer)
    if problem then
      tile.warn(problem.message or vim.inspect(problem))
    elseif answer then
      act(answer, bufnr)
    end
  end, bufnr)
end

--- Shows code generated from the program in this buffer, for the given GPU if any.
function M.show(kind, gpu)
  local command = commands[kind]
  if not command then
    tile.warn(('unknown kind %s; expected bytecode, ptx or sass'):format(kind))
    return
  end
  execute(command, { gpu = gpu, show = false }, function(answer, bufnr)
    show(kind, vim.api.nvim_buf_get_name(bufnr), answer.text)
  end)
end

--- Shows what NVIDIA's compiler did not optimize for the given GPU, or that of the settings, as diagnostics. The server
--- reports their number.
function M.remarks(gpu)
  execute('tile.remarks', { gpu = gpu }, function() end)
end

return M
