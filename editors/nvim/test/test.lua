-- Runs in a headless Neovim started by run.sh.
local scratch = assert(os.getenv('SCRATCH'))
local out = io.stdout

local tile = require('tile')
tile.setup({ cmd = { assert(os.getenv('TILE')), 'lsp' }, open_output = true, settings = { codeLens = { bytecode = false } } })

local function print_line(text)
  out:write(text .. '\n')
  out:flush()
end

local function wait_for(description, poll)
  local answer
  vim.wait(60000, function()
    answer = poll()
    return answer
  end, 20)
  if not answer then
    error('timed out waiting for ' .. description, 0)
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

local COPY = [[
cuda_tile.module @copy {
  //@ launch
  //@   %x = f32[1] iota
  //@   %y = f32[1] zeros
  entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %v, %t = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %u = store_ptr_tko weak %y, %v token = %t : tile<ptr<f32>>, tile<f32> -> token
  }
}
]]

local tests = {}

local function test(name, body)
  table.insert(tests, { name, body })
end

test('a .tile file has a file type, comments and highlighting', function()
  local bufnr = edit('broken.tile', BROKEN)
  assert(vim.bo[bufnr].filetype == 'tile', vim.bo[bufnr].filetype)
  assert(vim.bo[bufnr].commentstring == '// %s', vim.bo[bufnr].commentstring)
  assert(vim.b[bufnr].current_syntax == 'tile' or vim.treesitter.highlighter.active[bufnr])
end)

test('numbers with an exponent are highlighted in directives', function()
  local bufnr = edit('number.tile', '//@ expect %a ~= 1 atol=3e-3\n')
  if vim.treesitter.highlighter.active[bufnr] then
    return
  end
  local column = position(bufnr, '-3').character + 1
  local name = vim.fn.synIDattr(vim.fn.synID(1, column, 1), 'name')
  assert(name == 'tileNumber', name)
end)

test('a .mlir file with a module has the file type, also below a comment', function()
  edit('commented.mlir', '// a dump\n' .. BROKEN)
  assert(vim.bo.filetype == 'tile', vim.bo.filetype)
  local other = scratch .. '/other.mlir'
  vim.fn.writefile({ '// no program', 'module {', '}' }, other)
  vim.cmd('edit ' .. vim.fn.fnameescape(other))
  assert(vim.bo.filetype ~= 'tile', vim.bo.filetype)
end)

test('tree-sitter highlights and folds if its parser is installed', function()
  if not os.getenv('TILE_PARSER') or not vim.treesitter.start then
    return
  end
  local bufnr = edit('hello.tile', HELLO)
  assert(vim.treesitter.highlighter.active[bufnr], 'no highlighter')
  local language = vim.treesitter.get_parser(bufnr, 'tile')
  local root = language:parse()[1]:root()
  assert(not root:has_error(), 'the parser finds errors')
  local get = vim.treesitter.query.get or vim.treesitter.get_query
  local seen = {}
  for _, name in ipairs({ 'highlights', 'folds', 'indents', 'locals' }) do
    local query = get('tile', name)
    assert(query, 'no query ' .. name)
    for id in query:iter_captures(root, bufnr, 0, -1) do
      seen[query.captures[id]] = true
    end
  end
  assert(seen['fold'] and seen['string'] and seen['variable'], vim.inspect(seen))
  if vim.treesitter.foldexpr then
    assert(vim.wo.foldexpr:find('treesitter', 1, true), vim.wo.foldexpr)
  end
end)

test('an error is shown at its line, and disappears when it is fixed', function()
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

test('<Tab> inserts the types of a statement', function()
  if not vim.lsp.inline_completion then
    return
  end
  local bufnr = edit('typed.tile', (HELLO:gsub('    return', '    %%s = addi %%x, %%y\n    return')))
  local line = position(bufnr, '%s = addi').line
  vim.api.nvim_win_set_cursor(0, { line + 1, 0 })
  local press = vim.fn.maparg('<Tab>', 'i', false, true).callback
  local expected = '    %s = addi %x, %y : tile<i32>'
  local timer, polls = vim.uv.new_timer(), 0
  -- Until the types are shown, the key would insert a tab.
  timer:start(20, 20, vim.schedule_wrap(function()
    polls = polls + 1
    if vim.api.nvim_get_current_line() == expected or polls == 1500 then
      vim.cmd('stopinsert')
    elseif vim.api.nvim_get_mode().mode == 'i' then
      press()
    end
  end))
  -- Returns when insert mode ends.
  vim.api.nvim_feedkeys('A', 'xt!', false)
  timer:close()
  local line_now = vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1]
  assert(line_now == expected, line_now)
end)

test('definition goes to the op that defines the value', function()
  local bufnr = edit('broken.tile', BROKEN)
  local result = request(bufnr, 'textDocument/definition', { textDocument = document(bufnr), position = position(bufnr, '%one, %one', 1) })
  local first = result and (result[1] or result)
  local range = first and (first.range or first.targetSelectionRange)
  assert(range and range.start.line == position(bufnr, '%one').line, vim.inspect(result))
end)

test('formatting keeps comments', function()
  local bufnr = edit('ragged.tile', RAGGED)
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ bufnr = bufnr, timeout_ms = 60000 })
  else
    vim.lsp.buf.formatting_sync(nil, 60000)
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  assert(text:find('    %one = constant <f32: 1.0> : tile<f32>\n', 1, true), text)
  assert(text:find('// A comment that must stay.', 1, true), text)
  vim.cmd('edit!')
end)

test(':TileRun runs the launch at the cursor and shows what it prints', function()
  local bufnr = edit('hello.tile', HELLO)
  assert(not require('tile.output').text():find('hello from', 1, true), 'it ran without a command')
  vim.api.nvim_win_set_cursor(0, { position(bufnr, 'print_tko').line + 1, 0 })
  vim.cmd('TileRun')
  wait_for('the printed text', function()
    return require('tile.output').text():find('▶ hello · once\n.*hello from block 0')
  end)
  assert(vim.tbl_contains(tile.launch_names('on'), 'once'))
  if vim.lsp.inlay_hint and vim.lsp.inlay_hint.get then
    wait_for('the printed text next to its line', function()
      return vim.inspect(vim.lsp.inlay_hint.get({ bufnr = bufnr })):find('hello from block 0', 1, true)
    end)
  end
end)

test(':TileRun draws the result over earlier hints', function()
  if not vim.lsp.inlay_hint or not vim.lsp.inlay_hint.get then
    return
  end
  local loop = '    %%c = constant <i32: 4> : tile<i32>\n    for %%i in (%%c to %%c, step %%c) : tile<i32> {\n    }\n%0'
  local hinted = HELLO:gsub('    return\n', loop)
  local bufnr = edit('hinted.tile', hinted)
  local function drawn()
    vim.cmd('redraw!')
    return vim.inspect(vim.api.nvim_buf_get_extmarks(bufnr, -1, 0, -1, { details = true }))
  end
  wait_for('the hints of the server', function()
    return #vim.lsp.inlay_hint.get({ bufnr = bufnr }) > 0 and drawn():find('virt_text', 1, true)
  end)
  assert(not drawn():find('hello from block', 1, true))
  vim.cmd('TileRun')
  wait_for('the printed text among the hints', function()
    return vim.inspect(vim.lsp.inlay_hint.get({ bufnr = bufnr })):find('hello from block 0', 1, true)
  end)
  assert(drawn():find('hello from block 0', 1, true), drawn())
end)

test('after a run, a hover shows what a value held', function()
  local bufnr = edit('hello.tile', HELLO)
  vim.cmd('TileRun')
  wait_for('the value of the last run', function()
    local params = { textDocument = document(bufnr), position = position(bufnr, '%x') }
    return vim.inspect(request(bufnr, 'textDocument/hover', params)):find('In the last run', 1, true)
  end)
end)

test(':TileProfile shows the costs beside the lines', function()
  if not vim.lsp.inlay_hint or not vim.lsp.inlay_hint.get then
    return
  end
  local bufnr = edit('hello.tile', HELLO)
  vim.cmd('TileProfile')
  local line = position(bufnr, 'print_tko').line
  local function column()
    for _, each in ipairs(vim.lsp.inlay_hint.get({ bufnr = bufnr })) do
      local hint = each.inlay_hint
      if hint.position.line == line and hint.position.character == 0 then
        return hint.label
      end
    end
  end
  wait_for('the cost of the line', function()
    return (column() or ''):find('s', 1, true)
  end)
  vim.cmd('TileRun')
  wait_for('the end of the column', function()
    return not column()
  end)
end)

local EXPECTS = [[
cuda_tile.module @expects {
  //@ launch "met" grid=(1, 1, 1)
  //@ expect print "7\n"
  //@ launch "missed" grid=(1, 1, 1)
  //@ expect print "8\n"
  entry @seven() {
    %seven = constant <i32: 7> : tile<i32>
    %t = print_tko "%i\n", %seven : tile<i32> -> token
    return
  }

  //@ launch
  //@   %p = f32[1] zeros
  entry @unordered(%p: tile<ptr<f32>>) {
    %one = constant <f32: 1.0> : tile<f32>
    %a = store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token
    %b = store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
]]

test(':TileTest lists failures in the quickfix list', function()
  local bufnr = edit('expects.tile', EXPECTS)
  vim.cmd('TileTest')
  local list = wait_for('the results', function()
    local found = vim.fn.getqflist({ title = 1, items = 1 })
    return found.title == 'tile: 1 of 3 launches passed' and found.items
  end)
  assert(#list == 2, vim.inspect(list))
  assert(list[1].bufnr == bufnr and list[1].lnum == position(bufnr, 'expect print "8').line + 1, vim.inspect(list))
  assert(list[1].text:find('seven · missed', 1, true), list[1].text)
  assert(list[2].lnum == position(bufnr, '%b = store').line + 1 and list[2].text:find('R0106', 1, true), vim.inspect(list))
  vim.cmd('cclose')
  vim.cmd('TileTest met')
  wait_for('the one result', function()
    return vim.fn.getqflist({ title = 1 }).title == 'tile: 1 of 1 launches passed'
  end)
end)

test(':TileSanitize finds more than :TileRun', function()
  local bufnr = edit('expects.tile', EXPECTS)
  vim.api.nvim_win_set_cursor(0, { position(bufnr, '%b = store').line + 1, 0 })
  local function findings()
    local _, count = require('tile.output').text():gsub('R0106', '')
    return count
  end
  local function verdicts()
    local _, count = require('tile.output').text():gsub('[✓✗]', '')
    return count
  end
  local before, ended = findings(), verdicts()
  vim.cmd('TileRun')
  wait_for('the end of the run', function()
    return verdicts() > ended
  end)
  assert(findings() == before, require('tile.output').text())
  vim.cmd('TileSanitize')
  wait_for('the finding', function()
    return findings() > before
  end)
end)

test(':TileTarget selects the target of kernels, including user-defined names', function()
  local bufnr = edit('hello.tile', HELLO)
  assert(vim.tbl_contains(require('tile.target').names('bo'), 'box'))
  local function verdict()
    local _, count = require('tile.output').text():gsub('✓', '')
    return count
  end
  local before = verdict()
  vim.cmd('TileTarget box:cpu')
  assert(require('tile.target').now() == 'box:cpu')
  vim.cmd('TileRun')
  wait_for('the run on the other machine', function()
    return verdict() > before
  end)
  assert(vim.fn.filereadable(scratch .. '/used') == 1, 'it ran on this machine directly')
  -- Lenses use the target too.
  wait_for('the lens with the target', function()
    local lenses = request(bufnr, 'textDocument/codeLens', { textDocument = document(bufnr) })
    return vim.inspect(lenses):find('on box:cpu', 1, true)
  end)
  local select = vim.ui.select
  vim.ui.select = function(items, options, done)
    assert(options.format_item(items[1]):find('cpu', 1, true))
    done(items[1])
  end
  vim.cmd('TileTarget')
  vim.ui.select = select
  assert(require('tile.target').now() == 'cpu')
end)

test(':TileShow shows generated code, read-only', function()
  edit('hello.tile', HELLO)
  vim.cmd('TileShow bytecode')
  wait_for('the text', function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return vim.bo.filetype == 'tile' and text:find('bytes of bytecode', 1, true) and text:find('entry @hello', 1, true)
  end)
  assert(not vim.bo.modifiable)
  vim.cmd('close')
  for _ = 1, 2 do
    vim.cmd('TileShow sass sm_90')
    wait_for('the instructions', function()
      return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('EXIT', 1, true)
    end)
    vim.cmd('close')
  end
  assert(#require('tile.show').kinds('') == 3)
end)

test(':TileRemarks shows remarks of the compiler as diagnostics', function()
  local bufnr = edit('hello.tile', HELLO)
  local function remarks()
    return vim.tbl_filter(function(found)
      return found.code == 'P0104'
    end, vim.diagnostic.get(bufnr))
  end
  vim.cmd('TileRemarks sm_90')
  wait_for('the remark', function()
    return #remarks() == 1
  end)
  assert(remarks()[1].message:find('high register usage', 1, true))
end)

test(':TileGraph, :TileAccesses and :TileView open pages about the place of the cursor', function()
  local bufnr = edit('copy.tile', COPY)
  local pages = {}
  local dataflow = require('tile.dataflow')
  local browse = dataflow.browse
  dataflow.browse = function(path)
    table.insert(pages, table.concat(vim.fn.readfile(path), '\n'))
  end
  local load = position(bufnr, 'load_ptr_tko')
  vim.api.nvim_win_set_cursor(0, { load.line + 1, load.character })
  for number, command in ipairs({ 'TileGraph', 'TileAccesses', 'TileView' }) do
    if command == 'TileView' then
      local value = position(bufnr, '%v, %t')
      vim.api.nvim_win_set_cursor(0, { value.line + 1, value.character + 1 })
    end
    vim.cmd(command)
    wait_for('the page of ' .. command, function()
      return #pages == number
    end)
  end
  dataflow.browse = browse
  assert(pages[1]:find('<svg', 1, true) and pages[1]:find('load_ptr_tko', 1, true))
  assert(pages[2]:find('"buffer":"%x"', 1, true))
  assert(pages[3]:find('"name":"%v"', 1, true))
end)

test(':TileTune needs a GPU', function()
  edit('hello.tile', HELLO)
  local warning
  local notify = vim.notify
  vim.notify = function(text)
    warning = text
  end
  vim.cmd('TileTune')
  wait_for('the answer', function()
    return warning
  end)
  vim.notify = notify
  assert(warning:find('tuning needs a GPU', 1, true), warning)
end)

test(':TileDiff shows only differences in meaning', function()
  local text = vim.split(HELLO, '\n')
  edit('compared.tile', HELLO)
  vim.cmd('silent write')
  local other = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':h') .. '/other.tile'
  local renamed = HELLO:gsub('hello from', 'goodbye from'):gsub('%%([xyz])', '%%other_%1')
  vim.fn.writefile(vim.split(renamed, '\n'), other)
  vim.cmd('TileDiff ' .. other)
  local windows = vim.api.nvim_tabpage_list_wins(0)
  assert(#windows == 2)
  local texts = vim.tbl_map(function(window)
    assert(vim.wo[window].diff)
    return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
  end, windows)
  assert(texts[1] ~= texts[2] and texts[1]:gsub('hello from', 'goodbye from') == texts[2], texts[2])
  vim.cmd('tabclose')
  vim.fn.writefile(text, other)
  vim.cmd('TileDiff ' .. other)
  assert(#vim.api.nvim_list_tabpages() == 1)
end)

test(':TileExplain opens the page of the diagnostic at the cursor', function()
  local bufnr = edit('broken.tile', BROKEN)
  wait_for('a diagnostic', function()
    return #vim.diagnostic.get(bufnr) > 0
  end)
  local wrong = position(bufnr, '%undefined')
  vim.api.nvim_win_set_cursor(0, { wrong.line + 1, wrong.character })
  vim.cmd('TileExplain')
  assert(vim.bo.filetype == 'markdown')
  assert(vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]:find('E0101', 1, true))
  assert(vim.wo.linebreak)
  if not vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] then
    local at = position(0, 'entry @')
    local name = vim.fn.synIDattr(vim.fn.synID(at.line + 1, at.character + 1, 1), 'name')
    assert(name:find('^tile'), name)
  end
  vim.cmd('close')
  vim.cmd('TileExplain E0002')
  assert(vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]:find('E0002', 1, true))
  vim.cmd('close')
  assert(vim.tbl_contains(require('tile.explain').codes('E01'), 'E0101'))
end)

test(':TileDoc opens the page of the word at the cursor', function()
  local bufnr = edit('hello.tile', HELLO)
  local op = position(bufnr, 'print_tko')
  vim.api.nvim_win_set_cursor(0, { op.line + 1, op.character })
  vim.cmd('TileDoc')
  assert(vim.bo.filetype == 'markdown')
  assert(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('Prints text from the device', 1, true))
  vim.cmd('close')
  vim.cmd('TileDoc rounding zero')
  assert(vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]:find('rounding mode', 1, true))
  vim.cmd('close')
  assert(vim.tbl_contains(require('tile.doc').terms('partition'), 'partition_view'))
end)

test('bytecode opens as read-only text with language features', function()
  local source = scratch .. '/hello.tile'
  local code = scratch .. '/hello.tileirbc'
  edit('hello.tile', HELLO)
  vim.fn.system({ os.getenv('TILE'), 'build', source, '-o', code })
  assert(vim.v.shell_error == 0)
  local function bytes()
    local file = assert(io.open(code, 'rb'))
    local content = file:read('*a')
    file:close()
    return content
  end
  local before = bytes()
  vim.cmd('edit ' .. vim.fn.fnameescape(code))
  local bufnr = vim.api.nvim_get_current_buf()
  assert(vim.bo[bufnr].filetype == 'tile' and not vim.bo[bufnr].modifiable)
  wait_for('the client', function()
    return tile.client(bufnr)
  end)
  local hover = request(bufnr, 'textDocument/hover', { textDocument = document(bufnr), position = position(bufnr, 'print_tko', 2) })
  assert(hover and vim.inspect(hover.contents):find('print_tko', 1, true), vim.inspect(hover))
  vim.cmd('silent! write')
  assert(bytes() == before, 'the bytecode was overwritten')
  local garbage = assert(io.open(scratch .. '/garbage.tileirbc', 'w'))
  garbage:write('no bytecode\n')
  garbage:close()
  vim.cmd('silent! edit ' .. vim.fn.fnameescape(scratch .. '/garbage.tileirbc'))
  assert(vim.bo.filetype ~= 'tile')
end)

test('settings reach the server', function()
  if not vim.lsp.inlay_hint or not vim.lsp.inlay_hint.get then
    return
  end
  local bufnr = edit('hello.tile', HELLO)
  local lenses = request(bufnr, 'textDocument/codeLens', { textDocument = document(bufnr) })
  assert(#lenses > 0 and not vim.inspect(lenses):find('showBytecode', 1, true), vim.inspect(lenses))
end)

test(':checkhealth tile reports what is installed', function()
  vim.cmd('silent checkhealth tile')
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  assert(report:find('tile 0.', 1, true), report)
  assert(report:find('a server is running for', 1, true), report)
  assert(report:find(os.getenv('NVIM_DAP') and 'nvim-dap is configured' or 'nvim-dap is not installed', 1, true), report)
  vim.cmd('bwipeout!')
end)

local DEBUGGED = [[
cuda_tile.module @debugged {
  //@ launch "two" grid=(2, 1, 1)
  //@ launch "one" grid=(1, 1, 1)
  entry @debugged() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %lanes = iota : tile<4xi32>
    %t = print_tko "block %i\n", %x : tile<i32> -> token
    return
  }

  //@ launch
  entry @other() {
    return
  }
}
]]

test('the cursor determines which launch is debugged', function()
  local bufnr = edit('debugged.tile', DEBUGGED)
  local found
  require('tile.run').launches(tile.client(bufnr), bufnr, function(all)
    found = all
  end)
  wait_for('the launches', function()
    return found
  end)
  local function names(line)
    return table.concat(vim.tbl_map(function(each)
      return each.entry .. '/' .. (each.launch or '')
    end, require('tile.debug').candidates(found, line)), ' ')
  end
  assert(names(0) == 'debugged/two debugged/one other/', names(0))
  assert(names(1) == 'debugged/two' and names(2) == 'debugged/one', names(2))
  assert(names(5) == 'debugged/two debugged/one', names(5))
  assert(names(11) == 'other/', names(11))
end)

test(':TileDebug stops at breakpoints and shows values', function()
  if not os.getenv('NVIM_DAP') then
    assert(not require('tile.debug').installed())
    return
  end
  local dap = require('dap')
  local bufnr = edit('debugged.tile', DEBUGGED)
  assert(dap.configurations.tile, 'nvim-dap has no configurations for tile')
  local line = position(bufnr, '%t = print').line + 1
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  dap.toggle_breakpoint()
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  local printed, stops, ended = '', 0, false
  dap.listeners.after.event_output['tile-test'] = function(_, body)
    printed = printed .. (body.category == 'stdout' and body.output or '')
  end
  dap.listeners.after.event_stopped['tile-test'] = function()
    stops = stops + 1
  end
  dap.listeners.after.event_terminated['tile-test'] = function()
    ended = true
  end
  local function value(expression)
    local result
    dap.session():request('evaluate', { expression = expression, context = 'watch', frameId = dap.session().current_frame.id }, function(_, answer)
      result = answer or { result = 'nothing' }
    end)
    return wait_for('a value', function()
      return result
    end).result
  end
  vim.cmd('TileDebug')
  wait_for('the stop', function()
    return stops == 1 and dap.session() and dap.session().current_frame
  end)
  assert(dap.session().config.launch == 'one', vim.inspect(dap.session().config))
  assert(dap.session().current_frame.line == line, vim.inspect(dap.session().current_frame))
  assert(value('%lanes'):find('3', 1, true), value('%lanes'))
  dap.continue()
  wait_for('the end', function()
    return ended
  end)
  assert(printed:find('block 0', 1, true), printed)
  wait_for('the end of the session', function()
    return not dap.session()
  end)
  -- The lens debugs its own launch in the same way.
  local lens
  for _, each in ipairs(request(bufnr, 'textDocument/codeLens', { textDocument = document(bufnr) })) do
    if not lens and each.command.command == 'tile.debug' then
      lens = each.command
    end
  end
  assert(lens, 'no lens')
  vim.api.nvim_set_current_buf(bufnr)
  tile.client(bufnr).config.commands['tile.debug'](lens)
  wait_for('the stop', function()
    return stops == 2 and dap.session() and dap.session().current_frame
  end)
  assert(dap.session().config.launch == 'two', vim.inspect(dap.session().config))
  dap.terminate()
  wait_for('the end', function()
    return not dap.session()
  end)
  -- The configurations of :DapContinue ask if there are several launches at the cursor.
  vim.api.nvim_set_current_buf(bufnr)
  vim.api.nvim_win_set_cursor(0, { 6, 0 })
  local select = vim.ui.select
  vim.ui.select = function(items, _, done)
    assert(#items == 2, vim.inspect(items))
    done(items[1])
  end
  dap.run(dap.configurations.tile[2])
  wait_for('the stop at the first op', function()
    return stops == 3 and dap.session() and dap.session().current_frame
  end)
  vim.ui.select = select
  assert(dap.session().config.launch == 'two', vim.inspect(dap.session().config))
  assert(dap.session().current_frame.line == position(bufnr, '%x, %y').line + 1, vim.inspect(dap.session().current_frame))
  dap.terminate()
  wait_for('the end', function()
    return not dap.session()
  end)
  dap.clear_breakpoints()
end)

local failed = 0
for _, each in ipairs(tests) do
  local success, problem = pcall(each[2])
  print_line((success and 'ok      ' or 'FAILED  ') .. each[1] .. (success and '' or '\n        ' .. tostring(problem)))
  failed = failed + (success and 0 or 1)
end
local v = vim.version()
print_line(('%d of %d tests passed in Neovim %d.%d.%d'):format(#tests - failed, #tests, v.major, v.minor, v.patch))
vim.cmd(failed == 0 and 'qall!' or 'cquit')
