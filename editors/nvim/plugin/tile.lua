if vim.g.loaded_tile then
  return
end
vim.g.loaded_tile = true

vim.api.nvim_create_user_command('TileRun', function(command)
  require('tile').run(command.args ~= '' and command.args or nil)
end, {
  nargs = '?',
  complete = function(start)
    return require('tile').launch_names(start)
  end,
  desc = 'Run the launch nearest to the cursor, or the one of this name',
})

vim.api.nvim_create_user_command('TileOutput', function()
  require('tile.output').open()
end, { desc = 'Show what kernels wrote' })
