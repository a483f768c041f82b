-- Runs inside a headless Neovim; run.sh starts it.
local scratch = assert(os.getenv('SCRATCH'))
local out = io.stdout

local tile = require('tile')
tile.setup({ cmd = { assert(os.getenv('TILE')), 'lsp' }, open_output = true })

local function say(text)
  out:write(text .. '\n')
  out:flush()
end

local function wait_for(what, ask)
  local answer
  vim.wait(15000, function()
    answer = ask()
    return answer
  end, 20)
  if not answer then
    error('never came: ' .. what, 0)
  end
  return answer
end

local function edit(name, text)
  local path = scratch .. '/' .. name
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  local bufnr = vim.api.nvim_get_current_buf()
  wait_for('the client of ' .. name, function()
    return tile.client(bufnr)
  end)
  return bufnr
end

local function request(bufnr, method, params)
  local answers = wait_for(method, function()
    return vim.lsp.buf_request_sync(bufnr, method, params, 5000)
  end)
  for _, answer in pairs(answers) do
    if answer.error or answer.err then
      error(vim.inspect(answer.error or answer.err), 0)
    end
    return answer.result
  end
end

local function position(bufnr, text, after)
  for line, content in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
    local column = content:find(text, 1, true)
    if column then
      return { line = line - 1, character = column - 1 + (after or 0) }
    end
  end
  error(text .. ' is not in the buffer', 0)
end

local function document(bufnr)
  return { uri = vim.uri_from_bufnr(bufnr) }
end

local BROKEN = [[
cuda_tile.module @broken {
  entry @broken() {
    %one = constant <f32: 1.0> : tile<f32>
    %sum = addf %one, %undefined : tile<f32>
    %twice = addf %one, %one : tile<f32>
    return
  }
}
]]

local RAGGED = [[
cuda_tile.module @ragged {
  entry @ragged() {
    // A comment that must stay.
    %one   =  constant  <f32:  1.0>  :  tile<f32>
    return
  }
}
]]

local HELLO = [[
cuda_tile.module @hello {
  //@ launch "once" grid=(1, 1, 1)
  entry @hello() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = print_tko "hello from block %i\n", %x : tile<i32> -> token
    return
  }
}
]]

local tests = {}

local function test(name, body)
  table.insert(tests, { name, body })
end

test('a .tile file has its file type, comments and colours', function()
  local bufnr = edit('broken.tile', BROKEN)
  assert(vim.bo[bufnr].filetype == 'tile', vim.bo[bufnr].filetype)
  assert(vim.bo[bufnr].commentstring == '// %s', vim.bo[bufnr].commentstring)
  assert(vim.b[bufnr].current_syntax == 'tile' or vim.treesitter.highlighter.active[bufnr])
end)

test('an error stands at its line, and goes when it is mended', function()
  local bufnr = edit('broken.tile', BROKEN)
  local wrong = position(bufnr, '%undefined')
  local found = wait_for('a diagnostic', function()
    local all = vim.diagnostic.get(bufnr, { severity = vim.diagnostic.severity.ERROR })
    return #all > 0 and all
  end)
  assert(found[1].lnum == wrong.line, vim.inspect(found))
  assert(found[1].message:find('%undefined', 1, true), found[1].message)
  vim.api.nvim_buf_set_text(bufnr, wrong.line, wrong.character, wrong.line, wrong.character + #'%undefined', { '%one' })
  wait_for('no errors', function()
    return #vim.diagnostic.get(bufnr, { severity = vim.diagnostic.severity.ERROR }) == 0
  end)
  vim.cmd('edit!')
end)

test('hover on a value names its type', function()
  local bufnr = edit('broken.tile', BROKEN)
  local hover = request(bufnr, 'textDocument/hover', { textDocument = document(bufnr), position = position(bufnr, '%twice', 1) })
  assert(hover and vim.inspect(hover.contents):find('tile<f32>', 1, true), vim.inspect(hover))
end)

test('definition goes to where the value is made', function()
  local bufnr = edit('broken.tile', BROKEN)
  local result = request(bufnr, 'textDocument/definition', { textDocument = document(bufnr), position = position(bufnr, '%one, %one', 1) })
  local first = result and (result[1] or result)
  local range = first and (first.range or first.targetSelectionRange)
  assert(range and range.start.line == position(bufnr, '%one').line, vim.inspect(result))
end)

test('formatting tidies up and keeps comments', function()
  local bufnr = edit('ragged.tile', RAGGED)
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ bufnr = bufnr, timeout_ms = 5000 })
  else
    vim.lsp.buf.formatting_sync(nil, 5000)
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  assert(text:find('    %one = constant <f32: 1.0> : tile<f32>\n', 1, true), text)
  assert(text:find('// A comment that must stay.', 1, true), text)
  vim.cmd('edit!')
end)

test(':TileRun runs the launch at the cursor and shows what it prints', function()
  local bufnr = edit('hello.tile', HELLO)
  assert(not require('tile.output').text():find('hello from', 1, true), 'it ran before it was asked to')
  vim.api.nvim_win_set_cursor(0, { position(bufnr, 'print_tko').line + 1, 0 })
  vim.cmd('TileRun')
  wait_for('the printed text', function()
    return require('tile.output').text():find('▶ hello · once\n.*hello from block 0')
  end)
  assert(vim.tbl_contains(tile.launch_names('on'), 'once'))
  if vim.lsp.inlay_hint and vim.lsp.inlay_hint.get then
    wait_for('the printed text beside its line', function()
      return vim.inspect(vim.lsp.inlay_hint.get({ bufnr = bufnr })):find('hello from block 0', 1, true)
    end)
  end
end)

local failed = 0
for _, each in ipairs(tests) do
  local fine, problem = pcall(each[2])
  say((fine and 'ok      ' or 'FAILED  ') .. each[1] .. (fine and '' or '\n        ' .. tostring(problem)))
  failed = failed + (fine and 0 or 1)
end
local v = vim.version()
say(('%d of %d tests passed in Neovim %d.%d.%d'):format(#tests - failed, #tests, v.major, v.minor, v.patch))
vim.cmd(failed == 0 and 'qall!' or 'cquit')
