if vim.g.loaded_tile then
  return
end
vim.g.loaded_tile = true

local function on_launch(name, act, about)
  vim.api.nvim_create_user_command(name, function(command)
    require('tile')[act](command.args ~= '' and command.args or nil)
  end, {
    nargs = '?',
    complete = function(start)
      return require('tile').launch_names(start)
    end,
    desc = about,
  })
end

on_launch('TileRun', 'run', 'Run the launch nearest to the cursor, or the one with this name')
on_launch('TileSanitize', 'sanitize', 'Run the launch nearest to the cursor with the sanitizer')
on_launch('TileProfile', 'profile', 'Run the launch nearest to the cursor and show the cost of each line')
on_launch('TileTrace', 'trace', 'Run the launch nearest to the cursor and show its values in the first tile block')
on_launch('TileBench', 'bench', 'Measure the launch nearest to the cursor on a GPU')
on_launch('TileTune', 'tune', 'Search for the fastest hints of the kernel at the cursor on a GPU')
on_launch('TileDebug', 'debug', 'Debug the launch at the cursor, or the one with this name, with nvim-dap')
on_launch('TileTest', 'test', 'Run all launches in the file, or those of this entry, and list failures in the quickfix list')

vim.api.nvim_create_user_command('TileOutput', function()
  require('tile.output').open()
end, { desc = 'Show the output of kernels' })

vim.api.nvim_create_user_command('TileExplain', function(command)
  require('tile.explain').open(command.args ~= '' and command.args or nil)
end, {
  nargs = '?',
  complete = function(start)
    return require('tile.explain').codes(start)
  end,
  desc = 'Open the page of a diagnostic code, or of the diagnostic at the cursor',
})

vim.api.nvim_create_user_command('TileDoc', function(command)
  require('tile.doc').open(command.args ~= '' and command.args or nil)
end, {
  nargs = '?',
  complete = function(start)
    return require('tile.doc').terms(start)
  end,
  desc = 'Open the page of an op, type, keyword or launch directive, or of the word at the cursor',
})

vim.api.nvim_create_user_command('TileTarget', function(command)
  require('tile.target').choose(command.args ~= '' and command.args or nil)
end, {
  nargs = '?',
  complete = function(start)
    return require('tile.target').names(start)
  end,
  desc = 'Select the target of kernels',
})

vim.api.nvim_create_user_command('TileShow', function(command)
  require('tile.show').show(command.fargs[1], command.fargs[2])
end, {
  nargs = '+',
  complete = function(start)
    return require('tile.show').kinds(start)
  end,
  desc = 'Show the bytecode, PTX or SASS of the program: kind, and GPU for PTX and SASS',
})

vim.api.nvim_create_user_command('TileRemarks', function(command)
  require('tile.show').remarks(command.args ~= '' and command.args or nil)
end, { nargs = '?', desc = "Show what NVIDIA's compiler did not optimize as diagnostics, for this GPU if given" })

vim.api.nvim_create_user_command('TileDiff', function(command)
  require('tile.compare').compare(command.args)
end, { nargs = 1, complete = 'file', desc = 'Compare the program with another file by meaning' })

vim.api.nvim_create_user_command('TileGraph', function()
  require('tile.dataflow').graph()
end, { desc = 'Show the data flow of the entry at the cursor in the browser' })

vim.api.nvim_create_user_command('TileAccesses', function()
  require('tile.dataflow').accesses()
end, { desc = 'Show the accesses of the launch at the cursor in the browser' })

vim.api.nvim_create_user_command('TileView', function()
  require('tile.dataflow').view()
end, { desc = 'Run the launch and show the elements of the value, buffer or expectation at the cursor in the browser' })

local group = vim.api.nvim_create_augroup('tile_bytecode', {})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = '*.tileirbc',
  callback = function(event)
    require('tile.bytecode').read(event.buf, event.match ~= '' and event.match or event.file)
  end,
})
vim.api.nvim_create_autocmd('BufWriteCmd', {
  group = group,
  pattern = '*.tileirbc',
  callback = function(event)
    require('tile.bytecode').write(event.file)
  end,
})

-- Neovim 0.11 and newer start the server as configured in lsp/tile.lua.
if vim.lsp.config and vim.lsp.enable then
  vim.lsp.enable('tile')
end
