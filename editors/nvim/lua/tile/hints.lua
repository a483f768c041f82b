-- Inlay hints in Neovim 0.10, which requests them again when the server asks for it, but draws the new ones only after
-- an edit: it remembers which version of the text it has drawn.
local M = {}

--- Whether this Neovim has that fault.
M.needed = vim.fn.has('nvim-0.10') == 1 and vim.fn.has('nvim-0.11') == 0

--- Handles `workspace/inlayHint/refresh`: switching the hints off and on forgets what was drawn.
function M.refresh(problem, _, context)
  if problem then
    return vim.NIL
  end
  for _, bufnr in ipairs(vim.lsp.get_buffers_by_client_id(context.client_id)) do
    local filter = { bufnr = bufnr }
    if vim.lsp.inlay_hint.is_enabled(filter) then
      vim.lsp.inlay_hint.enable(false, filter)
      vim.lsp.inlay_hint.enable(true, filter)
    end
  end
  return vim.NIL
end

return M
